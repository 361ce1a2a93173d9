"""Make docs/results.md from its template and the kept reports, and the pages of these reports.

    python docs/tools/results.py

The template has our words; every figure, table and drawing is a directive that takes it from a kept report
(docs/bench):

    {{ figure REPORT TABLE ROW COLUMN }}    the figure with its interval and number of cases
    {{ cases REPORT }}                      the number of cases of the run
    {{ count WHICH }}                       how many kept reports on the papers there are: `all`, the
                                            `unfinished`, those of `few` cases, those of a `tiny` model
    {{ findings REPORT N }}                 the first N sentences that the report found
    {{ source REPORT }}                     cases, model, machine and date in one line, and a link
    {{ table REPORT TABLE COLUMN... }}      some columns of a table, and which lines are not shown
    {{ row LABEL REPORT TABLE ROW COLUMN... }}
                                            one line of a table, with our name; the template has the header
    {{ rows LABEL REPORT TABLE COLUMN... }} all lines of a table so, each with our name before its own
    {{ ends REPORT TABLE N COLUMN... }}     the N lines with the lowest and N with the highest first figure
    {{ plots REPORT }}                      its drawings, in docs/images
    {{ joined NAME TITLE REPORT LABEL... }} the drawings with a title of several reports as one
    {{ if REPORT... [with N] }} ... {{ end }}
                                            left out unless all these reports are kept, with at least N cases
                                            behind each figure that is drawn; `unless` instead of `if` for the
                                            opposite; each on its own line
    {{ if REPORT... refitted }} ... {{ end }}
                                            left out unless one of these reports was made before the certainty
                                            was fitted last: it lacks a signal that the certainty uses

A name with spaces stands in quotes, and its beginning is enough if no other begins so. Figures are those on
unseen cases, if some cases trained a shipped model; of fewer than thirty cases, or without an interval, none
is shown. An unknown directive or name is an error; so is a cell of more than twenty words.
"""

from __future__ import annotations

import inspect
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from kept_reports import write_pages
from probative.bench.registry import EXPERIMENTS
from probative.bench.render import cell_text, column_digits, markdown_row, table_lines, table_markdown
from probative.bench.report import Cell, Plot, Table, TableRow
from probative.bench.reports import PublishedReport
from probative.bench.run_report import UNSEEN
from probative.errors import InputError, ProbativeError
from report_facts import count_of_papers, fewest_drawn, is_refitted, source_line

DOCS = Path(__file__).parents[1]
TEMPLATE = DOCS / "tools" / "results.md.in"
DIRECTIVE = re.compile(r"\{\{\s*(.*?)\s*\}\}")
_LINE = re.compile(r"\{\{\s*((?:if|unless)\b.*?|end)\s*\}\}\s*\n?")
BENCHMARKS = frozenset(file.stem.replace("_", "-") for file in (DOCS.parent / "benchmarks").glob("*.py"))
FEWEST = 30
"""The fewest cases of a figure on the page."""
MOST_WORDS = 20
"""The most words of a cell."""
MISSING = "-"

Named = TypeVar("Named")


class Results:
    """Fills a template with the figures of kept reports; `drawings` has the drawings by file name."""

    def __init__(self, reports: dict[str, PublishedReport]) -> None:
        self._reports = reports
        self.drawings: dict[str, str] = {}
        self._directives: dict[str, Callable[..., str]] = {
            "figure": self._figure,
            "cases": lambda report: f"{self._report(report).run.cases:,}",
            "count": lambda which: str(count_of_papers(self._reports, which)),
            "findings": self._findings,
            "source": lambda report: source_line(self._report(report), self._reports),
            "table": self._shown_table,
            "row": self._row_line,
            "rows": self._row_lines,
            "ends": self._end_lines,
            "plots": self._plots,
            "joined": self._joined,
        }

    def fill(self, template: str) -> str:
        """Return the template with every directive replaced; raises `InputError` for one that cannot be."""
        text = DIRECTIVE.sub(lambda match: self._replaced(match[1]), "".join(self._chosen(template)))
        for line in text.splitlines():
            for cell in line.split("|") if line.startswith("|") else ():
                if len(cell.split()) > MOST_WORDS:
                    raise InputError(f"a cell has more than {MOST_WORDS} words: {cell.strip()[:60]} …")
        return re.sub(r"\n{3,}", "\n\n", text)

    def _chosen(self, template: str) -> Iterator[str]:
        """Yield the parts of a template whose reports are kept."""
        shown = [True]
        for number, line in enumerate(template.splitlines(keepends=True), 1):
            match = _LINE.fullmatch(line)
            if match is None:
                if shown[-1]:
                    yield line
            elif match[1] == "end":
                shown.pop()
                if not shown:
                    raise InputError(f"line {number} of the template ends nothing")
            else:
                word, *names = match[1].split()
                shown.append(shown[-1] and self._holds(names, number) is (word == "if"))
        if len(shown) > 1:
            raise InputError("the template has an {{ if }} without an {{ end }}")

    def _holds(self, words: Sequence[str], line: int) -> bool:
        """Return whether a condition holds: names of reports, then `refitted` or `with N` or nothing."""
        refitted, fewest = words[-1] == "refitted", 0
        names = words[:-1] if refitted else words
        if "with" in names:
            fewest, names = int(names[-1]), names[: names.index("with")]
        for name in names:
            _check_name(name, line)
        if refitted:
            return any(name in self._reports and is_refitted(self._reports[name].run) for name in names)
        return all(
            name in self._reports and fewest_drawn(self._reports[name].run) >= fewest for name in names
        )

    def _replaced(self, text: str) -> str:
        name, *words = shlex.split(text)
        if name not in self._directives:
            raise InputError(f"unknown directive: {{{{ {text} }}}}")
        directive = self._directives[name]
        try:
            inspect.signature(directive).bind(*words)
        except TypeError:
            raise InputError(f"wrong number of names: {{{{ {text} }}}}") from None
        return directive(*words)

    def _report(self, name: str) -> PublishedReport:
        if name not in self._reports:
            raise InputError(f"no report {name} is kept", hint="keep its run, or put {{ if }} around it")
        return self._reports[name]

    def _table(self, report: str, title: str) -> Table:
        every = {table.title: table for table in self._report(report).run.report.tables}
        whole = [table for name, table in every.items() if not name.endswith(UNSEEN)]
        found = _named(title, whole, lambda table: table.title, report)
        return every.get(f"{found.title}: {UNSEEN}", found)

    def _shown_table(self, report: str, title: str, *columns: str) -> str:
        whole = self._table(report, title)
        table = _shown(_with_columns(whole, columns))
        shown = {row.name for row in table.rows}
        left_out = [row.name for row in whole.rows if row.name not in shown]
        note = (
            [f"Not shown, of fewer than {FEWEST} cases: {', '.join(f'`{name}`' for name in left_out)}."]
            if left_out
            else []
        )
        return "\n".join((*table_markdown(table), "", *note))

    def _row_line(self, label: str, report: str, title: str, row: str, *columns: str) -> str:
        """Return a line of a table under another name."""
        table = _with_columns(self._table(report, title), columns)
        chosen = _named(row, table.rows, lambda row: row.name, title).model_copy(update={"name": label})
        return _lines_of(table, [chosen])

    def _row_lines(self, label: str, report: str, title: str, *columns: str) -> str:
        """Return the lines of a table, each with a label before its name."""
        table = _with_columns(self._table(report, title), columns)
        return _lines_of(
            table, [row.model_copy(update={"name": f"{label}, {row.name}"}) for row in table.rows]
        )

    def _end_lines(self, report: str, title: str, number: str, *columns: str) -> str:
        table = _shown(_with_columns(self._table(report, title), columns))
        known = [(cell.value or 0.0, row) for row in table.rows if isinstance(cell := row.cells[0], Cell)]
        ranked = [row for _, row in sorted(known, key=lambda pair: pair[0])]
        n = min(int(number), (len(ranked) + 1) // 2)
        return _lines_of(table, [*ranked[:n], *ranked[max(n, len(ranked) - n) :]])

    def _figure(self, report: str, title: str, row: str, column: str) -> str:
        table = _shown(_with_columns(self._table(report, title), (column,)))
        (cell,) = _named(row, table.rows, lambda row: row.name, title).cells
        if isinstance(cell, str):
            return cell
        bare = Cell(value=cell.value, low=cell.low, high=cell.high, n=cell.n)
        return cell_text(bare, column_digits(table, 0), with_count=True)

    def _findings(self, report: str, number: str) -> str:
        return " ".join(self._report(report).run.report.findings[: int(number)])

    def _plots(self, report: str) -> str:
        plots = self._report(report).run.report.plots
        if not plots:
            raise InputError(f"the report {report} has no drawing", hint="make it and keep it again")
        return "\n".join(self._drawn(f"{report}-{number}", plot) for number, plot in enumerate(plots, 1))

    def _joined(self, name: str, title: str, *named: str) -> str:
        """Return one drawing with the series that the drawings of several reports with one title have."""
        labels = dict(zip(named[::2], named[1::2], strict=True))
        plots = {
            report: _named(title, self._report(report).run.report.plots, lambda plot: plot.title, report)
            for report in labels
        }
        series = tuple(
            entry.model_copy(update={"name": f"{entry.name}, {labels[report]}"})
            for report, plot in plots.items()
            for entry in plot.series
        )
        return self._drawn(name, next(iter(plots.values())).model_copy(update={"series": series}))

    def _drawn(self, name: str, plot: Plot) -> str:
        from probative.bench.plots import plot_svg

        self.drawings[f"{name}.svg"] = plot_svg(plot) + "\n"
        return f"![{plot.title}](images/{name}.svg)"


def _check_name(name: str, line: int) -> None:
    """Raise `InputError` for a name that no report of an experiment or benchmark could have."""
    known = [*EXPERIMENTS.names(), *BENCHMARKS]
    if not any(name == own or name.startswith(f"{own}-") for own in known):
        raise InputError(f"line {line} of the template: {name} is no experiment or benchmark")


def _named(name: str, values: Iterable[Named], name_of: Callable[[Named], str], where: str) -> Named:
    """Return the value with a name, or the only one whose name begins with it."""
    values = list(values)
    found = [value for value in values if name_of(value) == name]
    found = found or [value for value in values if name_of(value).startswith(name)]
    if len(found) != 1:
        names = "; ".join(map(name_of, values)) or "nothing"
        raise InputError(f"{where} has {len(found)} of {name!r}; it has: {names}")
    return found[0]


def _shown(table: Table) -> Table:
    """Return a table without figures of few cases or no interval, and without lines that have no other."""
    cells = [(row, tuple(map(_shown_cell, row.cells))) for row in table.rows]
    rows = tuple(
        row.model_copy(update={"cells": shown})
        for row, shown in cells
        if any(isinstance(cell, Cell) for cell in shown)
    )
    if not rows:
        raise InputError(f"{table.title}: no row has a figure of {FEWEST} cases with an interval")
    return table.model_copy(update={"rows": rows})


def _shown_cell(cell: Cell | str) -> Cell | str:
    if isinstance(cell, str):
        return cell
    few = cell.n is None or cell.n < FEWEST
    return MISSING if few or cell.value is None or cell.low is None else cell


def _lines_of(table: Table, rows: Sequence[TableRow]) -> str:
    """Return lines of a table as Markdown, without its header."""
    shown = _shown(table.model_copy(update={"rows": tuple(rows)}))
    return "\n".join(map(markdown_row, table_lines(shown)[1:]))


def _with_columns(table: Table, columns: Sequence[str]) -> Table:
    """Return a table with some of its columns, in the order of their names; its note is about all of them."""
    places = [
        _named(name, range(len(table.columns)), lambda at: table.columns[at], table.title) for name in columns
    ]
    rows = tuple(
        row.model_copy(update={"cells": tuple(row.cells[at] for at in places)}) for row in table.rows
    )
    shown = tuple(table.columns[at] for at in places)
    return table.model_copy(update={"columns": shown, "rows": rows, "note": ""})


def make_results(docs: Path = DOCS, template: Path = TEMPLATE) -> Results:
    """Write results.md, its drawings and the pages of the kept reports; returns what was filled in."""
    results = Results(write_pages(docs / "bench"))
    text = results.fill(template.read_text(encoding="utf-8"))
    (docs / "results.md").write_text(text, encoding="utf-8")
    for name, drawing in results.drawings.items():
        (docs / "images").mkdir(exist_ok=True)
        (docs / "images" / name).write_text(drawing, encoding="utf-8")
    return results


def main(_: Sequence[str] | None = None) -> int:
    """Make the page and say what it was made of; returns the exit code."""
    try:
        results = make_results()
    except ProbativeError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"docs/results.md, {len(results.drawings)} drawings in docs/images")
    return 0


if __name__ == "__main__":
    sys.exit(main())
