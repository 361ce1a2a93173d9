"""The models that a request may name: the server's own, and the small and the large one of the package.

A request names a model and nothing else: neither an address, nor a key, nor a file. How long a model takes is
known from the runs of this server; before there are any, from what was measured of the package.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from statistics import median
from typing import Literal

from probative.errors import InputError
from probative.models.embedded.shipped import LARGE_TUNED, TUNED, has_large, large, pull_command
from probative.models.embedded.store import MANIFEST, Store
from probative.scope.follow_up import is_too_small
from probative.server.runs.run import Run
from probative.server.runs.store import RunStore
from probative.session.session import Session
from probative.types import Value

# How many runs the median is taken of, and how many are looked through for them.
_TAKEN, _LOOKED_THROUGH = 21, 300
MEASURED: dict[str, dict[str, float]] = {
    TUNED: {"ask": 21.0, "verify": 1.5},
    LARGE_TUNED: {"ask": 84.0, "verify": 11.0},
}
"""Seconds of a question over an indexed folder, and of a claim, on two cores (docs/models.md)."""


class ExpectedTime(Value):
    """Seconds of a question, or of a claim: the median of the last `runs` here, or an estimate if there are
    none.
    """

    seconds: float
    runs: int


class ModelChoice(Value):
    """A model that a request may name. `size`: that of the package, or the server's `own`. One that is not
    `ready` is got by the command `get`. `rewrites`: whether it rewrites follow-ups. `times` by verb.
    """

    name: str
    size: Literal["small", "large", "own"]
    ready: bool
    get: str | None = None
    rewrites: bool
    times: dict[str, ExpectedTime]


class ModelChoices:
    """The sessions by the models that requests may name, each made when it is first asked for."""

    def __init__(self, session: Session, store: RunStore, *, offered: bool) -> None:
        self._session, self._store = session, store
        self._lock = threading.Lock()
        self._sessions: dict[str, Session] = {session.model_name: session}
        # A model that was given as an object may be anything: nothing is offered beside it.
        others = (TUNED, *([LARGE_TUNED] if has_large() else [])) if offered else ()
        more = () if session.has_opened_models else others
        self._names = tuple(dict.fromkeys((session.model_name, *more)))
        store_of_weights = Store(session.settings.weights_folder)
        self._large = store_of_weights.model_folder(large()) if LARGE_TUNED in self._names else None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the models that a request may name, the server's own first."""
        return self._names

    def session(self, name: str | None) -> Session:
        """Return the session of a model; raises `InputError` for one that is not offered or not here."""
        if name is None or name == self._session.model_name:
            return self._session
        if name not in self._names:
            raise InputError(
                f"the model {name[:80]!r} is not offered here", hint=f"use {' or '.join(self._names)}"
            )
        if not self._is_ready(name):
            raise InputError(f"the model {name} is not on this server yet", hint=f"run: {pull_command(name)}")
        with self._lock:
            if name not in self._sessions:
                self._sessions[name] = self._session.with_model_name(name)
            return self._sessions[name]

    def choices(self) -> tuple[ModelChoice, ...]:
        """Return the models with the time that each takes."""
        runs = {verb: self._store.newest_done(verb, _LOOKED_THROUGH) for verb in ("ask", "verify")}
        return tuple(self._choice(name, runs) for name in self._names)

    def _choice(self, name: str, runs: dict[str, list[Run]]) -> ModelChoice:
        ready = self._is_ready(name)
        times = {verb: expected_time(verb, name, done) for verb, done in runs.items()}
        return ModelChoice(
            name=name,
            size="small" if name == TUNED else "large" if name == LARGE_TUNED else "own",
            ready=ready,
            get=None if ready else pull_command(name),
            rewrites=not is_too_small(name),
            times={verb: time for verb, time in times.items() if time is not None},
        )

    def _is_ready(self, name: str) -> bool:
        """Return whether a model can be used: the small one is fetched where it is missing, the large one is
        not.
        """
        if name != LARGE_TUNED or self._large is None or self._session.settings.wheels_folder is not None:
            return True
        return (self._large / MANIFEST).is_file()


def expected_time(verb: str, name: str, runs: Sequence[Run]) -> ExpectedTime | None:
    """Return how long a question, or a claim, takes a model; None if nothing is known.

    Runs that were mostly answered from the response cache do not count.
    """
    seconds = []
    for run in runs:
        usage = run.usage
        claims = sum(run.counts.values()) if run.counts is not None else 1
        if run.model == name and usage is not None and claims and 0 < usage.calls >= usage.cached:
            seconds.append(usage.seconds / claims)
    if seconds:
        last = seconds[:_TAKEN]
        return ExpectedTime(seconds=median(last), runs=len(last))
    estimate = MEASURED.get(name, {}).get(verb)
    return None if estimate is None else ExpectedTime(seconds=estimate, runs=0)
