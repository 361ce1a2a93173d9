"""Paired tests in reports, with p-values worked out by hand."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probative.bench.report import Cell
from probative.bench.statistics import (
    NO_TEST,
    TESTS,
    first_against,
    holm,
    mean_cell,
    paired_table,
    percent_cell,
    score_cell,
)


def by_case(*values: float) -> dict[str, float]:
    return {f"case {number}": value for number, value in enumerate(values)}


def test_right_and_wrong_are_compared_by_mcnemar_and_starred_after_correction() -> None:
    # Eight cases only by A and none only by B: p = 2 / 2^8 = 0.008; C wins one and loses one: p = 1.
    groups = {
        "hops": {
            "A": by_case(*[1] * 8, 0),
            "B": by_case(*[0] * 9),
            "C": by_case(*[1] * 7, 0, 1),
        }
    }
    (table,) = paired_table("Tests", first_against("A", groups["hops"]), groups, "A note.")
    assert table.columns == ("hops, difference", "hops, p")
    assert [row.name for row in table.rows] == ["A against B", "A against C"]
    assert [row.cells[1] for row in table.rows] == ["0.008*", "1.000"]
    difference = table.rows[0].cells[0]
    assert isinstance(difference, Cell)
    assert difference.value == pytest.approx(800 / 9)
    assert difference.low is not None
    assert difference.low < 800 / 9
    assert difference.n == 9
    assert table.note == f"A note. {TESTS}"


def test_a_few_cases_and_equal_cases_have_no_bootstrap_interval() -> None:
    cells = (mean_cell([-4.1]), percent_cell([1.0] * 4), score_cell([0.5] * 9))
    assert [(cell.low, cell.high) for cell in cells] == [(None, None)] * 3
    assert Cell(value=0.0, low=0.0, high=79.3, n=1) == Cell(value=0.0, n=1)
    # Wilson's interval has a width also where all cases are right: 5 / (5 + 1.96^2) at its lower end.
    cell = percent_cell([1.0] * 5)
    assert cell.low == pytest.approx(100 * 5 / (5 + 1.96**2))
    assert cell.high == pytest.approx(100)


def test_a_p_value_below_the_level_has_no_star_if_many_tests_were_made() -> None:
    # Six differences of one sign: p = 2 / 2^6 = 0.031; twice that is above 0.05.
    groups = {"set": {"A": by_case(*[1] * 6), "B": by_case(*[0] * 6), "C": by_case(*[0] * 6)}}
    (one,) = paired_table("Tests", [("A", "B")], groups)
    (two,) = paired_table("Tests", [("A", "B"), ("A", "C")], groups)
    assert one.rows[0].cells[1] == "0.031*"
    assert [row.cells[1] for row in two.rows] == ["0.031", "0.031"]


def test_only_cases_that_both_methods_ran_are_compared() -> None:
    groups = {"set": {"A": {"x": 1.0, "y": 1.0}, "B": {"y": 0.0, "z": 1.0}}, "other": {"A": {"x": 1.0}}}
    (table,) = paired_table("Tests", [("A", "B"), ("A", "missing")], groups)
    assert table.columns == ("set, difference", "set, p")
    (row,) = table.rows
    assert isinstance(row.cells[0], Cell)
    assert (row.cells[0].value, row.cells[0].n) == (100.0, 1)


def test_there_is_no_table_without_anything_to_compare() -> None:
    assert paired_table("Tests", [("A", "B")], {"set": {"A": {"x": 1.0}}}) == ()
    assert paired_table("Tests", [], {"set": {"A": {"x": 1.0}, "B": {"x": 1.0}}}) == ()


def test_without_scipy_differences_are_shown_without_a_test(monkeypatch: pytest.MonkeyPatch) -> None:
    load = importlib.import_module

    def without_scipy(name: str, package: str | None = None) -> Any:
        if name.startswith("scipy"):
            raise ImportError(name)
        return load(name, package)

    monkeypatch.setattr(importlib, "import_module", without_scipy)
    (table,) = paired_table("Tests", [("A", "B")], {"set": {"A": {"x": 1.0}, "B": {"x": 0.0}}})
    assert table.rows[0].cells[1] == NO_TEST


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_keeps_the_order_and_never_lowers_a_p_value(values: list[float]) -> None:
    corrected = holm(values)
    assert all(value <= new <= 1 for value, new in zip(values, corrected, strict=True))
    ordered = sorted(zip(values, corrected, strict=True))
    assert [new for _, new in ordered] == sorted(corrected)
