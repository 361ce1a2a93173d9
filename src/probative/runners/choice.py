"""The runner that a user names with `--runner`, and the runner `local`, which uses this process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from typing import Any

from probative.errors import InputError
from probative.runners.contract import Job, Place, Runner, Work
from probative.runners.processes import Processes
from probative.runners.ray_cluster import RayCluster


class InProcess:
    """Runs all tasks in this process."""

    @contextmanager
    def open(self, job: Job) -> Iterator[InProcessPool]:
        with job.shared() as shared:

            def call(name: str, *arguments: Any) -> Any:
                return getattr(shared, name)(*arguments)

            with job.open(call, Place()) as work:
                yield InProcessPool(work, job.width)


class InProcessPool:
    """The job, opened in this process."""

    def __init__(self, work: Work, width: int) -> None:
        self._work, self._width = work, width

    def run(self, tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """Yield the index and the result of each task, in the order in which they finish.

        If a task raises an error, those under way are finished and yielded before it is raised.
        """
        if self._width == 1:
            for number, task in enumerate(tasks):
                yield number, self._work(task)
            return
        with ThreadPoolExecutor(self._width) as threads:
            futures = {threads.submit(self._work, task): number for number, task in enumerate(tasks)}
            failed: BaseException | None = None
            try:
                for future in as_completed(list(futures)):
                    if (failed := future.exception()) is not None:
                        break
                    yield futures.pop(future), future.result()
                under_way = [future for future in futures if not future.cancel()]
                for future in under_way:
                    if future.exception() is None:
                        yield futures[future], future.result()
            finally:
                threads.shutdown(wait=False, cancel_futures=True)
            if failed is not None:
                raise failed


_HINT = "use local, local:PROCESSES, ray or ray:ADDRESS"


def parse_runner(text: str, threads: int | None = None) -> Runner:
    """Return the runner of this name; raises `InputError` if there is none.

    `threads` is the number of threads of each worker, where the user has set it.

    >>> parse_runner("local:4").processes
    4
    """
    name, colon, rest = text.partition(":")
    if text == "local":
        return InProcess()
    if name == "local":
        if not rest.isdecimal():
            raise InputError(f"the number of processes is not a number: {text!r}", hint=_HINT)
        return Processes(int(rest), threads)
    if name == "ray" and (rest or not colon):
        return RayCluster(rest or None, threads)
    raise InputError(f"there is no runner {text!r}", hint=_HINT)
