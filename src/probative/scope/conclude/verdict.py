"""The last step: whether the evidence supports the answer, and if not, why.

An answer is supported only if the chain is complete, no passage gives another value, the answer stands in a
cited sentence (or was computed), the verdict model agrees that the chain entails it, and it is certain
enough. Every candidate gets its certainty, also where a rule refuses it or the reader declines: if it is
certain enough, it is probable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from probative.engine.search import Search
from probative.scope.checks import AnswerCheck, first_failed
from probative.scope.conclude.certainty import find_support, model_for
from probative.scope.conclude.checks import (
    completeness_check,
    consistency_check,
    evidence_checks,
    grounding_checks,
    language_checks,
    model_checks,
    no_answer_check,
)
from probative.scope.conclude.contradictions import (
    confirmed,
    contradictions_of_answer,
    serious_contradictions,
)
from probative.scope.finding import Contradiction, Finding
from probative.scope.run import Run
from probative.scope.sentences import contains_span
from probative.text import english
from probative.types import Verdict


def conclude(run: Run, finding: Finding) -> Search[Finding]:
    """Return the finding with its verdict and, for an answer or a candidate, with what supports it and what
    was checked. The models are not asked about a language that they do not know, or what is disputed anyway.
    """
    contradictions = yield from confirmed(run, finding)
    finding = replace(finding, contradictions=contradictions)
    answer = finding.answer.text
    if answer is None:
        return (yield from _without_answer(run, finding))
    if not finding.indexes:
        return _concluded(finding, [completeness_check(replace(finding, complete=False))])
    finding = with_blocking(run, finding, answer)
    foreign = language_checks(run, finding)
    by_rules = [*foreign, *evidence_checks(run, finding), *grounding_checks(run, finding, answer)]
    is_disputed = any(entry.blocking for entry in finding.contradictions)
    if (foreign or is_disputed) and not run.options.answer_anyway:
        return _concluded(finding, by_rules)
    finding, by_models = yield from _with_support(run, finding, answer)
    if first_failed(by_rules) is None or finding.probable:
        finding, by_rules = yield from _with_rivals(run, finding, answer, by_rules)
    checked = {check.name for check in by_rules}
    return _concluded(finding, [*by_rules, *(check for check in by_models if check.name not in checked)])


def _with_support(run: Run, finding: Finding, answer: str) -> Search[tuple[Finding, tuple[AnswerCheck, ...]]]:
    """Return the finding with what supports an answer and whether it is probable, and the checks of that."""
    support = yield from find_support(run, finding, answer)
    model = model_for(run, support.signals)
    checks = model_checks(model, support.signals, run.options.min_certainty)
    return replace(finding, support=support, probable=model.is_probable(support.certainty)), checks


def _with_rivals(
    run: Run, finding: Finding, answer: str, checks: Sequence[AnswerCheck]
) -> Search[tuple[Finding, list[AnswerCheck]]]:
    """Return the finding with the sentences of other passages that deny an answer, and the checks with it."""
    rivals = yield from contradictions_of_answer(run, finding, answer)
    finding = replace(finding, contradictions=_merged(finding.contradictions, rivals))
    return finding, [
        consistency_check(run, finding) if check.name == "consistent" else check for check in checks
    ]


def with_blocking(run: Run, finding: Finding, answer: str) -> Finding:
    """Return the finding with each contradiction marked that touches the asked value."""
    serious = serious_contradictions(run, finding)
    return replace(
        finding,
        contradictions=tuple(
            replace(entry, blocking=entry in serious and touches(run, finding, answer, entry))
            for entry in finding.contradictions
        ),
    )


def touches(run: Run, finding: Finding, answer: str, contradiction: Contradiction) -> bool:
    """Return whether a contradiction is about the answer, about a value that the question names, or about a
    name that leads from the question to the answer. A computed answer rests on the sentences of its values.
    Every contradiction touches a yes, a no or a choice, because the values behind them are not known.
    """
    if finding.computed and finding.computation is not None:
        cited = {value.sentence for value in finding.computation.values}
        return not cited.isdisjoint({contradiction.text, contradiction.other_text})
    if run.question.kind in ("yes-no", "choice"):
        return True
    if contradiction.kind == "negation":
        return _overlap(contradiction.text, answer)
    leading = [node.text for node in finding.chain.judgements.features.nodes if node.inferred]
    # The pair is listed once: if both passages are in the chain, the answer may come from either.
    sides = [contradiction.says]
    if contradiction.other in finding.indexes:
        sides.append(contradiction.instead)
    values = [value.strip() for side in sides for value in side.split(",")]
    return any(
        _overlap(value, target)
        for value in values
        for target in (answer, *leading, *run.question.parsed.names)
    ) or any(value in run.question.text for value in (contradiction.says, contradiction.instead))


def _overlap(first: str, second: str) -> bool:
    first_form, second_form = english.normal_form(first), english.normal_form(second)
    return contains_span(first_form, second_form) or contains_span(second_form, first_form)


def _without_answer(run: Run, finding: Finding) -> Search[Finding]:
    """Return the finding without an answer: contradicted if a contradiction may be why, else insufficient.
    What the reader would have said, had it not declined, is a candidate.
    """
    serious = serious_contradictions(run, finding)
    if serious and finding.reading is None:
        marked = tuple(replace(entry, blocking=entry in serious) for entry in finding.contradictions)
        finding = replace(finding, contradictions=marked)
    checks = evidence_checks(run, finding)
    if finding.complete and finding.indexes and first_failed(checks) is None:
        run.note("the chain seems complete, but the model finds no answer in it")
        checks.append(no_answer_check(finding))
    candidate = finding.candidate
    if candidate is None or not finding.indexes or language_checks(run, finding):
        return _concluded(finding, checks)
    finding, by_models = yield from _with_support(run, finding, candidate)
    if finding.probable:
        finding = with_blocking(run, finding, candidate)
        finding, checks = yield from _with_rivals(run, finding, candidate, checks)
    return _concluded(finding, [*checks, *by_models])


def _concluded(finding: Finding, checks: Sequence[AnswerCheck]) -> Finding:
    """Return the finding as supported if it passes every check, or as contradicted or insufficient."""
    finding = replace(finding, checks=tuple(checks))
    if first_failed(checks) is None:
        return replace(finding, verdict=Verdict.SUPPORTED, complete=True)
    if any(contradiction.blocking for contradiction in finding.contradictions):
        return replace(finding, verdict=Verdict.CONTRADICTED)
    return replace(finding, verdict=Verdict.INSUFFICIENT, complete=False)


def _merged(
    contradictions: Sequence[Contradiction], rivals: Sequence[Contradiction]
) -> tuple[Contradiction, ...]:
    """Return the contradictions with those of the verdict model, one for each pair of passages."""
    blocking = {(entry.index, entry.other) for entry in contradictions if entry.blocking}
    new = [replace(rival, blocking=True) for rival in rivals if (rival.index, rival.other) not in blocking]
    pairs = {(rival.index, rival.other) for rival in new}
    return (*(entry for entry in contradictions if (entry.index, entry.other) not in pairs), *new)
