"""The options of give, and the presets.

The preset `paper` follows Algorithm 1 of the paper with these differences:

- The prompts are written in our own words. Those for entities, relations and phrases have no worked examples,
  and the model answers without a logic chain.
- At most 12 entities (`max_entities`) and 8 relations are taken from a question.
- An entity that the graph contains stands for itself, and its p nearest *other* entities join its group; in
  equation 3 it would be the nearest of the p.
- The model chooses among at most 20 two-hop paths (`paths`), those whose middle entity is nearest to the
  question, out of at most 2,000 paths between two groups.
- A question with one entity gets the edges within its group as expert knowledge.
- Knowledge that does not fit into the model's window is left out, and a stage that adds no knowledge repeats
  the answer before it without a call.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from probative.types import Value

Extractor = Literal["model", "model-once", "rules"]
Connections = Literal["both", "inner", "inter"]
Shape = Literal["triples", "text"]
Veracity = Literal["asked", "scored", "learned"]
Answering = Literal["written", "chosen"]


class AnswerOptions(Value):
    """The options that give and its baselines share."""

    examples: int = Field(default=3, ge=0, le=10, description="worked examples in the answer's prompt")
    answering: Answering = Field(
        default="written",
        description="written: the model writes its answer; chosen: the answer whose probability the "
        "knowledge raises most, of yes, no and maybe or of the choices, for a small model that can choose "
        "and score",
    )


class GiveOptions(AnswerOptions):
    """How entity groups are built, connected and judged, and how the answer is made. The defaults are those
    of the preset `paper`.
    """

    facts: bool = Field(
        default=False,
        description="read the answer from the graph's own edges and two-hop paths where they state it, and "
        "extrapolate only where they do not",
    )
    extractor: Extractor = Field(
        default="model",
        description="what finds the entities and relations of the question: the model in two calls (as in "
        "the paper), the model in one call (model-once), or rules without a model",
    )
    max_entities: int = Field(
        default=12, ge=1, le=50, description="the most entities taken from the question"
    )
    entities: int = Field(
        default=2,
        ge=0,
        le=20,
        description="p: the number of nearest entities of the graph that join each entity's group",
    )
    min_cosine: float = Field(
        default=0.0, ge=-1, le=1, description="the lowest cosine with which an entity joins a group"
    )
    connections: Connections = Field(
        default="both",
        description="inner: only within groups; inter: only between groups; both: as in the paper",
    )
    intermediate: bool = Field(
        default=True, description="add the group around the middle of the best two-hop path"
    )
    paths: int = Field(
        default=20,
        ge=1,
        le=200,
        description="the most two-hop paths shown to the model: with the middle nearest to the question",
    )
    open_relations: bool = Field(
        default=True, description="let the model name a relation for each pair of entities between groups"
    )
    veracity: Veracity = Field(
        default="asked",
        description="what judges a candidate: the model asked in words (as in the paper); its score, by how "
        "much a head and a relation make it expect the tail; or a scorer learned from the graph's own edges",
    )
    batch: int = Field(
        default=1,
        ge=1,
        le=100,
        description="k: the number of candidates judged, or pairs related, in one call",
    )
    shape: Shape = Field(default="triples", description="knowledge in the prompt as triples or as text")
    summarise: bool = Field(
        default=False, description="let the model summarise each set of knowledge before it answers"
    )


# Any model that can number its answers judges 20 candidates in one call; see docs/results.md.
BATCH = 20

PRESETS: dict[str, GiveOptions] = {
    "paper": GiveOptions(),
    "calls": GiveOptions(facts=True, extractor="model-once", batch=BATCH),
    "small": GiveOptions(
        facts=True, extractor="rules", entities=1, paths=1, veracity="learned", answering="chosen"
    ),
}
"""`paper`: Algorithm 1 with one call for each candidate and pair; this module lists the differences from the
paper. `calls`: the graph's facts first, then the same with candidates judged in batches, for a model behind a
server. `small`: the facts first, one entity a group, veracity learned from the graph, and as little free
writing as possible, for a model that writes badly."""
