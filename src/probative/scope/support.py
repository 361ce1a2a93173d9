"""What speaks for an answer: where it stands, what the verdict model says, and how surely it is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from probative.engine.search import Search
from probative.scope.answer.parsed import Reading
from probative.scope.certainty import CertaintyModel, certainty_models
from probative.scope.entailment import judge_answer, judge_statement
from probative.scope.finding import Finding, Support
from probative.scope.narrow import (
    Excerpts,
    NarrowVerdict,
    excerpts_of,
    judge_excerpts,
    read_excerpts,
    weigh_excerpts,
)
from probative.scope.result import MENTIONED
from probative.scope.run import Run
from probative.scope.second_reading import OtherReading, agreement_of_readings, same_answer
from probative.scope.sentences import PassageSentence, passage_sentences, rows_with
from probative.scope.signals import Signals
from probative.text.words import words
from probative.verdict.judgement import Judgement


@dataclass(frozen=True)
class Opinions:
    """What the models say about an answer by the chain, by other passages and by the cited sentences."""

    judgement: Judgement | None = None
    agreement: float | None = None
    cited: OtherReading = field(default_factory=OtherReading)
    window: OtherReading = field(default_factory=OtherReading)
    verdict: NarrowVerdict = field(default_factory=NarrowVerdict)
    cited_complete: float | None = None


def find_support(run: Run, finding: Finding, answer: str) -> Search[Support]:
    """Return what speaks for an answer from the chain: the verdict model is asked about it and, with
    `second_reading`, the reader reads other passages and the cited sentences alone.
    """
    sentences = passage_sentences(run, finding.indexes)
    if finding.computed:
        return (yield from support_of_computation(run, finding, answer, sentences))
    judgement = yield from judge_answer(run, answer, sentences)
    holding = rows_with(run, answer, sentences)
    deciding = () if judgement is None else judgement.deciding
    excerpts = excerpts_of(sentences, tuple(dict.fromkeys((*holding, *deciding))))
    opinions = yield from _opinions(run, finding, answer, judgement, excerpts)
    signals = signals_of(run, finding, answer, opinions, excerpts)
    return Support(
        sentences=tuple(sentences),
        holding=tuple(holding),
        deciding=deciding,
        signals=signals,
        certainty=model_for(run, signals).certainty(signals),
    )


def _opinions(
    run: Run, finding: Finding, answer: str, judgement: Judgement | None, excerpts: Excerpts
) -> Search[Opinions]:
    """Return what the models say."""
    if judgement is None:
        return Opinions(judgement)
    candidates = () if finding.reading is None else finding.reading.candidates
    verdict = yield from judge_excerpts(run, excerpts, finding.indexes, answer, candidates)
    if not run.options.second_reading or not run.has_reader:
        return Opinions(judgement, verdict=verdict)
    agreement = None
    if len(finding.indexes) == 1:  # for an answer from several passages it has no weight
        agreement = yield from agreement_of_readings(run, finding, answer)
    cited, window = yield from read_excerpts(run, excerpts, finding.indexes, answer)
    cited_complete = yield from weigh_excerpts(run, excerpts)
    return Opinions(judgement, agreement, cited, window, verdict, cited_complete)


def support_of_computation(
    run: Run, finding: Finding, answer: str, sentences: Sequence[PassageSentence]
) -> Search[Support]:
    """Return what speaks for a computed answer: the sentence of each value. A value that the model named must
    be entailed by the passage that contains it; a value by rule belongs to its sentence already.
    """
    computation = finding.computation
    values = computation.values if computation is not None else ()
    entailed: list[float] = []
    denied: list[float] = []
    for value in values:
        if value.read and value.index is not None and value.question is not None:
            shown = value.name if value.attribute == MENTIONED else value.value or ""
            own = [sentence for sentence in sentences if sentence.index == value.index]
            judgement = yield from judge_statement(run, value.question, shown, own)
            entailed.append(0.0 if judgement is None else judgement.probabilities.supported)
            denied.append(0.0 if judgement is None else judgement.probabilities.contradicted)
    signals = signals_of(run, finding, answer, Opinions(), Excerpts(sentences, (), ())).model_copy(
        update={"entailed": min(entailed, default=None), "denied": max(denied, default=None)}
    )
    cited = {value.sentence for value in values}
    return Support(
        sentences=tuple(sentences),
        holding=tuple(rows_with(run, answer, sentences, prose=False)),
        deciding=tuple(row for row, sentence in enumerate(sentences) if sentence.text in cited),
        signals=signals,
        certainty=model_for(run, signals).certainty(signals),
    )


def model_for(run: Run, signals: Signals) -> CertaintyModel:
    """Return the certainty model for an answer of this run."""
    models = certainty_models()
    return models.read(signals) if run.has_reader else models.other


def signals_of(run: Run, finding: Finding, answer: str, opinions: Opinions, excerpts: Excerpts) -> Signals:
    """Return the signals of an answer."""
    probability, margin = _probabilities(run, finding.reading, answer)
    fits = run.analyzer.fits_kind(answer, run.question.parsed)
    names = [set(words(name)) for name in run.question.parsed.names]
    others = run.question.parsed.words.difference(*names) - set(words(run.question.parsed.intent))
    plain = [{word} for word in others]
    chain = {word for passage in run.passages_at(finding.indexes) for word in words(passage.whole)}
    cited = _content(excerpts.texts(excerpts.cited))
    known = None if opinions.judgement is None else opinions.judgement.probabilities
    return Signals(
        answerable=finding.answerable,
        completeness=finding.completeness,
        probability=probability,
        margin=margin,
        agreement=opinions.agreement,
        entailed=None if known is None else known.supported,
        denied=None if known is None else known.contradicted,
        fits_kind=None if fits is None else float(fits),
        names=_share(names, chain),
        words=_share(plain, chain),
        hops=float(len(finding.indexes)),
        computed=float(finding.computed),
        polar=float(answer.strip().lower() in ("yes", "no")),
        cited_agreement=opinions.cited.agreement,
        cited_answerable=opinions.cited.answerable,
        window_agreement=opinions.window.agreement,
        window_answerable=opinions.window.answerable,
        cited_entailed=opinions.verdict.entailed,
        cited_denied=opinions.verdict.denied,
        other_entailed=opinions.verdict.other_entailed,
        cited_complete=opinions.cited_complete,
        cited_names=_share(names, cited) if excerpts.cited else None,
        window_words=_share(plain, _content(excerpts.texts(excerpts.window))) if excerpts.cited else None,
    )


def _content(texts: Sequence[str]) -> set[str]:
    return {word for text in texts for word in words(text)}


def _probabilities(run: Run, reading: Reading | None, answer: str) -> tuple[float | None, float | None]:
    """Return the probability of the answer among the reader's candidates, and its margin to the best other
    one.
    """
    if reading is None or not reading.candidates:
        return None, None
    own = sum(other.probability for other in reading.candidates if same_answer(run, other.text, answer))
    others = [other.probability for other in reading.candidates if not same_answer(run, other.text, answer)]
    return min(1.0, own), max(-1.0, min(1.0, own - max(others, default=0.0)))


def _share(wanted: Sequence[set[str]], content: set[str]) -> float | None:
    """Return the share of some sets of words that a text contains; None if there is no word."""
    known = [part for part in wanted if part]
    return sum(part <= content for part in known) / len(known) if known else None
