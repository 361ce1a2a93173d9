"""Significance tests, cells with intervals, and tables of paired tests: how much two methods differ on the
cases that both ran, and whether by chance. The tests need scipy, in the extra `eval`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from probative.bench.metrics import mean, mean_interval, wilson_interval
from probative.bench.report import Cell, Table, TableRow
from probative.errors import DISTRIBUTION, InputError, MissingExtraError

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


def mann_whitney(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the two-sided p-value of the Mann-Whitney U test: do two samples come from one distribution?

    >>> round(mann_whitney([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]), 3)  # 2 of the 20 orders are as extreme
    0.1
    """
    if not first or not second:
        raise InputError("a Mann-Whitney test needs two samples with at least one value each")
    return float(_scipy_stats().mannwhitneyu(first, second, alternative="two-sided").pvalue)


def paired_test(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the two-sided p-value for two figures of the same cases, in the same order.

    Where each case is right or wrong (0 or 1), the exact McNemar test; otherwise Wilcoxon's signed-rank test.
    Figures that are equal in every case give 1.

    >>> paired_test([1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 0])  # five of five differences in one direction
    0.0625
    """
    if len(first) != len(second) or not first:
        raise InputError(
            f"a paired test needs two figures for each case, got {len(first)} and {len(second)} cases"
        )
    differences = [high - low for high, low in zip(first, second, strict=True) if high != low]
    if not differences:
        return 1.0
    if {*first, *second} <= {0, 1}:
        wins = sum(difference > 0 for difference in differences)
        return float(_scipy_stats().binomtest(wins, len(differences), 0.5).pvalue)
    return float(_scipy_stats().wilcoxon(differences).pvalue)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number by the method of Holm, in the same order.

    >>> [round(value, 3) for value in holm([0.04, 0.01, 0.03])]  # 3 × 0.01, 2 × 0.03, then no less than that
    [0.06, 0.03, 0.06]
    """
    order = np.argsort(p_values, kind="stable")
    corrected = np.empty(len(p_values))
    corrected[order] = np.maximum.accumulate(
        np.minimum(1.0, np.arange(len(p_values), 0, -1) * np.asarray(p_values)[order])
    )
    return [float(value) for value in corrected]


def mean_cell(values: Sequence[float], published: float | None = None) -> Cell:
    """Return the mean with its bootstrap interval, in the unit of the values."""
    if not values:
        return Cell(value=None, n=0, published=published)
    low, high = mean_interval(values)
    return Cell(value=mean(values), low=low, high=high, n=len(values), published=published)


def percent_cell(values: Sequence[float], published: float | None = None) -> Cell:
    """Return the share of cases that are 1 rather than 0, in percent, with Wilson's interval, which stays
    honest for a few cases that all came out the same. Where a case has a share between 0 and 1 (a mean over
    its repeats), the interval is by bootstrap, as in `score_cell`.
    """
    if values and set(values) <= {0.0, 1.0}:
        low, high = wilson_interval(round(sum(values)), len(values))
        return Cell(value=100 * mean(values), low=low, high=high, n=len(values), published=published)
    return score_cell(values, published)


def share_cell(values: Iterable[float]) -> Callable[[Sequence[float], float | None], Cell]:
    """Return the function that makes the cells of a column with these values, so that all of them have the
    same kind of interval: Wilson's if every case of the column is right or wrong.

    >>> share_cell([0.0, 1.0]) is percent_cell, share_cell([0.5, 1.0]) is score_cell
    (True, True)
    """
    return percent_cell if set(values) <= {0.0, 1.0} else score_cell


def score_cell(values: Sequence[float], published: float | None = None) -> Cell:
    """Return the mean of scores between 0 and 1, as F1, in percent with its bootstrap interval."""
    return mean_cell([100 * value for value in values], published)


def _scipy_stats() -> Any:
    try:
        return importlib.import_module("scipy.stats")
    except ImportError:
        raise MissingExtraError("eval", "a significance test") from None


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
    return cell, p_value([first[key] for key in both], [second[key] for key in both])


def p_value(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return the p-value of `paired_test`, or None without scipy: figures were paid for, and are shown."""
    try:
        return paired_test(first, second)
    except MissingExtraError:
        return None


def p_texts(values: Sequence[float | None]) -> list[str]:
    """Return p-values as texts, with a star where the corrected one is below `LEVEL`."""
    corrected = iter(holm([value for value in values if value is not None]))
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
