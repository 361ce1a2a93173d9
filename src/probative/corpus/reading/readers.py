"""The reader processes of a program: started when needed, used again, replaced when one is killed."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from probative.corpus.reading.messages import ReadTask
from probative.corpus.reading.process import Outcome, ReaderProcess, search_path

# A process is replaced after this many files: libraries leak, and its memory is limited. It starts in about
# a second, which is then a millisecond a file.
_MAX_FILES = 1_000


class Cancellation:
    """Lets another thread end a reading that nobody waits for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: ReaderProcess | None = None
        self._why: Exception | None = None

    def cancel(self, why: Exception) -> None:
        """End the reading now, or as soon as it would start; it raises `why`."""
        with self._lock:
            self._why = why
            if self._process is not None:
                self._process.kill(why)

    def check(self) -> None:
        """Raise the error that the reading was cancelled with."""
        if self._why is not None:
            raise self._why

    @contextmanager
    def covering(self, process: ReaderProcess) -> Iterator[None]:
        """Kill the process if the reading is cancelled meanwhile."""
        with self._lock:
            self.check()
            self._process = process
        try:
            yield
        finally:
            with self._lock:
                self._process = None


class Readers:
    """Reads files in other processes. It may be shared between threads; each of them waits for its file.

    `memory_bytes` and `max_reply_bytes` are those of `ReaderProcess`; up to `kept` idle processes stay.
    """

    def __init__(self, memory_bytes: int, max_reply_bytes: int, kept: int = 1) -> None:
        self._memory_bytes, self._max_reply_bytes, self._kept = memory_bytes, max_reply_bytes, kept
        self._lock = threading.Lock()
        self._idle: list[ReaderProcess] = []
        self._busy: set[ReaderProcess] = set()
        self._closed: Exception | None = None

    def read(self, tasks: Sequence[ReadTask], cancellation: Cancellation | None = None) -> list[Outcome]:
        """Return what each file was read as, with its document, or why it was not."""
        outcomes: list[Outcome] = []
        while len(outcomes) < len(tasks):
            with self._process() as process, (cancellation or Cancellation()).covering(process):
                outcomes += process.read(tasks[len(outcomes) :])
        return outcomes

    def limits_memory(self) -> bool:
        """Return whether the system limits the memory of the processes."""
        with self._process() as process:
            return process.limits_memory()

    def close(self, why: Exception) -> None:
        """End all processes; a reading that is under way or comes later raises `why`."""
        with self._lock:
            self._closed = why
            idle, self._idle = self._idle, []
            for process in self._busy:
                process.kill(why)
        for process in idle:
            process.close()

    @contextmanager
    def _process(self) -> Iterator[ReaderProcess]:
        process = self._take()
        try:
            yield process
        finally:
            self._give_back(process)

    def _take(self) -> ReaderProcess:
        with self._lock:
            if self._closed is not None:
                raise self._closed
            path = search_path()
            usable = [each for each in self._idle if each.is_alive and each.search_path == path]
            unusable = [each for each in self._idle if each not in usable]
            process = usable.pop() if usable else ReaderProcess(self._memory_bytes, self._max_reply_bytes)
            self._idle = usable
            self._busy.add(process)
        for ended in unusable:
            ended.close()
        return process

    def _give_back(self, process: ReaderProcess) -> None:
        with self._lock:
            self._busy.discard(process)
            keeps = (
                process.is_alive
                and self._closed is None
                and process.files < _MAX_FILES
                and len(self._idle) < self._kept
            )
            if keeps:
                self._idle.append(process)
        if not keeps:
            process.close()
