"""Accuracy over a number that the arms of an experiment differ in."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from probative.bench.experiments.give_study.cells import accuracy
from probative.bench.experiments.give_study.study import SET_NAMES
from probative.bench.report import Plot, Series
from probative.bench.rows import Row


def count_plot(
    rows: Sequence[Row],
    x: str,
    title: str,
    counts: dict[str, list[int]],
    arm_name: Callable[[int], str],
) -> Plot:
    """Return the accuracy of the last answer over the number, a line for each set; `counts` are its values by
    set, and `arm_name` names the arm of each.
    """
    series = []
    for name, own in counts.items():
        cells = [(float(count), accuracy(_rows_of(rows, name, arm_name(count)))) for count in own]
        points = tuple((count, cell.value) for count, cell in cells if cell.value is not None)
        series.append(Series(name=SET_NAMES[name], points=points))
    return Plot(title=f"GIVE a+c+e by {title}", kind="lines", x=x, y="accuracy, %", series=tuple(series))


def _rows_of(rows: Sequence[Row], set_name: str, arm: str) -> list[Row]:
    return [row for row in rows if (row.get("set"), row.get("arm")) == (set_name, arm)]
