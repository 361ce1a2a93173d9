"""What `prove` gives: the evidence for a claim, in order, with what each sentence added."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from probative.trace import Step
from probative.types import Usage, Value, Verdict
from probative.verdict.judgement import Probabilities


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


class Proof(Value):
    """The sentences that support a claim, in the order in which they were chosen.

    - `verdict`, `probabilities`: what the chosen evidence says about the claim, and the probability of each
      verdict; None with `verdict=False`.
    - `judged`: False where no verdict was asked for, or where the claim could not be judged (a question, a
      language that is not read): then the verdict is `insufficient`, and the notes say why.
    - `disputed`: for a contradiction, the sentence of the claim that the evidence contradicts.
    - `deciding`: the index of the sentence that the verdict rests on, as the caller numbers them; None where
      the evidence is insufficient.
    - `without_evidence`, `claim_tokens`: the log-probability of the claim with no evidence, and its length.
    - `curve`: by how much the log-probability of the claim has risen after each sentence, in nats; empty for
      a method that does not score claims.
    - `stops`: for method learned, the policy's probabilities of stopping before each sentence, and after the
      last one where it was asked.
    - `searched`: the indexes of the sentences that a filter kept; None where all were searched.
    - `notes`: what was done to the input, in words.
    - `usage`: the cost of everything; `policy_usage` is the share of the evidence policy `policy`, and
      `verdict_usage` that of the verdict model `verdict_model`, if used.
    - `trace`: every call, for a single claim.
    """

    claim: str
    evidence: tuple[ProofSentence, ...]
    verdict: Verdict | None = None
    probabilities: Probabilities | None = None
    judged: bool = True
    disputed: str | None = None
    deciding: int | None = None
    method: str
    k: int | Literal["auto"]
    model: str | None = None
    policy: str | None = None
    verdict_model: str | None = None
    without_evidence: float | None = None
    claim_tokens: int | None = None
    curve: tuple[float, ...] = ()
    stops: tuple[Stop, ...] = ()
    searched: tuple[int, ...] | None = None
    notes: tuple[str, ...] = ()
    usage: Usage = Usage()
    policy_usage: Usage | None = None
    verdict_usage: Usage | None = None
    trace: Step | None = None

    @property
    def indexes(self) -> tuple[int, ...]:
        """The indexes of the chosen sentences, in order."""
        return tuple(sentence.index for sentence in self.evidence)

    @property
    def deciding_text(self) -> str | None:
        """The sentence that the verdict rests on."""
        return next((sentence.text for sentence in self.evidence if sentence.index == self.deciding), None)
