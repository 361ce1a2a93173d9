"""Carry out the runs of a calibration: answers to the drawn questions, or claims of the documents tested."""

from __future__ import annotations

from probative.batch.draw import draw_questions
from probative.calibration.self_test import self_test
from probative.errors import InputError
from probative.server.base.errors import NotThereError
from probative.server.runs.live import LiveRun
from probative.server.state.calibration_folder import CalibrationFolder
from probative.server.state.calibrations import CalibrationRequest, Calibrations
from probative.server.state.catalog import Catalog
from probative.server.state.verbs import StepReporter
from probative.session.session import Session
from probative.trace import Found, RunStoppedError, observing
from probative.types import Usage, Value


class CalibrationRun(Value):
    """What a run did: `drawn` questions of `pool`, of which `counting` have an answer to label, or a test of
    so many `made` claims. The `failed` questions are tried again by the next run; `problem` is the first.
    """

    corpus: str
    task: str
    model: str
    drawn: int = 0
    pool: int = 0
    counting: int = 0
    failed: int = 0
    problem: str | None = None
    made: int = 0
    usage: Usage = Usage()


class CalibrationRuns:
    """The runs of all calibrations of a server."""

    def __init__(self, session: Session, catalog: Catalog, calibrations: Calibrations) -> None:
        self._session, self._catalog, self._calibrations = session, catalog, calibrations

    def execute(self, live: LiveRun) -> CalibrationRun:
        """Carry out a run and return what it did."""
        request = CalibrationRequest.model_validate(live.request)
        try:
            with observing(_PartReporter(live)):
                if request.task == "draw":
                    return self._draw(live, request)
                return self._test(live, request)
        except RunStoppedError:
            live.check()  # says why
            raise

    def _draw(self, live: LiveRun, request: CalibrationRequest) -> CalibrationRun:
        folder = self._calibrations.folder(request.corpus)
        if (plan := folder.plan()) is None:
            raise NotThereError("the draw was discarded", hint="begin another one")
        # Questions that a model makes have the step "question" first.
        live.publish("step", {"name": "ask"})
        try:
            drawn = draw_questions(
                self._session,
                self._catalog.corpus(request.corpus),
                folder.drawn,
                questions=folder.questions if folder.questions.exists() else None,
                n=plan.n,
                draw_seed=plan.seed,
                progress=lambda done, failed, total: _tell(live, done + failed, total),
            )
        except InputError as error:
            raise _without_paths(error, folder) from None
        return CalibrationRun(
            corpus=request.corpus,
            task=request.task,
            model=self._session.model_name,
            drawn=drawn.drawn,
            pool=drawn.pool,
            counting=drawn.counting,
            failed=drawn.failed,
            problem=drawn.batch.failures[0].what if drawn.batch.failures else None,
            usage=drawn.batch.usage,
        )

    def _test(self, live: LiveRun, request: CalibrationRequest) -> CalibrationRun:
        live.publish("step", {"name": "verify"})
        test = self_test(
            self._session,
            self._catalog.corpus(request.corpus),
            n=request.n,
            seed=request.seed,
            progress=lambda done, total: _tell(live, done, total),
        )
        return CalibrationRun(
            corpus=request.corpus,
            task=request.task,
            model=test.verdict_model or self._session.model_name,
            made=len(test.claims),
            usage=test.usage,
        )


class _PartReporter(StepReporter):
    """Stops a run that is not wanted any more. Each step of it may take as long as a run may."""

    def step_started(self, name: str) -> None:
        """Stop, or begin the time of the step."""
        if self._live.stop_error() is not None:
            raise RunStoppedError
        self._live.go_on()
        if name == "question":
            super().step_started(name)

    def found(self, found: Found) -> None:
        """Tell nothing: several questions are answered side by side."""


def _tell(live: LiveRun, done: int, total: int) -> None:
    live.go_on()
    live.publish("step", {"name": "ask" if live.request["task"] == "draw" else "verify"})
    live.publish("progress", {"done": done, "total": total})


def _without_paths(error: InputError, folder: CalibrationFolder) -> InputError:
    """Return the error without the folder of the server."""
    hidden = f"{folder.path}/"
    return InputError(error.what.replace(hidden, ""), hint=error.hint.replace(hidden, ""))
