"""Computed answers on questions of our own in fifteen forms, half of them hostile.

A hostile question has a tempting wrong value beside the right one: planned, replaced, of another part, in
another unit. The questions were written by an author who saw nothing else; nothing was fitted on them.
"""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.data.drawing import spread
from probative.bench.data.own import is_accepted, read_computed
from probative.bench.experiment import Case, Experiment, Lab, Settings
from probative.bench.findings import share_text
from probative.bench.metrics import auroc, calibration_error
from probative.bench.report import Cell, Report, Table, TableRow
from probative.bench.rows import FAILED, Row, counted_rows
from probative.bench.statistics import percent_cell

COLUMNS = ("right and supported", "right candidate", "wrong and supported", "computed", "right of these")


class ComputedAnswers(Experiment):
    """What `ask` answers where values must be compared or reckoned with."""

    name = "computed-answers"
    title = "Are computed answers right, and does their certainty say so?"
    paper = "ours"
    shown_as = "results, computed answers"
    limit_of = "questions"
    data = ()
    verbs = frozenset({"generate", "judge"})
    calls_per_case = 8.0

    def cases(self, settings: Settings) -> list[Case]:
        """Return `limit` questions, evenly spread."""
        return [Case(entry.id, entry) for entry in spread(read_computed(), settings.limit)]

    def run(self, case: Case, lab: Lab) -> Row:
        answer = lab.session.ask(case.content.question, case.content.passages)
        given = answer.answer or answer.candidate
        return {
            **_about(case),
            "answer": given,
            "right": is_accepted(given or "", case.content.accept) if case.content.accept else given is None,
            "verdict": answer.verdict.value,
            "computed": bool(answer.signals is not None and answer.signals.computed),
            "certainty": answer.certainty,
        }

    def wrong(self, case: Case) -> Row:
        return {**_about(case), "right": False, "verdict": FAILED, "computed": False, "certainty": None}

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        good = counted_rows(rows)
        groups = {"plain": [row for row in good if not row["hostile"]]}
        groups |= {"hostile": [row for row in good if row["hostile"]], "all": good}
        forms = {form: [row for row in good if row["form"] == form] for form in _names(good, "form")}
        tables = tuple(
            Table(title=title, corner=corner, columns=COLUMNS, rows=_rows(parts))
            for title, corner, parts in (("All questions", "kind", groups), ("By form", "form", forms))
        )
        return Report(tables=tables, findings=tuple(_findings(good)))


def _about(case: Case) -> Row:
    return {
        "form": case.content.form,
        "hostile": case.content.hostile,
        "answerable": bool(case.content.accept),
    }


def _names(rows: Sequence[Row], field: str) -> list[str]:
    return sorted({row[field] for row in rows})


def _rows(groups: dict[str, list[Row]]) -> tuple[TableRow, ...]:
    return tuple(TableRow(name=name, cells=_cells(rows)) for name, rows in groups.items())


def _cells(rows: Sequence[Row]) -> tuple[Cell, ...]:
    believed = [row["verdict"] == "supported" for row in rows]
    right = [bool(row["right"]) and row["answerable"] for row in rows]
    wrong = [given and not hit for given, hit in zip(believed, right, strict=True)]
    computed = [hit for row, hit in zip(rows, right, strict=True) if row["computed"]]
    return (
        percent_cell([float(given and hit) for given, hit in zip(believed, right, strict=True)]),
        percent_cell([float(hit) for hit in right]),
        percent_cell([float(hit) for hit in wrong]),
        percent_cell([float(row["computed"]) for row in rows]),
        percent_cell([float(hit) for hit in computed]),
    )


def _findings(rows: Sequence[Row]) -> list[str]:
    """Return how well the certainty of computed answers tells right from wrong ones."""
    computed = [row for row in rows if row["computed"] and row["certainty"] is not None]
    if not computed:
        return []
    chances = [row["certainty"] for row in computed]
    hits = [bool(row["right"]) and row["answerable"] for row in computed]
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
