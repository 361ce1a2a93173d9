"""A run as one file: HTML that loads nothing, JSON, and the reports of a verification."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from starlette.responses import Response

from probative import __version__
from probative.give.reasoning import Reasoning
from probative.server.base.errors import ConflictError, NotThereError
from probative.server.runs.run import Run
from probative.server.runs.store import RunStore
from probative.types import Value
from probative.verbs.table import VERBS
from probative.verify.verification import Verification
from probative.views.blocks import Code, Folded, Table
from probative.views.drawing.connections import all_connections
from probative.views.html import Html, notebook, rendered, tag
from probative.views.markdown import heading, markdown
from probative.views.pipelines import FAILING, junit, sarif
from probative.views.reasoning import picture_of, reasoning_section
from probative.views.verification_page import page, whole_page

# The kinds of exports and their media types.
EXPORTS = {
    "html": "text/html; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "json": "application/json",
    "sarif": "application/sarif+json",
    "junit.xml": "application/xml",
    "svg": "image/svg+xml",
}
# The verbs that have an export of each kind; the others are of all.
_VERBS = {"sarif": "verify", "junit.xml": "verify", "svg": "reason"}
# A downloaded page may run nothing, also if it is opened from the server.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
_STYLE = (
    "section{background:var(--paper);border:1px solid var(--line);border-radius:8px;padding:1.25rem;"
    "margin-bottom:1rem;overflow-wrap:break-word;overflow-x:auto}section h2{margin-top:1.25rem}"
    "section>h2:first-child{margin-top:0}svg{max-width:100%;height:auto}"
    "pre{white-space:pre-wrap;overflow-wrap:anywhere}"
)


def exported(run: Run, store: RunStore, kind: str) -> Response:
    """Return a run as a download; raises `NotThereError` for a kind that there is not."""
    if kind not in EXPORTS or _VERBS.get(kind, run.verb) != run.verb:
        raise NotThereError(f"{run.verb} has no export {kind!r}", hint="use html or json")
    words = store.result(run.id)
    if words is None:
        raise ConflictError(f"the run has no result: it is {run.state}")
    result = VERBS.load(run.verb).result.model_validate_json(words)
    headers = {
        "Content-Disposition": f'attachment; filename="{run.verb}-{run.id}.{kind}"',
        "Content-Security-Policy": _POLICY,
    }
    return Response(_content(run, result, words, kind), media_type=EXPORTS[kind], headers=headers)


def _content(run: Run, result: Value, words: str, kind: str) -> str:
    if kind == "json":
        return json.dumps({"run": run.to_dict(), "result": json.loads(words)}, ensure_ascii=False, indent=1)
    when = "" if run.finished is None else f", {readable_time(run.finished)}"
    made = f"Probative {__version__}{when}"
    if kind == "md":
        return f"{heading(run.title)}\n\n{markdown(result)}\n\n{made}\n"
    if isinstance(result, Verification):
        if kind == "sarif":
            return sarif(result, __version__)
        return junit(result, FAILING) if kind == "junit.xml" else page(result, made=made)
    if isinstance(result, Reasoning) and kind == "svg":
        return picture_of(result, all_connections(result))
    return export_page(run, result)


def readable_time(moment: str) -> str:
    """Return a moment as people write it.

    >>> readable_time("2026-05-03T08:07:00.123+00:00")
    '3 May 2026, 08:07 UTC'
    """
    utc = datetime.fromisoformat(moment).astimezone(UTC)
    return f"{utc.day} {utc:%B %Y, %H:%M} UTC"


def export_page(run: Run, result: Value) -> str:
    """Return a page of one result, with its request, cost and version."""
    facts = [
        ("run", run.id),
        ("verb", run.verb),
        ("finished", "" if run.finished is None else readable_time(run.finished)),
        ("model", run.model or "none was needed"),
        ("cost", "" if run.usage is None else run.usage.describe()),
        ("made with", f"Probative {__version__}"),
    ]
    request = json.dumps(run.request, ensure_ascii=False, indent=1)
    view = reasoning_section(result) if isinstance(result, Reasoning) else Html(notebook(result) or "")
    about = (tag("h2", "About this run"), Table(facts), Folded("the request", (Code(request),)))
    return whole_page(
        run.title,
        tag("header", tag("h1", run.title)),
        tag("section", view),
        tag("section", rendered(*about)),
        style=_STYLE,
    )
