"""What a method returns: the sentences in the order in which they were chosen, and what each added."""

from __future__ import annotations

from dataclasses import dataclass, field

from probative.types import Value


class RunnerUp(Value):
    """A sentence that was not chosen at a step.

    `score` is its value by the method. `gain` is what it would have added to the log-probability of the
    claim, and `probability` the learned policy's probability, where the method has them.
    """

    index: int
    text: str
    score: float
    gain: float | None = None
    probability: float | None = None


class ProofSentence(Value):
    """A sentence of the evidence.

    `score` is the value by which the method chose it. For mcse, in nats: `alone` is the log-probability of
    the claim after this sentence only (score(c, a_t) in the paper), `joint` that after it and all chosen
    before it (score(c, a_0:t)), `gain` what it added to that, and `runners_up` what other sentences would
    have added. For learned, `probability` is the policy's probability of this sentence to be the next one
    after those chosen before it.
    """

    index: int
    text: str
    score: float
    start: int | None = None
    end: int | None = None
    alone: float | None = None
    joint: float | None = None
    gain: float | None = None
    probability: float | None = None
    runners_up: tuple[RunnerUp, ...] = ()


class Stop(Value):
    """The learned policy's probabilities of stopping in one state.

    `complete` is the probability that nothing more is needed, `nothing` that no sentence carries what is
    missing.
    """

    complete: float
    nothing: float


@dataclass
class McseResult:
    """The evidence that a method chose, from which a `Proof` is made.

    `without_evidence` is the log-probability of the claim with no evidence, and `claim_tokens` its length.
    `searched` holds the candidates that a filter kept, or is None where all were searched.
    """

    evidence: list[ProofSentence]
    without_evidence: float | None = None
    claim_tokens: int | None = None
    stops: list[Stop] = field(default_factory=list)
    searched: list[int] | None = None
    notes: list[str] = field(default_factory=list)
