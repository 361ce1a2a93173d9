"""Computed answers on questions of our own in many forms, most of them hostile.

A hostile question has a tempting wrong value beside the right one: planned, replaced, of another part, in
another unit. The questions were written by authors who saw nothing else. Those of the last author were
written after the code: they alone are blind, and forty of them ask for what a passage states.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from probative.bench.data.files import spread
from probative.bench.data.own import BLIND, HOSTILE, ComputedQuestion, read_computed
from probative.bench.findings import share_text
from probative.bench.metrics import auroc, calibration_error, is_accepted
from probative.bench.rows import FAILED, Row, groups_by, row_has, rows_of
from probative.bench.statistics import percent_cell
from probative.bench.study import Case, Lab, Settings, Study
from probative.bench.tables import Results, TableSpec, share

_is_believed = row_has(verdict="supported")


def _is_right(row: Row) -> bool:
    """Return whether a question that can be answered has the right answer."""
    return bool(row["right"]) and bool(row["answerable"])


METRICS = {
    "right and supported": share(lambda row: _is_believed(row) and _is_right(row)),
    "right candidate": share(_is_right),
    "wrong and supported": share(lambda row: _is_believed(row) and not _is_right(row)),
    "computed": share("computed"),
    "right of these": share(_is_right, of="computed"),
}


def _certainty(results: Results) -> Iterator[str]:
    """Yield how well the certainty of computed answers tells right from wrong ones."""
    computed = [row for row in results.rows if row["computed"] and row["certainty"] is not None]
    if not computed:
        return
    supported = percent_cell([float(_is_right(row)) for row in computed if _is_believed(row)])
    yield f"{share_text(supported)} computed answers marked supported are right."
    chances, hits = [row["certainty"] for row in computed], list(map(_is_right, computed))
    high = [row["certainty"] for row in computed if _is_right(row)]
    low = [row["certainty"] for row in computed if not _is_right(row)]
    if high and low:
        yield (
            f"The certainty of {len(computed)} computed answers has AUROC {auroc(high, low):.3f} and "
            f"calibration error {calibration_error(chances, hits):.3f}; {len(set(chances))} different values."
        )


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
        TableSpec(
            "All questions",
            "kind",
            METRICS,
            lambda rows: [
                ("plain", rows_of(rows, hostile=False, blind=False)),
                ("hostile", rows_of(rows, hostile=True, blind=False)),
                ("hostile, blind", rows_of(rows, hostile=True, blind=True)),
                ("stated, blind", rows_of(rows, hostile=False, blind=True)),
                ("all", rows),
            ],
        ),
        TableSpec("By form", "form", METRICS, lambda rows: sorted(groups_by(rows, "form"))),
    )
    findings = (_certainty,)

    def items(self, settings: Settings, name: str) -> list[ComputedQuestion]:
        return spread([*read_computed(), *read_computed(HOSTILE), *read_computed(BLIND)], settings.limit)

    def about(self, case: Case) -> Row:
        entry = case.content
        blind = entry.id.startswith("C")
        return {
            "form": entry.form,
            "hostile": entry.hostile,
            "blind": blind,
            "answerable": bool(entry.accept),
        }

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
