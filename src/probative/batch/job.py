"""The lines of a batch as a job: a worker opens the models once and runs one group of lines after another."""

from __future__ import annotations

from collections.abc import Container, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from probative import __version__
from probative.batch.cases import Line
from probative.corpus.corpus import Corpus
from probative.corpus.documents.files import SearchFilters
from probative.corpus.indexing import settings_for_workers
from probative.engine.runner import MAX_ACTIVE
from probative.errors import BudgetError, InputError, ProbativeError, WorkerError
from probative.graph.graph import Graph
from probative.models.budget import Budget, Prices
from probative.models.loading import settings_budget
from probative.runners.contract import Call, Place, Pool, Runner, Work, check_version
from probative.session.session import Session
from probative.settings import TUNED_MODELS, Settings
from probative.types import Usage, Value
from probative.verbs.table import VERBS

# Lines that a worker runs side by side. What they ask at a time goes to the model as one batch.
GROUP = 8
# A short file is cut into at least this many groups, so that every worker has some.
_MIN_GROUPS = 16

Outcome = Value | ProbativeError


class GroupResult(NamedTuple):
    """The result or the error of each line of a group, and the fingerprints of the worker's models."""

    outcomes: list[tuple[int, Outcome]]
    weights: dict[str, str]


@dataclass(frozen=True)
class BatchJob:
    """Runs the verb of a batch. `arguments` are those of the session's method for many cases.

    A worker on another machine must find graphs and corpora at the same path.
    """

    verb: str
    settings: Settings
    arguments: Mapping[str, Any] = field(default_factory=dict)
    version: str = __version__

    @property
    def width(self) -> int:
        """How many groups run side by side: many wait for a server, one for a model in the same process."""
        served = self.settings.model.startswith("openai:")
        return max(1, self.settings.concurrency // GROUP) if served else 1

    @property
    def uses_gpu(self) -> bool:
        """Whether a model runs in the worker itself with PyTorch."""
        names = (self.settings.model, self.settings.judge_model or "", self.settings.encoder)
        return self.settings.device != "cpu" and any(name.startswith("hf:") for name in names)

    @contextmanager
    def shared(self) -> Iterator[Budget | None]:
        yield settings_budget(self.settings)

    @contextmanager
    def open(self, call: Call, place: Place) -> Iterator[Work]:
        """Open a session; raises `InputError` on a machine that has another version of the package."""
        check_version(self.version)
        settings = share_of(self.settings, place)
        budget = None if settings_budget(settings) is None else BudgetOfRun(call)
        with ExitStack() as stack:
            session = stack.enter_context(Session(settings=settings, budget=budget))
            arguments = reopened(self.arguments, stack, settings)
            yield lambda lines: self._run(session, arguments, lines)

    def _run(self, session: Session, arguments: Mapping[str, Any], lines: list[Line]) -> GroupResult:
        run_all = getattr(session, f"{self.verb}_all")
        width = min(len(lines), max_active(session, self.verb))
        outcomes = list(run_all(lines, max_active=width, **arguments))
        return GroupResult(outcomes, session.weights)


class RunnerRun:
    """Runs the lines of a batch with a runner. It also knows the weights that the workers have used.

    `session` names the models and is not used to run; it only compares weights with those of an earlier run.
    """

    def __init__(self, session: Session, verb: str, arguments: Mapping[str, Any], runner: Runner) -> None:
        if session.has_opened_models:
            raise InputError(
                "a runner with workers needs the names of models, not opened ones",
                hint="give the names in the settings of the session, or leave the runner out",
            )
        if session.budget is not None and settings_budget(session.settings) is None:
            raise InputError(
                "a runner with workers needs the budget in the settings, not as an object",
                hint="set budget_calls, budget_tokens or budget_money",
            )
        self.weights: dict[str, str] = {}
        self.fingerprint = session.fingerprint
        self._runner = runner
        sent = portable(arguments, VERBS.load(verb).counters)
        self._job = BatchJob(verb, settings_for_workers(session.settings), sent)

    def __call__(self, lines: list[Line]) -> Iterator[tuple[int, Outcome]]:
        """Yield the index of each line with its result or its error, as they are finished."""
        size = max(1, min(GROUP, len(lines) // _MIN_GROUPS))
        groups = [range(start, min(start + size, len(lines))) for start in range(0, len(lines), size)]
        with self._runner.open(self._job) as pool:
            lost = yield from self._run(pool, lines, groups)
            # One line may have ended the workers of its whole group: the others are run alone.
            alone = [range(index, index + 1) for group, _ in lost if len(group) > 1 for index in group]
            failed = [pair for pair in lost if len(pair[0]) == 1]
            failed += yield from self._run(pool, lines, alone)
        for group, error in failed:
            yield group[0], error

    def _run(
        self, pool: Pool, lines: Sequence[Line], groups: Sequence[range]
    ) -> Generator[tuple[int, Outcome], None, list[tuple[range, WorkerError]]]:
        """Yield the outcomes of groups; return the groups whose workers died again and again."""
        lost: list[tuple[range, WorkerError]] = []
        tasks = [[lines[index] for index in group] for group in groups]
        for number, result in pool.run(tasks) if tasks else ():
            if isinstance(result, WorkerError):
                lost.append((groups[number], result))
                continue
            self.weights |= result.weights
            for index, outcome in result.outcomes:
                yield groups[number][index], outcome
        return lost


def share_of(settings: Settings, place: Place) -> Settings:
    """Return the settings of one worker: its threads, and its share of what a server allows.

    >>> settings = Settings(concurrency=16, requests_per_minute=60)
    >>> share_of(settings, Place(workers=4, threads=2)).requests_per_minute
    15.0
    """

    def share(limit: float | None) -> float | None:
        return None if limit is None else limit / place.workers

    return settings.model_copy(
        update={
            "threads": settings.threads or place.threads,
            "concurrency": max(1, settings.concurrency // place.workers),
            "requests_per_minute": share(settings.requests_per_minute),
            "tokens_per_minute": share(settings.tokens_per_minute),
        }
    )


class BudgetOfRun(Budget):
    """The budget of a run, as a worker reaches it: all workers together stay within it.

    What a worker held when it was killed stays held, since its call may have been paid.
    """

    def __init__(self, call: Call) -> None:
        super().__init__()
        self._call = call

    def hold(self, worst: Usage, prices: Prices) -> str:
        limit: str = self._call("hold", worst, prices)
        return limit

    def settle(self, worst: Usage, real: Usage, prices: Prices) -> None:
        self._call("settle", worst, real, prices)

    def under_way(self) -> Usage:
        held: Usage = self._call("under_way")
        return held

    def exceeded(self, limit: str) -> BudgetError:
        error: BudgetError = self._call("exceeded", limit)
        return error


@dataclass(frozen=True)
class ClosedCorpus:
    """The index of a corpus, and which of its documents are searched."""

    index: Path
    filters: SearchFilters


def portable(arguments: Mapping[str, Any], counters: Container[str]) -> dict[str, Any]:
    """Return arguments that can be sent: a corpus and a stored graph as their places, without progress.

    >>> portable({"k": 3, "embedding": print}, ["embedding"])
    {'k': 3}
    """
    return {name: _portable(value) for name, value in arguments.items() if name not in counters}


def reopened(arguments: Mapping[str, Any], stack: ExitStack, settings: Settings) -> dict[str, Any]:
    """Return the arguments as a session takes them; `stack` closes what was opened."""
    return {
        name: stack.enter_context(Corpus.open(value.index, filters=value.filters, settings=settings))
        if isinstance(value, ClosedCorpus)
        else value
        for name, value in arguments.items()
    }


def _portable(value: Any) -> Any:
    if isinstance(value, Corpus):
        return ClosedCorpus(value.path.absolute(), value.filters)
    if isinstance(value, Graph) and value.folder is not None:
        return value.folder.absolute()
    return value


# The embedded models gain little from larger batches, and the first results should not wait for 64 cases; on
# a CPU, the large one gains nothing.
EMBEDDED_ACTIVE, LARGE_ACTIVE = 8, 1


def max_active(session: Session, verb: str) -> int:
    """Return how many cases of a verb run side by side with the models of a session."""
    most, settings = MAX_ACTIVE, session.settings
    if settings.model.startswith("embedded"):
        slow = settings.model == TUNED_MODELS[1] and settings.device in (None, "cpu")
        most = LARGE_ACTIVE if slow else EMBEDDED_ACTIVE
    return min(VERBS.load(verb).max_active, most)
