"""Every switch of the method: the paper's numbers, its ablations, and what we add."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field, field_validator

from probative.types import Value


class McseOptions(Value):
    """How `mcse` searches. The defaults are the paper's.

    >>> McseOptions().lookahead, McseOptions(lookahead=0).lookahead
    (4, 0)
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    gamma: float = Field(default=0.9, ge=0, le=1, description="γ: what a later step counts")
    lam: float = Field(default=1.0, ge=0, description="λ: weight of the collaborative part of g")
    delta: float = Field(default=1.0, ge=0, description="δ: weight of the collaborative part of h")
    lookahead: int = Field(default=4, ge=0, description="K: steps looked ahead; 0 leaves h out")
    within_k: bool = Field(
        default=False,
        description="look ahead no further than the k sentences that are asked for: the last one is chosen "
        "by g alone",
    )
    trajectories: int = Field(default=10, ge=1, description="N: size of the trajectory pool")
    policy: Literal["path", "pair", "learned", "random"] = Field(
        default="path",
        description="what a trajectory follows: the model's probability of the next sentence after the "
        "whole path, after the last sentence only (Markov of order 1), the learned policy's after the whole "
        "path, or nothing (random)",
    )
    length_penalty: float = Field(
        default=1.0,
        ge=0,
        le=10,
        description="a sentence's log-probability is divided by its tokens to this power",
    )
    grounded: bool = Field(default=True, description="the grounding prompt; False: the plain one")
    prompt: str | None = Field(
        default=None, description="your own prompt, with {evidence} where the text goes"
    )
    independent: bool = Field(default=True, description="the independent part of g and h")
    collaborative: bool = Field(default=True, description="the collaborative part of g and h")
    lexical: float = Field(default=0.0, ge=0, description="weight of BM25 in the independent part")
    semantic: float = Field(default=0.0, ge=0, description="weight of embeddings in the independent part")
    learned: float = Field(
        default=0.0,
        ge=0,
        description="weight of the learned policy's log-probability, after the path, in the independent part",
    )
    proximity: float = Field(
        default=0.0, ge=0, description="weight of standing near the chosen sentences, in g"
    )
    topic: bool = Field(default=True, description="BM25 leaves out the words that name the text's subject")
    candidates: int | None = Field(
        default=40, ge=1, description="most sentences searched; more are filtered by words and embeddings"
    )
    width: int | None = Field(
        default=None, ge=1, description="most sentences tried at each later step, the best alone; None: all"
    )
    least_gain: float = Field(
        default=0.1,
        ge=0,
        description="k='auto' stops where a sentence adds less, in nats a token of the claim",
    )
    most: int = Field(default=6, ge=1, description="k='auto' takes no more sentences than this")
    at_once: int = Field(default=64, ge=1, description="trajectories evaluated in one batch")
    seed: int = Field(default=0, description="of the random policy")

    @field_validator("prompt")
    @classmethod
    def _has_a_place(cls, prompt: str | None) -> str | None:
        if prompt is not None and prompt.count("{evidence}") != 1:
            raise ValueError("the prompt must say once where the text goes: {evidence}")
        return prompt


# The prior of `fast` was chosen for the tuned embedded model, that of `full` for the plain one: see
# docs/results.md.
PRESETS: dict[str, McseOptions] = {
    "paper": McseOptions(),
    "full": McseOptions(policy="pair", lexical=4.0, semantic=1.0, proximity=1.5),
    "fast": McseOptions(lookahead=0, lexical=2.0, proximity=0.75, candidates=24, width=8),
}
"""`paper`: as published. `full`: the same search with the prior and the cheaper policy. `fast`: no
look-ahead, for a CPU."""

DEFAULT_PRESET = "fast"
