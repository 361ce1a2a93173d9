"""A run as one file: HTML that loads nothing, JSON, and the reports of a verification."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from starlette.responses import Response

from probative import __version__, html
from probative.give.reasoning import Reasoning
from probative.html import Html, escape, join
from probative.server.errors import ConflictError, NotThereError
from probative.server.export_reason import reasoning_section
from probative.server.runs.run import Run
from probative.server.runs.store import RunStore
from probative.types import Value
from probative.verbs.table import VERBS
from probative.verify.reports.junit import FAILING, junit
from probative.verify.reports.page import page
from probative.verify.reports.page_style import STYLE
from probative.verify.reports.sarif import sarif
from probative.verify.verification import Verification

EXPORTS = ("html", "json", "sarif", "junit.xml")
# A downloaded page may run nothing, also if it is opened from the server.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
_TYPES = {
    "html": "text/html; charset=utf-8",
    "json": "application/json",
    "sarif": "application/sarif+json",
    "junit.xml": "application/xml",
}


def exported(run: Run, store: RunStore, kind: str) -> Response:
    """Return a run as a download; raises `NotThereError` for a kind that there is not."""
    if kind not in EXPORTS or (kind not in ("html", "json") and run.verb != "verify"):
        raise NotThereError(f"{run.verb} has no export {kind!r}", hint="use html or json")
    words = store.result(run.id)
    if words is None:
        raise ConflictError(f"the run has no result: it is {run.state}")
    result = VERBS.load(run.verb).result.model_validate_json(words)
    headers = {
        "Content-Disposition": f'attachment; filename="{run.verb}-{run.id}.{kind}"',
        "Content-Security-Policy": _POLICY,
    }
    return Response(_content(run, result, words, kind), media_type=_TYPES[kind], headers=headers)


def _content(run: Run, result: Value, words: str, kind: str) -> str:
    if kind == "json":
        return json.dumps({"run": run.to_dict(), "result": json.loads(words)}, ensure_ascii=False, indent=1)
    if isinstance(result, Verification):
        if kind == "sarif":
            return sarif(result, __version__)
        return junit(result, FAILING) if kind == "junit.xml" else page(result, made=_made(run))
    return export_page(run, result)


def readable_time(moment: str) -> str:
    """Return a moment as people write it.

    >>> readable_time("2026-05-03T08:07:00.123+00:00")
    '3 May 2026, 08:07 UTC'
    """
    utc = datetime.fromisoformat(moment).astimezone(UTC)
    return f"{utc.day} {utc:%B %Y, %H:%M} UTC"


def _made(run: Run) -> str:
    when = "" if run.finished is None else f", {readable_time(run.finished)}"
    return f"Probative {__version__}{when}"


def _shown(result: Any) -> Html:
    if isinstance(result, Reasoning):
        return reasoning_section(result)
    if hasattr(result, "_repr_html_"):
        return Html(result._repr_html_())
    return html.tag("pre", result.model_dump_json(indent=1, exclude={"trace"}))


def export_page(run: Run, result: Any) -> str:
    """Return a page of one result, with its request, cost and version."""
    usage = "" if run.usage is None else run.usage.describe()
    facts = [
        ["run", run.id],
        ["verb", run.verb],
        ["finished", "" if run.finished is None else readable_time(run.finished)],
        ["model", run.model or "none was needed"],
        ["cost", usage],
        ["made with", f"Probative {__version__}"],
    ]
    request = json.dumps(run.request, ensure_ascii=False, indent=1)
    body = join(
        Html(f"<header><h1>{escape(run.title)}</h1></header><section>"),
        _shown(result),
        Html("</section><section><h2>About this run</h2>"),
        html.table(facts),
        html.details("the request", html.tag("pre", request)),
        Html("</section>"),
    )
    head = Html(
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(run.title)}</title><style>{STYLE}"
        "section{background:var(--paper);border:1px solid var(--line);border-radius:8px;padding:1.25rem;"
        "margin-bottom:1rem;overflow-wrap:break-word;overflow-x:auto}section h2{margin-top:1.25rem}"
        "section>h2:first-child{margin-top:0}svg{max-width:100%;height:auto}"
        "pre{white-space:pre-wrap;overflow-wrap:anywhere}</style>"
    )
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n'
