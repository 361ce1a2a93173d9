"""The last step: what the evidence and the answer say together."""

from __future__ import annotations

from dataclasses import replace

from probative.scope.answer.parsed import Reading
from probative.scope.finding import Finding, serious_contradictions
from probative.scope.run import Run
from probative.types import Verdict


def by_evidence(run: Run, finding: Finding) -> Finding:
    """Return the finding with the verdict before an answer: contradicted if a contradiction may change the
    answer, supported if the chain is complete, and insufficient otherwise.
    """
    if serious_contradictions(run, finding):
        return replace(finding, verdict=Verdict.CONTRADICTED)
    if finding.complete and finding.indexes:
        return replace(finding, verdict=Verdict.SUPPORTED)
    return insufficient(finding)


def by_answer(run: Run, finding: Finding, reading: Reading) -> Finding:
    """Return the finding with an answer; a chain in which the model finds none is insufficient."""
    finding = replace(finding, answer=reading.answer, answerable=reading.answerable)
    if finding.verdict is Verdict.SUPPORTED and (reading.answer.text is None or reading.forced):
        run.note("the chain seems complete, but the model finds no answer in it")
        return insufficient(finding)
    return finding


def insufficient(finding: Finding) -> Finding:
    """Return the finding as insufficient, which is never complete."""
    return replace(finding, verdict=Verdict.INSUFFICIENT, complete=False)
