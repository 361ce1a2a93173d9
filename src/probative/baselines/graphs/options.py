"""Every switch of the baselines that answer over a graph."""

from __future__ import annotations

from pydantic import Field

from probative.give.options import Answering, Shape
from probative.types import Value


class GiveBaselineOptions(Value):
    """How the baselines of give look for triples and answer; by default as in give's paper.

    >>> GiveBaselineOptions().depth, GiveBaselineOptions(depth=3).depth
    (5, 3)
    """

    examples: int = Field(default=3, ge=0, le=10, description="worked examples in the answer's prompt")
    seed: int = Field(default=0, description="of what is drawn at random: entities in tog, communities")
    answering: Answering = Field(
        default="written",
        description="written: the model writes its answer; chosen: what the knowledge makes it expect most "
        "of yes, no and maybe, or of the choices (where the model can choose and score)",
    )
    shape: Shape | None = Field(
        default=None,
        description="knowledge in the prompt as triples or as text; None: as in the paper, text for rag and "
        "triples for tog",
    )
    triples: int = Field(default=10, ge=1, le=1000, description="rag: triples that the model reads")
    encode_up_to: int = Field(
        default=30_000,
        ge=0,
        description="rag: on a graph of at most so many edges every triple is encoded; on a larger one the "
        "edges of the entities nearest to the question",
    )
    near: int = Field(default=50, ge=1, description="rag on a larger graph: how many such entities")
    depth: int = Field(
        default=5, ge=1, le=20, description="tog: most steps away from the question's entities"
    )
    width: int = Field(default=3, ge=1, le=20, description="tog: paths that are followed at a time")
    most_edges: int = Field(default=20_000, ge=1, description="graphrag: a larger graph is refused")
    most_communities: int = Field(
        default=100,
        ge=1,
        description="graphrag: a graph of more communities is refused; each costs two calls",
    )
    community_tokens: int = Field(
        default=4_000, ge=50, description="graphrag: most tokens of facts behind one community's summary"
    )
    best: int = Field(
        default=10, ge=1, description="graphrag: intermediate answers that the final one is made from"
    )
