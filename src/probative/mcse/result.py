"""What a method found: sentences in the order in which they were taken, and what each added."""

from __future__ import annotations

from dataclasses import dataclass, field

from probative.types import Value


class RunnerUp(Value):
    """A sentence that was not taken at a step.

    `score` is its value by the method; `gain` what it would have added to the claim's
    log-probability, and `probability` the learned policy's, where the method knows them.
    """

    index: int
    text: str
    score: float
    gain: float | None = None
    probability: float | None = None


class ProofSentence(Value):
    """A sentence of the evidence.

    `score` is the value by which the method took it. For mcse, in nats: `alone` is the claim's
    log-probability after this sentence only, `together` after it and all taken before it, `gain`
    what it added to that, and `runners_up` what others would have added instead. For learned,
    `probability` is the policy's: of this sentence to be the next, after those taken before it.
    """

    index: int
    text: str
    score: float
    start: int | None = None
    end: int | None = None
    alone: float | None = None
    together: float | None = None
    gain: float | None = None
    probability: float | None = None
    runners_up: tuple[RunnerUp, ...] = ()


class Stop(Value):
    """The learned policy's probabilities, in one state, that nothing more is needed (`complete`), and that no
    sentence carries what is missing (`nothing`).
    """

    complete: float
    nothing: float


@dataclass
class McseResult:
    """The evidence a method chose, before it is dressed as a `Proof`."""

    evidence: list[ProofSentence]
    without: float | None = None
    claim_tokens: int | None = None
    stops: list[Stop] = field(default_factory=list)
    searched: list[int] | None = None
    notes: list[str] = field(default_factory=list)
