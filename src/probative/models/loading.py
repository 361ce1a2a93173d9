"""`load_model` and `load_encoder`: from a name to a model with its cache, budget and trace."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any, NamedTuple

from probative.errors import InputError
from probative.models.budget import Budget, Budgeted, Prices
from probative.models.cache import Cached, ResponseCache
from probative.models.contract import Encoder, LanguageModel
from probative.models.dry_run import DryRun
from probative.models.tracing import Traced
from probative.settings import Settings, load_settings

ENTRY_POINTS = "probative.models"

# Each backend is imported when it is asked for, so that nobody pays for what they do not use.
_MODELS = {
    "embedded": "probative.models.embedded.opening:open_model",
    "openai": "probative.models.openai.opening:open_model",
    "hf": "probative.models.hf:open_model",
}
_ENCODERS = {
    "embedded": "probative.models.embedded.opening:open_encoder",
    "openai": "probative.models.openai.opening:open_encoder",
}


class Models(NamedTuple):
    """The model that works and the one that judges; the same one where no judge is named."""

    model: LanguageModel
    judge: LanguageModel


def load_model(
    name: str | None = None,
    *,
    budget: Budget | None = None,
    dry_run: bool = False,
    settings: Settings | None = None,
    **options: Any,
) -> LanguageModel:
    """A language model by name: ``embedded``, ``openai:NAME`` or ``hf:NAME-or-path``.

    `options` are settings (`base_url`, `api_key`, `cache`, `concurrency`, …; see
    `probative.settings`); what is not given comes from the environment, probative.toml and the
    defaults. The embedded model is fetched at its first use.

    >>> model = load_model()
    >>> [round(score.log_probability, 1) < 0 for score in model.score([("Two and two make", " four")])]
    [True]
    """
    settings = settings or load_settings({**options, "model": name})
    model = _open(_MODELS, settings.model, settings)
    if dry_run:
        return Traced(DryRun(model))
    model = Budgeted(model, budget or _budget(settings)) if budget or _limited(settings) else model
    model = Cached(model, ResponseCache(settings.cache_file)) if settings.cache else model
    return Traced(model)


def load_models(*, dry_run: bool = False, settings: Settings | None = None, **options: Any) -> Models:
    """The model and the judge, under one budget. The judge is `judge_model` where that is set."""
    settings = settings or load_settings(options)
    budget = _budget(settings) if _limited(settings) else None
    model = load_model(settings=settings, budget=budget, dry_run=dry_run)
    if settings.judge_model is None:
        return Models(model, model)
    judge_settings = settings.model_copy(
        update={
            "model": settings.judge_model,
            "base_url": settings.judge_base_url or settings.base_url,
            "api_key": settings.judge_api_key or settings.api_key,
        }
    )
    return Models(model, load_model(settings=judge_settings, budget=budget, dry_run=dry_run))


def load_encoder(name: str | None = None, *, settings: Settings | None = None, **options: Any) -> Encoder:
    """An encoder by name: ``embedded`` or ``openai:NAME``."""
    settings = settings or load_settings({**options, "encoder": name})
    encoder: Encoder = _open(_ENCODERS, settings.encoder, settings)
    return encoder


def backends() -> dict[str, str]:
    """The known backends of language models and where each comes from."""
    found = {point.name: point.value for point in entry_points(group=ENTRY_POINTS)}
    return {**found, **_MODELS}


def _open(table: dict[str, str], name: str, settings: Settings) -> Any:
    backend, _, rest = name.partition(":")
    known = {
        **(
            {point.name: point.value for point in entry_points(group=ENTRY_POINTS)}
            if table is _MODELS
            else {}
        ),
        **table,
    }
    if backend not in known:
        meant = f"openai:{name} or hf:{name}" if table is _MODELS else f"openai:{name}"
        raise InputError(
            f"there is no model called {name!r}",
            mend=f"name the backend first: {', '.join(sorted(known))}; perhaps you meant {meant}",
        )
    module, _, function = known[backend].partition(":")
    opener: Callable[[str, Settings], Any] = getattr(importlib.import_module(module), function)
    return opener(rest, settings)


def _limited(settings: Settings) -> bool:
    limits = (settings.budget_calls, settings.budget_tokens, settings.budget_money)
    return any(limit is not None for limit in limits)


def _budget(settings: Settings) -> Budget:
    return Budget(
        calls=settings.budget_calls,
        tokens=settings.budget_tokens,
        money=settings.budget_money,
        prices=Prices(prompt=settings.price_prompt, completion=settings.price_completion),
    )
