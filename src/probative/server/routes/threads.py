"""`/api/threads`: conversations, each a list of questions with their runs."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import Field
from starlette.responses import JSONResponse, Response

from probative.scope.follow_up import Turn
from probative.scope.result import Answer
from probative.server.base.errors import ConflictError, ErrorBody, NotThereError, documented
from probative.server.base.whole_text import WholeTextRoute
from probative.server.routes.replies import RUN_HEADER
from probative.server.routes.verbs import Key
from probative.server.runs.run import Run, RunState
from probative.server.runs.threads import Thread
from probative.server.state.export import DOWNLOAD_POLICY, written_answers
from probative.server.state.server_state import ServerState, State
from probative.types import Value
from probative.verbs.ask import ASK, AskRequest
from probative.verbs.requests import Identity, Line

Question = ASK.described_request
ID = r"^[A-Za-z0-9_-]{1,64}$"
ThreadId = Annotated[str, Path(pattern=ID, description="the id of a thread")]
KINDS = {"md": "text/markdown; charset=utf-8", "json": "application/json"}

router = APIRouter(
    prefix="/api/threads",
    tags=["threads"],
    route_class=WholeTextRoute,
    responses=documented(ErrorBody, 400, 401, 403, 404, 409, 422),
)


class ThreadList(Value):
    """Threads, last changed first; those with `deleted` can be had back for a day."""

    threads: tuple[Thread, ...]


class WholeThread(Thread):
    """A thread with its runs, as they stand, in the order of its questions."""

    runs: tuple[Run, ...] = ()


class NewThread(Value):
    """The run of `ask` that a thread begins with."""

    run: Identity


class ThreadName(Value):
    """The name of a thread."""

    name: Annotated[Line, Field(max_length=160)]


@router.get("", operation_id="list_threads")
def list_threads(
    server: State,
    run: Annotated[str | None, Query(pattern=ID, description="only the thread that has this run")] = None,
    limit: Annotated[int, Query(ge=1, le=1_000)] = 200,
) -> ThreadList:
    """Return the threads that changed last."""
    if run is not None:
        thread = server.store.threads.of_run(run)
        return ThreadList(threads=() if thread is None else (thread,))
    return ThreadList(threads=tuple(server.store.threads.newest(limit)))


@router.post("", operation_id="begin_thread", status_code=201)
def begin_thread(server: State, body: NewThread) -> Thread:
    """Begin a thread with a run of `ask`, whose question is its name, or return the one that has it."""
    run = server.manager.get(body.run)
    if run.verb != ASK.name:
        raise ConflictError(f"a thread has questions, and the run is of {run.verb}")
    return server.store.threads.begin(run)


@router.get("/{identity}", operation_id="get_thread")
def get_thread(server: State, identity: ThreadId) -> WholeThread:
    """Return a thread with its runs."""
    thread = server.store.threads.get(identity)
    return WholeThread(**thread.model_dump(), runs=tuple(_runs(server, identity)))


@router.patch("/{identity}", operation_id="rename_thread")
def rename_thread(server: State, identity: ThreadId, body: ThreadName) -> Thread:
    """Give a thread another name."""
    return server.store.threads.rename(identity, body.name)


@router.delete("/{identity}", operation_id="delete_thread", status_code=204)
def delete_thread(server: State, identity: ThreadId) -> None:
    """Delete a thread with its runs; for a day, `restore` brings it back."""
    if any(not run.state.is_final for run in _runs(server, identity)):
        raise ConflictError("an answer of the thread has not ended", hint="cancel it first")
    server.store.threads.delete(identity)


@router.post("/{identity}/restore", operation_id="restore_thread")
def restore_thread(server: State, identity: ThreadId) -> Thread:
    """Take back that a thread was deleted."""
    return server.store.threads.restore(identity)


@router.post(
    "/{identity}/ask",
    operation_id="ask_in_thread",
    status_code=202,
    response_class=Response,
    responses={202: {"model": Run, "description": "Accepted"}},
)
def ask_in_thread(
    server: State,
    identity: ThreadId,
    body: Question,  # type: ignore[valid-type]
    instead_of: Annotated[
        str | None, Query(pattern=ID, description="the run of the thread to replace")
    ] = None,
    key: Key = None,
) -> Response:
    """Ask the next question of a thread; the run goes on without its client.

    The turns before are its history. With `instead_of`, the question takes the place of an earlier one, and
    is asked as it is written.
    """
    thread, runs = server.store.threads.get(identity), _runs(server, identity)
    if thread.deleted is not None:
        raise ConflictError("the thread is deleted", hint=f"POST /api/threads/{identity}/restore first")
    if instead_of is not None and instead_of not in [run.id for run in runs]:
        raise NotThereError(f"there is no run {instead_of!r} in the thread")
    if instead_of is None and any(not run.state.is_final for run in runs):
        raise ConflictError("the answer before has not ended", hint="wait for it, or cancel it")
    turns = tuple(_turns(server, runs)) if instead_of is None else ()
    request: AskRequest = body.model_copy(update={"history": turns})  # type: ignore[attr-defined]
    run, _ = server.submit(ASK, request, detached=True, key=key)
    server.store.threads.add(identity, run.id, instead_of)
    headers = {"Location": f"/api/runs/{run.id}", RUN_HEADER: run.id}
    return JSONResponse(server.manager.get(run.id).to_dict(), 202, headers=headers)


@router.get("/{identity}/export.{kind}", operation_id="export_thread", response_class=Response)
def export_thread(
    server: State, identity: ThreadId, kind: Annotated[str, Path(description="md or json")]
) -> Response:
    """Download a thread as one file: each question with its answer, its evidence and its verdict."""
    if kind not in KINDS:
        raise NotThereError(f"a thread has no export {kind!r}", hint=f"use {' or '.join(KINDS)}")
    text = thread_text(server, server.store.threads.get(identity), kind)
    headers = {
        "Content-Disposition": f'attachment; filename="thread-{identity}.{kind}"',
        "Content-Security-Policy": DOWNLOAD_POLICY,
    }
    return Response(text, media_type=KINDS[kind], headers=headers)


def thread_text(server: ServerState, thread: Thread, kind: str) -> str:
    """Return a thread as one text, as Markdown or JSON."""
    answers = list(_answers(server, _runs(server, thread.id)))
    if kind == "md":
        return written_answers(thread.name, answers)
    turns: list[dict[str, Any]] = [
        {"run": run.to_dict(), "result": answer.to_dict()} for run, answer in answers
    ]
    return json.dumps({"thread": thread.to_dict(), "turns": turns}, ensure_ascii=False, indent=1)


def _runs(server: ServerState, identity: str) -> list[Run]:
    server.store.threads.get(identity)  # raises an error for one that is not there
    return [server.manager.get(run) for run in server.store.threads.runs(identity)]


def _answers(server: ServerState, runs: list[Run]) -> list[tuple[Run, Answer]]:
    done = [(run, server.store.result(run.id)) for run in runs if run.state is RunState.DONE]
    return [(run, Answer.model_validate_json(words)) for run, words in done if words is not None]


def _turns(server: ServerState, runs: list[Run]) -> list[Turn]:
    """Return the answered questions as history, each as it was read."""
    return [
        Turn(question=answer.read_as or answer.question, answer=answer.answer)
        for _, answer in _answers(server, runs)
    ]
