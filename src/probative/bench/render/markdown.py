"""A report as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from probative.bench.render.figures import number, table_lines
from probative.bench.render.run_report import RunReport
from probative.bench.report import FEWEST_INTERVAL, Cell, Plot, Table

OURS = "ours"
INTERVALS = (
    f"95%, Wilson's for shares of cases, bootstrap for other figures; none below {FEWEST_INTERVAL} cases, "
    "or where all cases are equal"
)


def to_markdown(run: RunReport, about: Sequence[str] = ()) -> str:
    """Return a report as a Markdown page; the lines of `about` stand before what it was made with."""
    return "\n".join(_lines(run, about)) + "\n"


def facts(run: RunReport) -> list[tuple[str, str]]:
    """Return what a run was made with, as pairs of name and value."""
    settings = ", ".join(_setting(run, name, value) for name, value in run.settings.items() if value)
    source = "in no paper" if run.paper == OURS else f"{run.paper}, {run.shown_as}"
    return [
        ("experiment", f"`{run.experiment}`: {source}"),
        *((name.replace("_", " "), value) for name, value in run.models.items() if value is not None),
        ("cases", f"{run.cases:,}" + (f", of which {run.failed:,} failed" if run.failed else "")),
        ("settings", settings),
        *((("intervals", INTERVALS),) if _has_intervals(run) else ()),
        ("data", "; ".join(f"{file.path} ({file.sha256[:12]}{_version(file.kept)})" for file in run.data)),
        ("probative", run.version),
    ]


def _has_intervals(run: RunReport) -> bool:
    cells = (cell for table in run.report.tables for row in table.rows for cell in row.cells)
    return any(isinstance(cell, Cell) and cell.low is not None for cell in cells)


def notes(run: RunReport) -> list[str]:
    """Return the notes of a run, its errors among them; that it is not finished stands at the top."""
    errors = [
        f"{error.count:,} case{'s' if error.count != 1 else ''} failed with {error.type}"
        + (f"; the first: {' '.join(error.first.split())[:300]}" if error.first else "")
        for error in run.errors
    ]
    return [*(note for note in run.notes if note != run.unfinished), *errors]


def _setting(run: RunReport, name: str, value: object) -> str:
    """Return a setting; the limit says what it is a limit of."""
    of = f" ({run.limit_of})" if name == "limit" and run.limit_of else ""
    return f"{name} {_plain(value)}{of}"


def _version(kept: bool | None) -> str:
    return (
        "" if kept is None else ", as in the kept reports" if kept else ", not the file of the kept reports"
    )


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={own}" for name, own in value.items())
    return str(value)


def _lines(run: RunReport, about: Sequence[str]) -> Iterator[str]:
    yield f"# {run.title}"
    yield ""
    yield from about
    if run.unfinished:
        yield f"**{run.unfinished}**"
        yield ""
    yield from (f"- {name}: {value}" for name, value in facts(run))
    for table in run.report.tables:
        yield ""
        yield f"## {table.title}"
        yield ""
        yield from table_markdown(table)
    if run.report.findings:
        yield from ("", "## Findings", "")
        yield from (f"- {finding}" for finding in run.report.findings)
    for plot in run.report.plots:
        if not _in_tables(plot, run.report.tables):
            yield from ("", f"## Plot: {plot.title}", "")
            yield from _plot(plot)
    if notes(run):
        yield from ("", "## Notes", "")
        yield from (f"- {note}" for note in notes(run))


def table_markdown(table: Table) -> Iterator[str]:
    """Yield the lines of a table, and its note."""
    header, *rows = table_lines(table)
    yield markdown_row(header)
    yield "| --- " * len(header) + "|"
    yield from map(markdown_row, rows)
    if table.note:
        yield ""
        yield table.note


def markdown_row(cells: Sequence[str]) -> str:
    r"""Return a row of a table.

    >>> markdown_row(["a|b", "two\nlines"])
    '| a\\|b | two lines |'
    """
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells) + " |"


def _plot(plot: Plot) -> Iterator[str]:
    """Yield the points of a plot as a table: Markdown has no drawings."""
    digits = 3 if all(abs(y) <= 1 for series in plot.series for _, y in series.points) else 1
    yield markdown_row(["series", plot.x, plot.y])
    yield "| --- | --- | --- |"
    for series in plot.series:
        name = f"{series.name} (published)" if series.published else series.name
        for x, y in series.points[:: max(1, len(series.points) // 20)]:
            yield markdown_row([name, x_text(plot, x), number(y, digits)])


def _in_tables(plot: Plot, tables: Sequence[Table]) -> bool:
    """Return whether the tables have every figure of a plot already."""
    cells = [cell for table in tables for row in table.rows for cell in row.cells if isinstance(cell, Cell)]
    shown = {value for cell in cells for value in (cell.value, cell.published) if value is not None}
    return all(y in shown for series in plot.series for _, y in series.points)


def x_text(plot: Plot, x: float) -> str:
    """Return a value of x: its tick's name, where the plot has names."""
    if plot.ticks and float(x).is_integer() and 0 <= int(x) < len(plot.ticks):
        return plot.ticks[int(x)]
    return f"{x:g}"
