"""What scope gives: an answer with its chain of evidence, or a check of what is there."""

from __future__ import annotations

from pydantic import Field

from probative.scope.features import Features
from probative.trace import Step
from probative.types import Value, Verdict
from probative.usage import Usage


class ChainPassage(Value):
    """A passage of the chain, by its place among those given, and the features that it carries.
    `probability` is how surely the evidence policy took it, where that chose.
    """

    index: int
    id: str | None = None
    title: str | None = None
    source: str | None = None
    text: str
    carries: tuple[str, ...] = ()
    probability: float | None = None


class Conflict(Value):
    """Two passages that cannot both be right: one of the chain, and another that says something else."""

    index: int
    other: int
    says: str
    instead: str
    text: str
    other_text: str


class Answer(Value):
    """The answer to a question, the chain of evidence that carries it, and what is missing or contradicted.

    `answer` is None where the evidence is not enough, or contradicted, and an answer was not asked for all
    the same. `citations` are the passages that the answer rests on, by their places. `completeness` is how
    surely the evidence policy takes the chain for enough, `answerable` how surely the tuned reader finds an
    answer in it, where they were asked. `trace` is every call, for a single question.
    """

    question: str
    answer: str | None
    verdict: Verdict
    chain: tuple[ChainPassage, ...] = ()
    citations: tuple[int, ...] = ()
    features: Features | None = None
    missing: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    completeness: float | None = None
    answerable: float | None = None
    method: str = "scope"
    model: str | None = None
    passages: int = 0
    notes: tuple[str, ...] = ()
    usage: Usage = Usage()
    trace: Step | None = None

    @property
    def complete(self) -> bool:
        """Whether the chain carries every feature of the question."""
        return not self.missing

    def _repr_html_(self) -> str:
        """Return the answer as a notebook shows it."""
        from probative.scope.html import answer_html

        return answer_html(self)


class PassageJudgement(Value):
    """The features that one passage carries, and how surely each (0 to 1)."""

    index: int
    id: str | None = None
    text: str
    carries: tuple[str, ...] = ()
    strengths: dict[str, float] = Field(default_factory=dict)


class Check(Value):
    """Whether knowledge is a chain of evidence for a question: which features it carries, and which not.
    With the evidence policy, which says how surely in `completeness`, that decides whether it is complete,
    and with the tuned reader, which must find an answer (`answerable`: how surely there is one).
    """

    question: str
    complete: bool
    completeness: float | None = None
    answerable: float | None = None
    missing: tuple[str, ...] = ()
    features: Features
    judgements: tuple[PassageJudgement, ...] = ()
    model: str | None = None
    notes: tuple[str, ...] = ()
    usage: Usage = Usage()
    trace: Step | None = None

    def _repr_html_(self) -> str:
        """Return the check as a notebook shows it."""
        from probative.scope.html import check_html

        return check_html(self)
