"""What a run knows, step by step: the chain, what is missing, what contradicts it, and the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from probative.scope.checks import AnswerCheck, Signals, first_failed
from probative.scope.question import Judgements
from probative.scope.result import Computation, Robustness
from probative.scope.sentences import PassageSentence
from probative.types import Verdict


class Candidate(NamedTuple):
    """An answer that the reader may give, and its probability."""

    text: str
    probability: float


@dataclass(frozen=True)
class LearnedChain:
    """The rows of the passages taken, in order, each with the policy's probability; how surely they are
    enough; and the texts of them that the policy read. `candidates` are the answers of a reader that chose
    them.
    """

    rows: tuple[int, ...]
    probabilities: tuple[float, ...]
    completeness: float
    texts: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()


@dataclass(frozen=True)
class Chain:
    """The rows of the chosen passages among those judged, and what all passages carry.

    Where the evidence policy chose, `learned` is its chain, and it decides whether the chain is complete
    (from `min_completeness` on); the judgements then only show what the words show. `judged` are the
    judgements without what follows from the links between passages.
    """

    rows: tuple[int, ...]
    judgements: Judgements
    judged: Judgements
    learned: LearnedChain | None = None
    min_completeness: float = 0.5

    def is_complete(self, rows: Sequence[int] | None = None) -> bool:
        """Return whether the chain is enough; without a policy, whether these rows carry every feature."""
        if self.learned is not None:
            return bool(self.rows) and self.learned.completeness >= self.min_completeness
        return not self.missing(rows)

    def missing(self, rows: Sequence[int] | None = None) -> tuple[str, ...]:
        """Return the features that none of these rows (by default the chain) carries."""
        return self.judgements.missing(self.rows if rows is None else rows)

    def features_to_look_up(self, rows: Sequence[int]) -> tuple[str, ...]:
        """Return the missing features; all features if only the policy misses something."""
        if self.learned is None:
            return self.missing(rows)
        if self.is_complete():
            return ()
        return self.missing() or tuple(feature.name for feature in self.judgements.listed)


class ParsedAnswer(NamedTuple):
    """An answer, or None if there is none, and the indexes of the passages that it rests on."""

    text: str | None
    citations: tuple[int, ...]


NO_ANSWER = ParsedAnswer(None, ())


@dataclass(frozen=True)
class Reading:
    """An answer, and how surely the passages contain one: 1 − P(unknown), if the model can say it.

    A `forced` answer was not found there by the reader. `declined`: the reader said that there is none.
    `candidates` are the answers that the reader may give, the most probable first, if it tells them.
    """

    answer: ParsedAnswer
    answerable: float | None = None
    forced: bool = False
    declined: bool = False
    candidates: tuple[Candidate, ...] = ()

    @property
    def best(self) -> str | None:
        """The answer, or what would be the answer if the reader had not declined."""
        if self.answer.text is not None:
            return self.answer.text
        return self.candidates[0].text if self.candidates else None


@dataclass(frozen=True)
class Contradiction:
    """A passage of the chain and another passage that says something else.

    `in_force` is the passage whose statement replaces the other one's, for the `reason`; None if nothing
    decides. `blocking`: the answer is not given, because it is contradicted or replaced.
    """

    index: int
    other: int
    says: str
    instead: str
    text: str
    other_text: str
    blocking: bool = True
    in_force: int | None = None
    reason: str | None = None


@dataclass(frozen=True)
class Support:
    """The support of an answer: the rows of the sentences that hold it and that decide, the signals, its
    certainty and, for a computed answer, the probability that each value is stated.
    """

    sentences: tuple[PassageSentence, ...]
    holding: tuple[int, ...]
    deciding: tuple[int, ...]
    signals: Signals
    certainty: float
    values: tuple[float | None, ...] = ()


@dataclass(frozen=True)
class Finding:
    """The chain with its gaps and contradictions, the verdict, and the answer. `indexes` are the passages of
    the chain in the pool. `computed` says whether code computed the answer, `checks` what was checked, and
    `probable` whether the candidate is certain enough to be shown where it is not supported.
    """

    chain: Chain
    indexes: tuple[int, ...]
    complete: bool
    missing: tuple[str, ...]
    contradictions: tuple[Contradiction, ...] = ()
    verdict: Verdict = Verdict.INSUFFICIENT
    answer: ParsedAnswer = NO_ANSWER
    answerable: float | None = None
    computation: Computation | None = None
    computed: bool = False
    reading: Reading | None = None
    support: Support | None = None
    checks: tuple[AnswerCheck, ...] = ()
    probable: bool = False
    robustness: Robustness | None = None

    @property
    def is_disputed(self) -> bool:
        """Whether a contradiction blocks the answer."""
        return any(contradiction.blocking for contradiction in self.contradictions)

    @property
    def candidate(self) -> str | None:
        """The answer, or what would be the answer if the reader had not declined."""
        return self.answer.text if self.reading is None else self.answer.text or self.reading.best

    @property
    def reason(self) -> str | None:
        """Why the answer is not supported: the first check that fails."""
        failed = first_failed(self.checks)
        return None if failed is None else failed.reason

    @property
    def completeness(self) -> float | None:
        """The policy's probability that the chain is enough, if the policy chose it."""
        return None if self.chain.learned is None else self.chain.learned.completeness
