"""Computed answers on questions of our own in fifteen forms, half of them hostile.

A hostile question has a tempting wrong value beside the right one: planned, replaced, of another part, in
another unit. The questions were written by an author who saw nothing else; nothing was fitted on them.
"""

from __future__ import annotations

from typing import ClassVar

from probative.bench.data.files import spread
from probative.bench.data.own import ComputedQuestion, read_computed
from probative.bench.families.computed import METRICS, by_hostility, certainty
from probative.bench.metrics import is_accepted
from probative.bench.rows import FAILED, Row, groups_by
from probative.bench.study import Case, Lab, Settings, Study
from probative.bench.tables import TableSpec


class ComputedAnswers(Study):
    """What `ask` answers where values must be compared or reckoned with."""

    name = "computed-answers"
    title = "Are computed answers right, and does their certainty say so?"
    paper_reference = "results, computed answers"
    limit_of = "questions"
    options = ()
    verbs = frozenset({"generate", "judge"})
    calls_per_case = 8.0
    failure: ClassVar[Row] = {"right": False, "verdict": FAILED, "computed": False, "certainty": None}
    tables = (
        TableSpec("All questions", "kind", METRICS, by_hostility),
        TableSpec("By form", "form", METRICS, lambda rows: sorted(groups_by(rows, "form"))),
    )
    findings = (certainty,)

    def items(self, settings: Settings, name: str) -> list[ComputedQuestion]:
        return spread(read_computed(), settings.limit)

    def about(self, case: Case) -> Row:
        entry = case.content
        return {"form": entry.form, "hostile": entry.hostile, "answerable": bool(entry.accept)}

    def answer(self, case: Case, lab: Lab) -> Row:
        entry = case.content
        answer = lab.session.ask(entry.question, entry.passages)
        given = answer.answer or answer.candidate
        return {
            "answer": given,
            "right": is_accepted(given or "", entry.accept) if entry.accept else given is None,
            "verdict": answer.verdict.value,
            "computed": bool(answer.signals is not None and answer.signals.computed),
            "certainty": answer.certainty,
        }
