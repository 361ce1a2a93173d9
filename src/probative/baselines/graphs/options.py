"""The options of the baselines that answer over a graph."""

from __future__ import annotations

from pydantic import Field

from probative.give.options import AnswerOptions, Shape


class GiveBaselineOptions(AnswerOptions):
    """How the baselines of give search for triples and answer. The defaults are the settings in give's paper.

    >>> GiveBaselineOptions().depth, GiveBaselineOptions(depth=3).depth
    (5, 3)
    """

    seed: int = Field(
        default=0, ge=0, description="the seed for random choices: entities in tog, communities"
    )
    shape: Shape | None = Field(
        default=None,
        description="knowledge in the prompt as triples or as text; by default text for rag and triples for "
        "tog, as in the paper",
    )
    triples: int = Field(
        default=10, ge=1, le=1000, description="rag: the number of triples that the model reads"
    )
    max_encoded_edges: int = Field(
        default=30_000,
        ge=0,
        description="rag: on a graph with at most this number of edges all triples are encoded; on a larger "
        "one only the edges of the entities nearest to the question",
    )
    near: int = Field(default=50, ge=1, description="rag on a larger graph: the number of these entities")
    depth: int = Field(
        default=5, ge=1, le=20, description="tog: the most steps away from the question's entities"
    )
    width: int = Field(
        default=3, ge=1, le=20, description="tog: the number of paths that are followed in a step"
    )
    max_edges: int = Field(default=20_000, ge=1, description="graphrag: the most edges of a graph")
    max_communities: int = Field(
        default=100, ge=1, description="graphrag: the most communities of a graph; each costs two calls"
    )
    community_tokens: int = Field(
        default=4_000, ge=50, description="graphrag: the most tokens of facts for the summary of a community"
    )
    best: int = Field(
        default=10, ge=1, description="graphrag: the number of partial answers behind the final one"
    )
