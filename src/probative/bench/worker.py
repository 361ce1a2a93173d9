"""The worker of a run: opens its models once, with the run's budget and kept results, and runs its cases."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace

from probative import __version__
from probative.batch.job import BudgetOfRun, share_of
from probative.bench.call_log import CallLog, open_shared_state, store_of_run
from probative.bench.rows import Row
from probative.bench.study import Case, Lab, Settings, Study
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
from probative.models.budget import Budget, Prices
from probative.models.contract import Capability, LanguageModel, lacks
from probative.models.gathering import Gathering
from probative.models.in_process import LocalModel
from probative.models.loading import (
    judge_prices,
    judge_settings,
    model_prices,
    open_encoder_backend,
    open_model_backend,
    settings_budget,
)
from probative.models.response_cache import ResultStore
from probative.models.verdict import VerdictModel
from probative.models.wrappers import budgeted, cached, traced, wrapped
from probative.runners.contract import Call, Place, Work
from probative.server_url import ServerUrl
from probative.session.pool import Leases, model_key
from probative.session.session import Session
from probative.settings import Settings as ModelSettings

# Errors that every other case would meet as well: the run ends, and the same command goes on later.
_FATAL = (AuthError, BudgetError, ConnectError, NotFoundError, StoreError, WeightsError)
# Results of a model in this process that are kept at a time: a killed run asks at most these again.
LOCAL_GROUP = 256


@dataclass(frozen=True)
class Models:
    """The models of a run: those that `settings` name, or opened ones, which are not closed."""

    settings: ModelSettings
    model: LanguageModel | None = None
    judge: LanguageModel | None = None
    verdict: VerdictModel | None = None

    @property
    def names(self) -> dict[str, str | None]:
        """The names of the models and their servers, as the manifest has them."""
        settings = self.settings
        urls = {"base_url": settings.base_url, "judge_base_url": settings.judge_base_url}
        return {
            "model": settings.model if self.model is None else self.model.name,
            "judge_model": settings.judge_model if self.judge is None else self.judge.name,
            "encoder": settings.encoder,
            "verdict": settings.verdict_model if self.verdict is None else self.verdict.name,
            **{name: None if url is None else str(ServerUrl(url)) for name, url in urls.items()},
        }

    @property
    def has_judge(self) -> bool:
        """Whether there is a judge model."""
        return self.names["judge_model"] is not None


@dataclass(frozen=True)
class WorkerResult:
    """The row of a case; the fingerprints of the studied model and the judge; and those of all models that
    the worker has opened so far.
    """

    row: Row
    fingerprints: dict[str, str]
    weights: dict[str, str]


@dataclass(frozen=True)
class CaseJob:
    """Runs cases of an experiment; the task None only says which models a worker has opened. Paths are
    absolute, since a worker may have another working folder.
    """

    experiment: Study
    settings: Settings
    models: Models
    calls_file: Path
    version: str = __version__

    @property
    def width(self) -> int:
        """How many cases run side by side: several with a server, or with a PyTorch model whose device is not
        the CPU if the study allows it; otherwise one.
        """
        name = self.models.names["model"] or ""
        together = name.startswith("hf:") and self.uses_gpu and self.experiment.gathers
        return self.models.settings.concurrency if name.startswith("openai:") or together else 1

    @property
    def uses_gpu(self) -> bool:
        """Whether a model runs in the worker itself with PyTorch."""
        names = [self.models.names[kind] or "" for kind in ("model", "judge_model", "encoder")]
        return self.models.settings.device != "cpu" and any(name.startswith("hf:") for name in names)

    def shared(self) -> AbstractContextManager[SimpleNamespace]:
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
        with _open_lab(self.experiment, self.settings, models, store_of_run(call), budget) as (lab, prints):
            try_out = cache(partial(check_verbs, self.experiment, lab.model, ask=True))

            def run(case: Case | None) -> WorkerResult:
                if case is not None:
                    try_out()
                row = {} if case is None else {"key": case.key, **self._row(case, lab)}
                return WorkerResult(row, prints, lab.session.weights)

            yield run

    def _row(self, case: Case, lab: Lab) -> Row:
        able = lab.model.capabilities
        try:
            # As it will be read back: a resumed run reports on the same values.
            row: Row = json.loads(json.dumps(self.experiment.run(case, lab), allow_nan=False))
            return row
        except _FATAL:
            raise
        except CapabilityError as error:
            # Some servers show only when asked that they cannot score or choose. If the experiment needs it,
            # every case would fail; otherwise its methods do without from now on, in this case too.
            check_verbs(self.experiment, lab.model)
            if lab.model.capabilities != able:
                return self._row(case, lab)
            return failed_row(self.experiment, case, error)
        except Exception as error:  # a fault of one case must not lose the others
            return failed_row(self.experiment, case, error)


def failed_row(experiment: Study, case: Case, error: Exception) -> Row:
    """Return the row of a case that failed, without its key: what the case counts as, and the error."""
    return {**experiment.wrong(case), "error": str(error), "error_type": type(error).__name__}


@contextmanager
def _open_lab(
    experiment: Study, settings: Settings, models: Models, store: ResultStore, budget: Budget | None
) -> Iterator[tuple[Lab, dict[str, str]]]:
    """Open the models with results kept in `store`; yields the lab and the fingerprints of its models.

    Raises `CapabilityError` if the studied model lacks a verb that the experiment needs.
    """
    chosen = models.settings
    with ExitStack() as stack:
        leases = Leases()
        stack.callback(leases.close)

        def lease(name: str, settings: ModelSettings) -> LanguageModel:
            key = model_key("model", name, settings)
            opened: LanguageModel = leases.lease(key, lambda: open_model_backend(name, settings))
            return opened

        bare = {"model": models.model or lease(chosen.model, chosen)}
        check_verbs(experiment, bare["model"])
        if models.has_judge:
            bare["judge_model"] = models.judge or lease(str(chosen.judge_model), judge_settings(chosen))
        encoder = None
        if not chosen.encoder.startswith("embedded"):
            encoder = cached(open_encoder_backend(chosen.encoder, chosen), store)
        quiet = chosen.model_copy(update={"cache": experiment.caches, "judge_model": None})
        prices = {"model": model_prices(chosen), "judge_model": judge_prices(chosen)}
        sessions, gates = {}, dict[int, Gathering]()
        for role, model in bare.items():
            gathers = experiment.gathers and model.name.startswith("hf:")
            # The judge may be the studied model: then it is asked together for both.
            asked = wrapped(model, gates.setdefault(id(model), Gathering())) if gathers else model
            limited = asked if budget is None else budgeted(asked, budget, prices[role] or Prices())
            log = CallLog(limited, store, group=LOCAL_GROUP if isinstance(model, LocalModel) else 1)
            sessions[role] = stack.enter_context(
                Session(traced(log), encoder=encoder, verdict=models.verdict, settings=quiet)
            )
        lab = Lab(sessions["model"], sessions.get("judge_model"), settings)
        yield lab, {role: model.fingerprint for role, model in bare.items()}


def check_verbs(experiment: Study, model: LanguageModel, *, ask: bool = False) -> None:
    """Raise `CapabilityError` if a model lacks a verb that an experiment needs; with `ask`, a server that
    only shows it when asked is asked.
    """
    for capability in (Capability.GENERATE, Capability.SCORE, Capability.CHOOSE):
        if capability.value not in experiment.verbs:
            continue
        why = f"the experiment {experiment.name} needs it"
        if capability not in model.capabilities:
            raise lacks(model.name, capability, why)
        try:
            if ask:
                model.try_out(capability)
        except CapabilityError as error:
            raise CapabilityError(f"{error.what}; {why}", hint=error.hint) from error
