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
    is_uncomputed,
    language_checks,
    model_checks,
    no_answer_check,
)
from probative.scope.conclude.contradictions import find_contradictions
from probative.scope.finding import Finding, ParsedAnswer
from probative.scope.run import Run
from probative.types import Verdict


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

    A number that was read where a computed one is asked for is not probable: few of these are right.
    """
    support = yield from find_support(run, finding, answer)
    model = model_for(run, support.signals)
    checks = model_checks(model, support.signals, run.options.min_certainty)
    read = finding.computed or answer in ("yes", "no") or not is_uncomputed(run, answer)
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
