"""Computed answers on questions of our own in fifteen forms, half of them hostile.

A hostile question has a tempting wrong value beside the right one: planned, replaced, of another part, in
another unit. The questions were written by an author who saw nothing else; nothing was fitted on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from probative.bench.data.files import spread
from probative.bench.data.own import read_computed
from probative.bench.experiment import Case, Lab, Settings
from probative.bench.findings import share_text
from probative.bench.metrics import auroc, calibration_error, is_accepted
from probative.bench.report import Report
from probative.bench.rows import FAILED, Row, counted_rows
from probative.bench.statistics import percent_cell
from probative.bench.study import Study
from probative.bench.tables import Metric, build_table, groups_by, rows_of, share


def _believed(row: Row) -> bool:
    return bool(row["verdict"] == "supported")


def _right(row: Row) -> bool:
    return bool(row["right"]) and bool(row["answerable"])


METRICS: dict[str, Metric] = {
    "right and supported": share(lambda row: _believed(row) and _right(row)),
    "right candidate": share(_right),
    "wrong and supported": share(lambda row: _believed(row) and not _right(row)),
    "computed": share("computed"),
    "right of these": share(_right, of="computed"),
}


class ComputedAnswers(Study):
    """What `ask` answers where values must be compared or reckoned with."""

    name = "computed-answers"
    title = "Are computed answers right, and does their certainty say so?"
    shown_as = "results, computed answers"
    limit_of = "questions"
    data = ()
    verbs = frozenset({"generate", "judge"})
    calls_per_case = 8.0
    failure: ClassVar[Row] = {"right": False, "verdict": FAILED, "computed": False, "certainty": None}

    def cases(self, settings: Settings) -> list[Case]:
        """Return `limit` questions, evenly spread."""
        return [Case(entry.id, entry) for entry in spread(read_computed(), settings.limit)]

    def about(self, case: Case) -> Row:
        entry = case.content
        return {"form": entry.form, "hostile": entry.hostile, "answerable": bool(entry.accept)}

    def answer(self, case: Case, lab: Lab) -> Row:
        answer = lab.session.ask(case.content.question, case.content.passages)
        given = answer.answer or answer.candidate
        return {
            "answer": given,
            "right": is_accepted(given or "", case.content.accept) if case.content.accept else given is None,
            "verdict": answer.verdict.value,
            "computed": bool(answer.signals is not None and answer.signals.computed),
            "certainty": answer.certainty,
        }

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        good = counted_rows(rows)
        kinds = [
            ("plain", rows_of(good, hostile=False)),
            ("hostile", rows_of(good, hostile=True)),
            ("all", good),
        ]
        forms = sorted(groups_by(good, "form"))
        tables = (
            build_table("All questions", "kind", METRICS, kinds),
            build_table("By form", "form", METRICS, forms),
        )
        return Report(tables=tables, findings=tuple(_findings(good)))


def _findings(rows: Sequence[Row]) -> list[str]:
    """Return how well the certainty of computed answers tells right from wrong ones."""
    computed = [row for row in rows if row["computed"] and row["certainty"] is not None]
    if not computed:
        return []
    chances = [row["certainty"] for row in computed]
    hits = [_right(row) for row in computed]
    supported = [hit for row, hit in zip(computed, hits, strict=True) if row["verdict"] == "supported"]
    share = share_text(percent_cell([float(hit) for hit in supported]))
    found = [f"{share} computed answers marked supported are right."]
    high = [chance for chance, hit in zip(chances, hits, strict=True) if hit]
    low = [chance for chance, hit in zip(chances, hits, strict=True) if not hit]
    if high and low:
        found.append(
            f"The certainty of {len(computed)} computed answers has AUROC {auroc(high, low):.3f} and "
            f"calibration error {calibration_error(chances, hits):.3f}; {len(set(chances))} different values."
        )
    return found
