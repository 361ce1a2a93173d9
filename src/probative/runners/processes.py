"""The runner `local:N`: tasks run in N processes on this machine, each of which opens the job once."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any

from probative.errors import InputError, WorkerError
from probative.runners.contract import Job, Place, Work
from probative.runners.dispatch import Died, Dispatcher, Done, Event, Failed, Ready

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
            reply = self._connection.recv()
        return value_of(reply)


def answer(shared: Any, name: str, arguments: tuple[Any, ...]) -> tuple[bool, Any]:
    """Call a method of the shared object; return whether it succeeded, and its result or its error."""
    try:
        return True, getattr(shared, name)(*arguments)
    except Exception as error:  # raised again in the worker
        return False, portable(error)


def value_of(reply: tuple[bool, Any]) -> Any:
    """Return the result in a reply, or raise its error."""
    answered, value = reply
    if answered:
        return value
    raise value


def serve(connection: Connection, shared: Any) -> None:
    """Answer the calls of a worker's `Line` until the worker ends."""
    with suppress(EOFError, OSError), connection:
        while True:
            connection.send(answer(shared, *connection.recv()))


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


# Seconds that a worker has to close its models at the end of a run.
_GRACE = 10.0


class Processes:
    """Runs tasks in `processes` processes on this machine, with `threads` threads each or with their share.

    A script that uses it needs the usual `if __name__ == "__main__":`, since the processes import the script.
    """

    def __init__(self, processes: int, threads: int | None = None) -> None:
        if processes < 1:
            raise InputError(f"the number of processes must be at least 1, got {processes}")
        self.processes, self.threads = processes, threads

    @contextmanager
    def open(self, job: Job) -> Iterator[Dispatcher]:
        """Open a pool; its processes are started when there are tasks for them."""
        threads = self.threads or max(1, available_cores() // self.processes)
        slots = max(1, job.width // self.processes)
        with job.shared() as shared:
            crew = _Crew(pickled(job), Place(self.processes, threads), slots, shared)
            try:
                yield Dispatcher(crew, self.processes, slots)
            except BaseException:
                crew.stop(grace=0.0)
                raise
            crew.stop(grace=_GRACE)


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return available or 1


def pickled(value: Any) -> bytes:
    """Return a job or a task for another process; raises `InputError` if it cannot be sent."""
    try:
        return pickle.dumps(value)
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        raise InputError(
            f"{type(value).__name__} cannot be sent to another process: {error}", hint="use the runner local"
        ) from error


class _Process:
    """A worker process, the pipe for its tasks, and the line on which it calls the shared object."""

    def __init__(self, job: bytes, place: Place, slots: int, shared: Any) -> None:
        context = multiprocessing.get_context("spawn")  # a fork would copy locks that other threads hold
        self.pipe, far_pipe = context.Pipe()
        line, far_line = context.Pipe()
        self.process = context.Process(target=work, args=(far_pipe, far_line, job, place, slots), daemon=True)
        with _interrupts_blocked():
            self.process.start()
        # Only the worker has these ends now: when it dies, reading here ends.
        far_pipe.close()
        far_line.close()
        threading.Thread(target=serve, args=(line, shared), daemon=True).start()

    def give(self, number: int, task: Any) -> None:
        pickled_task = pickled((number, task))
        with suppress(OSError):  # it died: the crew finds out
            self.pipe.send_bytes(pickled_task)

    def event(self) -> Event:
        try:
            event: Event = self.pipe.recv()
            return event
        except (EOFError, OSError):
            self.process.join()
            code = self.process.exitcode or 0
            self.pipe.close()
            return Died(f"was killed by signal {-code}" if code < 0 else f"ended with code {code}")

    def stop(self, grace: float) -> None:
        """Wait until the process has ended, and kill it after `grace` seconds."""
        self.process.join(grace)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


class _Crew:
    """The processes of a pool."""

    def __init__(self, job: bytes, place: Place, slots: int, shared: Any) -> None:
        self._job, self._place, self._slots, self._shared = job, place, slots, shared
        self._by_pipe: dict[Connection, _Process] = {}

    def hire(self) -> _Process:
        process = _Process(self._job, self._place, self._slots, self._shared)
        self._by_pipe[process.pipe] = process
        return process

    def wait(self) -> Iterator[tuple[_Process, Event]]:
        for pipe in wait(list(self._by_pipe)):
            assert isinstance(pipe, Connection)
            process = self._by_pipe[pipe]
            event = process.event()
            if isinstance(event, Died):
                del self._by_pipe[pipe]
            yield process, event

    def stop(self, grace: float) -> None:
        for pipe in self._by_pipe:
            pipe.close()
        for process in self._by_pipe.values():
            process.stop(grace)


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Start a process in which Ctrl-C has no effect from its first moment: the mask is inherited."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # the first process would start it, and it clears the mask
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
