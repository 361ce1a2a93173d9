"""The cases of an experiment as a job: a worker opens the models once and runs one case after another."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from probative import __version__
from probative.batch.job import BudgetOfRun, share_of
from probative.bench.call_log import SharedState, StoreOfRun, open_shared_state
from probative.bench.experiment import Case, Experiment, Settings
from probative.bench.open_models import Models, OpenLab, check_verbs, open_lab
from probative.bench.rows import Row
from probative.errors import (
    AuthError,
    BudgetError,
    CapabilityError,
    ConnectError,
    InputError,
    NotFoundError,
    StoreError,
    WeightsError,
)
from probative.models.loading import settings_budget
from probative.runners.contract import Call, Place, Work

# Errors that every other case would meet as well: the run ends, and the same command goes on later.
_FATAL = (AuthError, BudgetError, ConnectError, NotFoundError, StoreError, WeightsError)


@dataclass(frozen=True)
class Describe:
    """The task to say which models a worker has opened."""


@dataclass(frozen=True)
class Description:
    """The fingerprints of the studied model and the judge, and of all models that the worker has opened."""

    fingerprints: dict[str, str]
    weights: dict[str, str]


@dataclass(frozen=True)
class CaseResult:
    """The row of a case, and the fingerprints of all models that the worker has opened so far."""

    row: Row
    weights: dict[str, str]


@dataclass(frozen=True)
class CaseJob:
    """Runs cases of an experiment. Paths are absolute, since a worker may have another working folder."""

    experiment: Experiment
    settings: Settings
    models: Models
    calls_file: Path
    version: str = __version__

    @property
    def width(self) -> int:
        """How many cases run side by side: many ask a server, one a model in the same process."""
        name = self.models.names["model"] or ""
        return self.models.settings.concurrency if name.startswith("openai:") else 1

    @property
    def uses_gpu(self) -> bool:
        """Whether a model runs in the worker itself with PyTorch."""
        names = [self.models.names[kind] or "" for kind in ("model", "judge_model", "encoder")]
        return self.models.settings.device != "cpu" and any(name.startswith("hf:") for name in names)

    def shared(self) -> AbstractContextManager[SharedState]:
        """Open the kept results and the budget."""
        return open_shared_state(self.calls_file, settings_budget(self.models.settings))

    @contextmanager
    def open(self, call: Call, place: Place) -> Iterator[Work]:
        """Open the models; raises `InputError` on a machine that has another version of the package."""
        if self.version != __version__:
            raise InputError(
                f"a worker has probative {__version__}, the run {self.version}",
                hint="install one version on all machines",
            )
        models = replace(self.models, settings=share_of(self.models.settings, place))
        budget = None if settings_budget(models.settings) is None else BudgetOfRun(call)
        with open_lab(self.experiment, self.settings, models, StoreOfRun(call), budget) as lab:
            yield lambda task: self._run(task, lab)

    def _run(self, task: Describe | Case, lab: OpenLab) -> Description | CaseResult:
        if isinstance(task, Describe):
            return Description(lab.fingerprints, lab.lab.session.weights)
        row = {"key": task.key, **self._row(task, lab)}
        return CaseResult(row, lab.lab.session.weights)

    def _row(self, case: Case, lab: OpenLab) -> Row:
        model = lab.lab.model
        able = model.capabilities
        try:
            # As it will be read back: a resumed run reports on the same values.
            row: Row = json.loads(json.dumps(self.experiment.run(case, lab.lab), allow_nan=False))
            return row
        except _FATAL:
            raise
        except CapabilityError as error:
            # Some servers show only when asked that they cannot score or choose. If the experiment needs it,
            # every case would fail; otherwise its methods do without from now on, in this case too.
            check_verbs(self.experiment, model)
            return self._failed(case, error) if model.capabilities == able else self._row(case, lab)
        except Exception as error:  # a fault of one case must not lose the others
            return self._failed(case, error)

    def _failed(self, case: Case, error: Exception) -> Row:
        """Return the row of a case that failed: the error, and what the case counts as."""
        return {**self.experiment.wrong(case), **error_row(error)}


def error_row(error: Exception) -> Row:
    """Return the row of a case that failed."""
    return {"error": str(error), "error_type": type(error).__name__}
