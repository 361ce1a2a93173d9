"""What a job and a runner are.

A job says how a worker is opened (models, sessions) and what it does with a task. A runner opens the job in
its workers, gives them tasks and yields the results. The results are the same with every runner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from probative import __version__
from probative.errors import InputError

Work = Callable[[Any], Any]
"""Takes a task and returns its result. An error that it raises ends the run."""
Call = Callable[..., Any]
"""Takes the name of a method of the job's shared object and its arguments; returns the method's result."""


@dataclass(frozen=True)
class Place:
    """Where a worker is: the number of workers, and the threads of each (None: as the user set them)."""

    workers: int = 1
    threads: int | None = None


def check_version(version: str) -> None:
    """Raise `InputError` if a run that this worker belongs to was started by another version."""
    if version != __version__:
        raise InputError(
            f"a worker has probative {__version__}, the run {version}",
            hint="install one version on all machines",
        )


class Job(Protocol):
    """A job whose tasks run in workers. It and its tasks must be picklable for other processes."""

    @property
    def width(self) -> int:
        """How many tasks may run side by side in all: 1 if they compute, more if they wait for a server."""

    @property
    def uses_gpu(self) -> bool:
        """Whether a worker computes on a GPU where there is one."""

    def shared(self) -> AbstractContextManager[Any]:
        """Open the object that all workers share, on the machine on which the run was started."""

    def open(self, call: Call, place: Place) -> AbstractContextManager[Work]:
        """Open a worker; `call` reaches the shared object from everywhere."""


class Pool(Protocol):
    """The workers of a job."""

    def run(self, tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """Yield the index and the result of each task, in the order in which they finish.

        A task whose worker was killed is given to another one. If it happens again and again, the result is
        a `WorkerError`.
        """


class Runner(Protocol):
    """Opens the workers of a job."""

    def open(self, job: Job) -> AbstractContextManager[Pool]:
        """Open a pool; at its end all workers are stopped."""
