"""Every parameter of the search: the paper's numbers, its ablations, and what is added here."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field, field_validator

from probative.types import Value


class McseOptions(Value):
    """The parameters of `mcse`.

    The defaults are the paper's numbers, with two limits that the paper does not have and the preset `paper`
    removes: at most `max_candidates` sentences are searched, and a sentence of more than
    `max_sentence_tokens` tokens is cut. `prove` itself uses the preset `fast` by default, which has no
    look-ahead.

    >>> McseOptions().lookahead, McseOptions(lookahead=0).lookahead
    (4, 0)
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    gamma: float = Field(default=0.9, ge=0, le=1, description="γ: discount of later steps")
    lam: float = Field(default=1.0, ge=0, description="λ: weight of the collaborative part of g")
    delta: float = Field(default=1.0, ge=0, description="δ: weight of the collaborative part of h")
    lookahead: int = Field(
        default=4,
        ge=0,
        description="K: steps of look-ahead; 0 leaves out h, as the default preset of prove does",
    )
    lookahead_within_k: bool = Field(
        default=False,
        description="look ahead no further than the k sentences to choose, so that g alone chooses the last",
    )
    trajectories: int = Field(default=10, ge=1, description="N: size of the trajectory pool")
    policy: Literal["path", "pair", "learned", "random"] = Field(
        default="path",
        description="π, which trajectories follow: the model's probability of the next sentence after the "
        "whole path, after the last sentence only (a Markov chain of order 1), the learned policy's "
        "probability after the whole path, or random",
    )
    length_penalty: float = Field(
        default=1.0,
        ge=0,
        le=10,
        description="α: π divides a sentence's log-probability by its tokens to this power",
    )
    grounded: bool = Field(
        default=True, description="use the grounding prompt (according to this text); false: the plain one"
    )
    prompt: str | None = Field(
        default=None, description="a prompt of your own, with {evidence} where the sentences go"
    )
    independent: bool = Field(default=True, description="use the independent part of g and h")
    collaborative: bool = Field(default=True, description="use the collaborative part of g and h")
    lexical: float = Field(default=0.0, ge=0, description="weight of BM25 in the independent part")
    semantic: float = Field(default=0.0, ge=0, description="weight of embeddings in the independent part")
    learned: float = Field(
        default=0.0,
        ge=0,
        description="weight of the learned policy's log-probability, after the path, in the independent part",
    )
    proximity: float = Field(
        default=0.0, ge=0, description="weight in g of the distance to the nearest chosen sentence"
    )
    ignore_topic: bool = Field(
        default=True, description="BM25 ignores the words that name the subject of the whole text"
    )
    max_candidates: int | None = Field(
        default=40,
        ge=1,
        description="maximum number of sentences searched; BM25 and embeddings choose them from a longer "
        "text; None: all (as in the paper)",
    )
    max_sentence_tokens: int | None = Field(
        default=512,
        ge=1,
        description="longer sentences are cut (those longer than a sixteenth of the model's window, if that "
        "is more); None: only what the window cannot hold (as in the paper)",
    )
    proposals: int | None = Field(
        default=None,
        ge=1,
        description="sentences tried at each step: the most probable ones under π (line 4 of the paper's "
        "Algorithm 1); None, or a random policy: all",
    )
    width: int | None = Field(
        default=None,
        ge=1,
        description="sentences tried at each step after the first, those with the highest independent part; "
        "None: all",
    )
    min_gain: float = Field(
        default=0.1,
        ge=0,
        description="k='auto' stops where the next sentence adds less, in nats per token of the claim",
    )
    max_sentences: int = Field(default=6, ge=1, description="k='auto' chooses at most this many sentences")
    batch_size: int = Field(default=64, ge=1, description="trajectories evaluated in one batch")
    seed: int = Field(default=0, ge=0, description="seed of the random policy")

    @field_validator("prompt")
    @classmethod
    def _has_evidence(cls, prompt: str | None) -> str | None:
        if prompt is not None and prompt.count("{evidence}") != 1:
            raise ValueError("the prompt must contain {evidence} exactly once, where the sentences go")
        return prompt


# The prior of `fast` was chosen for the tuned embedded model, that of `full` for the plain one: see
# docs/bench/evidence.md.
PRESETS: dict[str, McseOptions] = {
    "paper": McseOptions(max_candidates=None, max_sentence_tokens=None, proposals=10),
    "full": McseOptions(policy="pair", lexical=4.0, semantic=1.0, proximity=1.5),
    "fast": McseOptions(lookahead=0, lexical=2.0, proximity=0.75, max_candidates=24, width=8),
}
"""The presets of `prove`.

`paper`: the paper's search over every sentence, with its reward, policy and numbers; docs/papers.md lists
what the paper leaves open and how it is decided here.
`full`: the same search with the prior and with the cheaper policy `pair`.
`fast`: no look-ahead (h is left out) and a smaller search, for a CPU.
"""

DEFAULT_PRESET = "fast"
