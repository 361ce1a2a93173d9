"""How far *supported* can be trusted over each corpus: what was drawn, its labels, tests and the guarantee.

The functions are those of `probative calibrate`; only where things are kept, and how a user labels, differ.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Literal

from pydantic import Field

from probative.batch.draw import SMALL_MODELS
from probative.calibration.bounds import Reached
from probative.calibration.kept import GUARANTEE, SELF_TEST, KeptGuarantee, answering_settings, kept
from probative.calibration.labels import Calibration, Labelled, assess, check_shares, conclude, curve
from probative.calibration.self_test import SelfTest
from probative.corpus.corpus import Corpus
from probative.errors import InputError, ProbativeError
from probative.scope.result import Guarantee
from probative.server.base.errors import ConflictError, NotThereError
from probative.server.runs.manager import RunManager
from probative.server.runs.run import CALIBRATE, Run, now
from probative.server.runs.store import RunStore
from probative.server.state.calibration_folder import (
    CalibrationFolder,
    Lapse,
    Plan,
    Source,
    nothing_drawn,
)
from probative.server.state.catalog import Catalog
from probative.server.state.library import Library
from probative.session.session import Session
from probative.text.prompts import digest
from probative.types import Value
from probative.verbs.ask import ASK

BEGIN_AGAIN = "discard the draw, and begin again"


class CalibrationRequest(Value):
    """A run: the answers to the questions that were drawn, or the test without labels."""

    corpus: str
    task: Literal["draw", "self-test"]
    n: int = Field(ge=1)
    seed: int = 0


class DrawState(Value):
    """A draw. `assessment` is what its labels say, and None before its questions are answered; `curve` are
    the labelled answers that reach each limit. `changed`: the documents are others by now, so that its labels
    cannot be used.
    """

    source: Source
    n: int
    alpha: float
    delta: float
    pool: int
    changed: bool
    assessment: Calibration | None = None
    curve: tuple[Reached, ...] = ()


class GuaranteeState(Value):
    """The guarantee that is kept with a corpus, in words, too; when it was made; why it lapsed, if it did."""

    guarantee: Guarantee
    text: str
    limit: float
    made: str
    lapse: Lapse | None = None


class CalibrationState(Value):
    """What is known of a corpus. `run` is the run under way; `asked` is how many questions were asked so far,
    `writes` whether the model can make some; `version` is that of the documents.
    """

    corpus: str
    draw: DrawState | None
    guarantee: GuaranteeState | None
    self_test: SelfTest | None
    version: int
    run: Run | None
    asked: int
    writes: bool


class Calibrations:
    """The calibrations of a server, one under way at a time. It may be shared between threads."""

    def __init__(
        self, session: Session, catalog: Catalog, library: Library, store: RunStore, manager: RunManager
    ) -> None:
        self._session, self._catalog, self._library = session, catalog, library
        self._store, self._manager = store, manager
        self._lock = threading.Lock()
        self._folders: dict[str, CalibrationFolder] = {}

    def folder(self, name: str) -> CalibrationFolder:
        """Return the folder of a corpus; raises `NotThereError`."""
        self._catalog.corpus(name)
        path = self._library.calibration_folder(name)
        return self._folders.setdefault(str(path), CalibrationFolder(path))

    def state(self, name: str) -> CalibrationState:
        """Return what is known of a corpus."""
        corpus, folder = self._catalog.corpus(name), self.folder(name)
        test = kept(corpus.path, SELF_TEST, SelfTest)
        running = [live for live in self._manager.under_way(CALIBRATE) if self._is_of(live.request, corpus)]
        return CalibrationState(
            corpus=name,
            draw=self._draw_state(folder, corpus),
            guarantee=self._guarantee_state(folder, corpus),
            self_test=None if test is None else test.model_copy(update={"index": name}),
            version=corpus.version,
            run=running[0].current() if running else None,
            asked=len(self.asked(corpus)),
            writes=self._session.model_name not in SMALL_MODELS,
        )

    def asked(self, corpus: Corpus) -> list[str]:
        """Return the questions that were asked of a corpus so far, each once; follow-ups are none."""
        requests = self._store.short_requests(ASK.name)
        return list(
            dict.fromkeys(
                " ".join(str(request["question"]).split())
                for request in requests
                if not request.get("history") and self._is_of(request, corpus)
            )
        )

    def begin(
        self, name: str, source: Source, questions: tuple[str, ...] | None, **chosen: Any
    ) -> tuple[Run, Plan]:
        """Begin a draw, and queue the run that answers its questions."""
        corpus, folder = self._catalog.corpus(name), self.folder(name)
        check_shares(chosen["alpha"], chosen["delta"])
        if source == "given" and not questions:
            raise InputError("there are no questions", hint="give questions, or another source")
        if source == "made" and self._session.model_name in SMALL_MODELS:
            raise InputError(
                f"{self._session.model_name} cannot write questions",
                hint="give questions, or start the server with --model embedded:large",
            )
        if source == "asked" and not (questions := tuple(self.asked(corpus))):
            raise InputError("no question was asked of this corpus yet", hint="give questions")
        if source != "made":
            questions = tuple(dict.fromkeys(" ".join(text.split()) for text in questions or ()))
            chosen["n"] = min(chosen["n"], len(questions))
        plan = Plan(source=source, contents=corpus.contents, model=self._session.model_name, **chosen)
        with self._lock:
            self._check_free()
            if folder.plan() is not None:
                raise ConflictError("there is a draw already", hint="discard it before you begin another")
            folder.begin(plan, None if source == "made" else questions)
            return self._submit(name, "draw", plan.n, plan.seed), plan

    def go_on(self, name: str, n: int | None) -> Run:
        """Go on with a draw that was stopped, or draw more: `n` questions in all."""
        corpus, folder = self._catalog.corpus(name), self.folder(name)
        with self._lock:
            self._check_free()
            plan = _planned(folder)
            if plan.contents != corpus.contents:
                raise ConflictError("the documents have changed since the draw", hint=BEGIN_AGAIN)
            if plan.model != self._session.model_name:
                raise ConflictError(
                    f"the draw was answered by {plan.model}, and the model is {self._session.model_name} now",
                    hint=BEGIN_AGAIN,
                )
            if n is not None and n < plan.n:
                raise InputError(f"n must be at least {plan.n}, which are drawn already, got {n}")
            plan = plan.model_copy(update={"n": n or plan.n})
            folder.change(plan)
            return self._submit(name, "draw", plan.n, plan.seed)

    def choose(self, name: str, alpha: float, delta: float) -> None:
        """Choose what shall be guaranteed; raises `ConflictError` once there are labels."""
        check_shares(alpha, delta)
        folder = self.folder(name)
        with self._lock:
            plan = _planned(folder)
            if folder.labels() and (alpha, delta) != (plan.alpha, plan.delta):
                raise ConflictError(
                    "there are labels already: who chooses after labelling chooses what passes",
                    hint=BEGIN_AGAIN,
                )
            folder.change(plan.model_copy(update={"alpha": alpha, "delta": delta}))

    def label(self, name: str, mark: str, right: bool | None) -> None:
        """Keep a label of a drawn answer. With the last one, the limit is chosen and the guarantee kept; one
        that is taken back takes the guarantee with it.
        """
        corpus, folder = self._catalog.corpus(name), self.folder(name)
        with self._lock:
            plan, read = _planned(folder), _drawn(folder)
            if plan.contents != corpus.contents:
                raise ConflictError("the documents have changed since the draw", hint=BEGIN_AGAIN)
            if not any(row["mark"] == mark and row["counts"] for row in read.rows):
                raise NotThereError(f"no answer that counts has the mark {mark[:40]!r}")
            folder.label(mark, right)
            self._conclude(folder, plan, corpus)

    def _conclude(self, folder: CalibrationFolder, plan: Plan, corpus: Corpus) -> None:
        read = _drawn(folder)
        complete = not assess(read, alpha=plan.alpha, delta=plan.delta).missing
        if complete or plan.concluded:
            conclude(corpus, read, alpha=plan.alpha, delta=plan.delta, name="the draw")
            folder.notice(None)
        if complete != plan.concluded:
            folder.change(plan.model_copy(update={"concluded": complete}))

    def discard(self, name: str) -> None:
        """Remove the draw with its labels; a guarantee that was reached stays."""
        folder = self.folder(name)
        with self._lock:
            self._check_free()
            folder.discard()

    def test(self, name: str, n: int, seed: int) -> Run:
        """Queue the test without labels."""
        self._catalog.corpus(name)
        with self._lock:
            self._check_free()
            return self._submit(name, "self-test", n, seed)

    def _submit(self, name: str, task: Literal["draw", "self-test"], n: int, seed: int) -> Run:
        request = CalibrationRequest(corpus=name, task=task, n=n, seed=seed)
        title = f"Answers to label: {name}" if task == "draw" else f"Test of claims: {name}"
        run, _ = self._manager.submit(CALIBRATE, title, request.to_dict(), detached=True)
        return run

    def _check_free(self) -> None:
        if running := self._manager.under_way(CALIBRATE):
            raise ConflictError(
                f"another calibration is under way: {running[0].run.title}", hint="wait for it, or cancel it"
            )

    def _is_of(self, request: Mapping[str, Any], corpus: Corpus) -> bool:
        """Return whether a request is about a corpus, also by an earlier name of it."""
        try:
            return request.get("corpus") is not None and self._catalog.corpus(request["corpus"]) is corpus
        except NotThereError:
            return False

    def _draw_state(self, folder: CalibrationFolder, corpus: Corpus) -> DrawState | None:
        plan, read = folder.plan(), folder.read()
        if plan is None:
            return None
        return DrawState(
            **plan.model_dump(include={"source", "n", "alpha", "delta"}),
            pool=0 if read is None or read.draw is None else read.draw.pool,
            changed=plan.contents != corpus.contents,
            assessment=None if read is None else assess(read, alpha=plan.alpha, delta=plan.delta),
            curve=() if read is None else curve(read, plan.delta),
        )

    def _guarantee_state(self, folder: CalibrationFolder, corpus: Corpus) -> GuaranteeState | None:
        found = kept(corpus.path, GUARANTEE, KeptGuarantee)
        if found is None:
            return None
        return GuaranteeState(
            guarantee=found.guarantee,
            text=found.guarantee.text,
            limit=found.limit,
            made=_written(corpus),
            lapse=self._lapse(folder, found, corpus),
        )

    def _lapse(self, folder: CalibrationFolder, found: KeptGuarantee, corpus: Corpus) -> Lapse | None:
        """Return why a guarantee does not hold for what this server answers, and when that was noticed."""
        try:
            why = found.lapse(corpus, self._settings(), self._session.fingerprint)
        except ProbativeError as error:  # a model that cannot be opened now
            return Lapse(why=f"it cannot be told: {error}", noticed=now())
        before = folder.lapse()
        if why is None or before is None or before.why != why:
            before = None if why is None else Lapse(why=why, noticed=now())
            folder.notice(before)
        return before

    def _settings(self) -> dict[str, Any]:
        """Return what decides the answers to questions without options."""
        prompts = digest(self._session.prompts)
        deciding = ASK.bind(self._session).deciding()
        return answering_settings({**deciding, **({} if prompts is None else {"prompts": prompts})})


def _planned(folder: CalibrationFolder) -> Plan:
    plan = folder.plan()
    if plan is None:
        raise nothing_drawn()
    return plan


def _drawn(folder: CalibrationFolder) -> Labelled:
    read = folder.read()
    if read is None:
        raise ConflictError("the questions are not answered yet", hint="wait for the run, or go on with it")
    return read


def _written(corpus: Corpus) -> str:
    moment = (corpus.path / GUARANTEE).stat().st_mtime
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds")
