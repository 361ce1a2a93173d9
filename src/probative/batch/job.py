"""The lines of a batch as a job: a worker opens the models once and runs one group of lines after another."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from probative import __version__
from probative.batch.cases import Line
from probative.batch.places import opened, portable
from probative.batch.shared_budget import BudgetOfRun
from probative.batch.width import max_active
from probative.batch.worker_settings import share_of
from probative.errors import InputError, ProbativeError, WorkerError
from probative.models.budget import Budget
from probative.models.loading import settings_budget
from probative.runners.contract import Call, Place, Pool, Runner, Work
from probative.session.session import Session
from probative.settings import Settings
from probative.types import Value

# Lines that a worker runs side by side. What they ask at a time goes to the model as one batch.
GROUP = 8
# A short file is cut into at least this many groups, so that every worker has some.
_MIN_GROUPS = 16

Outcome = Value | ProbativeError


@dataclass(frozen=True)
class GroupResult:
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
        """Open the budget of the whole run."""
        yield settings_budget(self.settings)

    @contextmanager
    def open(self, call: Call, place: Place) -> Iterator[Work]:
        """Open a session; raises `InputError` on a machine that has another version of the package."""
        if self.version != __version__:
            raise InputError(
                f"a worker has probative {__version__}, the run {self.version}",
                hint="install one version on all machines",
            )
        settings = share_of(self.settings, place)
        budget = None if settings_budget(settings) is None else BudgetOfRun(call)
        with ExitStack() as stack:
            session = stack.enter_context(Session(settings=settings, budget=budget))
            arguments = opened(self.arguments, stack, settings)
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
        self._job = BatchJob(verb, _absolute(session.settings), portable(arguments))

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


def _absolute(settings: Settings) -> Settings:
    """Return the settings for a worker, which may have another working folder."""
    folders = {
        "home": settings.home and settings.home_folder,
        "wheels": settings.wheels_folder,
        "prompts": settings.prompts,
    }
    return settings.model_copy(update={name: path and path.absolute() for name, path in folders.items()})
