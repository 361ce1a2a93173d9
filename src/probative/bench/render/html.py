"""A report as one HTML page: no scripts, no other files; the plots are inside."""

from __future__ import annotations

from probative.bench.render.figures import table_lines
from probative.bench.render.markdown import facts, notes
from probative.bench.render.plots import plot_svg
from probative.bench.render.run_report import RunReport
from probative.bench.report import Table
from probative.views import blocks, html

_STYLE = (
    ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;"
    "padding:0 1em}h1{font-size:1.5em}h2{font-size:1.15em;margin-top:1.6em}table{border-collapse:collapse;"
    "font-size:.92em}td,th{border-bottom:1px solid rgba(128,128,128,.35)}svg{max-width:100%;height:auto;"
    "background:white}.wide{overflow-x:auto}"
)


def to_html(run: RunReport) -> str:
    """Return a report as an HTML page; raises `MissingExtraError` without matplotlib."""
    parts = [
        html.tag("h1", run.title),
        *([html.tag("p", html.tag("strong", run.unfinished))] if run.unfinished else []),
        html.rendered(blocks.Table([(name, value.replace("`", "")) for name, value in facts(run)])),
    ]
    for table in run.report.tables:
        parts += [html.tag("h2", table.title), _table(table)]
    if run.report.findings:
        parts += [html.tag("h2", "Findings"), _list(run.report.findings)]
    for plot in run.report.plots:
        parts += [html.tag("h2", plot.title), html.Html(plot_svg(plot))]
    if notes(run):
        parts += [html.tag("h2", "Notes"), _list(notes(run))]
    head = (
        f'<meta charset="utf-8"><title>{html.escape(run.title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style>'
    )
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{html.join(*parts)}</body></html>\n'


def _table(table: Table) -> html.Html:
    header, *rows = table_lines(table)
    titles = blocks.columns(*header, right=range(1, len(header)))
    shown = html.rendered(blocks.Table(rows, titles))
    note = html.rendered(blocks.line(blocks.faint(table.note))) if table.note else ""
    return html.Html(f'<div class="wide">{shown}</div>{note}')


def _list(texts: tuple[str, ...] | list[str]) -> html.Html:
    return html.tag("ul", *(html.tag("li", text) for text in texts))
