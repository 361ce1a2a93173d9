"""The last step: whether the evidence supports the answer, and if not, why.

An answer is supported only if the chain is complete, no passage gives another value, the answer stands in a
cited sentence (or was computed), the verdict model agrees that the chain entails it, and it is certain
enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from probative.engine.search import Search
from probative.scope.checks import AnswerCheck, first_failed
from probative.scope.conclude.certainty import find_support, model_for
from probative.scope.conclude.checks import (
    completeness_check,
    evidence_checks,
    grounding_checks,
    language_checks,
    model_checks,
    no_answer_check,
)
from probative.scope.conclude.contradictions import find_contradictions
from probative.scope.finding import Finding
from probative.scope.run import Run
from probative.types import Verdict


def conclude(run: Run, finding: Finding) -> Search[Finding]:
    """Return the finding with its verdict and, for an answer, with what supports it and what was checked.

    The checks that need no model come first; if one fails, the others are skipped unless `answer_anyway`.
    """
    contradictions = yield from find_contradictions(run, finding)
    finding = replace(finding, contradictions=contradictions)
    answer = finding.answer.text
    if answer is None:
        return _without_answer(run, finding)
    if not finding.indexes:
        return _concluded(finding, [completeness_check(replace(finding, complete=False))])
    by_rules = [*language_checks(run, finding), *evidence_checks(run, finding)]
    by_rules += grounding_checks(run, finding, answer)
    if first_failed(by_rules) is not None and not run.options.answer_anyway:
        return _concluded(finding, by_rules)
    support = yield from find_support(run, finding, answer)
    finding = replace(finding, support=support)
    by_models = model_checks(model_for(run, support.signals), support.signals, run.options.min_certainty)
    checked = {check.name for check in by_rules}
    return _concluded(finding, [*by_rules, *(check for check in by_models if check.name not in checked)])


def _without_answer(run: Run, finding: Finding) -> Finding:
    """Return the finding without an answer: contradicted if a contradiction may be why, else insufficient."""
    if finding.reading is not None:
        shown = tuple(replace(entry, blocking=False) for entry in finding.contradictions)
        finding = replace(finding, contradictions=shown)
    checks = evidence_checks(run, finding)
    if finding.complete and finding.indexes and first_failed(checks) is None:
        run.note("the chain seems complete, but the model finds no answer in it")
        checks.append(no_answer_check(finding))
    return _concluded(finding, checks)


def _concluded(finding: Finding, checks: Sequence[AnswerCheck]) -> Finding:
    """Return the finding as supported if it passes every check, or as contradicted or insufficient."""
    finding = replace(finding, checks=tuple(checks))
    if first_failed(checks) is None:
        return replace(finding, verdict=Verdict.SUPPORTED, complete=True)
    if any(contradiction.blocking for contradiction in finding.contradictions):
        return replace(finding, verdict=Verdict.CONTRADICTED)
    return replace(finding, verdict=Verdict.INSUFFICIENT, complete=False)
