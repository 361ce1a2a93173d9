"""One reader process, seen from the server: it gets a file, and is killed if that takes too long."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Literal

from pydantic import ValidationError

from probative.errors import WorkerError
from probative.server.errors import (
    ClientGoneError,
    ClosingError,
    ReaderCrashError,
    ReadingLimitError,
    TooLargeError,
)
from probative.server.reading.messages import READY, ReadReply, ReadTask, error_of

log = logging.getLogger("probative.server")

# To import the package takes less than a second; a machine may be busy.
_START_SECONDS = 120.0
# Title and notes of a document; a longer line is no reply.
_MAX_LINE = 4_000_000

Why = Literal["time", "client", "closing"]


class ReaderProcess:
    """A process that reads files, one at a time. Any thread may end it with `kill`."""

    def __init__(self, memory_bytes: int, max_document_bytes: int) -> None:
        self._memory_bytes = memory_bytes
        self._max_document_bytes = max_document_bytes
        self._lock = threading.Lock()
        self._killed: Why | None = None
        self._is_ready = False
        self.files = 0
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "probative.server.reading.worker", str(memory_bytes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # The process finds the same packages as this one, plug-ins included.
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
            start_new_session=True,  # Ctrl-C in a terminal is for the server
        )

    @property
    def is_alive(self) -> bool:
        """Whether the process can read another file."""
        return self._killed is None and self._process.poll() is None

    def read(self, task: ReadTask) -> tuple[ReadReply, bytes]:
        """Return what the file was read as, and its document in JSON.

        Raises `UnreadableError`, `TooLargeError` or, if the process was killed, the error that says why.
        The process is dead after all errors that are not about the text of the file.
        """
        self.files += 1
        if not self._is_ready:
            with self._killed_after(_START_SECONDS):
                self._is_ready = self._line() == READY
            if not self._is_ready:
                self._end()
                raise self._why(task) or WorkerError(
                    "the process that reads files could not start", hint="see the log of the server"
                )
        with self._killed_after(task.seconds):
            answer = self._answer(task)
        if answer is None:
            self._end()
            raise self._why(task) or self._crash(task)
        reply, document = answer
        if reply.failure is not None:
            if reply.failure.trace:
                log.error("an upload could not be read\n%s", reply.failure.trace)
            if reply.failure.kind == "memory":  # the process is about to end itself
                self._end()
            raise error_of(reply.failure, task.name, self._memory_bytes)
        return reply, document

    def kill(self, why: Why) -> None:
        """End the process; the thread that waits for a reply gets the error that says why."""
        with self._lock:
            if self._killed is None:
                self._killed = why
            self._process.kill()

    def close(self) -> None:
        """End the process if it still runs, and free its pipes."""
        self.kill("closing")
        self._end()

    def _answer(self, task: ReadTask) -> tuple[ReadReply, bytes] | None:
        """Return the reply to a task; None if the process ended or wrote something else."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(OSError):  # it ended: there is no reply
            self._process.stdin.write(task.to_json().encode() + b"\n")
            self._process.stdin.flush()
        try:
            reply = ReadReply.model_validate_json(self._line())
        except ValidationError:
            return None
        if reply.size > self._max_document_bytes:
            self._end()
            raise TooLargeError(
                f"the text of the file has {reply.size:,} bytes, more than all files may have"
            )
        document = self._process.stdout.read(reply.size)
        return (reply, document) if len(document) == reply.size else None

    def _line(self) -> bytes:
        assert self._process.stdout is not None
        return self._process.stdout.readline(_MAX_LINE)

    @contextmanager
    def _killed_after(self, seconds: float) -> Iterator[None]:
        timer = threading.Timer(seconds, self.kill, ("time",))
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _end(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with suppress(OSError):  # what was not sent
                pipe.close()

    def _why(self, task: ReadTask) -> Exception | None:
        """Return the error for a process that was killed by `kill`."""
        if self._killed == "time" and self._is_ready:
            return ReadingLimitError(
                "time",
                f"{task.name} took longer than {task.seconds:g} s to be read",
                hint="split it, or start the server with a higher --read-seconds",
            )
        if self._killed == "client":
            return ClientGoneError(f"nobody waits for {task.name}")
        return ClosingError("the server is shutting down") if self._killed == "closing" else None

    def _crash(self, task: ReadTask) -> ReaderCrashError:
        code = self._process.returncode
        if code < 0:
            try:
                how = f"it was ended by {signal.Signals(-code).name}"
            except ValueError:
                how = f"it was ended by signal {-code}"
        else:
            how = f"it ended with code {code}"
        log.error("the process that read an upload crashed: %s", how)
        return ReaderCrashError(
            "crash",
            f"{task.name} made its reader crash: {how}",
            hint="the file may be damaged: save it again, or in another format",
        )
