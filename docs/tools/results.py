"""Make docs/results.md from its template and the kept reports, and the pages of these reports.

    python docs/tools/results.py

The template has our words; every figure and table is a directive that takes it from a kept report
(docs/bench):

    {{ value REPORT TABLE ROW COLUMN }}     the figure
    {{ figure REPORT TABLE ROW COLUMN }}    the figure with its interval
    {{ cases REPORT }}                      the number of cases
    {{ about REPORT }}                      command, model, cases, date and machine
    {{ source REPORT }}                     cases, model, machine and date in one line, and a link
    {{ finding REPORT NUMBER... }}          some of its findings in one line, counted from 1
    {{ findings REPORT }}                   all its findings as a list
    {{ findings-line REPORT }}              all its findings in one line
    {{ table REPORT TABLE [COLUMN...] }}    one table, or some columns of it
    {{ first-table REPORT [COLUMN...] }}    the first table below its title, or some columns of it
    {{ for REPORT TABLE... : COLUMN... }}   some columns of several tables, each below its title
    {{ plots REPORT }}                      its drawings, in docs/images
    {{ report REPORT }}                     about, tables (on unseen cases, if some trained a shipped model),
                                            findings, notes; if none is kept, how to make it
    {{ list PAPER }}                        the reports of a paper with their first findings
    {{ if REPORT... }} ... {{ end }}        left out unless all these reports are kept; each on its own line
    {{ missing }}                           the experiments that have no kept report

A name with spaces stands in quotes. A table, row or column may be named by its beginning, if no other
begins so. Tables and figures are those on unseen cases, if some cases trained a shipped model. An unknown
directive, report, table, row or column is an error.
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
from probative.bench.render import cell_text, column_digits, markdown_row, notes, table_markdown
from probative.bench.report import NOT_FINISHED, Cell, Table
from probative.bench.reports import PublishedReport
from probative.bench.run_report import UNSEEN
from probative.errors import InputError, ProbativeError

DOCS = Path(__file__).parents[1]
TEMPLATE = DOCS / "tools" / "results.md.in"
DIRECTIVE = re.compile(r"\{\{\s*(.*?)\s*\}\}")
_LINE = re.compile(r"\{\{\s*(if\b.*?|end)\s*\}\}\s*\n?")
BENCHMARKS = frozenset(file.stem.replace("_", "-") for file in (DOCS.parent / "benchmarks").glob("*.py"))

Named = TypeVar("Named")


class Results:
    """Fills a template with the figures of kept reports; `drawings` has the drawings by file name."""

    def __init__(self, reports: dict[str, PublishedReport]) -> None:
        self._reports = reports
        self.drawings: dict[str, str] = {}
        self._directives: dict[str, Callable[..., str]] = {
            "value": self._value,
            "figure": self._figure,
            "cases": lambda report: f"{self._report(report).run.cases:,}",
            "about": lambda report: "\n".join(_about(self._report(report))),
            "source": lambda report: _source(self._report(report)),
            "finding": self._some_findings,
            "findings": lambda report: _bullets(self._report(report).run.report.findings),
            "findings-line": self._findings_line,
            "table": self._shown_table,
            "first-table": self._first_table,
            "for": self._shown_tables,
            "plots": self._plots,
            "report": self._whole_report,
            "list": self._list,
            "missing": self._missing,
        }

    def fill(self, template: str) -> str:
        """Return the template with every directive replaced; raises `InputError` for one that cannot be."""
        text = DIRECTIVE.sub(lambda match: self._replaced(match[1]), "".join(self._chosen(template)))
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
                names = match[1].split()[1:]
                for name in names:
                    _check_name(name, number)
                shown.append(shown[-1] and all(name in self._reports for name in names))
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

    def _table(self, report: str, title: str) -> Table:
        every = {table.title: table for table in self._report(report).run.report.tables}
        whole = [table for name, table in every.items() if not name.endswith(UNSEEN)]
        found = _named(title, whole, lambda table: table.title, report)
        return every.get(f"{found.title}: {UNSEEN}", found)

    def _shown_table(self, report: str, title: str, *columns: str) -> str:
        table = self._table(report, title)
        return "\n".join(table_markdown(_with_columns(table, columns) if columns else table))

    def _shown_tables(self, report: str, *names: str) -> str:
        if ":" not in names:
            raise InputError(f"tables and columns of {report} need a colon between them")
        at = names.index(":")
        shown = []
        for title in names[:at]:
            shown += [
                f"*{self._table(report, title).title}*",
                self._shown_table(report, title, *names[at + 1 :]),
            ]
        return "\n\n".join(shown)

    def _first_table(self, report: str, *columns: str) -> str:
        """Return the first table with its title, which may have the sizes of a benchmark in it."""
        title = self._report(report).run.report.tables[0].title
        return f"*{title}*\n\n{self._shown_table(report, title, *columns)}"

    def _findings_line(self, report: str) -> str:
        many = len(self._report(report).run.report.findings)
        return self._some_findings(report, *map(str, range(1, many + 1)))

    def _some_findings(self, report: str, *numbers: str) -> str:
        findings = self._report(report).run.report.findings
        for number in numbers:
            if not number.isdigit() or not 1 <= int(number) <= len(findings):
                raise InputError(f"{report} has {len(findings)} findings, and none has the number {number}")
        # A bar would end the cell of a table.
        return " ".join(findings[int(number) - 1] for number in numbers).replace("|", "\\|")

    def _cell(self, report: str, title: str, row: str, column: str) -> tuple[Cell | str, int]:
        table = self._table(report, title)
        at = _named(column, range(len(table.columns)), lambda at: table.columns[at], title)
        found = _named(row, table.rows, lambda row: row.name, title)
        return found.cells[at], column_digits(table, at)

    def _value(self, report: str, table: str, row: str, column: str) -> str:
        cell, digits = self._cell(report, table, row, column)
        return cell if isinstance(cell, str) else cell_text(Cell(value=cell.value), digits)

    def _figure(self, report: str, table: str, row: str, column: str) -> str:
        cell, digits = self._cell(report, table, row, column)
        if isinstance(cell, str):
            return cell
        return cell_text(Cell(value=cell.value, low=cell.low, high=cell.high), digits)

    def _plots(self, report: str) -> str:
        from probative.bench.plots import plot_svg

        lines = []
        for number, plot in enumerate(self._report(report).run.report.plots, 1):
            file = f"{report}-{number}.svg"
            self.drawings[file] = plot_svg(plot) + "\n"
            lines.append(f"![{plot.title}](images/{file})")
        return "\n".join(lines)

    def _whole_report(self, report: str) -> str:
        if report in self._reports:
            return "\n".join(_whole(self._reports[report]))
        if report not in {*EXPERIMENTS.names(), *BENCHMARKS}:
            raise InputError(f"{report} is no kept report, experiment or benchmark")
        command = f"probative bench run {report} --data DIR --out RUN"
        if report in BENCHMARKS:
            command = f"python benchmarks/{report.replace('-', '_')}.py"
        return f"    {command}\n\nNo report of this version is kept."

    def _list(self, paper: str) -> str:
        kept = [report for report in self._reports.values() if report.run.paper == paper]
        if not kept:
            return "No report of this version is kept."
        lines = ["| report | question | cases | first finding |", "| --- | --- | --- | --- |"]
        for report in kept:
            finding = report.run.report.findings[0] if report.run.report.findings else ""
            link = f"[{report.name}](bench/{report.name}.md)"
            lines.append(markdown_row((link, report.run.title, f"{report.run.cases:,}", finding)))
        return "\n".join(lines)

    def _missing(self) -> str:
        kept = {report.run.experiment for report in self._reports.values()}
        # Our own only: the page must not depend on plug-ins that are installed here.
        ours = [name for name, target in EXPERIMENTS.entries().items() if target.startswith("probative.")]
        names = [f"`{name}`" for name in sorted(ours) if name not in kept]
        return ", ".join(names) if names else "none"


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


def _about(kept: PublishedReport) -> Iterator[str]:
    model = f"{models}, " if (models := _models(kept)) else ""
    yield f"    {kept.command}"
    yield ""
    cases = f"{kept.run.cases:,} case{'s' if kept.run.cases != 1 else ''}, " if kept.run.cases else ""
    failed = f"{kept.run.failed:,} failed, " if kept.run.failed else ""
    yield f"{model}{cases}{failed}{kept.date}, {kept.machine}. [The whole report](bench/{kept.name}.md)."


def _models(kept: PublishedReport) -> str:
    """Return the studied model and the judge, or nothing for a benchmark without a model."""
    models = {name: model for name, model in kept.run.models.items() if model is not None}
    judge = f", judged by {models['judge_model']}" if "judge_model" in models else ""
    return f"{models['model']}{judge}" if "model" in models else ""


def _source(kept: PublishedReport) -> str:
    """Return what a report rests on in one line, and whether its run was small or cut."""
    run = kept.run
    cut = [note for note in run.notes if note.startswith(NOT_FINISHED)]
    cases = f"{run.cases:,} case{'s' if run.cases != 1 else ''}" if run.cases else ""
    about = [cases, _models(kept), kept.machine]
    failed = [f"{run.failed:,} of them failed."] if run.failed else []
    link = f"[Command, all tables and notes](bench/{kept.name}.md)."
    return " ".join([f"{', '.join(filter(None, (*about, kept.date)))}.", *cut, *failed, link])


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


def _bullets(sentences: Iterable[str]) -> str:
    return "\n".join(f"- {sentence}" for sentence in sentences)


def _whole(kept: PublishedReport) -> Iterator[str]:
    yield from _about(kept)
    titles = {table.title for table in kept.run.report.tables}
    for table in kept.run.report.tables:
        # The figures that count are those on cases that trained no shipped model; the report has both.
        if f"{table.title}: {UNSEEN}" not in titles:
            yield from ("", f"*{table.title}*", "", *table_markdown(table))
    points = [*kept.run.report.findings, *notes(kept.run)]
    yield from ("" for _ in points[:1])
    yield from (f"- {point}" for point in points)


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
