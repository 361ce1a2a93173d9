"""What speaks for an answer: where it stands, what the verdict model says, and how surely it is right."""

from __future__ import annotations

from collections.abc import Sequence

from probative.engine.search import Search
from probative.scope.answer.parsed import Reading
from probative.scope.certainty import CertaintyModel, certainty_models
from probative.scope.entailment import judge_answer
from probative.scope.finding import Finding, Support
from probative.scope.run import Run
from probative.scope.second_reading import agreement_of_readings, same_answer
from probative.scope.sentences import passage_sentences, rows_with
from probative.scope.signals import Signals
from probative.text.words import words
from probative.verdict.judgement import Judgement


def find_support(run: Run, finding: Finding, answer: str) -> Search[Support]:
    """Return what speaks for an answer from the chain: one call of the verdict model and, with
    `second_reading`, one of the reader.
    """
    sentences = passage_sentences(run, finding.indexes)
    judgement = yield from judge_answer(run, answer, sentences)
    agreement = None
    if run.options.second_reading and run.has_reader and not finding.computed:
        agreement = yield from agreement_of_readings(run, finding, answer)
    signals = signals_of(run, finding, answer, judgement, agreement)
    return Support(
        sentences=tuple(sentences),
        holding=tuple(rows_with(run, answer, sentences)),
        deciding=() if judgement is None else judgement.deciding,
        signals=signals,
        certainty=model_for(run).certainty(signals),
    )


def model_for(run: Run) -> CertaintyModel:
    """Return the certainty model for the answers of this run."""
    models = certainty_models()
    return models.read if run.has_reader else models.other


def signals_of(
    run: Run, finding: Finding, answer: str, judgement: Judgement | None, agreement: float | None
) -> Signals:
    """Return the signals of an answer."""
    probability, margin = _probabilities(run, finding.reading, answer)
    fits = run.analyzer.fits_kind(answer, run.question.parsed)
    names = [set(words(name)) for name in run.question.parsed.names]
    others = run.question.parsed.words.difference(*names) - set(words(run.question.parsed.intent))
    content = {word for passage in run.passages_at(finding.indexes) for word in words(passage.whole)}
    return Signals(
        answerable=finding.answerable,
        completeness=finding.completeness,
        probability=probability,
        margin=margin,
        agreement=agreement,
        entailed=None if judgement is None else judgement.probabilities.supported,
        denied=None if judgement is None else judgement.probabilities.contradicted,
        fits_kind=None if fits is None else float(fits),
        names=_share(names, content),
        words=_share([{word} for word in others], content),
        hops=float(len(finding.indexes)),
        computed=float(finding.computed),
    )


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
