"""Every switch of give, and the presets that set them together."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from probative.types import Value

Extractor = Literal["model", "model-once", "rules"]
Connections = Literal["both", "inner", "inter"]
Shape = Literal["triples", "text"]
Veracity = Literal["asked", "scored"]
Answering = Literal["written", "chosen"]


class GiveOptions(Value):
    """How groups are built, connected and judged, and how the answer is made; by default as in the paper."""

    extractor: Extractor = Field(
        default="model",
        description="who finds the entities and relations of the question: the model in two calls (the "
        "paper's), the model in one (model-once), or rules without any model",
    )
    most_entities: int = Field(default=12, ge=1, le=50, description="most entities taken from the question")
    entities: int = Field(
        default=2, ge=0, le=20, description="p: nearest entities of the graph that join each entity's group"
    )
    nearest_at_least: float = Field(
        default=0.0, ge=-1, le=1, description="an entity of the graph joins a group from this cosine on"
    )
    connections: Connections = Field(
        default="both", description="inner: only within groups; inter: only between them; both: the paper's"
    )
    intermediate: bool = Field(
        default=True, description="add the group in the middle of the best two-hop path"
    )
    paths: int = Field(
        default=20,
        ge=1,
        le=200,
        description="most two-hop paths shown to the model, those whose middle is nearest to the question",
    )
    open_relations: bool = Field(
        default=True, description="let the model name a relation for each pair of entities between groups"
    )
    veracity: Veracity = Field(
        default="asked",
        description="how the model's own knowledge is had: asked in words (the paper's), or scored: by how "
        "much a head and a relation make it expect the tail, for a small model",
    )
    batch: int = Field(
        default=1,
        ge=1,
        le=100,
        description="k: candidates that are judged, or pairs that are related, in one call",
    )
    examples: int = Field(default=3, ge=0, le=10, description="worked examples in the answer's prompt")
    shape: Shape = Field(default="triples", description="knowledge in the prompt as triples or as text")
    summarise: bool = Field(
        default=False, description="have the model sum up each set of knowledge before answering"
    )
    answering: Answering = Field(
        default="written",
        description="written: the model writes its answer; chosen: what the knowledge makes it expect most "
        "of yes, no and maybe, or of the choices (where the model can choose and score), for a small model",
    )


# A batch of 20 is judged in one call by any model that can number its answers; see docs/results.md.
BATCH = 20

PRESETS: dict[str, GiveOptions] = {
    "paper": GiveOptions(),
    "calls": GiveOptions(extractor="model-once", batch=BATCH),
    "small": GiveOptions(extractor="rules", entities=1, paths=1, veracity="scored", answering="chosen"),
}
"""`paper`: as published. `calls`: the same with candidates judged in batches, for a model behind a server.
`small`: one entity a group, and as little free writing as possible, for a model that writes badly."""
