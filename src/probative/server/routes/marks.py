"""Marks: whether an answer, or the verdict of a claim, is right, said by users and read by `calibrate`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import Field, StrictBool
from starlette.responses import Response

from probative.calibration.labels import answer_row, claim_row
from probative.server.base.errors import ConflictError, ErrorBody, NotThereError, documented
from probative.server.routes.runs import RunId
from probative.server.runs.marks import Mark
from probative.server.runs.run import Run
from probative.server.state.server_state import ServerState, State
from probative.types import Value
from probative.verbs.ask import ASK
from probative.verbs.verify import VERIFY

router = APIRouter(
    prefix="/api", tags=["runs"], responses=documented(ErrorBody, 400, 401, 403, 404, 409, 422)
)


class Marks(Value):
    """The marks of a run."""

    marks: tuple[Mark, ...]


class NewMark(Value):
    """A mark of an answer, or of the claim of a verification with this index; null takes it back."""

    right: StrictBool | None
    claim: Annotated[int | None, Field(ge=0)] = None


@router.get("/runs/{identity}/marks", operation_id="get_marks")
def get_marks(server: State, identity: RunId) -> Marks:
    """Return what was said of a run."""
    server.manager.get(identity)
    return Marks(marks=server.store.marks.of(identity))


@router.put("/runs/{identity}/marks", operation_id="put_mark")
def put_mark(server: State, identity: RunId, body: NewMark) -> Marks:
    """Say whether an answer, or the verdict of a claim, is right."""
    run = server.manager.get(identity)
    _row(run, _result(server, run), body.claim)  # raises an error for what cannot be marked
    server.store.marks.put(identity, body.claim, body.right)
    return Marks(marks=server.store.marks.of(identity))


@router.get("/marks.jsonl", operation_id="export_marks", response_class=Response)
def export_marks(
    server: State,
    verb: Annotated[Literal["ask", "verify"], Query(description="answers or claims")] = "ask",
    corpus: Annotated[str | None, Query(max_length=64, description="only those over this corpus")] = None,
) -> Response:
    """Download the marked answers or claims as a file of labels for `probative calibrate --labels`."""
    lines = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in labelled_rows(server, verb, corpus))
    headers = {"Content-Disposition": f'attachment; filename="marks-{verb}.jsonl"'}
    return Response(lines, media_type="application/jsonl; charset=utf-8", headers=headers)


def labelled_rows(server: ServerState, verb: str, corpus: str | None) -> Iterator[dict[str, Any]]:
    """Yield the line of each answer or claim that was marked, over all corpora or one."""
    for identity in server.store.marks.runs(verb):
        try:
            run = server.store.get(identity)
            result = _result(server, run)
        except NotThereError:  # it was deleted meanwhile
            continue
        if corpus is not None and not server.is_over(identity, corpus):
            continue
        for mark in server.store.marks.of(identity):
            yield {**_row(run, result, mark.claim), "right": mark.right}


def _result(server: ServerState, run: Run) -> dict[str, Any]:
    words = server.store.result(run.id) if run.state.is_final else None
    if words is None:
        raise ConflictError(f"the run has no result that could be marked: it is {run.state}")
    result: dict[str, Any] = json.loads(words)
    return result


def _row(run: Run, result: dict[str, Any], claim: int | None) -> dict[str, Any]:
    """Return the line of what is marked; raises an error if the run has no such answer or claim."""
    if run.verb == ASK.name:
        if claim is not None:
            raise ConflictError("an answer has no claims", hint="leave out claim")
        return answer_row(result, run.id)
    if run.verb != VERIFY.name:
        raise ConflictError(f"only answers and claims have marks, and the run is of {run.verb}")
    if claim is None or claim >= len(result["claims"]):
        raise NotThereError(f"there is no claim {claim} in the run", hint="claim is its index, from 0")
    return claim_row(result["claims"][claim], f"{run.id}-{claim}")
