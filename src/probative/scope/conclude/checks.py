"""The checks of an answer: by rules, by the evidence, and by what the models say."""

from __future__ import annotations

from collections.abc import Sequence

from probative.scope.checks import AnswerCheck, Signals, failed
from probative.scope.conclude.asks_computation import asks_computation
from probative.scope.conclude.certainty import CertaintyModel
from probative.scope.conclude.contradictions import describe
from probative.scope.conclude.validity import holds_only_later
from probative.scope.finding import Finding
from probative.scope.run import Run
from probative.scope.sentences import PassageSentence, passage_sentences, rows_with
from probative.text import english
from probative.text.language import detect_language
from probative.text.words import words
from probative.verdict.languages import language_note

UNCOMPUTED = "the question asks for a value that has to be computed, and no plan computed it"


def model_checks(
    model: CertaintyModel, signals: Signals, min_certainty: float | None = None
) -> tuple[AnswerCheck, ...]:
    """Return what the models say about an answer with these signals, compared with what is needed.

    For a computed answer, each value must be entailed by its passage. No sentence contains what code compares
    or adds up, and a model that reads the passages denies much of it.
    """
    threshold = model.min_certainty if min_certainty is None else min_certainty
    certainty = model.certainty(signals)
    certain = certainty >= threshold
    text = "the answer is certain enough" if certain else "the answer is too uncertain"
    return (
        _entailment_check(model, signals),
        AnswerCheck(name="certain", passed=certain, text=text, value=certainty, needed=threshold or None),
    )


def _entailment_check(model: CertaintyModel, signals: Signals) -> AnswerCheck:
    if signals.entailed is None:
        return failed("entailed", "the verdict model could not be asked whether the chain entails the answer")
    denied = signals.denied or 0.0
    needed = max(model.min_entailed, denied)
    passed = signals.entailed >= needed
    text = "the verdict model finds the answer in the chain"
    if signals.computed:
        text = "each value is supported by its passage" if passed else "a value is hardly supported"
    elif not passed:
        text = "the verdict model does not find the answer in the chain"
        text += ": it reads something else there" if denied > signals.entailed else ""
    return AnswerCheck(name="entailed", passed=passed, text=text, value=signals.entailed, needed=needed)


def evidence_checks(run: Run, finding: Finding) -> list[AnswerCheck]:
    """Return whether the passages agree, if that was looked at, and whether the chain is complete."""
    checks = [consistency_check(run, finding)] if run.options.conflicts else []
    return [*checks, completeness_check(finding)]


def consistency_check(run: Run, finding: Finding) -> AnswerCheck:
    """Return whether no contradiction touches the answer; both sides of the first that does."""
    blocking = next((entry for entry in finding.contradictions if entry.blocking), None)
    text = "no passage contradicts what is asked" if blocking is None else describe(run, blocking)
    return AnswerCheck(name="consistent", passed=blocking is None, text=text)


def completeness_check(finding: Finding) -> AnswerCheck:
    """Return whether the chain is complete, with the evidence policy's probability if it was asked."""
    complete = finding.complete and bool(finding.indexes)
    by_policy = finding.completeness is not None and finding.computation is None
    text = "the chain is enough" if by_policy else "every part of the question is carried by a passage"
    return AnswerCheck(
        name="complete",
        passed=complete,
        text=text if complete else _gap(finding),
        value=finding.completeness if by_policy else None,
        needed=finding.chain.min_completeness if by_policy else None,
    )


def _gap(finding: Finding) -> str:
    if finding.missing:
        return f"no passage of the chain carries {'; '.join(finding.missing)}"
    if finding.computation is not None:
        return finding.computation.rule
    if not finding.indexes:
        return "no passage helps to answer"
    return "the chain is not enough"


def no_answer_check(finding: Finding) -> AnswerCheck:
    """Return the check of a chain in which the model finds no answer."""
    reading = finding.reading
    if reading is None or not (reading.declined or reading.forced):
        return failed("answerable", "the model finds no answer in the chain")
    text = "to the reader, “unknown” is more probable than any answer"
    return failed("answerable", text, None if finding.answerable is None else 1.0 - finding.answerable)


def grounding_checks(run: Run, finding: Finding, answer: str) -> list[AnswerCheck]:
    """Return whether the answer stands in the chain, as far as no model is needed to see it."""
    if finding.reading is not None and finding.reading.forced:
        return [no_answer_check(finding)]
    if finding.computed:
        text = "the answer was computed from values in the chain"
        return [AnswerCheck(name="grounded", passed=True, text=text)]
    if _is_polar(answer):
        return [failed("grounded", UNCOMPUTED)] if is_uncomputed(run, answer) else []
    sentences = passage_sentences(run, finding.indexes)
    problem = _ungrounded(run, answer, sentences)
    text = problem or "the answer stands in a sentence of the chain"
    return [AnswerCheck(name="grounded", passed=problem is None, text=text)]


def _ungrounded(run: Run, answer: str, sentences: Sequence[PassageSentence]) -> str | None:
    """Return why the sentences with the answer cannot ground it."""
    rows = rows_with(run, answer, sentences)
    if not rows:
        return f"no sentence of the chain contains {answer!r}"
    if is_uncomputed(run, answer):
        return UNCOMPUTED
    begins = [holds_only_later(sentences[row].text, run.question.text) for row in rows]
    if begins[0] and all(begins):
        return f"what the question asks about is before that: “{begins[0]}”"
    if run.question.kind == "number" and all(
        is_part_of_count(run.question.text, answer, sentences[row].text) for row in rows
    ):
        return f"{answer!r} counts only a part of what the question asks for"
    return None


def is_part_of_count(question: str, answer: str, sentence: str) -> bool:
    """Return whether an answer counts something else than the question, and is one of several counts: then
    they had to be added, which nothing does.

    >>> listed = "He had two sons and a daughter."
    >>> [is_part_of_count(f"How many {what} had he?", "two", listed) for what in ("children", "sons")]
    [True, False]
    """
    amounts = [span.quantity for span in english.quantities_in(answer)]
    counts = [span for span in english.quantities_in(sentence) if span.counted and not span.quantity.unit]
    own = [count for count in counts if count.quantity in amounts]
    asked = set(words(question))
    if not own or any(asked & set(words(count.counted)) for count in own):
        return False
    return len(counts) > 1 or any(" and a " in f"{count.counted} " for count in own)


def is_uncomputed(run: Run, answer: str) -> bool:
    """Return whether a number, a date, yes or no was read, though values have to be computed with."""
    is_value = _is_polar(answer) or any(map(str.isdigit, answer)) or bool(english.quantities_in(answer))
    return is_value and asks_computation(run.question.text)


def _is_polar(answer: str) -> bool:
    return answer.strip().lower() in ("yes", "no")


def language_checks(run: Run, finding: Finding) -> list[AnswerCheck]:
    """Return that the reader does not know the language of the question or of the chain, if so."""
    if not run.has_reader:
        return []
    asked = detect_language(run.question.text)
    chain = " ".join(passage.text for passage in run.pool.at(finding.indexes))
    languages = {"question": asked, "chain": detect_language(chain, asked)}
    readable, note = language_note(run.tools.model.name, "question", languages)
    return [] if readable else [failed("language", note)]
