"""Bench reports in a browser: the list, a report with tables and charts, and two side by side."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from audits import CONTROLS_WITHOUT_A_NAME, HEADING_LEVELS, TEXTS_OF_LOW_CONTRAST
from browsing import Site, serve
from kept_runs import HOSTILE
from playwright.sync_api import Page, expect

from probative.bench.reports import ReportIndex

pytestmark = pytest.mark.slow
OpenPage = Callable[..., Page]


def report(name: str, right: float, **changes: Any) -> dict[str, Any]:
    """Return a kept report with a table and a plot of each kind."""
    cell = {"value": right, "low": right - 5, "high": right + 5, "n": 200, "published": 60.0}
    points = [[0.0, 0.1], [0.5, 0.4], [1.0, 0.9]]
    kinds = ("lines", "bars", "scatter", "reliability")
    plots = [
        {"title": f"As {kind}", "kind": kind, "x": "share", "y": "risk", "series": [
            {"name": "ours", "points": points, "published": False},
            {"name": "ours", "points": points[:2], "published": True},
        ]}
        for kind in kinds
    ]  # fmt: skip
    table = {
        "title": "Accuracy",
        "corner": "method",
        "columns": ["right", "AUROC"],
        "rows": [
            {"name": "ours", "cells": [cell, {"value": 0.8163, "n": 200}]},
            {"name": "theirs", "cells": [{"value": 40.0, "low": 30.0, "high": 50.0, "n": 200}, "–"]},
        ],
        "note": "A note.",
    }
    run = {
        "version": "0.1.0",
        "experiment": "herbs",
        "title": "How often are answers right?",
        "paper": "ours",
        "shown_as": "a table",
        "models": {"model": "scripted"},
        "settings": {"seed": 1},
        "data": [],
        "cases": 200,
        "errors": [],
        "notes": [],
        "report": {"tables": [table], "plots": plots, "findings": ["Ours is above the paper."]},
    }
    about = {"command": "probative bench run herbs", "date": "2026-11-16", "machine": "two cores"}
    return {"name": name, **about, "fingerprints": {}, "run": {**run, **changes}}


def wide_report() -> dict[str, Any]:
    """Return a report of an unfinished run with two columns that have intervals."""
    cells = [
        {"value": 8.0, "low": 5.0, "high": 9.0, "n": 30},
        {"value": 3.0, "low": 2.0, "high": 4.0, "n": 30},
    ]
    table = {
        "title": "Both",
        "corner": "method",
        "columns": ["right", "cost"],
        "rows": [{"name": name, "cells": cells} for name in ("ours", "theirs")],
    }
    return report(
        "wide",
        1.0,
        experiment="wide",
        notes=["The run is not finished: 30 of 90 cases."],
        report={"tables": [table], "plots": [], "findings": []},
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("reports")
    kept = [
        report("large", 66.6),
        report("small", 62.3),
        wide_report(),
        report("hostile", 1.0, experiment="other", title=HOSTILE, notes=[HOSTILE]),
    ]
    for one in kept:
        (folder / f"{one['name']}.json").write_text(json.dumps(one), encoding="utf-8")
    (folder / "broken.json").write_text("{", encoding="utf-8")
    with serve(tmp_path_factory.mktemp("data"), reports=ReportIndex([folder])) as opened:
        yield opened


def test_reports_are_listed_found_and_opened(open_page: OpenPage) -> None:
    page = open_page("#/bench")
    expect(page.locator("table.reports tbody tr")).to_have_count(4)
    expect(page.get_by_text("broken is no kept report")).to_be_visible()
    page.get_by_label("Words in the name or question").fill("small")
    expect(page.locator("table.reports tbody tr")).to_have_count(1)
    page.get_by_role("link", name="small").click()
    expect(page.locator("h1")).to_have_text("How often are answers right?")
    expect(page.locator(".figures td").first).to_contain_text("62.3")
    expect(page.locator(".figures td").first).to_contain_text("57.3 to 67.3")
    expect(page.locator(".figures td").first).to_contain_text("paper 60.0 (+2.3)")
    expect(page.locator(".figures td").nth(1)).to_contain_text("0.816")
    expect(page.get_by_text("Ours is above the paper.")).to_be_visible()


def test_a_report_has_its_charts_with_their_figures(open_page: OpenPage) -> None:
    page = open_page("#/bench/small")
    expect(page.locator("svg.plot")).to_have_count(4)
    assert page.locator("svg.plot").nth(0).locator("polyline").count() == 2
    assert page.locator("svg.plot").nth(1).locator("rect").count() == 5
    assert page.locator("svg.plot").nth(2).locator("polyline").count() == 0
    chart = page.locator("figure.chart").first
    chart.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(chart.locator("tbody tr")).to_have_count(5)
    expect(chart.locator("tbody tr").nth(3)).to_contain_text("ours (published)")


def test_the_main_figures_are_drawn_with_their_intervals(open_page: OpenPage) -> None:
    page = open_page("#/bench/small")
    figures = page.get_by_role("region", name="Main figures: right")
    bars = figures.locator(".bar-list li")
    expect(bars).to_have_count(2)
    expect(bars.nth(0)).to_have_text(re.compile(r"ours\s*62\.3\s*57\.3 to 67\.3\s*paper 60\.0"))
    expect(bars.nth(1)).to_have_text(re.compile(r"theirs\s*40\.0\s*30\.0 to 50\.0"))
    # The scale goes from 0 to 80: the widths of the bars, the ends of an interval and the paper's figure.
    widths = [float(bar.get_attribute("width") or 0) for bar in bars.locator("rect.bar").all()]
    assert widths == pytest.approx([62.3 / 0.8, 50.0], abs=0.01)
    assert bars.nth(1).locator("path.interval").get_attribute("d") == "M37.5 10H62.5M37.5 6V14M62.5 6V14"
    expect(bars.locator("path.paper")).to_have_count(1)
    expect(figures.locator(".chart-legend li")).to_have_text(
        ["ours, with its 95% interval", "published by the paper"]
    )


def test_another_figure_is_drawn_by_choice(open_page: OpenPage) -> None:
    page = open_page("#/bench/wide")
    page.get_by_label("Figure", exact=True).select_option("cost")
    expect(page.get_by_role("heading", name="Main figures: cost")).to_be_visible()
    expect(page.locator(".bar-list li").first).to_contain_text("3.0 2.0 to 4.0")


def test_a_run_that_is_not_finished_says_so_in_the_list_and_above_its_figures(open_page: OpenPage) -> None:
    page = open_page("#/bench")
    expect(page.locator("table.reports tr", has_text="not finished")).to_have_count(1)
    page.get_by_role("link", name="wide").click()
    expect(page.locator(".notice")).to_have_text("The run is not finished: 30 of 90 cases.")


def test_two_reports_of_one_experiment_are_compared(open_page: OpenPage) -> None:
    page = open_page("#/bench/large")
    select = page.get_by_label("Compare with another report of this experiment")
    expect(select.locator("option")).to_have_text(["small (2026-11-16)"])
    page.get_by_role("button", name="Compare").press("Enter")
    page.wait_for_url("**/#/bench/small/large")
    row = page.locator(".figures tbody tr").first
    expect(row.locator("td .figure")).to_have_text(["62.3", "66.6"])
    expect(row).to_contain_text("▲ +4.3")
    most = page.get_by_role("region", name="What changed most").get_by_role("listitem").first
    expect(most).to_contain_text("▲ +4.3")
    expect(most.locator(".numbers")).to_have_text(["62.3", "66.6"])


def test_a_report_is_saved_with_its_charts(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page("#/bench/small")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download as HTML").click()
    saved.value.save_as(tmp_path / "small.html")
    text = (tmp_path / "small.html").read_text(encoding="utf-8")
    assert text.count('class="plot"') == 4
    assert "<script" not in text


def test_a_name_that_no_report_has_is_said(open_page: OpenPage, watch: Any) -> None:
    page = open_page("#/bench/nothing")
    expect(page.get_by_role("alert")).to_contain_text("there is no report called 'nothing'")
    watch.wait_for(page, "404")


def test_hostile_titles_stay_text(open_page: OpenPage) -> None:
    page = open_page("#/bench/hostile")
    expect(page.locator("h1")).to_have_text(HOSTILE)
    assert page.locator("main img").count() == 0


@pytest.mark.parametrize("address", ["bench", "bench/small", "bench/small/large"])
@pytest.mark.parametrize(("width", "dark"), [(1200, True), (360, False)])
def test_the_pages_are_readable(open_page: OpenPage, address: str, width: int, dark: bool) -> None:
    page = open_page(f"#/{address}", width=width, dark=dark)
    page.locator("table").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(TEXTS_OF_LOW_CONTRAST) == []
    assert page.evaluate(CONTROLS_WITHOUT_A_NAME) == []
    levels = page.evaluate(HEADING_LEVELS)
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
