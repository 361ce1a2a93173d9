"""The reader processes of a server: started when they are needed, used again, replaced when one is killed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from probative.server.errors import ClientGoneError, ClosingError
from probative.server.options import Limits
from probative.server.reading.messages import ReadReply, ReadTask
from probative.server.reading.process import ReaderProcess

# A process is replaced after this many files: libraries leak, and its memory is limited.
_MAX_FILES = 100


class Cancellation:
    """Lets another thread end a reading that nobody waits for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: ReaderProcess | None = None
        self._is_set = False

    def cancel(self) -> None:
        """End the reading now, or as soon as it would start."""
        with self._lock:
            self._is_set = True
            if self._process is not None:
                self._process.kill("client")

    def check(self) -> None:
        """Raise `ClientGoneError` if the reading was cancelled."""
        if self._is_set:
            raise ClientGoneError("nobody waits for the file")

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
    """Reads files in other processes. It may be shared between threads; each of them waits for its file."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._idle: list[ReaderProcess] = []
        self._busy: set[ReaderProcess] = set()
        self._is_closed = False

    def read(self, task: ReadTask, cancellation: Cancellation) -> tuple[ReadReply, bytes]:
        """Return what a file was read as, and its document in JSON; see `ReaderProcess.read`."""
        process = self._take()
        try:
            with cancellation.covering(process):
                return process.read(task)
        finally:
            self._give_back(process)

    def close(self) -> None:
        """End all processes; a reading that is under way fails."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
            for process in self._busy:
                process.kill("closing")
        for process in idle:
            process.close()

    def _take(self) -> ReaderProcess:
        with self._lock:
            if self._is_closed:
                raise ClosingError("the server is shutting down")
            dead = [process for process in self._idle if not process.is_alive]
            alive = [process for process in self._idle if process.is_alive]
            process = alive.pop() if alive else self._started()
            self._idle = alive
            self._busy.add(process)
        for ended in dead:
            ended.close()
        return process

    def _started(self) -> ReaderProcess:
        return ReaderProcess(self._limits.read_memory_bytes, self._limits.uploads_bytes)

    def _give_back(self, process: ReaderProcess) -> None:
        with self._lock:
            self._busy.discard(process)
            keeps = (
                process.is_alive
                and not self._is_closed
                and process.files < _MAX_FILES
                and len(self._idle) < self._limits.readers
            )
            if keeps:
                self._idle.append(process)
        if not keeps:
            process.close()
