"""The life of a worker process: open the job, run tasks, end with the process that started it."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any

from probative.errors import WorkerError
from probative.runners.contract import Job, Place, Work
from probative.runners.dispatch import Done, Event, Failed, Ready

# Libraries that would start one thread for each core in every process.
_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")


class Line:
    """Calls the methods of the shared object in the process that started this one."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._lock = threading.Lock()

    def __call__(self, name: str, *arguments: Any) -> Any:
        with self._lock:
            self._connection.send((name, arguments))
            answered, value = self._connection.recv()
        if answered:
            return value
        raise value


def serve(connection: Connection, shared: Any) -> None:
    """Answer the calls of a worker's `Line` until the worker ends."""
    with suppress(EOFError, OSError), connection:
        while True:
            name, arguments = connection.recv()
            try:
                reply = (True, getattr(shared, name)(*arguments))
            except Exception as error:  # raised again in the worker
                reply = (False, portable(error))
            connection.send(reply)


def work(pipe: Connection, line: Connection, job: bytes, place: Place, slots: int) -> None:
    """Open the pickled job and run the tasks that come through `pipe`, until it is closed."""
    # The process that started this one stops it, also on Ctrl-C.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_threads(place.threads)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    sending = threading.Lock()

    def send(event: Event) -> None:
        with sending, suppress(OSError):
            pipe.send(event)

    try:
        opened: Job = pickle.loads(job)  # noqa: S301 - the process that started this one made it
        with opened.open(Line(line), place) as run:
            send(Ready())
            _run_tasks(pipe, run, slots, send)
    except Exception as error:
        send(Failed(portable(error)))


def _run_tasks(pipe: Connection, run: Work, slots: int, send: Callable[[Event], None]) -> None:
    with ThreadPoolExecutor(slots) as threads:
        while True:
            try:
                number, task = pipe.recv()
            except EOFError:
                return
            threads.submit(_run_task, run, number, task, send)


def _run_task(run: Work, number: int, task: Any, send: Callable[[Event], None]) -> None:
    try:
        send(outcome(run, number, task))
    except Exception as error:  # the result cannot be pickled
        send(Failed(portable(error)))


def outcome(run: Work, number: int, task: Any) -> Done | Failed:
    """Return the result of a task, or the error that ends the run."""
    try:
        return Done(number, run(task))
    except Exception as error:
        return Failed(portable(error))


def limit_threads(threads: int | None) -> None:
    """Limit the threads of numerical libraries that are not loaded yet, unless the user has set a limit."""
    if threads is not None:
        for variable in _THREAD_VARIABLES:
            os.environ.setdefault(variable, str(threads))


def portable(error: Exception) -> Exception:
    """Return the error, or a `WorkerError` with its text if it cannot be sent to another process."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - written by the line itself
    except Exception:
        return WorkerError(f"{type(error).__name__}: {error}")
    return error


def _end_with_parent() -> None:
    """End this process when the one that started it is gone: nobody would keep what it pays for."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)
