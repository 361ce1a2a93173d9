"""Every step, prompt, model output, token and second of one run, as a tree of named steps.

    with Trace("ask") as trace:
        with step("judge"):
            model.generate(...)
    trace.root.to_json()

A model loaded with `load_model` records each of its calls in the step that is open at the time. Without an
open trace nothing is recorded.

An `Observer` is told of the same steps and calls while a run goes on:

    with observing(observer):
        session.ask(...)
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal

from probative.types import Usage, Value, total


class Call(Value):
    """One request to a model, with its result or error. `error_type` is the name of the error's class."""

    verb: str
    model: str
    request: dict[str, Any]
    result: dict[str, Any] | None = None
    error: str | None = None
    error_type: str | None = None
    usage: Usage = Usage()


class Step(Value):
    """A named part of a run: the calls made in it and the steps inside it."""

    name: str
    seconds: float
    calls: tuple[Call, ...] = ()
    steps: tuple[Step, ...] = ()

    @property
    def usage(self) -> Usage:
        """The cost of this step and all steps inside it; `seconds` is wall-clock time."""
        inside = total([call.usage for call in self.calls] + [step.usage for step in self.steps])
        return inside.model_copy(update={"seconds": self.seconds})

    def find(self, name: str) -> Step | None:
        """Return the first step of this name, at any depth, or None."""
        if self.name == name:
            return self
        return next((match for step in self.steps if (match := step.find(name)) is not None), None)


class FoundText(Value):
    """A text that a run found: a sentence with the title and the source of its passage, or an answer."""

    text: str
    title: str | None = None
    source: str | None = None


class Found(Value):
    """What a run has found so far; nothing of it is checked yet.

    `kind` is ``passages`` for those that a search found, best first, ``chain`` for those that were chosen,
    and ``candidate`` for the answer that was read from them. The next of a kind replaces the one before.
    """

    kind: Literal["passages", "chain", "candidate"]
    texts: tuple[FoundText, ...]


class _OpenStep:
    """A step that is not finished."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.started = time.perf_counter()
        self.seconds: float | None = None
        self.calls: list[Call] = []
        self.steps: list[_OpenStep] = []

    def frozen(self) -> Step:
        seconds = self.seconds if self.seconds is not None else time.perf_counter() - self.started
        return Step(
            name=self.name,
            seconds=seconds,
            calls=tuple(self.calls),
            steps=tuple(step.frozen() for step in self.steps),
        )


_open: ContextVar[_OpenStep | None] = ContextVar("probative_open_step", default=None)


class RunStoppedError(Exception):
    """Raised by an observer to stop the run that it observes; the verb raises it to its caller."""


class Observer:
    """Is told what a run does, as it happens, in the thread of the run. Override what you need.

    A run is a step named after its verb, such as ``ask``, with the steps of its method inside. A step starts
    before its calls are made. In a batch that asks several questions side by side, a step that serves
    several kinds of asks has the name of the model's verb, such as ``generate``; the batch itself is no step.

    Each start of a step is followed by its end. `RunStoppedError` from any of these methods stops the run,
    after all observers were told. Any other exception is logged, by the logger ``probative.trace``, and the
    run goes on.
    """

    def step_started(self, name: str) -> None:
        """Take the name of a step that starts."""

    def step_ended(self, name: str, seconds: float) -> None:
        """Take the name and the duration of a step that ends, also by an error."""

    def called(self, call: Call) -> None:
        """Take a call of the innermost step, with its result or error."""

    def found(self, found: Found) -> None:
        """Take what `ask` has found so far. A batch does not say for which of its questions."""


_observers: ContextVar[tuple[Observer, ...]] = ContextVar("probative_observers", default=())


@contextmanager
def observing(observer: Observer) -> Iterator[None]:
    """Tell `observer` of every step and call inside the `with` block; observers nest.

    >>> class Printer(Observer):
    ...     def step_started(self, name: str) -> None:
    ...         print("started", name)
    >>> with observing(Printer()):
    ...     with step("judge"):
    ...         pass
    started judge
    """
    token = _observers.set((*_observers.get(), observer))
    try:
        yield
    finally:
        _observers.reset(token)


def _tell(observers: tuple[Observer, ...], message: Callable[[Observer], None]) -> None:
    """Pass a message on to observers. A fault of an observer is no reason to lose a run."""
    stopped: RunStoppedError | None = None
    for observer in observers:
        try:
            message(observer)
        except RunStoppedError as error:
            stopped = stopped or error
        except Exception:
            logging.getLogger(__name__).exception("an observer failed: %r", observer)
    if stopped is not None:
        raise stopped


@contextmanager
def _entered(inside: _OpenStep) -> Iterator[None]:
    """Make a step the open one, and tell the observers when it starts and ends."""
    observers, token = _observers.get(), _open.set(inside)
    inside.started = time.perf_counter()
    try:
        _tell(observers, lambda observer: observer.step_started(inside.name))
        yield
    finally:
        inside.seconds = seconds = time.perf_counter() - inside.started
        _open.reset(token)
        _tell(observers, lambda observer: observer.step_ended(inside.name, seconds))


class Trace:
    """Records the steps and calls inside its `with` block.

    >>> with Trace("run") as trace:
    ...     with step("first"):
    ...         record(Call(verb="score", model="m", request={}, usage=Usage(calls=1)))
    >>> trace.root.steps[0].name, trace.root.usage.calls
    ('first', 1)
    """

    def __init__(self, name: str) -> None:
        self._root = _OpenStep(name)
        self._entered = _entered(self._root)

    def __enter__(self) -> Trace:
        self._entered.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._entered.__exit__(*error)

    @property
    def root(self) -> Step:
        """The steps so far, frozen."""
        return self._root.frozen()

    @property
    def usage(self) -> Usage:
        """The cost of the run so far."""
        return self.root.usage

    def _repr_html_(self) -> str | None:
        """Return the trace as a notebook shows it."""
        return self.root._repr_html_()


@contextmanager
def step(name: str) -> Iterator[None]:
    """Open a step in the current trace; does nothing without a trace or an observer."""
    if not recording():
        yield
        return
    inside = _OpenStep(name)
    if (parent := _open.get()) is not None:
        parent.steps.append(inside)
    with _entered(inside):
        yield


def record(call: Call) -> None:
    """Add a call to the open step; does nothing without a trace or an observer."""
    current = _open.get()
    if current is not None:
        current.calls.append(call)
    _tell(_observers.get(), lambda observer: observer.called(call))


def tell(found: Found) -> None:
    """Tell the observers what was found."""
    _tell(_observers.get(), lambda observer: observer.found(found))


def is_observed() -> bool:
    """Return whether an observer is told of what happens."""
    return bool(_observers.get())


def recording() -> bool:
    """Return whether a trace is open or an observer is told of calls."""
    return _open.get() is not None or is_observed()


def current_step() -> str:
    """Return the name of the open step, or an empty string."""
    current = _open.get()
    return current.name if current is not None else ""
