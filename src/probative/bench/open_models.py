"""Open the models of a run: the studied one and the judge, with the run's budget and its kept results."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from probative.bench.call_log import CallLog
from probative.bench.experiment import Experiment, Lab, Settings
from probative.models.budget import Budget
from probative.models.contract import Capability, LanguageModel, lacks
from probative.models.in_process import LocalModel
from probative.models.loading import (
    judge_prices,
    judge_settings,
    model_prices,
    open_encoder_backend,
    open_model_backend,
)
from probative.models.response_cache import ResultStore
from probative.models.verdict import VerdictModel
from probative.models.wrappers import budgeted, cached, traced
from probative.session.pool import Leases, model_key
from probative.session.session import Session
from probative.settings import Settings as ModelSettings

_LANGUAGE_VERBS = (Capability.GENERATE, Capability.SCORE, Capability.CHOOSE)

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
        from probative.server_url import ServerUrl

        settings = self.settings
        urls = {"base_url": settings.base_url, "judge_base_url": settings.judge_base_url}
        return {
            "model": settings.model if self.model is None else self.model.name,
            "judge_model": settings.judge_model if self.judge is None else self.judge.name,
            "encoder": settings.encoder,
            "verdict": settings.verdict if self.verdict is None else self.verdict.name,
            **{name: None if url is None else str(ServerUrl(url)) for name, url in urls.items()},
        }

    @property
    def has_judge(self) -> bool:
        """Whether there is a judge model."""
        return self.names["judge_model"] is not None


@dataclass(frozen=True)
class OpenLab:
    """The lab of a run and the fingerprints of its models."""

    lab: Lab
    fingerprints: dict[str, str]


@contextmanager
def open_lab(
    experiment: Experiment, settings: Settings, models: Models, kept: ResultStore, budget: Budget | None
) -> Iterator[OpenLab]:
    """Open the models with results kept in `kept`.

    Raises `CapabilityError` if the studied model lacks a verb that the experiment needs.
    """
    with ExitStack() as stack:
        leases = Leases()
        stack.callback(leases.close)
        chosen = models.settings

        def wrapped(bare: LanguageModel, judging: bool) -> CallLog:
            prices = judge_prices(chosen) if judging else model_prices(chosen)
            group = LOCAL_GROUP if isinstance(bare, LocalModel) else 1
            return CallLog(budgeted(bare, budget, prices) if budget is not None else bare, kept, group=group)

        def lease(name: str, own: ModelSettings) -> LanguageModel:
            opened: LanguageModel = leases.lease(
                model_key("model", name, own), lambda: open_model_backend(name, own)
            )
            return opened

        bare = models.model or lease(chosen.model, chosen)
        check_verbs(experiment, bare)
        keeping = [wrapped(bare, judging=False)]
        fingerprints = {"model": bare.fingerprint}
        if models.has_judge:
            judge = models.judge or lease(str(chosen.judge_model), judge_settings(chosen))
            fingerprints["judge_model"] = judge.fingerprint
            keeping.append(wrapped(judge, judging=True))
        quiet = chosen.model_copy(update={"cache": False, "judge_model": None})
        encoder = None
        if not chosen.encoder.startswith("embedded"):
            encoder = cached(open_encoder_backend(chosen.encoder, chosen), kept)
        sessions = [
            stack.enter_context(
                Session(traced(model), encoder=encoder, verdict=models.verdict, settings=quiet)
            )
            for model in keeping
        ]
        lab = Lab(sessions[0], sessions[1] if len(sessions) > 1 else None, settings)
        yield OpenLab(lab, fingerprints)


def check_verbs(experiment: Experiment, model: LanguageModel) -> None:
    """Raise `CapabilityError` if a model lacks a verb that an experiment needs."""
    for capability in _LANGUAGE_VERBS:
        if capability.value in experiment.verbs and capability not in model.capabilities:
            raise lacks(model.name, capability, f"the experiment {experiment.name} needs it")
