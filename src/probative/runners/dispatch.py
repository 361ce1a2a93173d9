"""Give tasks to workers in other processes, and give those of a dead worker to another one."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from probative.errors import WorkerError

# A task that is under way when a worker dies this often is not tried again: it may use up the memory.
MAX_DEATHS = 3
_HINT = "the process may have run out of memory: use fewer processes"


class Ready(NamedTuple):
    """The worker has opened the job."""


class Done(NamedTuple):
    """The worker has finished a task."""

    number: int
    result: Any


class Failed(NamedTuple):
    """The worker cannot open the job, or a task raised an error: the run ends with it."""

    error: Exception


class Died(NamedTuple):
    """The worker has ended by itself or was killed."""

    reason: str


Event = Ready | Done | Failed | Died


class Worker(Protocol):
    """One worker, seen from the process that gives it tasks."""

    def give(self, number: int, task: Any) -> None:
        """Send a task; if the worker is dead, the crew reports it later."""


class Crew(Protocol):
    """Starts workers and listens to them."""

    def hire(self) -> Worker:
        """Start a worker; it reports `Ready` when it has opened the job."""

    def wait(self) -> Iterable[tuple[Worker, Event]]:
        """Wait until workers report something. A worker that died is reported once, after its results."""


class Dispatcher:
    """Gives tasks to at most `workers` workers, `slots` to each at a time. Idle workers stay."""

    def __init__(self, crew: Crew, workers: int, slots: int = 1) -> None:
        self._crew, self._workers, self._slots = crew, workers, slots
        self._opening: set[Worker] = set()
        self._tasks_of: dict[Worker, set[int]] = {}  # of the workers that are ready
        self._deaths: Counter[int] = Counter()
        self._failed_openings = 0
        self._waiting: deque[int] = deque()

    def run(self, tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """Yield the index and the result of each task, in the order in which they finish."""
        self._waiting = deque(range(len(tasks)))
        self._deaths.clear()
        while self._waiting or any(self._tasks_of.values()):
            self._hire()
            self._give(tasks)
            for worker, event in self._crew.wait():
                match event:
                    case Ready():
                        self._failed_openings = 0
                        self._opening.discard(worker)
                        self._tasks_of[worker] = set()
                    case Done(number, result):
                        self._tasks_of[worker].discard(number)
                        yield number, result
                    case Failed(error):
                        raise error
                    case Died(reason):
                        yield from self._replace(worker, reason)

    def _hire(self) -> None:
        under_way = sum(map(len, self._tasks_of.values()))
        needed = min(self._workers, -(-(len(self._waiting) + under_way) // self._slots))
        while len(self._opening) + len(self._tasks_of) < needed:
            self._opening.add(self._crew.hire())

    def _give(self, tasks: Sequence[Any]) -> None:
        """Give the waiting tasks to the workers with the fewest."""
        while self._waiting and self._tasks_of:
            worker = min(self._tasks_of, key=lambda each: len(self._tasks_of[each]))
            if len(self._tasks_of[worker]) >= self._slots:
                return
            number = self._waiting.popleft()
            self._tasks_of[worker].add(number)
            worker.give(number, tasks[number])

    def _replace(self, worker: Worker, reason: str) -> Iterator[tuple[int, WorkerError]]:
        """Take the tasks of a dead worker back; yields an error for those that were lost too often."""
        if worker in self._opening:
            self._opening.discard(worker)
            self._failed_openings += 1
            if self._failed_openings >= MAX_DEATHS:
                if not self._tasks_of:
                    raise WorkerError(f"a worker process {reason} while it opened its models", hint=_HINT)
                # There may be no memory for more: go on with the workers that are ready.
                self._workers, self._failed_openings = len(self._tasks_of), 0
        for number in sorted(self._tasks_of.pop(worker, ()), reverse=True):
            self._deaths[number] += 1
            if self._deaths[number] < MAX_DEATHS:
                self._waiting.appendleft(number)
            else:
                what = f"its worker process {reason}, {MAX_DEATHS} times in a row"
                yield number, WorkerError(what, hint=_HINT)
