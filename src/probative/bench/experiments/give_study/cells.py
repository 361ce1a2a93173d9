"""Cells and tables of the study, made from rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from probative.bench.experiments.give_study.answers import floors, right
from probative.bench.experiments.give_study.study import ALL_SETS, SET_NAMES
from probative.bench.findings import counted
from probative.bench.metrics import wilson_interval
from probative.bench.report import Cell, Table, TableRow
from probative.bench.rows import Row

STAGES = {"a": "GIVE a", "ac": "GIVE a+c", "ace": "GIVE a+c+e"}
"""The three answers of give, and the names of their lines."""

FIFTY_QUESTIONS = (
    "Published: GPT3.5-turbo, 50 questions of each set; figures that our text of the paper does not show are "
    "left out."
)

Published = Mapping[str, Sequence[float | None]]
"""Published figures by the name of the line, in the order of the columns."""


@dataclass(frozen=True)
class Line:
    """A line of a table: an arm and the stage whose answer counts. A method without stages has the last."""

    name: str
    arm: str
    stage: str = "ace"


@dataclass(frozen=True)
class Column:
    """A column of a table: the rows of a set, over a part of its graph, perhaps of one arm."""

    name: str
    set_name: str
    percent: int | None = None
    arm: str | None = None

    def has(self, row: Row) -> bool:
        """Return whether a row belongs to the column."""
        return (
            row.get("set") == self.set_name
            and self.percent in (None, row.get("percent"))
            and self.arm in (None, row.get("arm"))
        )


def set_columns(sets: Sequence[str]) -> list[Column]:
    """Return a column for each set."""
    return [Column(SET_NAMES[name], name) for name in sets]


def method_lines(arms: Sequence[str]) -> list[Line]:
    """Return a line for each arm, and three for give.

    >>> [line.name for line in method_lines(["RAG", "GIVE"])]
    ['RAG', 'GIVE a', 'GIVE a+c', 'GIVE a+c+e']
    """
    lines = []
    for arm in arms:
        lines += (
            [Line(name, arm, stage) for stage, name in STAGES.items()] if arm == "GIVE" else [Line(arm, arm)]
        )
    return lines


def stage_lines(arms: Sequence[str]) -> list[Line]:
    """Return a line for each stage of give and each arm that changes an option of it.

    >>> [line.name for line in stage_lines(["triples", "text"])][:3]
    ['GIVE a, triples', 'GIVE a, text', 'GIVE a+c, triples']
    """
    return [Line(f"{name}, {arm}", arm, stage) for stage, name in STAGES.items() for arm in arms]


def in_sets(figures: Published, sets: Sequence[str]) -> dict[str, list[float | None]]:
    """Return published figures of all sets, less those of sets that the user left out."""
    return {line: [own[ALL_SETS.index(name)] for name in sets] for line, own in figures.items()}


def accuracy_table(
    title: str,
    lines: Sequence[Line],
    columns: Sequence[Column],
    rows: Sequence[Row],
    published: Published,
    note: str = "",
) -> Table:
    """Return the accuracy in percent of each line on each column, with the published figures; the lines of
    chance come first. A failed question is wrong.
    """
    body = [
        TableRow(
            name=line.name,
            cells=tuple(
                accuracy(
                    [row for row in rows if column.has(row) and row.get("arm") == line.arm],
                    line.stage,
                    figure,
                )
                for column, figure in zip(columns, _figures(published, line.name, columns), strict=True)
            ),
        )
        for line in lines
    ]
    return Table(
        title=title,
        corner="accuracy, %",
        columns=tuple(column.name for column in columns),
        rows=(*chance_rows(columns, rows), *body),
        note=" ".join(filter(None, (note, failures(rows)))),
    )


def _figures(published: Published, name: str, columns: Sequence[Column]) -> Sequence[float | None]:
    return published.get(name) or [None] * len(columns)


def accuracy(rows: Sequence[Row], stage: str = "ace", published: float | None = None) -> Cell:
    """Return the accuracy of a stage in percent, with Wilson's interval."""
    if not rows:
        return Cell(value=None, published=published, n=0)
    hits = sum(right(row, stage) for row in rows)
    low, high = wilson_interval(hits, len(rows))
    return Cell(value=100 * hits / len(rows), low=low, high=high, n=len(rows), published=published)


def chance_rows(columns: Sequence[Column], rows: Sequence[Row]) -> list[TableRow]:
    """Return two lines: a random answer, and always the commonest answer (or place among the choices)."""
    by_column: list[tuple[float, ...]] = []
    for column in columns:
        questions = {row["id"]: row for row in rows if column.has(row) and "options" in row}
        by_column.append(floors(list(questions.values())) if questions else ())
    return [
        TableRow(
            name=name,
            cells=tuple(Cell(value=chances[index] if chances else None) for chances in by_column),
        )
        for index, name in enumerate(("random answer", "always the commonest"))
    ]


def failures(rows: Sequence[Row]) -> str:
    """Return a sentence on the answers that failed or could not be read.

    >>> failures([{"error": "empty"}, {"error": None, "answer": None}, {"error": None, "answer": "yes"}])
    'Of 3 answers 1 failed and 1 could not be read; both count as wrong.'
    """
    failed = sum(row.get("error") is not None for row in rows)
    unread = sum(row.get("error") is None and row.get("answer") is None for row in rows)
    if not failed + unread:
        return ""
    return f"Of {len(rows)} answers {failed} failed and {unread} could not be read; both count as wrong."


def right_finding(rows: Sequence[Row], lines: Sequence[Line], where: str) -> str | None:
    """Return a sentence with the right answers of each line, the most first; None without an answer.

    >>> row = {"gold": "yes", "answers": {"a": None, "ace": None}}
    >>> rows = [{**row, "arm": "RAG", "answer": "yes"}, {**row, "arm": "CoT", "answer": "no"}]
    >>> right_finding(rows, [Line("CoT", "CoT"), Line("RAG", "RAG")], "BioASQ")
    'BioASQ: RAG is right on 1 of 1 question; CoT on 0 of 1.'
    """
    counts = {
        line.name: (sum(right(row, line.stage) for row in own), len(own))
        for line in lines
        if (own := [row for row in rows if row.get("arm") == line.arm])
    }
    if not counts:
        return None
    (best, (hits, n)), *others = sorted(counts.items(), key=lambda pair: -pair[1][0] / pair[1][1])
    first = f"{where}: {best} is right on {hits} of {counted(n, 'question')}"
    return f"{'; '.join([first, *(f'{name} on {hits} of {n}' for name, (hits, n) in others)])}."
