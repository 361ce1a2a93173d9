"""The runner `ray`: tasks run in the actors of a Ray cluster, on this machine or on many.

The shared object of the job is an actor on the machine on which the run was started, so that workers on other
machines write to its files too.
"""

from __future__ import annotations

import importlib
import logging
import os
import pickle
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from typing import Any

from probative.errors import InputError, MissingExtraError, StoreError
from probative.runners.contract import Job, Place, Work
from probative.runners.dispatch import Died, Dispatcher, Done, Event, Failed, Ready
from probative.runners.processes import answer, limit_threads, outcome, pickled, portable, value_of

# Calls of the shared object that are answered side by side.
_CALLS = 16
# Seconds that a worker has to close its models at the end of a run.
_GRACE = 10.0
# Without an address, Ray would join a cluster that somebody else started on this machine.
_NEW = "local"


class RayCluster:
    """Runs tasks on a Ray cluster: on that of `address`, or on a new one on this machine.

    There is a worker for each CPU of the cluster, or for `threads` of them, and for each GPU if the job uses
    one.
    """

    def __init__(self, address: str | None = None, threads: int | None = None) -> None:
        if address is not None and "://" in address:
            raise InputError(
                f"a Ray client address cannot be used: {address}",
                hint="start the run on a machine of the cluster, with ray:auto or ray:HOST:PORT",
            )
        self.address, self.threads = address, threads or 1

    @contextmanager
    def open(self, job: Job) -> Iterator[Dispatcher]:
        """Connect to the cluster and open a pool; its workers are started when there are tasks for them."""
        sent = pickled(job)
        with _connected(self.address) as ray:
            self._check_cores(ray)
            kind, each = ("GPU", 1) if _uses_gpu(ray, job) else ("CPU", self.threads)
            workers = max(1, int(ray.cluster_resources().get(kind, 1)) // each)
            slots = max(1, job.width // workers)
            needed = {"num_cpus": self.threads, "num_gpus": 1 if kind == "GPU" else 0}
            desk = _open_desk(ray, sent)
            crew = _Crew(ray, desk, sent, Place(workers, self.threads), slots, needed)
            try:
                yield Dispatcher(crew, workers, slots)
                crew.close()
                ray.get(desk.close.remote())
            finally:
                crew.kill()
                ray.kill(desk)

    def _check_cores(self, ray: Any) -> None:
        """Raise `InputError` if no machine has the CPUs of a worker: Ray would wait for one forever."""
        cores = max(int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"])
        if cores < self.threads:
            raise InputError(
                f"a worker needs {self.threads} CPUs, and no machine of the cluster has more than {cores}",
                hint="set PROBATIVE_THREADS to a lower number",
            )


@contextmanager
def _connected(address: str | None) -> Iterator[Any]:
    """Connect to a cluster, unless this process is connected already."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # a run tells nobody about itself
    try:
        ray = importlib.import_module("ray")
    except ImportError:
        raise MissingExtraError("ray", "the runner ray") from None
    if ray.is_initialized():
        yield ray
        return
    with redirect_stdout(sys.stderr):  # Ray tells of dead workers on standard output, where results go
        _connect(ray, address)
        try:
            yield ray
        finally:
            ray.shutdown()


def _connect(ray: Any, address: str | None) -> None:
    try:
        _check_reachable(address)
        ray.init(
            address=address or _NEW, log_to_driver=False, logging_level=logging.ERROR, configure_logging=False
        )
    except (OSError, RuntimeError, ValueError) as error:
        raise InputError(
            f"there is no Ray cluster at {address or 'this machine'}: {error}",
            hint="start one with 'ray start --head', or use --runner ray for a cluster on this machine",
        ) from error


def _check_reachable(address: str | None) -> None:
    """Raise `OSError` if nothing listens at HOST:PORT: Ray itself tries for minutes."""
    host, _, port = (address or "").rpartition(":")
    if host and port.isdecimal():
        with socket.create_connection((host, int(port)), timeout=_GRACE):
            pass


def _uses_gpu(ray: Any, job: Job) -> bool:
    return job.uses_gpu and ray.cluster_resources().get("GPU", 0) >= 1


def _open_desk(ray: Any, job: bytes) -> Any:
    """Start the actor with the shared object on this machine."""
    strategies = importlib.import_module("ray.util.scheduling_strategies")
    here = strategies.NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
    options = {"num_cpus": 0, "max_concurrency": _CALLS, "scheduling_strategy": here}
    return ray.remote(_Desk).options(**options).remote(job)


class _Desk:
    """The shared object, in an actor."""

    def __init__(self, job: bytes) -> None:
        self._stack = ExitStack()
        self._shared = self._stack.enter_context(_unpickled(job).shared())

    def call(self, name: str, arguments: tuple[Any, ...]) -> tuple[bool, Any]:
        return answer(self._shared, name, arguments)

    def close(self) -> None:
        self._stack.close()


class _RemoteWorker:
    """A worker, in an actor."""

    def __init__(self, job: bytes, desk: Any, place: Place) -> None:
        self._job, self._desk, self._place = job, desk, place
        self._stack = ExitStack()
        self._work: Work | None = None

    def open(self) -> Ready | Failed:
        limit_threads(self._place.threads)
        try:
            self._work = self._stack.enter_context(_unpickled(self._job).open(self._call, self._place))
            return Ready()
        except Exception as error:
            return Failed(portable(error))

    def run(self, number: int, task: bytes) -> Done | Failed:
        assert self._work is not None
        return outcome(self._work, number, pickle.loads(task))  # noqa: S301 - sent by the run

    def close(self) -> None:
        self._stack.close()

    def _call(self, name: str, *arguments: Any) -> Any:
        ray = importlib.import_module("ray")
        try:
            return value_of(ray.get(self._desk.call.remote(name, arguments)))
        except ray.exceptions.RayError as error:  # every other task would meet it as well
            raise StoreError(
                f"the run's folder cannot be reached: {error}", hint="run the command again"
            ) from None


def _unpickled(job: bytes) -> Job:
    opened: Job = pickle.loads(job)  # noqa: S301 - sent by the run
    return opened


class _Worker:
    """A worker, seen from the process that gives it tasks."""

    def __init__(self, crew: _Crew, actor: Any) -> None:
        self._crew, self.actor = crew, actor

    def give(self, number: int, task: Any) -> None:
        self._crew.expect(self, self.actor.run.remote(number, pickled(task)))


class _Crew:
    """The actors of a pool, and what they were asked and have not answered."""

    def __init__(
        self, ray: Any, desk: Any, job: bytes, place: Place, slots: int, needed: dict[str, int]
    ) -> None:
        self._ray, self._desk, self._place = ray, desk, place
        self._job = ray.put(job)
        self._kind = ray.remote(_RemoteWorker).options(max_concurrency=slots, **needed)
        self._workers: set[_Worker] = set()
        self._expected: dict[Any, _Worker] = {}

    def hire(self) -> _Worker:
        worker = _Worker(self, self._kind.remote(self._job, self._desk, self._place))
        self._workers.add(worker)
        self.expect(worker, worker.actor.open.remote())
        return worker

    def expect(self, worker: _Worker, answer: Any) -> None:
        """Wait for an answer of a worker from now on."""
        self._expected[answer] = worker

    def wait(self) -> Iterator[tuple[_Worker, Event]]:
        (answer,), _ = self._ray.wait(list(self._expected), num_returns=1)
        worker = self._expected.pop(answer)
        try:
            event: Event = self._ray.get(answer)
        except self._ray.exceptions.RayError as error:
            self._workers.discard(worker)
            self._expected = {key: value for key, value in self._expected.items() if value is not worker}
            with suppress(Exception):  # it may be dead already
                self._ray.kill(worker.actor)
            event = Died(f"ended ({type(error).__name__}: {str(error).splitlines()[0]})")
        yield worker, event

    def close(self) -> None:
        """Let the workers close their models."""
        closing = [worker.actor.close.remote() for worker in self._workers]
        if closing:
            self._ray.wait(closing, num_returns=len(closing), timeout=_GRACE)

    def kill(self) -> None:
        for worker in self._workers:
            self._ray.kill(worker.actor)
        self._workers.clear()
