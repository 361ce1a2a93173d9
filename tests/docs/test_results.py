"""The kept reports are whole, and docs/results.md is made of them: it has no figure of its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.tools.results import DIRECTIVE, DOCS, TEMPLATE, Results
from kept_reports import index_page, kept_page, read_kept
from probative.bench.reports import without_paths

KEPT = read_kept(DOCS / "bench")
# Digits that are no measured figures: in names (SmolLM2-135M, F1, Algorithm 1), and the interval's share.
NAMES = re.compile(r"\b[A-Za-z][\w-]*\d[\w-]*|\bAlgorithm \d|\b95% interval|`[^`\n]*`|\]\([^)]*\)|<!--.*?-->")


def test_results_are_what_the_command_makes() -> None:
    made = Results(KEPT).fill(TEMPLATE.read_text(encoding="utf-8"))
    assert (DOCS / "results.md").read_text(encoding="utf-8") == made, "run make results"


def literal_figures(template: str) -> list[str]:
    """Return the figures that a template states itself."""
    return re.findall(r"\d[\d.,]*", NAMES.sub("", DIRECTIVE.sub("", template)))


def test_the_template_states_no_figure() -> None:
    assert literal_figures(TEMPLATE.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("text", ["It reaches 62.3.", "in 8 of ten", "a share of 57%", "1,200 claims"])
def test_a_figure_in_the_template_is_found(text: str) -> None:
    assert len(literal_figures(f"SmolLM2-135M has 95% intervals. {text}")) == 1


def sections() -> dict[str, list[list[str]]]:
    """Return the lines of the table of each section of the page, as cells."""
    parts = (DOCS / "results.md").read_text(encoding="utf-8").split("\n## ")[1:]
    return {
        part.splitlines()[0]: [
            [cell.strip() for cell in line.strip("|").split("|")]
            for line in part.splitlines()
            if line.startswith("|")
        ]
        for part in parts
    }


def test_the_page_begins_with_what_did_not_reproduce_and_has_one_table_for_a_question() -> None:
    tables = sections()
    assert next(iter(tables)) == "What did not reproduce"
    for title, lines in tables.items():
        assert sum(set(cells[0]) == {"-"} for cells in lines) == (1 if title.endswith("?") else 0), title


def test_each_figure_of_the_page_has_an_interval_and_thirty_cases() -> None:
    for title, lines in sections().items():
        for cells in lines[2:]:
            assert int(cells[-1].replace(",", "")) >= 30, (title, cells)
            for cell in cells[1:-1]:
                assert re.fullmatch(r"-|[\d.]+ \[[\d.]+, [\d.]+\](, n = ([3-9]\d|\d{3,}))?", cell), (
                    title,
                    cell,
                )


@pytest.mark.parametrize("name", sorted(KEPT))
def test_the_page_of_a_kept_report_is_made_of_it(name: str) -> None:
    page = (DOCS / "bench" / f"{name}.md").read_text(encoding="utf-8")
    assert page == kept_page(KEPT[name])
    assert page == without_paths(page)


def test_the_index_lists_all_kept_reports_and_there_are_no_other_pages() -> None:
    folder = DOCS / "bench"
    assert (folder / "index.md").read_text(encoding="utf-8") == index_page(KEPT.values())
    pages = {file.stem for file in folder.glob("*.md")}
    assert pages == {*KEPT, "index"}
    assert {file.suffix for file in folder.iterdir()} <= {".md", ".json"}


def test_each_kept_report_of_an_experiment_says_what_it_found() -> None:
    experiments = [name for name, kept in KEPT.items() if kept.command.startswith("probative bench run")]
    assert [name for name in experiments if not KEPT[name].run.report.findings] == []


def test_kept_reports_have_a_command_a_date_and_a_machine() -> None:
    for kept in KEPT.values():
        assert re.match(r"(PROBATIVE_\w+=\S+ )*(probative bench run|python benchmarks/)", kept.command), (
            kept.name
        )
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", kept.date), kept.name
        assert kept.machine, kept.name
        assert Path(kept.machine).is_absolute() is False, kept.name
