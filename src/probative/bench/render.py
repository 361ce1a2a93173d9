"""A report as a Markdown page and as an HTML page: both show the same sections, one after another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from probative.bench.plots import plot_svg
from probative.bench.report import FEWEST_INTERVAL, Cell, Plot, RunReport, Table
from probative.views import blocks, html

MISSING = "-"
INTERVALS = (
    f"95%, Wilson's for shares of cases, bootstrap for other figures; none below {FEWEST_INTERVAL} cases, "
    "or where all cases are equal"
)
_VERSIONS = {None: "", True: ", as in the kept reports", False: ", not the file of the kept reports"}
_STYLE = (
    ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;"
    "padding:0 1em}h1{font-size:1.5em}h2{font-size:1.15em;margin-top:1.6em}table{border-collapse:collapse;"
    "font-size:.92em}td,th{border-bottom:1px solid rgba(128,128,128,.35)}svg{max-width:100%;height:auto;"
    "background:white}.wide{overflow-x:auto}"
)

Section = tuple[str, Table | Plot | Sequence[str]]
"""The title of a section, and what it shows: a table, a plot or a list of sentences."""


def sections(run: RunReport) -> Iterator[Section]:
    """Yield the sections of a report, in the order of its pages."""
    yield from ((table.title, table) for table in run.report.tables)
    if run.report.findings:
        yield "Findings", run.report.findings
    yield from ((plot.title, plot) for plot in run.report.plots)
    if shown := notes(run):
        yield "Notes", shown


def facts(run: RunReport) -> list[tuple[str, str]]:
    """Return what a run was made with, as pairs of name and value."""
    settings = ", ".join(_setting(run, name, value) for name, value in run.settings.items() if value)
    source = "in no paper" if run.paper == "ours" else f"{run.paper}, {run.shown_as}"
    cells = (cell for table in run.report.tables for row in table.rows for cell in row.cells)
    has_intervals = any(isinstance(cell, Cell) and cell.low is not None for cell in cells)
    files = (f"{file.path} ({file.sha256[:12]}{_VERSIONS[file.kept]})" for file in run.data)
    return [
        ("experiment", f"`{run.experiment}`: {source}"),
        *((name.replace("_", " "), value) for name, value in run.models.items() if value is not None),
        ("cases", f"{run.cases:,}" + (f", of which {run.failed:,} failed" if run.failed else "")),
        ("settings", settings),
        *((("intervals", INTERVALS),) if has_intervals else ()),
        ("data", "; ".join(files)),
        ("probative", run.version),
    ]


def _setting(run: RunReport, name: str, value: object) -> str:
    """Return a setting; the limit says what it is a limit of."""
    if isinstance(value, dict):
        value = ", ".join(f"{option}={choice}" for option, choice in value.items())
    return f"{name} {value}" + (f" ({run.limit_of})" if name == "limit" and run.limit_of else "")


def notes(run: RunReport) -> list[str]:
    """Return the notes of a run, its errors among them; that it is not finished stands at the top."""
    errors = [
        f"{error.count:,} case{'s' if error.count != 1 else ''} failed with {error.type}"
        + (f"; the first: {' '.join(error.first.split())[:300]}" if error.first else "")
        for error in run.errors
    ]
    return [*(note for note in run.notes if note != run.unfinished), *errors]


def to_markdown(run: RunReport, about: Sequence[str] = ()) -> str:
    """Return a report as a Markdown page; the lines of `about` stand before what it was made with."""
    lines = [f"# {run.title}", "", *about]
    if run.unfinished:
        lines += [f"**{run.unfinished}**", ""]
    lines += [f"- {name}: {value}" for name, value in facts(run)]
    for title, content in sections(run):
        if isinstance(content, Table):
            lines += ["", f"## {title}", "", *table_markdown(content)]
        elif not isinstance(content, Plot):
            lines += ["", f"## {title}", "", *(f"- {text}" for text in content)]
        elif not _in_tables(content, run.report.tables):
            lines += ["", f"## Plot: {title}", "", *_plot_markdown(content)]
    return "\n".join(lines) + "\n"


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


def _plot_markdown(plot: Plot) -> Iterator[str]:
    """Yield the points of a plot as a table: Markdown has no drawings."""
    digits = 3 if all(abs(y) <= 1 for series in plot.series for _, y in series.points) else 1
    yield markdown_row(["series", plot.x, plot.y])
    yield "| --- | --- | --- |"
    for series in plot.series:
        for x, y in series.points[:: max(1, len(series.points) // 20)]:
            named = plot.ticks and float(x).is_integer() and 0 <= int(x) < len(plot.ticks)
            yield markdown_row([series.label, plot.ticks[int(x)] if named else f"{x:g}", number(y, digits)])


def _in_tables(plot: Plot, tables: Sequence[Table]) -> bool:
    """Return whether the tables have every figure of a plot already."""
    cells = [cell for table in tables for row in table.rows for cell in row.cells if isinstance(cell, Cell)]
    shown = {value for cell in cells for value in (cell.value, cell.published) if value is not None}
    return all(y in shown for series in plot.series for _, y in series.points)


def to_html(run: RunReport) -> str:
    """Return a report as one HTML page without scripts and other files: the plots are inside.

    Raises `MissingExtraError` without matplotlib.
    """
    parts = [
        html.tag("h1", run.title),
        *([html.tag("p", html.tag("strong", run.unfinished))] if run.unfinished else []),
        html.rendered(blocks.Table([(name, value.replace("`", "")) for name, value in facts(run)])),
    ]
    for title, content in sections(run):
        parts += [html.tag("h2", title), _section_html(content)]
    head = (
        f'<meta charset="utf-8"><title>{html.escape(run.title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style>'
    )
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{html.join(*parts)}</body></html>\n'


def _section_html(content: Table | Plot | Sequence[str]) -> html.Html:
    if isinstance(content, Plot):
        return html.Html(plot_svg(content))
    if not isinstance(content, Table):
        return html.tag("ul", *(html.tag("li", text) for text in content))
    header, *rows = table_lines(content)
    titles = blocks.columns(*header, right=range(1, len(header)))
    shown = html.rendered(blocks.Table(rows, titles))
    note = html.rendered(blocks.line(blocks.faint(content.note))) if content.note else ""
    return html.Html(f'<div class="wide">{shown}</div>{note}')


def table_lines(table: Table) -> list[list[str]]:
    """Return the header and the rows of a table as texts. The last column has the number of cases behind
    a row; a cell that rests on another number has its own.
    """
    digits = [column_digits(table, at) for at in range(len(table.columns))]
    counts = [_usual_count(row.cells) for row in table.rows]
    counted = any(count is not None for count in counts)
    lines = [[table.corner, *table.columns, *(["n"] if counted else [])]]
    for row, count in zip(table.rows, counts, strict=True):
        cells = [
            cell_text(cell, places, with_count=isinstance(cell, Cell) and cell.n != count)
            for cell, places in zip(row.cells, digits, strict=True)
        ]
        shown = MISSING if count is None else f"{count:,}"
        lines.append([row.name, *cells, *([shown] if counted else [])])
    return lines


def cell_text(cell: Cell | str, digits: int = 1, *, with_count: bool = False) -> str:
    """Return a figure with its interval, and the published figure with the difference.

    >>> cell_text(Cell(value=63.24, low=60.0, high=66.5, published=61.9))
    '63.2 [60.0, 66.5] (paper 61.9, +1.3)'
    >>> cell_text(Cell(value=None, published=61.9))
    '- (paper 61.9)'
    """
    if isinstance(cell, str):
        return cell
    text = MISSING if cell.value is None else number(cell.value, digits)
    if cell.low is not None and cell.high is not None:
        text += f" [{number(cell.low, digits)}, {number(cell.high, digits)}]"
    if with_count and cell.n and cell.value is not None:
        text += f", n = {cell.n:,}"
    if cell.published is not None:
        change = f", {cell.difference:+.{digits}f}" if cell.difference is not None else ""
        text += f" (paper {number(cell.published, digits)}{change})"
    return text


def number(value: float, digits: int = 1) -> str:
    """Return a number with `digits` decimals; from 1,000 on, with none.

    >>> number(0.8163, 3), number(12345.6)
    ('0.816', '12,346')
    """
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.{digits}f}"


def column_digits(table: Table, at: int) -> int:
    """Return 3 decimals for a column of shares, p-values or AUROCs, and 1 for others. A column of zeros has
    as many as the other columns.
    """
    values = _figures(table, at)
    if values and not any(values):
        values = [value for other in range(len(table.columns)) for value in _figures(table, other)]
    return 3 if any(values) and all(abs(value) <= 1 for value in values) else 1


def _figures(table: Table, at: int) -> list[float]:
    cells = [row.cells[at] for row in table.rows]
    figures = [figure for cell in cells if isinstance(cell, Cell) for figure in (cell.value, cell.published)]
    return [figure for figure in figures if figure is not None]


def _usual_count(cells: Sequence[Cell | str]) -> int | None:
    """Return the number of cases behind most cells of a row, the larger of two; cells without a figure count
    only if no cell has one.
    """
    counted = [cell for cell in cells if isinstance(cell, Cell) and cell.n is not None]
    with_figure = [cell for cell in counted if cell.value is not None] or counted
    counts = Counter(cell.n for cell in with_figure if cell.n is not None)
    return max(counts, key=lambda n: (counts[n], n)) if counts else None
