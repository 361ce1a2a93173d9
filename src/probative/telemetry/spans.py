"""Spans of runs, their steps and their model calls, for the tracer provider that the program configured.

Nothing of OpenTelemetry is imported unless the program did so itself, or names a provider with the variable
`OTEL_PYTHON_TRACER_PROVIDER`: without a provider, a run costs one look into a dictionary.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from probative.telemetry import attributes
from probative.trace import Call, Observer, observing
from probative.types import Usage, Value

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

_PROVIDER = "OTEL_PYTHON_TRACER_PROVIDER"


class RunSpan:
    """The span of one run or batch. This one, where no provider is configured, does nothing."""

    def active(self) -> AbstractContextManager[None]:
        """Return a block inside which steps and calls become spans below this one."""
        return nullcontext()

    def spent(self, usage: Usage) -> None:
        """Note what the run cost."""

    def gave(self, result: Value) -> None:
        """Note the verdict of the result."""

    def failed(self, error: BaseException) -> None:
        """Note the error that ended the run."""

    def end(self) -> None:
        """End the span."""


_NOTHING = RunSpan()
# The observer of the run that is under way: the steps of a run inside it are its own, too.
_observer: ContextVar[_Steps | None] = ContextVar("probative_span_observer", default=None)


@contextmanager
def run_span(verb: str, *, traced: bool = True) -> Iterator[RunSpan]:
    """Open the span ``probative.VERB`` around one run; an error that leaves the block is noted.

    A run that is `traced` has a step for itself, which gets no span of its own.

    >>> with run_span("ask") as span:
    ...     span.spent(Usage(calls=1))
    """
    span = start_span(f"probative.{verb}", root=verb if traced else None)
    try:
        with span.active():
            yield span
    except BaseException as error:
        span.failed(error)
        raise
    finally:
        span.end()


def start_span(name: str, *, root: str | None = None) -> RunSpan:
    """Start a span that the caller ends. `root` names the step that is the run itself, and gets no span."""
    tracer = _tracer()
    return _NOTHING if tracer is None else _OpenSpan(tracer, tracer.start_span(name), root)


def _tracer() -> Tracer | None:
    """Return a tracer of the configured provider; None if there is none."""
    if "opentelemetry.trace" not in sys.modules and _PROVIDER not in os.environ:
        return None
    try:
        from opentelemetry import trace
    except ImportError:
        return None
    provider = trace.get_tracer_provider()
    if isinstance(provider, trace.ProxyTracerProvider | trace.NoOpTracerProvider):
        return None
    return provider.get_tracer("probative")


class _OpenSpan(RunSpan):
    def __init__(self, tracer: Tracer, span: Span, root: str | None) -> None:
        self._span = span
        self._steps = _Steps(tracer, root)

    @contextmanager
    def active(self) -> Iterator[None]:
        from opentelemetry.trace import use_span

        if not self._span.is_recording() or _observer.get() is not None:
            # Nothing below a span that was not sampled is recorded; steps of a run inside another one are
            # told to the observer of that.
            with use_span(self._span, record_exception=False, set_status_on_exception=False):
                yield
            return
        token = _observer.set(self._steps)
        try:
            with (
                use_span(self._span, record_exception=False, set_status_on_exception=False),
                observing(self._steps),
            ):
                yield
        finally:
            _observer.reset(token)

    def spent(self, usage: Usage) -> None:
        self._span.set_attributes(attributes.usage_attributes(usage))

    def gave(self, result: Value) -> None:
        self._span.set_attributes(attributes.result_attributes(result))

    def failed(self, error: BaseException) -> None:
        """Note the error; its message may quote a text, so it is content."""
        kind = type(error).__name__
        self._span.set_attribute("error.type", kind)
        if attributes.captures_content():
            self._span.record_exception(error)
        else:
            self._span.add_event("exception", {"exception.type": kind})
        _set_error(self._span, kind)

    def end(self) -> None:
        self._span.end()


class _Steps(Observer):
    """Makes a span of each step and of each call in it."""

    def __init__(self, tracer: Tracer, root: str | None) -> None:
        self._tracer = tracer
        self._root = root
        self._open: list[tuple[Span | None, Any]] = []

    def step_started(self, name: str) -> None:
        if name == self._root and not self._open:
            self._open.append((None, None))
            return
        from opentelemetry import context, trace

        span = self._tracer.start_span(f"probative.step {name}", attributes={"probative.step": name})
        self._open.append((span, context.attach(trace.set_span_in_context(span))))

    def step_ended(self, name: str, seconds: float) -> None:
        from opentelemetry import context

        span, token = self._open.pop()
        if span is not None:
            context.detach(token)
            span.end()

    def called(self, call: Call) -> None:
        """Make the span of a call, which is over: it began as long ago as it took."""
        from opentelemetry.trace import SpanKind

        content = attributes.captures_content()
        end = time.time_ns()
        span = self._tracer.start_span(
            attributes.call_name(call),
            kind=SpanKind.CLIENT if attributes.is_remote(call) else SpanKind.INTERNAL,
            attributes=attributes.call_attributes(call, content=content),
            start_time=end - round(call.usage.seconds * 1e9),
        )
        if call.error is not None:
            _set_error(span, call.error if content else call.error_type or "")
        span.end(end)


def _set_error(span: Span, description: str) -> None:
    from opentelemetry.trace import Status, StatusCode

    span.set_status(Status(StatusCode.ERROR, description))
