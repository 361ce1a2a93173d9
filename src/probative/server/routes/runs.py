"""`/api/runs`: past and present runs, their events, results, traces and exports."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Header, Path, Query
from pydantic import Field
from starlette.responses import Response, StreamingResponse

from probative.server.base.errors import ConflictError, ErrorBody, NotThereError, documented
from probative.server.routes.replies import EVENT_STREAM, ended_reply, kept_stream, stream_reply
from probative.server.runs.run import CALIBRATE, Run, RunState, VerbName
from probative.server.runs.search import LevelName, RunFilter, VerdictName
from probative.server.state.export import EXPORTS, exported
from probative.server.state.server_state import State
from probative.server.state.text_structure import TextStructure, structure_of
from probative.server.state.uploads import Uploads
from probative.trace import Step
from probative.types import Passage, Value
from probative.verbs.requests import Sourced
from probative.verbs.table import VERBS

RunId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,64}$", description="the id of a run")]
Before = Annotated[
    str | None,
    Query(
        pattern=r"^(~[0-9]{1,18}|[A-Za-z0-9_-]{1,64})$",
        description="`next` of another page, or the id of a run",
    ),
]
Words = Annotated[
    str, Query(max_length=200, description="words that the title has, in any order; capitals do not matter")
]

router = APIRouter(
    prefix="/api/runs", tags=["runs"], responses=documented(ErrorBody, 400, 401, 403, 404, 409, 422)
)


class RunList(Value):
    """Runs, newest first. `next` is the value of `before` for more, if there are more; `total` is how many
    fit the filter.
    """

    runs: tuple[Run, ...]
    next: str | None = None
    total: int


class SourceText(Value):
    """A passage or a file that a request brought; `structure` says how the text of a file is shown."""

    id: str
    title: str | None = None
    source: str | None = None
    text: str
    structure: TextStructure | None = None


class SourceTexts(Value):
    """What a request brought to search in; nothing for a registered corpus: its documents have addresses."""

    sources: tuple[SourceText, ...] = Field(default=())


@router.get("", operation_id="list_runs")
def list_runs(
    server: State,
    verb: Annotated[VerbName | None, Query()] = None,
    state: Annotated[RunState | None, Query()] = None,
    verdict: Annotated[
        VerdictName | None, Query(description="that of the run, or of a claim of a verification")
    ] = None,
    level: Annotated[
        LevelName | None,
        Query(description="that of the answer; the verdict of a run, or of a claim, that has no level"),
    ] = None,
    text: Words = "",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: Before = None,
) -> RunList:
    """Return the newest runs that fit all that is given, and how many there are."""
    live = () if state is None or state.is_final else server.manager.ids_in(state)
    chosen = RunFilter(verb=verb, state=state, verdict=verdict, level=level, text=text, live=live)
    page = server.store.newest(limit, chosen, before=before)
    runs = tuple(server.manager.as_it_stands(run) for run in page.runs)
    return RunList(runs=runs, next=page.next, total=page.total)


@router.get("/{identity}", operation_id="get_run")
def get_run(server: State, identity: RunId) -> Run:
    """Return a run as it stands, with its request."""
    return server.manager.get(identity)


@router.get("/{identity}/result", operation_id="get_result", response_class=Response)
def get_result(server: State, identity: RunId) -> Response:
    """Return the result as `--json` prints it, or the error of the run."""
    run = server.manager.get(identity)
    if not run.state.is_final:
        raise ConflictError(f"the run has no result yet: it is {run.state}", hint="follow its events")
    return ended_reply(run, server.store)


@router.get(
    "/{identity}/trace",
    operation_id="get_trace",
    response_class=Response,
    responses={200: {"model": Step}},
)
def get_trace(server: State, identity: RunId) -> Response:
    """Return every step, prompt and output of a run."""
    words = server.store.trace(identity)
    if words is None:
        raise NotThereError("this run has no trace", hint="only runs that are done have one")
    return Response(words, media_type="application/json")


@router.get("/{identity}/sources", operation_id="get_sources")
def get_sources(server: State, identity: RunId) -> SourceTexts:
    """Return the texts that the request brought."""
    return SourceTexts(sources=tuple(_sources(server.manager.get(identity), server.uploads)))


@router.get(
    "/{identity}/events",
    operation_id="follow_run",
    response_class=StreamingResponse,
    responses={200: {"content": EVENT_STREAM}},
)
async def follow_run(
    server: State,
    identity: RunId,
    last: Annotated[str | None, Header(alias="Last-Event-ID", max_length=20)] = None,
) -> StreamingResponse:
    """Follow what happens; of a run that has ended, only the end is told."""
    live = server.manager.live(identity)
    if live is None:
        run = await asyncio.to_thread(server.manager.get, identity)
        return await asyncio.to_thread(kept_stream, run, server.store)
    after = int(last) if last is not None and last.isascii() and last.isdigit() else 0
    server.manager.follow(live)
    return stream_reply(live, server.manager, after)


@router.post("/{identity}/cancel", operation_id="cancel_run")
def cancel_run(server: State, identity: RunId) -> Run:
    """Stop a run at its next step."""
    return server.manager.cancel(identity)


@router.delete("/{identity}", operation_id="delete_run", status_code=204)
def delete_run(server: State, identity: RunId) -> None:
    """Delete a run that has ended, with its request, result and trace: no file keeps a part of it."""
    if server.manager.live(identity) is not None:
        raise ConflictError("the run has not ended", hint="cancel it first")
    server.store.delete(identity)


@router.get("/{identity}/export.{kind}", operation_id="export_run", response_class=Response)
def export_run(
    server: State, identity: RunId, kind: Annotated[str, Path(description=f"one of {', '.join(EXPORTS)}")]
) -> Response:
    """Download a run as one file that needs nothing else."""
    return exported(server.manager.get(identity), server.store, kind)


def _sources(run: Run, uploads: Uploads) -> list[SourceText]:
    if run.verb == CALIBRATE:
        return []
    request = VERBS.load(run.verb).request.model_validate(run.request)
    if not isinstance(request, Sourced):
        return []
    if request.uploads is not None:
        return [
            SourceText(
                id=upload,
                title=document.title or None,
                source=document.source,
                text=document.text,
                structure=structure_of(document),
            )
            for upload, document in uploads.documents(request.uploads).items()
        ]
    return [_source_text(number, passage) for number, passage in enumerate(request.passages or ())]


def _source_text(number: int, passage: str | Passage) -> SourceText:
    if isinstance(passage, str):
        return SourceText(id=str(number), text=passage)
    return SourceText(
        id=passage.id or str(number), title=passage.title, source=passage.source, text=passage.text
    )
