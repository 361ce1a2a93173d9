"""The results of scope: an answer with its chain of evidence, or a check of given knowledge.

Every `index` counts the passages as the caller gave them, from 0; notes and the terminal show the label of
the same passage, which counts from 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from pydantic import Field, model_validator

from probative.scope.checks import AnswerCheck, Signals
from probative.scope.question import Features
from probative.trace import Step
from probative.types import Passage, ReadBy, Usage, Value, Verdict


class ChainPassage(Value):
    """A passage of the chain and the features that it carries.

    `probability` is how surely the evidence policy took it, if the policy chose the chain. A passage longer
    than the model's window was split: `text` is then the part that was used, and `start` and `end` are its
    characters in the source, or in the passage if that has no offsets. A passage of a corpus has a `page`, if
    its format has pages, and a `citation` such as "minutes/may.pdf#page=3&char=120,188". `read_by` is "OCR"
    for the text of a picture.
    """

    index: int
    id: str | None = None
    title: str | None = None
    source: str | None = None
    text: str
    start: int | None = None
    end: int | None = None
    carries: tuple[str, ...] = ()
    probability: float | None = None
    page: int | None = None
    citation: str | None = None
    read_by: ReadBy | None = None


class Conflict(Value):
    """Two passages that cannot both hold: one of the chain, and another that says something else.

    `kind`: `contradicted`, or `replaced` if one is in force instead of the other. Then `in_force` is its
    index, and `reason` the words or dates that say so. `blocking`: it concerns the answer, so that none is
    given. `citation` and `other_citation` are the places of both sentences, for passages of a corpus.
    """

    index: int
    other: int
    says: str
    instead: str
    text: str
    other_text: str
    blocking: bool = False
    kind: Literal["contradicted", "replaced"] = "contradicted"
    in_force: int | None = None
    reason: str | None = None
    citation: str | None = None
    other_citation: str | None = None


class CitedSentence(Value):
    """A sentence that the answer rests on: the index of its passage, its text, and its characters in the
    text of the passage as the chain shows it.

    `holds_answer`: the answer stands in it. `deciding`: the verdict model's judgement rests on it.
    `citation`: its place in the document, for a passage of a corpus.
    """

    index: int
    text: str
    start: int
    end: int
    holds_answer: bool = False
    deciding: bool = False
    citation: str | None = None


class ComputedValue(Value):
    """A value that a computation rests on: whose it is, which attribute, and the passage that gives it.

    `value` and `index` are None if no passage gives the value; `sentence` is the sentence that gives it, and
    `question` what was asked about it.
    `probability`: the reader's probability of the value, and `entailed` the verdict model's that the passage
    states it.
    """

    name: str
    attribute: str
    value: str | None = None
    index: int | None = None
    sentence: str | None = None
    question: str | None = None
    probability: float | None = None
    entailed: float | None = None


class Computation(Value):
    """How an answer was computed: the rule with its values ("1,912 m > 1,740 m"), and where each stands."""

    rule: str
    values: tuple[ComputedValue, ...] = ()


class Level(StrEnum):
    """How far an answer can be trusted.

    - `supported`: cited, entailed and sure enough.
    - `probable`: a candidate with its sentence and its certainty that is not confirmed; about 60% of such
      candidates were right where the limit was fitted.
    - `disputed`: the passages contradict one another; both sides are shown.
    - `not_found`: something is missing.
    """

    SUPPORTED = "supported"
    PROBABLE = "probable"
    DISPUTED = "disputed"
    NOT_FOUND = "not_found"

    @property
    def words(self) -> str:
        """The level as people read it.

        >>> Level.NOT_FOUND.words
        'not found'
        """
        return self.value.replace("_", " ")

    @classmethod
    def of(cls, verdict: Verdict, *, probable: bool = False) -> Level:
        """Return the level that follows from a verdict and from whether the candidate is sure enough.

        >>> [Level.of(verdict, probable=True).value for verdict in Verdict]
        ['supported', 'probable', 'disputed']
        """
        if verdict is Verdict.INSUFFICIENT:
            return cls.PROBABLE if probable else cls.NOT_FOUND
        return cls.SUPPORTED if verdict is Verdict.SUPPORTED else cls.DISPUTED

    def beside(self, verdict: Verdict) -> str:
        """Return the verdict, and the level where it is another word.

        >>> Level.PROBABLE.beside(Verdict.INSUFFICIENT), Level.SUPPORTED.beside(Verdict.SUPPORTED)
        ('insufficient, probable', 'supported')
        """
        return ", ".join(dict.fromkeys((verdict.value, self.words)))


class Robustness(Value):
    """How many independent sources state an answer, each read alone, and how many an attacker would have to
    own to change it: to add, or to take over.
    """

    sources: int
    needed: int


class Guarantee(Value):
    """What holds for supported answers over a corpus: `alpha` is the largest share of wrong ones, at the
    confidence 1 − `delta`, for questions like the `n` that were drawn.

    `kind` says where these came from: ``given`` by the user, or ``made`` from the corpus by the model.
    """

    alpha: float = Field(gt=0, lt=1)
    delta: float = Field(gt=0, lt=1)
    n: int = Field(ge=1)
    kind: Literal["given", "made"]

    @property
    def text(self) -> str:
        """The guarantee in a sentence.

        >>> Guarantee(alpha=0.05, delta=0.05, n=120, kind="given").text
        'at most 5% of supported answers to questions like the 120 drawn are wrong, with 95% confidence'
        """
        drawn = "drawn" if self.kind == "given" else "made from the documents"
        return (
            f"at most {100 * self.alpha:g}% of supported answers to questions like the {self.n:,} {drawn} "
            f"are wrong, with {100 * (1 - self.delta):g}% confidence"
        )


class Answer(Value):
    """The answer to a question, the chain of evidence that carries it, and what is missing or contradicted.

    - `answer`: None if the evidence is insufficient or contradicted, unless `answer_anyway` was set; then
      `candidate` is what the answer would have been. `reason` says why the answer is not supported.
    - `read_as`: the question that the documents were asked, if it was a follow-up that the model rewrote.
    - `level`: how far the answer or the candidate can be trusted: the verdict, and for `insufficient` whether
      the candidate is probable or nothing was found.
    - `checks`: what was checked of the answer or the candidate, each with its number; `reason` is the first
      that fails.
    - `certainty`: how surely the answer or the candidate is right, and `signals`: what that rests on.
    - `complete`: whether the evidence is enough; it is never true beside the verdict `insufficient`.
    - `citations`: the indexes of the passages that the answer rests on; `cited`: the sentences of them.
    - `leading`: a sentence of each other passage of the chain that carries a part of the question which the
      cited passages do not carry: what leads to the cited sentences.
    - `completeness`: how surely the evidence policy takes the chain for enough, and `answerable`: how surely
      the tuned reader finds an answer in it, if they were asked: the numbers of these checks.
    - `computation`: the values of a comparison that code decided.
    - `robustness`: how many sources state the answer; None unless `min_sources` or `robustness` asks for it.
    - `guarantee`: what `probative calibrate` found for the corpus, if it holds for this answer.
    - `retrieved`: the citations of the passages that a corpus gave for the question, best first.
    - `trace`: every call, for a single question.
    """

    question: str
    answer: str | None
    verdict: Verdict
    level: Level = Field(default_factory=lambda values: Level.of(values["verdict"]))
    read_as: str | None = None
    certainty: float | None = None
    candidate: str | None = None
    reason: str | None = None
    checks: tuple[AnswerCheck, ...] = ()
    complete: bool = False
    chain: tuple[ChainPassage, ...] = ()
    citations: tuple[int, ...] = ()
    cited: tuple[CitedSentence, ...] = ()
    leading: tuple[CitedSentence, ...] = ()
    features: Features | None = None
    missing: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    computation: Computation | None = None
    robustness: Robustness | None = None
    completeness: float | None = None
    answerable: float | None = None
    signals: Signals | None = None
    guarantee: Guarantee | None = None
    method: str = "scope"
    model: str | None = None
    passages: int = 0
    retrieved: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    usage: Usage = Usage()
    trace: Step | None = None

    @model_validator(mode="after")
    def _check(self) -> Answer:
        if self.complete and self.verdict is Verdict.INSUFFICIENT:
            raise ValueError("an answer cannot be complete beside the verdict insufficient")
        if self.level is not Level.of(self.verdict, probable=self.level is Level.PROBABLE):
            raise ValueError(f"the level {self.level} does not follow from the verdict {self.verdict}")
        return self


class PassageJudgement(Value):
    """The features that one passage carries, and how well it fits each, from 0 to 1: the judge's probability,
    or words and meaning in common. None where nothing was measured: a model only said yes or no, or a link
    between passages lets it be concluded.
    """

    index: int
    id: str | None = None
    text: str
    carries: tuple[str, ...] = ()
    strengths: dict[str, float | None] = Field(default_factory=dict)


class Check(Value):
    """Whether knowledge is a chain of evidence for a question: which features it carries, and which not.

    With the evidence policy, `completeness` decides whether it is complete; with the tuned reader, the
    knowledge must also entail an answer: `candidate`, found with `certainty`. `reason` says why it does not.
    """

    question: str
    complete: bool
    certainty: float | None = None
    candidate: str | None = None
    reason: str | None = None
    checks: tuple[AnswerCheck, ...] = ()
    completeness: float | None = None
    answerable: float | None = None
    signals: Signals | None = None
    missing: tuple[str, ...] = ()
    features: Features
    judgements: tuple[PassageJudgement, ...] = ()
    model: str | None = None
    notes: tuple[str, ...] = ()
    usage: Usage = Usage()
    trace: Step | None = None


@dataclass(frozen=True)
class ScopeResult:
    """What a run found. `passages` are those that were given and looked up, as the caller counts them.

    `probable`: the answer or the candidate is certain enough to be shown where it is not supported.
    """

    passages: tuple[Passage, ...]
    verdict: Verdict
    complete: bool
    answer: str | None = None
    citations: tuple[int, ...] = ()
    chain: tuple[ChainPassage, ...] = ()
    features: Features | None = None
    judgements: tuple[PassageJudgement, ...] = ()
    missing: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    computation: Computation | None = None
    robustness: Robustness | None = None
    completeness: float | None = None
    answerable: float | None = None
    certainty: float | None = None
    probable: bool = False
    candidate: str | None = None
    reason: str | None = None
    checks: tuple[AnswerCheck, ...] = ()
    cited: tuple[CitedSentence, ...] = ()
    leading: tuple[CitedSentence, ...] = ()
    signals: Signals | None = None
    notes: tuple[str, ...] = ()
    read_as: str | None = None

    @property
    def level(self) -> Level:
        """How far the answer or the candidate can be trusted."""
        return Level.of(self.verdict, probable=self.probable)
