"""`/api/corpora/NAME/calibration`: draw questions, label their answers, and what that guarantees or tests."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field, StrictBool
from starlette.responses import JSONResponse, Response

from probative.calibration.labels import ALPHA, DELTA
from probative.calibration.self_test import Share
from probative.server.base.errors import ErrorBody, documented
from probative.server.base.whole_text import WholeTextRoute
from probative.server.routes.catalogue import PartName
from probative.server.routes.marks import labelled_rows
from probative.server.routes.replies import RUN_HEADER
from probative.server.runs.run import Run
from probative.server.state.calibration_folder import Source
from probative.server.state.calibrations import CalibrationState
from probative.server.state.server_state import ServerState, State
from probative.types import Value
from probative.verbs.ask import ASK
from probative.verbs.requests import Line, Seed

MOST = 2_000
"""Questions of a draw, and claims of a test."""
ShareOf = Annotated[float, Field(gt=0, lt=1)]

router = APIRouter(
    prefix="/api/corpora/{name}/calibration",
    tags=["calibration"],
    route_class=WholeTextRoute,
    responses=documented(ErrorBody, 400, 401, 403, 404, 409, 422, 429, 503),
)
_ACCEPTED: dict[int | str, dict[str, Any]] = {202: {"model": Run, "description": "Accepted"}}


class NewDraw(Value):
    """What to draw from: questions `asked` of the corpus so far, those `given` as `questions`, or ones that
    the model has `made`; how many; and what shall be guaranteed.
    """

    source: Source
    questions: Annotated[tuple[Line, ...] | None, Field(max_length=10_000)] = None
    n: Annotated[int, Field(ge=1, le=MOST, description="how many questions are drawn")] = 120
    alpha: Annotated[ShareOf, Field(description="the largest share of wrong ones")] = ALPHA
    delta: Annotated[ShareOf, Field(description="the probability that the guarantee may fail")] = DELTA
    seed: Seed = 0


class MoreQuestions(Value):
    """How many questions are drawn in all; null: as many as before."""

    n: Annotated[int, Field(ge=1, le=MOST)] | None = None


class Chosen(Value):
    """What shall be guaranteed."""

    alpha: ShareOf
    delta: ShareOf


class NewLabel(Value):
    """Whether the answer with this mark is right; null takes the label back."""

    mark: Annotated[str, Field(min_length=1, max_length=64)]
    right: StrictBool | None


class NewTest(Value):
    """How many claims are made of the documents."""

    n: Annotated[int, Field(ge=1, le=MOST)] = 100
    seed: Seed = 0


class CorpusCalibration(CalibrationState):
    """All that is known. `marks` are the answers of their choice that users marked as right: a test."""

    marks: Share


class CitedText(Value):
    """A sentence that an answer rests on, with its place."""

    text: str
    citation: str | None


class DrawnAnswer(Value):
    """An answer to a drawn question. One that `counts` is labelled: `right` is null until then."""

    mark: str
    question: str
    answer: str | None
    cited: tuple[CitedText, ...]
    certainty: float | None
    counts: bool
    right: bool | None


class DrawnAnswers(Value):
    """The answers to the drawn questions, in the order of the draw."""

    answers: tuple[DrawnAnswer, ...]


@router.get("", operation_id="get_calibration")
def get_calibration(server: State, name: PartName) -> CorpusCalibration:
    """Return the draw with what its labels say, the guarantee, and the tests of a corpus."""
    return _known(server, name)


@router.post("", operation_id="begin_draw", status_code=202, response_class=Response, responses=_ACCEPTED)
def begin_draw(server: State, name: PartName, body: NewDraw) -> Response:
    """Draw questions at random; a run answers them, and goes on without its client."""
    run, _ = server.calibrations.begin(
        name, body.source, body.questions, n=body.n, alpha=body.alpha, delta=body.delta, seed=body.seed
    )
    return _accepted(server, run)


@router.post("/more", operation_id="draw_more", status_code=202, response_class=Response, responses=_ACCEPTED)
def draw_more(server: State, name: PartName, body: MoreQuestions) -> Response:
    """Go on with a draw that was stopped, or draw more questions; no label is lost."""
    return _accepted(server, server.calibrations.go_on(name, body.n))


@router.patch("", operation_id="choose_shares")
def choose_shares(server: State, name: PartName, body: Chosen) -> CorpusCalibration:
    """Choose what shall be guaranteed, before there are labels."""
    server.calibrations.choose(name, body.alpha, body.delta)
    return _known(server, name)


@router.delete("", operation_id="discard_draw", status_code=204)
def discard_draw(server: State, name: PartName) -> None:
    """Remove the draw with its labels for good; a guarantee that was reached stays."""
    server.calibrations.discard(name)


@router.get("/answers", operation_id="get_drawn_answers")
def get_drawn_answers(server: State, name: PartName) -> DrawnAnswers:
    """Return the answers to the drawn questions with their labels."""
    read = server.calibrations.folder(name).read()
    rows = [] if read is None else read.rows
    return DrawnAnswers(
        answers=tuple(
            DrawnAnswer(**{field: row[field] for field in DrawnAnswer.model_fields}) for row in rows
        )
    )


@router.put("/labels", operation_id="put_label")
def put_label(server: State, name: PartName, body: NewLabel) -> CorpusCalibration:
    """Say whether a drawn answer is right. With the last label, the guarantee is worked out and kept."""
    server.calibrations.label(name, body.mark, body.right)
    return _known(server, name)


@router.get("/labels.jsonl", operation_id="export_labels", response_class=Response)
def export_labels(server: State, name: PartName) -> Response:
    """Download the draw with its labels for `probative calibrate --labels`."""
    headers = {"Content-Disposition": 'attachment; filename="labels.jsonl"'}
    text = server.calibrations.folder(name).text()
    return Response(text, media_type="application/jsonl; charset=utf-8", headers=headers)


@router.post(
    "/test", operation_id="test_corpus", status_code=202, response_class=Response, responses=_ACCEPTED
)
def test_corpus(server: State, name: PartName, body: NewTest) -> Response:
    """Test claims made of the documents' own sentences; a run checks them. It guarantees nothing."""
    return _accepted(server, server.calibrations.test(name, body.n, body.seed))


def _known(server: ServerState, name: str) -> CorpusCalibration:
    state = server.calibrations.state(name)
    marked = [row["right"] for row in labelled_rows(server, ASK.name, name) if row["counts"]]
    return CorpusCalibration(**dict(state), marks=Share.of(marked))


def _accepted(server: ServerState, run: Run) -> Response:
    headers = {"Location": f"/api/runs/{run.id}", RUN_HEADER: run.id}
    return JSONResponse(server.manager.get(run.id).to_dict(), 202, headers=headers)
