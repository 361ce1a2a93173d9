"""A run as one file: HTML that loads nothing, JSON, and the reports of a verification."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from starlette.responses import Response

from probative import __version__
from probative.give.reasoning import Reasoning
from probative.server.base.errors import ConflictError, NotThereError
from probative.server.runs.run import CALIBRATE, Run
from probative.server.runs.store import RunStore
from probative.types import Value
from probative.verbs.table import VERBS
from probative.verify.verification import Verification
from probative.views import markdown
from probative.views.blocks import Code, Folded, Table
from probative.views.drawing.connections import all_connections
from probative.views.html import Html, notebook, rendered, tag
from probative.views.pipelines import FAILING, junit, sarif
from probative.views.reasoning import picture_of, reasoning_section
from probative.views.verification_page import page, whole_page
from probative.views.verification_word import word_document

# A downloaded page may run nothing, also if it is opened from the server.
DOWNLOAD_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
_STYLE = (
    "section{background:var(--paper);border:1px solid var(--line);border-radius:8px;padding:1.25rem;"
    "margin-bottom:1rem;overflow-wrap:break-word;overflow-x:auto}section h2{margin-top:1.25rem}"
    "section>h2:first-child{margin-top:0}svg{max-width:100%;height:auto}"
    "pre{white-space:pre-wrap;overflow-wrap:anywhere}"
)


def exported(run: Run, store: RunStore, kind: str) -> Response:
    """Return a run as a download; raises `NotThereError` for a kind that there is not."""
    if run.verb == CALIBRATE:
        raise NotThereError("a calibration has no export", hint="GET /api/corpora/NAME/calibration has it")
    spec = VERBS.load(run.verb)
    if kind not in EXPORTS or EXPORTS[kind].writer(spec.result) is None:
        raise NotThereError(f"{run.verb} has no export {kind!r}", hint="use html or json")
    words = store.result(run.id)
    if words is None:
        raise ConflictError(f"the run has no result: it is {run.state}")
    headers = {
        "Content-Disposition": f'attachment; filename="{run.verb}-{run.id}.{kind}"',
        "Content-Security-Policy": DOWNLOAD_POLICY,
    }
    content = written(kind, run, spec.result.model_validate_json(words))
    return Response(content, media_type=EXPORTS[kind].media_type, headers=headers)


def written(kind: str, run: Run, result: Value) -> str | bytes:
    """Return the content of an export."""
    write = EXPORTS[kind].writer(type(result))
    assert write is not None, f"there is no export {kind} of {type(result).__name__}"
    return write(run, result)


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


def _json(run: Run, result: Value) -> str:
    return json.dumps({"run": run.to_dict(), "result": result.to_dict()}, ensure_ascii=False, indent=1)


def _markdown(run: Run, result: Value) -> str:
    view = markdown.markdown(result) or markdown.rendered(_fields(result))
    return f"{markdown.heading(run.title)}\n\n{view}\n\n{_made(run)}\n"


def written_answers(name: str, answers: Sequence[tuple[Run, Value]]) -> str:
    """Return a thread as Markdown: each question with its answer."""
    parts = [markdown.heading(name)]
    for number, (run, answer) in enumerate(answers, 1):
        view = markdown.markdown(answer) or markdown.rendered(_fields(answer))
        parts += [markdown.heading(f"{number}. {run.title}", 2), view, _made(run)]
    return "\n\n".join(parts) + "\n"


def _html(run: Run, result: Value) -> str:
    return _page(run, Html(notebook(result) or rendered(_fields(result))))


def _fields(result: Value) -> Code:
    """Return a result for which there is no view."""
    return Code(json.dumps(result.to_dict(), ensure_ascii=False, indent=1))


def _page(run: Run, view: Html) -> str:
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
    about = (tag("h2", "About this run"), Table(facts), Folded("the request", (Code(request),)))
    return whole_page(
        run.title,
        tag("header", tag("h1", run.title)),
        tag("section", view),
        tag("section", rendered(*about)),
        style=_STYLE,
    )


class Export(NamedTuple):
    """A kind of export: its media type, and what writes it for each type of result; `Value` is any type."""

    media_type: str
    writers: Mapping[type[Value], Callable[[Run, Any], str | bytes]]

    def writer(self, result: type[Value]) -> Callable[[Run, Any], str | bytes] | None:
        """Return what writes a type of result, or None if it has no such export."""
        return next((self.writers[kind] for kind in result.__mro__ if kind in self.writers), None)


EXPORTS = {
    "html": Export(
        "text/html; charset=utf-8",
        {
            Value: _html,
            Verification: lambda run, result: page(result, made=_made(run)),
            Reasoning: lambda run, result: _page(run, reasoning_section(result)),
        },
    ),
    "md": Export("text/markdown; charset=utf-8", {Value: _markdown}),
    "json": Export("application/json", {Value: _json}),
    "sarif": Export("application/sarif+json", {Verification: lambda run, result: sarif(result, __version__)}),
    "junit.xml": Export("application/xml", {Verification: lambda run, result: junit(result, FAILING)}),
    "docx": Export(
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        {Verification: lambda run, result: word_document(result, made=_made(run))},
    ),
    "svg": Export(
        "image/svg+xml",
        {Reasoning: lambda run, result: picture_of(result, all_connections(result))},
    ),
}
