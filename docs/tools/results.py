"""Make docs/results.md from its template and the kept reports, and the pages of these reports.

    python docs/tools/results.py

The template has our words; every figure, table and drawing is a directive that takes it from a kept report
(docs/bench):

    {{ figure REPORT TABLE ROW COLUMN }}    the figure with its interval
    {{ count REPORT TABLE ROW }}            the number of cases behind a row
    {{ source REPORT }}                     cases, model, machine and date in one line, and a link
    {{ table REPORT TABLE [COLUMN...] }}    one table, or some columns of it
    {{ first-table REPORT [COLUMN...] }}    the first table below its title, or some columns of it
    {{ plots REPORT }}                      its drawings, in docs/images
    {{ joined NAME TITLE REPORT LABEL... }} the drawings with a title of several reports as one
    {{ if REPORT... [with N] }} ... {{ end }}
                                            left out unless all these reports are kept, with at least N cases;
                                            `unless` instead of `if` for the opposite; each on its own line

A name with spaces stands in quotes. A table, row or column may be named by its beginning, if no other
begins so. Tables and figures are those on unseen cases, if some cases trained a shipped model. Figures of
fewer than thirty cases are not shown. An unknown directive, report, table, row or column is an error; so is
a cell of more than twenty words.
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
from probative.bench.render import cell_text, column_digits, table_markdown
from probative.bench.report import NOT_FINISHED, Cell, Plot, Table, TableRow
from probative.bench.reports import PublishedReport
from probative.bench.run_report import UNSEEN
from probative.errors import InputError, ProbativeError

DOCS = Path(__file__).parents[1]
TEMPLATE = DOCS / "tools" / "results.md.in"
DIRECTIVE = re.compile(r"\{\{\s*(.*?)\s*\}\}")
_LINE = re.compile(r"\{\{\s*((?:if|unless)\b.*?|end)\s*\}\}\s*\n?")
BENCHMARKS = frozenset(file.stem.replace("_", "-") for file in (DOCS.parent / "benchmarks").glob("*.py"))
FEWEST = 30
"""The fewest cases of a figure on the page."""
MOST_WORDS = 20
"""The most words of a cell."""
TOO_FEW = "-"

Named = TypeVar("Named")


class Results:
    """Fills a template with the figures of kept reports; `drawings` has the drawings by file name."""

    def __init__(self, reports: dict[str, PublishedReport]) -> None:
        self._reports = reports
        self.drawings: dict[str, str] = {}
        self._directives: dict[str, Callable[..., str]] = {
            "figure": self._figure,
            "count": self._count,
            "source": lambda report: _source(self._report(report)),
            "table": self._shown_table,
            "first-table": self._first_table,
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
                fewest = 0
                if "with" in names:
                    fewest, names = int(names[-1]), names[: names.index("with")]
                for name in names:
                    _check_name(name, number)
                kept = all(name in self._reports and self._cases(name) >= fewest for name in names)
                shown.append(shown[-1] and kept is (word == "if"))
        if len(shown) > 1:
            raise InputError("the template has an {{ if }} without an {{ end }}")

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

    def _cases(self, report: str) -> int:
        """Return the fewest cases behind a figure of the first table of a report, which its drawings show."""
        rows = self._report(report).run.report.tables[0].rows
        counts = [cell.n for row in rows for cell in row.cells if isinstance(cell, Cell) and cell.n]
        return min(counts, default=0)

    def _table(self, report: str, title: str) -> Table:
        every = {table.title: table for table in self._report(report).run.report.tables}
        whole = [table for name, table in every.items() if not name.endswith(UNSEEN)]
        found = _named(title, whole, lambda table: table.title, report)
        return every.get(f"{found.title}: {UNSEEN}", found)

    def _shown_table(self, report: str, title: str, *columns: str) -> str:
        table = _without_few(self._table(report, title))
        return "\n".join(table_markdown(_with_columns(table, columns) if columns else table))

    def _first_table(self, report: str, *columns: str) -> str:
        """Return the first table with its title, which may have the sizes of a benchmark in it."""
        title = self._report(report).run.report.tables[0].title
        return f"*{title}*\n\n{self._shown_table(report, title, *columns)}"

    def _row(self, report: str, title: str, row: str) -> tuple[Table, TableRow]:
        table = _without_few(self._table(report, title))
        return table, _named(row, table.rows, lambda row: row.name, title)

    def _figure(self, report: str, title: str, row: str, column: str) -> str:
        table, found = self._row(report, title, row)
        at = _named(column, range(len(table.columns)), lambda at: table.columns[at], title)
        cell = found.cells[at]
        if isinstance(cell, str):
            return cell
        return cell_text(Cell(value=cell.value, low=cell.low, high=cell.high), column_digits(table, at))

    def _count(self, report: str, title: str, row: str) -> str:
        _, found = self._row(report, title, row)
        return f"{max(cell.n or 0 for cell in found.cells if isinstance(cell, Cell)):,}"

    def _plots(self, report: str) -> str:
        plots = enumerate(self._report(report).run.report.plots, 1)
        return "\n".join(self._drawn(f"{report}-{number}", plot) for number, plot in plots)

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


def _source(kept: PublishedReport) -> str:
    """Return what a report rests on in one line, and whether its run was small or cut."""
    run = kept.run
    models = {name: model for name, model in run.models.items() if model is not None}
    judge = f", judged by {models['judge_model']}" if "judge_model" in models else ""
    model = f"{models['model']}{judge}" if "model" in models else ""
    cut = [note for note in run.notes if note.startswith(NOT_FINISHED)]
    cases = f"{run.cases:,} case{'s' if run.cases != 1 else ''}" if run.cases else ""
    about = [cases, model, kept.machine]
    failed = [f"{run.failed:,} of them failed."] if run.failed else []
    link = f"[Command, all tables and notes](bench/{kept.name}.md)."
    return " ".join([f"{', '.join(filter(None, (*about, kept.date)))}.", *cut, *failed, link])


def _without_few(table: Table) -> Table:
    """Return a table without figures of too few cases, and without rows that have no others."""
    rows = []
    for row in table.rows:
        few = [isinstance(cell, Cell) and cell.n is not None and cell.n < FEWEST for cell in row.cells]
        if few and not all(few):
            cells = tuple(TOO_FEW if gone else cell for cell, gone in zip(row.cells, few, strict=True))
            rows.append(row.model_copy(update={"cells": cells}))
    if not rows:
        raise InputError(f"{table.title}: no row has {FEWEST} cases")
    return table.model_copy(update={"rows": tuple(rows)})


def _with_columns(table: Table, columns: Sequence[str]) -> Table:
    """Return a table with some of its columns, in the order of their names."""
    places = [
        _named(name, range(len(table.columns)), lambda at: table.columns[at], table.title) for name in columns
    ]
    rows = tuple(
        row.model_copy(update={"cells": tuple(row.cells[at] for at in places)}) for row in table.rows
    )
    shown = tuple(table.columns[at] for at in places)
    return table.model_copy(update={"columns": shown, "rows": rows})


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
