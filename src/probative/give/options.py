"""The options of give, and the presets."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, field_validator

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
    """How entity groups are built, connected and judged, and how the answer is made."""

    facts: bool = Field(
        default=False,
        description="read the answer from the graph's own edges and two-hop paths where they state it, and "
        "extrapolate only where they do not",
    )
    equal_relations: tuple[tuple[str, ...], ...] = Field(
        default=(),
        description="relations that you declare equal, so that a question may use any of their names: groups "
        "of names, or a text such as 'ease = relieve = soothe; wife = is married to'",
    )
    extractor: Extractor = Field(
        default="model",
        description="what finds the entities and relations of the question: the model in two calls (as in "
        "the paper), the model in one call (model-once), or rules without a model",
    )
    max_entities: int | None = Field(
        default=12,
        ge=1,
        le=50,
        description="the most entities taken from the question; None: all (as in the paper)",
    )
    max_relations: int | None = Field(
        default=8,
        ge=1,
        description="the most relations taken from the question; None: all (as in the paper)",
    )
    step_examples: int = Field(
        default=0,
        ge=0,
        le=3,
        description="worked examples in the prompts for entities, relations and phrases, where each has its "
        "own call; the paper shows some",
    )
    entities: int = Field(
        default=2,
        ge=0,
        le=20,
        description="p: the number of nearest entities of the graph that join each entity's group",
    )
    min_cosine: float | None = Field(
        default=0.0,
        ge=-1,
        le=1,
        description="the lowest cosine with which an entity joins a group; None: any (as in the paper)",
    )
    connections: Connections = Field(
        default="both",
        description="inner: only within groups; inter: only between groups; both: as in the paper",
    )
    intermediate: bool = Field(
        default=True, description="add the group around the middle of the best two-hop path"
    )
    paths: int | None = Field(
        default=20,
        ge=1,
        le=200,
        description="the most two-hop paths shown to the model: with the middle nearest to the question; "
        "None: all that fit into its window (as in the paper)",
    )
    through_members: bool = Field(
        default=False,
        description="two-hop paths may also lead through an entity that a group has already (as in the "
        "paper)",
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
    staged_examples: bool = Field(
        default=False,
        description="worked examples show the same stages as the question: each set of knowledge, and the "
        "answer after it (as in the paper)",
    )
    logic_chain: bool = Field(
        default=False,
        description="let the model write with its answer how the knowledge leads to it, and show it in the "
        "worked examples (as in the paper)",
    )
    ask_every_stage: bool = Field(
        default=False,
        description="ask the model in each of the three stages (as in the paper), also where a stage adds no "
        "knowledge",
    )
    summarise: bool = Field(
        default=False, description="let the model summarise each set of knowledge before it answers"
    )

    @field_validator("equal_relations", mode="before")
    @classmethod
    def _groups(cls, value: Any) -> Any:
        """Split a text into groups of names, and refuse a group that declares nothing."""
        if isinstance(value, str):
            groups = [group.split("=") for group in value.split(";") if group.strip()]
            value = [[name.strip() for name in group] for group in groups]
        for group in value if isinstance(value, list | tuple) else ():
            if isinstance(group, list | tuple) and (len(group) < 2 or not all(group)):
                raise ValueError(f"a group must have at least two names, got {list(group)}")
        return value


# Any model that can number its answers judges 20 candidates in one call; see docs/bench/reason-options.md.
BATCH = 20

PRESETS: dict[str, GiveOptions] = {
    "paper": GiveOptions(
        max_entities=None,
        max_relations=None,
        step_examples=3,
        min_cosine=None,
        paths=None,
        through_members=True,
        staged_examples=True,
        logic_chain=True,
        ask_every_stage=True,
    ),
    "calls": GiveOptions(facts=True, extractor="model-once", batch=BATCH),
    "small": GiveOptions(
        facts=True, extractor="rules", entities=1, paths=1, veracity="learned", answering="chosen"
    ),
}
"""`paper`: Algorithm 1 with one call for each candidate and pair; docs/papers.md lists what remains different
from the paper. `calls`: the graph's facts first, then the same with candidates judged in batches, for a model
behind a server. `small`: the facts first, one entity a group, veracity learned from the graph, and as little
free writing as possible, for a model that writes badly."""
