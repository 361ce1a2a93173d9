"""Paired tests in a report: how much two methods differ on the cases that both ran, and whether by chance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from probative.bench.metrics import mean, mean_interval
from probative.bench.report import Cell, Table, TableRow
from probative.bench.statistics import holm, paired_test
from probative.errors import DISTRIBUTION, MissingExtraError

ByCase = Mapping[str, float]
"""A figure between 0 and 1 for each case, by the key of the case."""
Pair = tuple[str, str]
"""Two methods; the difference is the first less the second."""

LEVEL = 0.05
COMPARED = "compared on the same cases"
"""The corner of tables that test methods of one run against each other."""
# How a table of paired tests names its rows and columns, and marks a p-value.
AGAINST, DIFFERENCE, STAR = " against ", ", difference", "*"
NO_TEST = f"needs {DISTRIBUTION}[eval]"
TESTS = (
    "p: exact McNemar test where every case is right or wrong, otherwise Wilcoxon's signed-rank test, both "
    "two-sided and over the cases that both ran. *: below 0.05 also after Holm's correction for all tests of "
    "the column. Intervals are by paired bootstrap."
)


def first_against(first: str, others: Iterable[str]) -> list[Pair]:
    """Return a pair of the first method with each other one.

    >>> first_against("McsE", ["BM25", "McsE", "ROUGE"])
    [('McsE', 'BM25'), ('McsE', 'ROUGE')]
    """
    return [(first, other) for other in others if other != first]


def each_against(others: Iterable[str], last: str) -> list[Pair]:
    """Return a pair of each other method with the last one.

    >>> each_against(["McsE", "without h"], "McsE")
    [('without h', 'McsE')]
    """
    return [(other, last) for other in others if other != last]


def paired_table(
    title: str, pairs: Sequence[Pair], groups: Mapping[str, Mapping[str, ByCase]], note: str = ""
) -> tuple[Table, ...]:
    """Return a table with the difference of each pair in percentage points and its p-value, or nothing if no
    pair has a case in common.

    `groups` are the columns: by the name of a data set or figure, then by method, a figure for each case.
    """
    columns = {name: [_compared(methods, pair) for pair in pairs] for name, methods in groups.items()}
    tested = {name: cells for name, cells in columns.items() if any(cells)}
    shown = [at for at in range(len(pairs)) if any(cells[at] for cells in tested.values())]
    if not shown:
        return ()
    texts = {name: p_texts([cell[1] if cell else None for cell in cells]) for name, cells in tested.items()}
    rows = []
    for at in shown:
        cells: list[Cell | str] = []
        for name, column in tested.items():
            compared = column[at]
            cells += [compared[0] if compared else Cell(value=None, n=0), texts[name][at]]
        rows.append(TableRow(name=f"{pairs[at][0]}{AGAINST}{pairs[at][1]}", cells=tuple(cells)))
    return (
        Table(
            title=title,
            corner=COMPARED,
            columns=tuple(text for name in tested for text in (f"{name}{DIFFERENCE}", f"{name}, p")),
            rows=tuple(rows),
            note=" ".join(filter(None, (note, TESTS))),
        ),
    )


def _compared(methods: Mapping[str, ByCase], pair: Pair) -> tuple[Cell, float | None] | None:
    """Return the difference and its p-value, which is None without scipy; None without a common case."""
    first, second = (methods.get(name, {}) for name in pair)
    both = [key for key in first if key in second]
    if not both:
        return None
    differences = [100 * (first[key] - second[key]) for key in both]
    low, high = mean_interval(differences)
    cell = Cell(value=mean(differences), low=low, high=high, n=len(both))
    try:
        return cell, paired_test([first[key] for key in both], [second[key] for key in both])
    except MissingExtraError:  # the figures were paid for: show them without the test
        return cell, None


def p_texts(values: Sequence[float | None]) -> list[str]:
    """Return p-values as texts, with a star where the corrected one is below `LEVEL`."""
    known = [value for value in values if value is not None]
    corrected = iter(holm(known))
    return [
        NO_TEST if value is None else p_text(value) + (STAR if next(corrected) < LEVEL else "")
        for value in values
    ]


def p_text(value: float) -> str:
    """Return a p-value as text.

    >>> p_text(0.0312), p_text(0.00002)
    ('0.031', '< 0.001')
    """
    return f"{value:.3f}" if value >= 0.001 else "< 0.001"
