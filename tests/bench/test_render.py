"""How tables and plots of a report are shown."""

from __future__ import annotations

import re

import pytest

from probative.bench.plots import plot_svg
from probative.bench.render import table_lines, to_markdown
from probative.bench.report import Cell, Plot, Report, RunReport, Series, Table, TableRow


def table(*rows: tuple[Cell | str, ...], columns: int = 2) -> Table:
    named = tuple(TableRow(name=f"row {number}", cells=cells) for number, cells in enumerate(rows))
    return Table(title="Ships", corner="", columns=tuple("abcd"[:columns]), rows=named)


def test_a_cell_without_a_figure_has_no_number_of_cases_and_does_not_change_that_of_its_row() -> None:
    lines = table_lines(table((Cell(value=50.0, n=4), Cell(value=None, n=0))))
    assert lines == [["", "a", "b", "n"], ["row 0", "50.0", "-", "4"]]


def test_a_cell_that_rests_on_another_number_of_cases_than_its_row_says_so() -> None:
    usual, other = Cell(value=50.0, n=4), Cell(value=60.0, n=9)
    lines = table_lines(table((usual, other, usual), (other, usual, "-"), ("-", "-", "-"), columns=3))
    assert lines[1][1:] == ["50.0", "60.0, n = 9", "50.0", "4"]
    assert lines[2][1:] == ["60.0", "50.0, n = 4", "-", "9"]
    assert lines[3][1:] == ["-", "-", "-", "-"]


def test_a_column_of_zeros_has_as_many_decimals_as_the_others() -> None:
    assert table_lines(table((Cell(value=0.25), Cell(value=0.0))))[1][1:] == ["0.250", "0.000"]
    assert table_lines(table((Cell(value=25.0), Cell(value=0.0))))[1][1:] == ["25.0", "0.0"]


def plot(*series: Series) -> Plot:
    return Plot(title="Ships", kind="lines", x="year", y="percent", series=series)


def run(report: Report, paper: str = "ours", **changes: object) -> RunReport:
    fields = {
        "version": "1",
        "experiment": "ships",
        "title": "Do ships sail?",
        "paper": paper,
        "shown_as": "table 1",
        "models": {},
        "settings": {"limit": 2},
        "data": (),
        "cases": 10,
        "errors": (),
        "notes": (),
        "report": report,
    }
    return RunReport.model_validate({**fields, **changes})


def test_markdown_leaves_out_a_plot_whose_figures_the_tables_have() -> None:
    shown = table((Cell(value=50.0, published=61.0), Cell(value=0.0)))
    ours, paper = Series(name="a", points=((1.0, 50.0), (2.0, 0.0))), Series(name="a", points=((1.0, 61.0),))
    page = to_markdown(run(Report(tables=(shown,), plots=(plot(ours, paper),))))
    assert page.count("## ") == 1
    more = Series(name="b", points=((1.0, 0.0), (2.0, 75.0)))
    page = to_markdown(run(Report(tables=(shown,), plots=(plot(ours, more),))))
    assert "## Plot: Ships" in page
    assert "| b | 1 | 0.0 |" in page


def test_the_header_says_what_the_limit_counts_and_names_a_paper_only_if_there_is_one() -> None:
    page = to_markdown(run(Report(tables=()), limit_of="questions of each set"))
    assert "- settings: limit 2 (questions of each set)" in page
    assert "- experiment: `ships`: in no paper" in page
    assert "- experiment: `ships`: McsE, table 1" in to_markdown(run(Report(tables=()), paper="McsE"))


@pytest.mark.parametrize("kind", ["lines", "bars"])
def test_ours_and_the_published_figures_of_a_name_have_one_colour(kind: str) -> None:
    pytest.importorskip("matplotlib")
    points = ((0.0, 1.0), (1.0, 2.0))
    series = (
        Series(name="a", points=points),
        Series(name="a", points=points, published=True),
        Series(name="b", points=points),
    )
    svg = plot_svg(plot(*series).model_copy(update={"kind": kind}))
    # The first two colours of matplotlib's cycle; a third would be green.
    assert {"#1f77b4", "#ff7f0e"} <= set(re.findall("#[0-9a-f]{6}", svg))
    assert "#2ca02c" not in svg
