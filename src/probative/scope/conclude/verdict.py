"""The last step: whether the evidence supports the answer, and if not, why.

An answer is supported only if the chain is complete, no passage gives another value, the answer stands in a
cited sentence (or was computed), the verdict model agrees that the chain entails it, and it is certain
enough. Every candidate gets its certainty, also where a rule refuses it or the reader declines: if it is
certain enough, it is probable. The checks are by rules, by the evidence, and by what the models say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from probative.engine.search import Search
from probative.scope.checks import AnswerCheck, Signals, failed, first_failed
from probative.scope.conclude.certainty import CertaintyModel, find_support, model_for
from probative.scope.conclude.computation import computation_model, is_polar, uncomputed
from probative.scope.conclude.contradictions import describe, find_contradictions
from probative.scope.finding import Finding, ParsedAnswer
from probative.scope.run import Run
from probative.scope.sentences import PassageSentence, holds_only_later, passage_sentences, rows_with
from probative.text.sentences import detect_language
from probative.types import Verdict
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
    unknown = "" if finding.answerable is None else f" ({1.0 - finding.answerable:.0%})"
    text = f"to the reader, “unknown” is more probable than any answer{unknown}"
    return failed("answerable", text, finding.answerable)


def grounding_checks(run: Run, finding: Finding, answer: str) -> list[AnswerCheck]:
    """Return whether the answer stands in the chain, as far as no model is needed to see it."""
    if finding.reading is not None and finding.reading.forced:
        return [no_answer_check(finding)]
    if finding.computed:
        text = "the answer was computed from values in the chain"
        return [AnswerCheck(name="grounded", passed=True, text=text)]
    if is_polar(answer):
        return [failed("grounded", UNCOMPUTED)] if _is_uncomputed(run, answer) else []
    sentences = passage_sentences(run, finding.indexes)
    problem = _ungrounded(run, answer, sentences)
    text = problem or "the answer stands in a sentence of the chain"
    return [AnswerCheck(name="grounded", passed=problem is None, text=text)]


def _ungrounded(run: Run, answer: str, sentences: Sequence[PassageSentence]) -> str | None:
    """Return why the sentences with the answer cannot ground it."""
    rows = rows_with(run, answer, sentences)
    if not rows:
        return f"no sentence of the chain contains {answer!r}"
    return _misread(run, answer, [sentences[row].text for row in rows])


def _misread(run: Run, answer: str, holding: Sequence[str]) -> str | None:
    """Return why the sentences that hold the answer do not say what is asked; None if they do."""
    if _is_uncomputed(run, answer):
        return UNCOMPUTED
    begins = [holds_only_later(sentence, run.question.text) for sentence in holding]
    if begins and begins[0] and all(begins):
        return f"what the question asks about is before that: “{begins[0]}”"
    return None


def _is_uncomputed(run: Run, answer: str) -> bool:
    return uncomputed(run.question.text, answer) >= computation_model().limit


def language_checks(run: Run, finding: Finding) -> list[AnswerCheck]:
    """Return that the reader does not know the language of the question or of the chain, if so."""
    if not run.has_reader:
        return []
    asked = detect_language(run.question.text)
    chain = " ".join(passage.text for passage in run.pool.at(finding.indexes))
    languages = {"question": asked, "chain": detect_language(chain, asked)}
    readable, note = language_note(run.tools.model.name, "question", languages)
    return [] if readable else [failed("language", note)]


def conclude(run: Run, finding: Finding) -> Search[Finding]:
    """Return the finding with its verdict and, for an answer or a candidate, with what supports it and what
    was checked. The models are not asked about a language that they do not know, or what is disputed anyway.
    """
    contradictions = yield from find_contradictions(run, finding)
    finding = replace(finding, contradictions=contradictions)
    answer = finding.answer.text
    if answer is None:
        return (yield from _without_answer(run, finding))
    if not finding.indexes:
        return _concluded(finding, [completeness_check(replace(finding, complete=False))])
    foreign = language_checks(run, finding)
    by_rules = [*foreign, *evidence_checks(run, finding), *grounding_checks(run, finding, answer)]
    if (foreign or finding.is_disputed) and not run.options.answer_anyway:
        return _concluded(finding, by_rules)
    finding, by_models = yield from _with_support(run, finding, answer)
    checked = {check.name for check in by_rules}
    return _concluded(finding, [*by_rules, *(check for check in by_models if check.name not in checked)])


def _with_support(run: Run, finding: Finding, answer: str) -> Search[tuple[Finding, tuple[AnswerCheck, ...]]]:
    """Return the finding with what supports an answer and whether it is probable, and the checks of that.

    What was misread is not probable: few of these are right.
    """
    support = yield from find_support(run, finding, answer)
    model = model_for(run, support.signals)
    checks = model_checks(model, support.signals, run.options.min_certainty)
    holding = [support.sentences[row].text for row in support.holding]
    read = finding.computed or _misread(run, answer, holding) is None
    probable = model.is_probable(support.certainty) and read
    return replace(finding, support=support, probable=probable), checks


def _without_answer(run: Run, finding: Finding) -> Search[Finding]:
    """Return the finding without an answer: contradicted if a contradiction may be why, else insufficient.
    What the reader would have said, had it not declined, is a candidate.
    """
    if finding.reading is not None:
        shown = tuple(replace(entry, blocking=False) for entry in finding.contradictions)
        finding = replace(finding, contradictions=shown)
    checks = evidence_checks(run, finding)
    if finding.complete and finding.indexes and first_failed(checks) is None:
        run.note("the chain seems complete, but the model finds no answer in it")
        checks.append(no_answer_check(finding))
    candidate = finding.candidate
    if candidate is None or not finding.indexes or language_checks(run, finding):
        return _concluded(finding, checks)
    finding, by_models = yield from _with_support(run, finding, candidate)
    if finding.probable:
        as_answer = replace(finding, answer=ParsedAnswer(candidate, ()))
        contradictions = yield from find_contradictions(run, as_answer)
        finding = replace(finding, contradictions=contradictions)
        checks = [
            consistency_check(run, finding) if check.name == "consistent" else check for check in checks
        ]
    return _concluded(finding, [*checks, *by_models])


def _concluded(finding: Finding, checks: Sequence[AnswerCheck]) -> Finding:
    """Return the finding as supported if it passes every check, or as contradicted or insufficient."""
    finding = replace(finding, checks=tuple(checks))
    if first_failed(checks) is None:
        return replace(finding, verdict=Verdict.SUPPORTED, complete=True)
    if finding.is_disputed:
        return replace(finding, verdict=Verdict.CONTRADICTED)
    return replace(finding, verdict=Verdict.INSUFFICIENT, complete=False)
