"""The events of a run: written by its thread, read by any number of clients."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from typing import Any, NamedTuple

# The last event of a run. Before it are events named state, step, progress, and after a part of the result.
LAST = ("result", "error")


class Event(NamedTuple):
    """What happened: a number that grows, a name and data that JSON can hold."""

    number: int
    name: str
    data: dict[str, Any]

    def encoded(self) -> str:
        r"""Return the event as a stream of server-sent events has it.

        >>> Event(3, "step", {"name": "answer"}).encoded()
        'id: 3\nevent: step\ndata: {"name": "answer"}\n\n'
        """
        return f"id: {self.number}\nevent: {self.name}\ndata: {json.dumps(self.data, ensure_ascii=False)}\n\n"


# Of these, only the newest matters: places in the queue, and numbers that grow.
_REPLACED = ("state", "progress")


class EventLog:
    """The events of one run so far. Of progress and of places in the queue, only the newest is kept."""

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._number = 0
        self._lock = threading.Lock()
        self._waiting: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()
        self._at_end: list[tuple[asyncio.AbstractEventLoop, asyncio.Future[Event]]] = []

    def add(self, name: str, data: dict[str, Any]) -> None:
        """Add an event and wake the readers; called from any thread. Nothing is added after the last one: the
        thread of a run that was given up may still tell what it does.
        """
        with self._lock:
            if self._last() is not None:
                return
            self._number += 1
            if name in _REPLACED and self._events and self._events[-1].name == name:
                self._events.pop()
            self._events.append(Event(self._number, name, data))
            ended = self._last()
            waiting = tuple(self._waiting)
            at_end = tuple(self._at_end) if ended is not None else ()
        for loop, woken in waiting:
            _call(loop, woken.set)
        for loop, future in at_end:
            _call(loop, _settle, future, ended)

    @property
    def is_followed(self) -> bool:
        """Whether a client reads every event."""
        return bool(self._waiting)

    @property
    def ended(self) -> Event | None:
        """The last event, if the run has ended."""
        with self._lock:
            return self._last()

    def _last(self) -> Event | None:
        """Return the last event of a run that has ended; the lock is held."""
        return self._events[-1] if self._events and self._events[-1].name in LAST else None

    def end(self) -> asyncio.Future[Event]:
        """Return a future of the last event; it is not woken by the others."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Event] = loop.create_future()
        with self._lock:
            last = self._last()
            if last is None:
                self._at_end.append((loop, future))
                return future
        future.set_result(last)
        return future

    def since(self, number: int) -> list[Event]:
        """Return the events after this number."""
        with self._lock:
            return [event for event in self._events if event.number > number]

    async def follow(self, number: int = 0, *, idle: float = 15.0) -> AsyncGenerator[Event | None, None]:
        """Yield the events after `number` as they happen, up to the last; None each `idle` seconds without
        one, so that a connection is kept open and a closed one is noticed.
        """
        woken = asyncio.Event()
        entry = (asyncio.get_running_loop(), woken)
        with self._lock:
            self._waiting.add(entry)
        try:
            while True:
                woken.clear()
                for event in self.since(number):
                    number = event.number
                    yield event
                    if event.name in LAST:
                        return
                if self.since(number):
                    continue
                try:
                    await asyncio.wait_for(woken.wait(), idle)
                except TimeoutError:
                    yield None
        finally:
            with self._lock:
                self._waiting.discard(entry)


def _call(loop: asyncio.AbstractEventLoop, call: Callable[..., None], *values: Any) -> None:
    """Call in the thread of a loop, unless it is gone."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(call, *values)


def _settle(future: asyncio.Future[Event], event: Event) -> None:
    if not future.done():
        future.set_result(event)
