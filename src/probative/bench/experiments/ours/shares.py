"""Tables and the plot of studies whose rows have one outcome each: the share of each outcome in a group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from probative.bench.report import Plot, Series, Table, TableRow
from probative.bench.rows import Row
from probative.bench.statistics import percent_cell

Groups = Iterable[tuple[str, Sequence[Row]]]


def share_table(
    title: str,
    corner: str,
    groups: Groups,
    values: Sequence[str],
    field: str = "outcome",
    note: str = "",
) -> Table:
    """Return the share of rows that have each value in `field`, with a line for each group of rows.

    >>> table = share_table("Verdicts", "verb", [("ask", [{"outcome": "right"}])], ["right", "wrong"])
    >>> [cell.value for cell in table.rows[0].cells]
    [100.0, 0.0]
    """
    return Table(
        title=title,
        corner=corner,
        columns=tuple(values),
        rows=tuple(
            TableRow(
                name=name,
                cells=tuple(percent_cell([float(row[field] == value) for row in own]) for value in values),
            )
            for name, own in groups
        ),
        note=note,
    )


def groups_by(rows: Sequence[Row], field: str) -> Iterator[tuple[str, list[Row]]]:
    """Yield each value of `field`, in the order of the rows, with its rows.

    >>> [name for name, _ in groups_by([{"kind": "b"}, {"kind": "a"}, {"kind": "b"}], "kind")]
    ['b', 'a']
    """
    for value in dict.fromkeys(row[field] for row in rows):
        yield value, [row for row in rows if row[field] == value]


def kind_plot(rows: Sequence[Row], field: str) -> Plot:
    """Return the share of right outcomes by the kind of question, with a colour for each value of `field`."""
    kinds = [kind for kind, _ in groups_by(rows, "kind")]
    return Plot(
        title="Right outcomes by kind of question",
        kind="bars",
        x="kind of question",
        y="right, %",
        ticks=tuple(kinds),
        series=tuple(
            Series(
                name=name,
                points=tuple(
                    (float(kinds.index(row.name)), cell.value)
                    for row in share_table("", "", groups_by(own, "kind"), ["right"]).rows
                    for cell in row.cells
                    if not isinstance(cell, str) and cell.value is not None
                ),
            )
            for name, own in groups_by(rows, field)
        ),
    )
