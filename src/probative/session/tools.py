"""The tools of a session: each model opened when it is first needed, with cache and budget around it."""

from __future__ import annotations

from dataclasses import dataclass

from probative.engine.tools import Tools
from probative.errors import InputError
from probative.models.contract import LanguageModel
from probative.models.encoder import Encoder
from probative.models.evidence_policy import EvidencePolicy, load_policy
from probative.models.loading import (
    judge_prices,
    judge_settings,
    model_prices,
    open_encoder_backend,
    open_model_backend,
    wrap_model,
)
from probative.models.verdict import VerdictModel, load_verdict
from probative.models.wrappers.budget import Budget, BudgetedEncoder, BudgetedPolicy, BudgetedVerdict, Prices
from probative.models.wrappers.cache import CachedEncoder, CachedPolicy, CachedVerdict
from probative.models.wrappers.dry_run import DryRunItems
from probative.models.wrappers.response_cache import ResponseCache
from probative.session.pool import Leases, model_key
from probative.settings import Settings

VERDICTS = ("embedded", "model")
"""The names of verdict models."""


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

    def _model(self, name: str, settings: Settings, prices: Prices) -> LanguageModel:
        key = model_key("model", name, settings)
        bare: LanguageModel = self.leases.lease(key, lambda: open_model_backend(name, settings))
        return wrap_model(bare, self.cache, self.budget, prices, dry_run=self.dry_run)

    def encoder(self) -> Encoder:
        """Open the encoder. The embedded one is free; a budget counts any other."""
        if self.dry_run:
            return DryRunItems()
        return self.real_encoder()

    def real_encoder(self) -> Encoder:
        """Open the encoder even in a dry run."""
        name = self.settings.encoder
        key = model_key("encoder", name, self.settings)
        encoder: Encoder = self.leases.lease(key, lambda: open_encoder_backend(name, self.settings))
        if self.budget is not None and not name.startswith("embedded"):
            encoder = BudgetedEncoder(encoder, self.budget)
        return CachedEncoder(encoder, self.cache) if self.cache is not None else encoder

    def policy(self) -> EvidencePolicy:
        """Open the evidence policy that the package ships."""
        if self.dry_run:
            return DryRunItems()
        key = model_key("policy", "embedded", self.settings)
        policy: EvidencePolicy = self.leases.lease(key, lambda: load_policy(settings=self.settings))
        return self.cached_policy(policy)

    def cached_policy(self, policy: EvidencePolicy) -> EvidencePolicy:
        """Return the policy with budget and cache around it; one without a fingerprint is never cached.

        It is part of the package and costs no money; its calls and tokens count.
        """
        if self.budget is not None and not counts(policy, self.budget):
            policy = BudgetedPolicy(policy, self.budget, Prices())
        if self.cache is None or getattr(policy, "fingerprint", None) is None:
            return policy
        return CachedPolicy(policy, self.cache)

    def verdict(self) -> VerdictModel:
        """Open the verdict model that the package ships."""
        if self.dry_run:
            return DryRunItems()
        key = model_key("verdict", "embedded", self.settings)
        verdict: VerdictModel = self.leases.lease(key, lambda: load_verdict(settings=self.settings))
        return self.cached_verdict(verdict)

    def cached_verdict(self, verdict: VerdictModel) -> VerdictModel:
        """Return the verdict model with budget and cache around it."""
        if self.budget is not None and not counts(verdict, self.budget):
            verdict = BudgetedVerdict(verdict, self.budget, Prices())
        return CachedVerdict(verdict, self.cache) if self.cache is not None else verdict


def counts(tool: object, budget: Budget) -> bool:
    """Return whether a model, or one that it wraps, counts for this budget already."""
    while tool is not None:
        if getattr(tool, "budget", None) is budget:
            return True
        tool = getattr(tool, "inner", None)
    return False


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
        verdict_by_model=verdict is None and opener.settings.verdict == "model",
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
            hint="write 'embedded' or 'model'",
        )
    if isinstance(verdict, str) and verdict not in VERDICTS:
        raise InputError(f"there is no verdict model called {verdict!r}", hint="write 'embedded' or 'model'")
    if not isinstance(settings, Settings | None):
        raise InputError(
            f"settings must be a Settings, got {type(settings).__name__}", hint="use load_settings(…)"
        )
