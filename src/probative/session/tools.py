"""The tools of a session: each model opened when it is first needed, with cache and budget around it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from probative.dry_run.stand_ins import WordModels
from probative.engine.methods import Tools
from probative.errors import InputError
from probative.models.budget import Budget, Prices
from probative.models.contract import LanguageModel
from probative.models.encoder import Encoder
from probative.models.evidence_policy import EvidencePolicy
from probative.models.loading import (
    judge_prices,
    judge_settings,
    load_policy,
    load_verdict,
    model_prices,
    open_encoder_backend,
    open_model_backend,
    wrap_model,
)
from probative.models.response_cache import ResponseCache
from probative.models.verdict import VERDICT_LIMITS, VerdictModel
from probative.models.wrappers import budgeted, cached, layers_around
from probative.session.pool import Leases, model_key
from probative.settings import CASCADE, TUNED_MODELS, Settings
from probative.verdict.cascade import CascadeVerdict

Scorer = TypeVar("Scorer", EvidencePolicy, VerdictModel)
_KNOWN = (*TUNED_MODELS, CASCADE, "model")
_VERDICTS = f"write {', '.join(map(repr, _KNOWN))} or 'hf:NAME'"


@dataclass(frozen=True)
class Opener:
    """Opens the models that settings name, shared through `leases`, with the session's cache and budget."""

    settings: Settings
    leases: Leases
    cache: ResponseCache | None
    budget: Budget | None
    dry_run: bool

    def model(self) -> LanguageModel:
        """Open the language model that answers."""
        return self._model(self.settings.model, self.settings, model_prices(self.settings))

    def judge(self) -> LanguageModel:
        """Open the language model that judges."""
        assert self.settings.judge_model is not None
        settings = judge_settings(self.settings)
        return self._model(self.settings.judge_model, settings, judge_prices(self.settings))

    def _model(self, name: str, settings: Settings, prices: Prices | None) -> LanguageModel:
        key = model_key("planned model" if self.dry_run else "model", name, settings)
        bare: LanguageModel = self.leases.lease(
            key, lambda: open_model_backend(name, settings, dry_run=self.dry_run)
        )
        return wrap_model(bare, self.cache, self.budget, prices, dry_run=self.dry_run)

    def encoder(self) -> Encoder:
        """Open the encoder. The embedded one is free; a budget counts any other."""
        if self.dry_run:
            return WordModels()
        name = self.settings.encoder
        key = model_key("encoder", name, self.settings)
        encoder: Encoder = self.leases.lease(key, lambda: open_encoder_backend(name, self.settings))
        if self.budget is not None and not name.startswith("embedded"):
            encoder = budgeted(encoder, self.budget)
        return encoder if self.cache is None else cached(encoder, self.cache)

    def policy(self) -> EvidencePolicy:
        """Open the evidence policy that the package ships."""
        return WordModels() if self.dry_run else self.wrapped(self._shipped("policy", load_policy))

    def verdict(self) -> VerdictModel:
        """Open the verdict model: that of the package, or ``hf:NAME``."""
        name = self.settings.verdict_model
        if self.dry_run:
            return WordModels(VERDICT_LIMITS.get(name))
        return self.wrapped(self._shipped("verdict", _load_verdict, name))

    def _shipped(self, kind: str, load: Callable[..., Scorer], name: str = "embedded") -> Scorer:
        key = model_key(kind, name, self.settings)
        model: Scorer = self.leases.lease(key, lambda: load(settings=self.settings))
        return model

    def wrapped(self, model: Scorer) -> Scorer:
        """Return a policy or a verdict model with budget and cache around it; one without a fingerprint is
        never cached, and one that counts for this budget already is not counted twice.

        Those of the package cost no money; their calls and tokens count.
        """
        budget = self.budget
        counted = any(getattr(layer, "budget", None) is budget for layer in layers_around(model))
        if budget is not None and not counted:
            model = budgeted(model, budget, Prices())
        if self.cache is None or getattr(model, "fingerprint", None) is None:
            return model
        return cached(model, self.cache)


def _load_verdict(*, settings: Settings) -> VerdictModel:
    """Open the verdict model of the settings, or both embedded ones as a cascade."""
    if settings.verdict_model != CASCADE:
        return load_verdict(settings=settings)
    small, large = (
        load_verdict(settings=settings.model_copy(update={"verdict": name})) for name in TUNED_MODELS
    )
    return CascadeVerdict(small, large)


def open_tools(
    opener: Opener,
    model: LanguageModel | None,
    judge: LanguageModel | None,
    encoder: Encoder | None,
    policy: EvidencePolicy | None,
    verdict: VerdictModel | None,
) -> Tools:
    """Return the tools of a session: the given ones, and the opener's for the others."""
    judging = opener.judge if opener.settings.judge_model is not None else None
    name = opener.settings.judge_model if judge is None else judge.name
    return Tools(
        model=opener.model if model is None else lambda: model,
        encoder=opener.encoder if encoder is None else lambda: encoder,
        policy=opener.policy if policy is None else lambda: policy,
        judge=judging if judge is None else lambda: judge,
        judge_name=name,
        verdict=opener.verdict if verdict is None else lambda: verdict,
        verdict_by_model=verdict is None and opener.settings.verdict_model == "model",
    )


def check_kinds(
    model: object, judge: object, encoder: object, settings: object, verdict: object = None
) -> None:
    """Raise `InputError` for arguments of a wrong type, before anything is opened."""
    for name, value in (("model", model), ("judge_model", judge)):
        if not isinstance(value, LanguageModel | str | None):
            raise InputError(f"{name} must be a LanguageModel or a name, got {type(value).__name__}")
    if not isinstance(encoder, Encoder | str | None):
        raise InputError(f"encoder must be an Encoder or a name, got {type(encoder).__name__}")
    if not isinstance(verdict, str | None) and not hasattr(verdict, "judge"):
        raise InputError(
            f"verdict must be a VerdictModel or a name, got {type(verdict).__name__}",
            hint=_VERDICTS,
        )
    if isinstance(verdict, str) and verdict not in _KNOWN and not verdict.startswith("hf:"):
        raise InputError(f"there is no verdict model called {verdict!r}", hint=_VERDICTS)
    if not isinstance(settings, Settings | None):
        raise InputError(
            f"settings must be a Settings, got {type(settings).__name__}", hint="use load_settings(…)"
        )
