"""The certainty of an answer: a small logistic model over the signals that it is correct.

    certainty = 1 / (1 + exp(−(bias + Σ weight · (form(signal) − mean) / scale)))

A signal that is not known counts as its mean. The weights were fitted by `python -m training.certainty` on
questions that nothing was trained on; `certainty.json` says on which. There are three models: for answers of
the tuned reader from one passage, for those from several (which have other signals), and one of the signals
that every model's answer has. Computed answers have a model of their own, over how surely their values are
stated. The large reader may have models of its own for some kinds of answers.

The verdict model judges the chain and, of several passages, other candidates: one may be entailed as surely
as the answer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from statistics import geometric_mean
from typing import Literal

from pydantic import Field

from probative.engine.search import Search, judge, side_by_side
from probative.errors import WeightsError
from probative.models.verdict import MAX_EVIDENCE
from probative.scope.answer.read import answer_candidates
from probative.scope.checks import Signals, joined_signals
from probative.scope.conclude.computation import is_polar, uncomputed
from probative.scope.finding import Finding, Reading, Support
from probative.scope.result import ComputedValue
from probative.scope.run import Run, Size
from probative.scope.sentences import (
    PassageSentence,
    evidence_item,
    lines_of,
    passage_sentences,
    rows_with,
    same_answer,
)
from probative.text import english
from probative.text.dates import agree, in_words
from probative.text.quantities import dimension_of
from probative.text.sentences import detect_language
from probative.types import Value
from probative.verdict.judge import judge_claim
from probative.verdict.judgement import Judgement, Probabilities
from probative.verdict.lines import statement

# The most sentences that count as cited, and the sentences before and after each that other candidates are
# judged by.
MAX_CITED = 4
NEIGHBOURS = 1
# Of several passages with at most this many sentences, other candidates are judged by all.
MAX_SENTENCES = 12
# Other candidates that are judged.
MAX_OTHERS = 3


def judge_others(
    run: Run, finding: Finding, answer: str, sentences: Sequence[PassageSentence], cited: Sequence[int]
) -> Search[Signals]:
    """Return how surely the sentences around the cited rows entail another candidate, for a chain of several
    passages.
    """
    evidence = [sentences[row] for row in around(sentences, cited)][:MAX_EVIDENCE]
    texts = other_candidates(run, finding, answer) if len(finding.indexes) > 1 else []
    if not evidence or not texts:
        return Signals()
    items = [evidence_item(run, statement(run.question.text, text), evidence) for text in texts]
    try:
        scores = yield from judge(items, step="verdict")
    except WeightsError:
        return Signals()
    return Signals(other_entailed=max(score.supported for score in scores))


def around(sentences: Sequence[PassageSentence], cited: Sequence[int]) -> list[int]:
    """Return the rows of the first `MAX_CITED` cited sentences and of their neighbours in the same passage;
    all rows if there are few, because each of several short passages is needed.
    """
    if len(sentences) <= MAX_SENTENCES:
        return list(range(len(sentences)))
    return [
        row
        for row, sentence in enumerate(sentences)
        if any(
            abs(row - other) <= NEIGHBOURS and sentences[other].index == sentence.index
            for other in cited[:MAX_CITED]
        )
    ]


def other_candidates(run: Run, finding: Finding, answer: str) -> list[str]:
    """Return other texts that could be the answer: those of the reader, then those of the kind asked for."""
    read = () if finding.reading is None else finding.reading.candidates
    others: list[str] = []
    for text in (*(candidate.text for candidate in read), *answer_candidates(run, finding.indexes)):
        if not any(same_answer(text, other) for other in (answer, *others)):
            others.append(text)
    return others[:MAX_OTHERS]


Form = Literal["logit", "log", "plain"]
# What an answer rests on.
Kind = Literal["one", "several", "computed"]
# Probabilities nearer to 0 or 1 than this count as this.
CLIP = 0.005
# Probabilities below this count as this, where their logarithm is taken.
FLOOR = 1e-9


class Term(Value):
    """One signal of the model: its form, its mean and deviation in this form, and its weight."""

    signal: str
    form: Form
    mean: float
    scale: float
    weight: float

    def value(self, raw: float | None) -> float:
        """Return what the signal adds to the logit; 0 if it is not known."""
        return 0.0 if raw is None else self.weight * (shaped(raw, self.form) - self.mean) / self.scale


class CertaintyModel(Value):
    """The weights of one model. `rows` are the questions it was fitted on.

    An answer counts as supported from `min_certainty` on, if the verdict model's `entailed` is at least
    `min_entailed`. Of the others, those from `min_probable` on are probable: held out, 60% were right.
    None: the rows do not show such a limit, so that none is probable.
    """

    terms: tuple[Term, ...]
    bias: float
    min_certainty: float = Field(ge=0, le=1)
    min_entailed: float = Field(ge=0, le=1)
    min_probable: float | None = Field(default=None, ge=0, le=1)
    rows: str

    def certainty(self, signals: Signals) -> float:
        """Return the probability that an answer with these signals is right."""
        return self.certainty_by(dict(signals))

    def certainty_by(self, signals: Mapping[str, float | None]) -> float:
        """Return the same for signals by their names; one that is not among them is not known."""
        return logistic(self.bias + math.fsum(term.value(signals.get(term.signal)) for term in self.terms))

    def is_probable(self, certainty: float) -> bool:
        """Return whether an answer of this certainty is probable where it is not supported."""
        return self.min_probable is not None and certainty >= self.min_probable


class CertaintyModels(Value):
    """The models for the answers of the tuned reader, from one passage and from several, the one for computed
    answers, and the one for all other answers. `large` has those that were fitted on the large reader's.
    """

    one: CertaintyModel
    several: CertaintyModel
    computed: CertaintyModel
    other: CertaintyModel
    large: dict[Kind, CertaintyModel] = Field(default_factory=dict)

    def model_for(self, signals: Signals, size: Size | None = "small") -> CertaintyModel:
        """Return the model for an answer of the tuned reader of a size; None for another model."""
        if size is None and not signals.computed:
            return self.other
        kind = kind_of(signals)
        shared: CertaintyModel = getattr(self, kind)
        return self.large.get(kind, shared) if size == "large" else shared


def kind_of(signals: Signals) -> Kind:
    """Return what an answer with these signals rests on."""
    if signals.computed:
        return "computed"
    return "several" if is_of_several(signals) else "one"


def is_of_several(signals: Signals) -> bool:
    """Return whether an answer rests on several passages."""
    return (signals.hops or 1.0) > 1.0


@cache
def certainty_models() -> CertaintyModels:
    """Return the models that ship with the package."""
    text = (files("probative.scope") / "certainty.json").read_text(encoding="utf-8")
    return CertaintyModels.model_validate_json(text)


def shaped(value: float, form: Form) -> float:
    """Return a signal in the form that the model adds up.

    >>> shaped(0.5, "logit"), shaped(3.0, "plain")
    (0.0, 3.0)
    """
    if form == "plain":
        return value
    if form == "log":
        return math.log(max(FLOOR, value))
    clipped = min(1.0 - CLIP, max(CLIP, value))
    return math.log(clipped / (1.0 - clipped))


def logistic(value: float) -> float:
    """Return the probability of a logit.

    >>> logistic(0.0)
    0.5
    """
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, value))))


def find_support(run: Run, finding: Finding, answer: str) -> Search[Support]:
    """Collect the signals that an answer from the chain is correct: what the reader and the policy said, and
    what the verdict model says.
    """
    sentences = passage_sentences(run, finding.indexes)
    if finding.computed:
        return (yield from support_of_computation(run, finding, answer, sentences))
    judgement = yield from judge_statement(run, run.question.text, answer, sentences)
    holding = rows_with(run, answer, sentences)
    deciding = () if judgement is None else judgement.deciding
    signals = signals_of_reading(run, finding, answer)
    if judgement is not None:
        cited = tuple(dict.fromkeys((*holding, *deciding)))
        verdict = judgement.probabilities
        by_chain = Signals(entailed=verdict.supported, denied=verdict.contradicted)
        by_others = yield from judge_others(run, finding, answer, sentences, cited)
        signals = joined_signals(signals, by_chain, by_others)
    certainty = model_for(run, signals).certainty(signals)
    return Support(tuple(sentences), tuple(holding), deciding, signals, certainty)


def support_of_computation(
    run: Run, finding: Finding, answer: str, sentences: Sequence[PassageSentence]
) -> Search[Support]:
    """Collect the signals that a computed answer is correct: whether the passage of each value states it."""
    values = finding.computation.values if finding.computation is not None else ()
    stated = yield from side_by_side(_judge_value(run, value, sentences) for value in values)
    judged = [entry for entry in stated if entry is not None]
    read = [value.probability for value in values if value.probability is not None]
    signals = joined_signals(
        signals_of_reading(run, finding, answer),
        Signals(
            entailed=min((entry.supported for entry in judged), default=None),
            denied=max((entry.contradicted for entry in judged), default=None),
            values_entailed=geometric_mean(entry.supported for entry in judged) if judged else None,
            probability=min(read, default=None),
        ),
    )
    cited = {value.sentence for value in values}
    return Support(
        sentences=tuple(sentences),
        holding=tuple(rows_with(run, answer, sentences, prose=False)),
        deciding=tuple(row for row, sentence in enumerate(sentences) if sentence.text in cited),
        signals=signals,
        certainty=model_for(run, signals).certainty(signals),
        values=tuple(None if entry is None else entry.supported for entry in stated),
    )


def _judge_value(
    run: Run, value: ComputedValue, sentences: Sequence[PassageSentence]
) -> Search[Probabilities | None]:
    """Return what the passage of a value says about it; None if the question itself gives the value.

    If its sentence has other values of the same kind, their support limits its own: only one value of "240 m
    were planned, and 70 m built" can be the height.
    """
    if value.index is None or value.index < 0 or value.question is None:
        return None
    stated = value.value or ""
    of_passage = [sentence for sentence in sentences if sentence.index == value.index]
    others = _other_values(stated, value.sentence or "")
    judgements = yield from side_by_side(
        judge_statement(run, value.question, text, of_passage) for text in (stated, *others)
    )
    known = [judgement.probabilities for judgement in judgements if judgement is not None]
    if not known:
        return None
    first, *rest = known
    rival = max((other.supported for other in rest), default=0.0)
    if first.supported <= 1.0 - rival:
        return first
    return first.model_copy(update={"supported": 1.0 - rival, "insufficient": rival - first.contradicted})


def _other_values(stated: str, sentence: str) -> list[str]:
    """Return the other values of a sentence that have the kind of a value: its dates, or its amounts."""
    dates = english.dates_in(stated)
    if dates:
        return [in_words(date) for date in english.dates_in(sentence) if not agree(date, dates[0])]
    amounts = english.quantities_in(stated)
    if len(amounts) != 1:
        return []
    kind = dimension_of(amounts[0].quantity.unit)
    return [
        span.text
        for span in english.quantities_in(sentence)
        if dimension_of(span.quantity.unit) == kind and span.quantity != amounts[0].quantity
    ]


def model_for(run: Run, signals: Signals) -> CertaintyModel:
    """Return the certainty model for an answer of this run."""
    return certainty_models().model_for(signals, run.reader_size)


def signals_of_reading(run: Run, finding: Finding, answer: str) -> Signals:
    """Return the signals that cost no call: what the reader and the policy said, and the answer's form."""
    return Signals(
        chain_answerable=finding.answerable,
        completeness=finding.completeness,
        probability=_probability(finding.reading, answer),
        hops=float(len(finding.indexes)),
        computed=float(finding.computed),
        polar=float(is_polar(answer)),
        uncomputed=0.0 if finding.computed else uncomputed(run.question.text, answer),
    )


def _probability(reading: Reading | None, answer: str) -> float | None:
    """Return the probability of the answer to the reader; None if it gave no probabilities."""
    if reading is None or not reading.candidates:
        return None
    of_answer = (other.probability for other in reading.candidates if same_answer(other.text, answer))
    return min(1.0, sum(of_answer))


def judge_statement(
    run: Run, question: str, answer: str, sentences: Sequence[PassageSentence]
) -> Search[Judgement | None]:
    """Return what sentences say about a question with its answer; None without a verdict model."""
    claim = statement(question, answer)
    evidence = [sentence.whole for sentence in sentences]
    try:
        judgement = yield from judge_claim(
            claim,
            evidence,
            run.tools,
            language=detect_language(question),
            lines=lines_of(run, sentences),
            task="question",
        )
    except WeightsError as error:
        run.note(f"the verdict model was not asked: {error.what}")
        return None
    for note in judgement.notes:
        run.note(note)
    return judgement
