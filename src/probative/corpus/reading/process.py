"""Reader processes, seen from outside: each reads file after file, and is killed if one takes too long."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import accumulate

from probative.corpus.reading.messages import READY, UNLIMITED, Failure, ReadReply, ReadTask, error_of
from probative.errors import ReaderCrashError, ReadingLimitError, UnreadableError, WorkerError

# To import the package takes a second; a machine may be busy.
_START_SECONDS = 120.0
# Title and notes of a document; a longer line is no reply.
_MAX_LINE = 4_000_000
# Tasks that are sent at once fit into a pipe: a process that waits for room there would not read replies.
_MAX_TASKS_BYTES = 8_000
_GRACE_SECONDS = 5.0

Read = tuple[ReadReply, bytes]
"""What a file was read as, and the document that follows the reply."""
Outcome = Read | UnreadableError


class ReaderProcess:
    """A process that reads files, one at a time. Any thread may end it with `kill`.

    `memory_bytes` is the most that any file may need; a reply may have up to `max_reply_bytes`.
    """

    def __init__(self, memory_bytes: int, max_reply_bytes: int) -> None:
        self._max_reply_bytes = max_reply_bytes
        self._lock = threading.Lock()
        self._killed: Exception | None = None
        self._greeting = b""
        self.files = 0
        self.search_path = search_path()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "probative.corpus.reading.worker", str(memory_bytes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": self.search_path},
            start_new_session=True,  # Ctrl-C in a terminal is for the process that started this one
        )

    @property
    def is_alive(self) -> bool:
        """Whether the process can read another file."""
        return self._killed is None and self._process.poll() is None

    def limits_memory(self) -> bool:
        """Wait until the process has started; return whether the system limits its memory."""
        if not self._greeting:
            with self._killed_after(_START_SECONDS, None):
                self._greeting = self._line()
        if self._greeting not in (READY, UNLIMITED):
            self.close()
            raise self._killed or WorkerError(
                "the process that reads files could not start", hint="see what it wrote to standard error"
            )
        return self._greeting == READY

    def read(self, tasks: Sequence[ReadTask]) -> list[Outcome]:
        """Return what files were read as: at least the first, and all until one ends the process.

        Several tasks are sent at once, since each turn of two processes costs time. If the process was
        killed by `kill`, this raises the error that says why.
        """
        self.limits_memory()
        sizes = accumulate(len(task.packed()) for task in tasks[1:])
        tasks = tasks[: 1 + sum(size <= _MAX_TASKS_BYTES for size in sizes)]
        outcomes: list[Outcome] = []
        # A process holds itself to its time; this is for one that a file has taken over.
        seconds = sum(task.most_seconds for task in tasks) + _GRACE_SECONDS
        try:
            with self._killed_after(seconds, ReadingLimitError("time", "a reader did not end at its limit")):
                self._send(tasks)
                for task in tasks:
                    outcomes.append(self._outcome(task))
                    if not self.is_alive:
                        break
        except BaseException:  # Ctrl-C: the next reply would be that of this file
            self.close()
            raise
        return outcomes

    def kill(self, why: Exception | None = None) -> None:
        """End the process; the thread that waits for a reply gets the error `why`."""
        with self._lock:
            self._killed = self._killed or why
            self._process.kill()

    def _send(self, tasks: Sequence[ReadTask]) -> None:
        assert self._process.stdin is not None
        with suppress(OSError):  # it ended: there is no reply
            self._process.stdin.write(b"".join(task.packed() + b"\n" for task in tasks))
            self._process.stdin.flush()

    def _outcome(self, task: ReadTask) -> Outcome:
        """Return the reply to a task. If there is none, or the last one for now, the process is ended."""
        self.files += 1
        started = time.monotonic()
        answer = self._answer(task)
        if answer is None:
            self.close()
            if self._killed is not None:
                raise self._killed
            # The code is that of the clock in the process.
            is_late = self._process.returncode == 1 and time.monotonic() - started > 0.9 * task.seconds
            return _late(task) if is_late else self._crash(task)
        failure = answer[0].failure
        if failure is None:
            return answer
        if failure.kind == "memory":  # the process is about to end itself
            self.close()
        return error_of(failure, task)

    def _answer(self, task: ReadTask) -> Read | None:
        """Return the reply to a task; None if the process ended or wrote something else."""
        assert self._process.stdout is not None
        try:
            reply = ReadReply.unpacked(self._line())
        except ValueError:
            return None
        if reply.size > self._max_reply_bytes:
            what = f"the text of {task.source} has {reply.size:,} bytes, more than {self._max_reply_bytes:,}"
            self.close()
            failure = Failure(kind="unreadable", what=what, hint="split it", reason="too large")
            return ReadReply(failure=failure), b""
        document = self._process.stdout.read(reply.size)
        return (reply, document) if len(document) == reply.size else None

    def _line(self) -> bytes:
        assert self._process.stdout is not None
        return self._process.stdout.readline(_MAX_LINE)

    @contextmanager
    def _killed_after(self, seconds: float, why: Exception | None) -> Iterator[None]:
        timer = threading.Timer(seconds, self.kill, (why,))
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def close(self) -> None:
        """End the process if it still runs, and free its pipes."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with suppress(OSError):  # what was not sent
                pipe.close()

    def _crash(self, task: ReadTask) -> ReaderCrashError:
        code = self._process.returncode
        how = f"it ended with code {code}"
        if code < 0:
            names = {each.value: each.name for each in signal.Signals}
            how = f"it was ended by {names.get(-code, f'signal {-code}')}"
        return ReaderCrashError(
            "crash",
            f"{task.source} made its reader crash: {how}",
            hint="the file may be damaged: save it again, or in another format",
        )


def _late(task: ReadTask) -> ReadingLimitError:
    return ReadingLimitError(
        "time",
        f"{task.source} took longer than {task.seconds:.3g} s to be read",
        hint="split it, or raise --read-seconds",
    )


def search_path() -> str:
    """Return where a reader finds the packages of this process, plug-ins included."""
    return os.pathsep.join(path for path in sys.path if path)


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

    `memory_bytes` and `max_reply_bytes` are those of `ReaderProcess`; up to `max_idle` idle processes stay.
    """

    def __init__(self, memory_bytes: int, max_reply_bytes: int, max_idle: int = 1) -> None:
        self._memory_bytes, self._max_reply_bytes, self._max_idle = memory_bytes, max_reply_bytes, max_idle
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
        """Yield an idle process or a new one; it is kept afterwards if it can be used again."""
        with self._lock:
            if self._closed is not None:
                raise self._closed
            path = search_path()
            usable = [each for each in self._idle if each.is_alive and each.search_path == path]
            unusable = [each for each in self._idle if each not in usable]
            process = usable.pop() if usable else ReaderProcess(self._memory_bytes, self._max_reply_bytes)
            self._idle = usable
            self._busy.add(process)
        try:
            for ended in unusable:
                ended.close()
            yield process
        finally:
            with self._lock:
                self._busy.discard(process)
                is_wanted = self._closed is None and len(self._idle) < self._max_idle
                keeps = is_wanted and process.is_alive and process.files < _MAX_FILES
                if keeps:
                    self._idle.append(process)
            if not keeps:
                process.close()
