"""The settings of a run, and the runs of the study."""

from __future__ import annotations

from dataclasses import dataclass, replace

from training.commands import setting


@dataclass(frozen=True)
class Options:
    """The settings of a run, which are the options of `python -m training.large train`."""

    tokens: int = setting(8_000_000, "the tokens that are trained on; the schedule ends there")
    seconds: float = setting(900.0, "the schedule ends here at the latest")
    call_seconds: float = setting(1e9, "this call ends here; with a state, the next one goes on")
    step_tokens: int = setting(16384, "tokens in a step, with padding")
    rank: int = 24
    scale: float = setting(2.0, "α/r")
    rate: float = setting(2e-4, "highest learning rate")
    warmup: float = setting(0.04, "the share of the schedule in which the rate rises")
    decay: float = 0.01
    clip: float = 1.0
    cited: float = setting(0.25, "weight of the loss of the cited numbers")
    share: float = setting(0.2, "the share of tokens over documents of our own")
    claims: float = setting(0.0, "the share of tokens of claims; with 0, as many as there are")
    headers: bool = setting(True, "read the headers of the documents")
    compiled: bool = setting(
        False, "compile the layers first; a GPU computes a small model twice as fast then"
    )
    seed: int = 1
    start: str = setting("", "an adapter of the same rank to start from")
    taught: float = setting(
        0.0, "how much the teacher's verdicts count, from 0 to 1; the labels count the rest"
    )
    proofs: str = setting("", "a file of decisions between sentences to learn from as well")
    proof_tokens: int = 32768
    proof_weight: float = 1.0
    proof_every: int = setting(3, "in every so many steps, decisions are learned from")


REFERENCE = Options()
STUDY = {
    "reference": REFERENCE,
    "own": replace(REFERENCE, share=0.5),
    "slow": replace(REFERENCE, rate=1e-4),
    "bare": replace(REFERENCE, headers=False),
    "narrow": replace(REFERENCE, rank=16),
    "fast": replace(REFERENCE, rate=4e-4),
    "public": replace(REFERENCE, share=0.0),
}
"""The runs of the study: each differs from the reference in one thing."""
