"""`load_model` and `load_encoder`: from a name to a model with its cache, budget and trace."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any, NamedTuple

from probative.errors import InputError, SettingsError
from probative.models.contract import Encoder, LanguageModel
from probative.models.wrappers.budget import Budget, Budgeted, Prices
from probative.models.wrappers.cache import Cached, ResponseCache
from probative.models.wrappers.dry_run import DryRun
from probative.models.wrappers.traced import Traced
from probative.settings import Settings, load_settings

ENTRY_POINTS = "probative.models"

# Each backend is imported when it is asked for, so that nobody pays for what they do not use.
_MODELS = {
    "embedded": "probative.models.embedded.opening:open_model",
    "openai": "probative.models.openai.opening:open_model",
    "hf": "probative.models.hf.model:open_model",
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
    name: str | LanguageModel | None = None,
    *,
    budget: Budget | None = None,
    dry_run: bool = False,
    settings: Settings | None = None,
    **options: Any,
) -> LanguageModel:
    """A language model by name: ``embedded``, ``embedded:plain``, ``openai:NAME`` or ``hf:NAME-or-path``.

    `options` are settings (`base_url`, `api_key`, `cache`, `concurrency`, …; see
    `probative.settings`); what is not given comes from the environment, probative.toml and the
    defaults; or give a whole `Settings` instead. The embedded model is fetched at its first use. A
    model of your own (a `LanguageModel`) gets the same cache, budget and trace around it.

    >>> model = load_model()
    >>> [round(score.log_probability, 1) < 0 for score in model.score([("Two and two make", " four")])]
    [True]
    """
    own = name if isinstance(name, LanguageModel) else None
    settings = _settings(settings, {**options, "model": None if own else name})
    model = own or open_model_backend(settings.model, settings)
    budget = budget or settings_budget(settings)
    return wrap_model(model, settings_cache(settings), budget, model_prices(settings), dry_run=dry_run)


def load_models(*, dry_run: bool = False, settings: Settings | None = None, **options: Any) -> Models:
    """The model and the judge, under one budget. The judge is `judge_model` where that is set."""
    settings = _settings(settings, options)
    budget, cache = settings_budget(settings), settings_cache(settings)
    bare = open_model_backend(settings.model, settings)
    model = wrap_model(bare, cache, budget, model_prices(settings), dry_run=dry_run)
    if settings.judge_model is None:
        return Models(model, model)
    judge = open_model_backend(settings.judge_model, judge_settings(settings))
    return Models(model, wrap_model(judge, cache, budget, judge_prices(settings), dry_run=dry_run))


def load_encoder(name: str | None = None, *, settings: Settings | None = None, **options: Any) -> Encoder:
    """An encoder by name: ``embedded`` or ``openai:NAME``. It counts what it costs in its `usage`; cache,
    budget and trace are for language models.
    """
    settings = _settings(settings, {**options, "encoder": name})
    return open_encoder_backend(settings.encoder, settings)


def open_model_backend(name: str, settings: Settings) -> LanguageModel:
    """Open the language model of this name, with nothing around it."""
    model: LanguageModel = _open(_MODELS, name, settings)
    return model


def open_encoder_backend(name: str, settings: Settings) -> Encoder:
    """Open the encoder of this name, with nothing around it."""
    encoder: Encoder = _open(_ENCODERS, name, settings)
    return encoder


def judge_settings(settings: Settings) -> Settings:
    """Return the settings of the judge: its own server and key if they are set, else the model's."""
    return settings.model_copy(
        update={
            "base_url": settings.judge_base_url or settings.base_url,
            "api_key": settings.judge_api_key or settings.api_key,
        }
    )


def settings_cache(settings: Settings) -> ResponseCache | None:
    """Return the response cache, or None if the settings switch it off."""
    return ResponseCache(settings.cache_file) if settings.cache else None


def _settings(settings: Settings | None, given: dict[str, Any]) -> Settings:
    if settings is None:
        return load_settings(given)
    named = [name for name, value in given.items() if value is not None]
    if named:
        raise InputError(f"both settings and {', '.join(named)} were given", hint="give one or the other")
    return settings


def wrap_model(
    model: LanguageModel,
    cache: ResponseCache | None,
    budget: Budget | None,
    prices: Prices,
    *,
    dry_run: bool,
) -> LanguageModel:
    """Return the model with budget, cache and trace around it.

    A dry run reads the cache, as a real one would, and never writes to it.
    """
    if dry_run:
        model = DryRun(model)
    elif budget is not None:
        model = Budgeted(model, budget, prices)
    if cache is not None:
        model = Cached(model, cache, read_only=dry_run)
    return Traced(model)


def backends() -> dict[str, str]:
    """The known backends of language models and where each comes from."""
    found = {point.name: point.value for point in entry_points(group=ENTRY_POINTS)}
    return {**found, **_MODELS}


def _open(table: dict[str, str], name: str, settings: Settings) -> Any:
    backend, _, rest = name.partition(":")
    known = backends() if table is _MODELS else table
    if backend not in known:
        meant = f"openai:{name} or hf:{name}" if table is _MODELS else f"openai:{name}"
        raise InputError(
            f"there is no model called {name!r}",
            hint=f"name the backend first: {', '.join(sorted(known))}; perhaps you meant {meant}",
        )
    module, _, function = known[backend].partition(":")
    opener: Callable[[str, Settings], Any] = getattr(importlib.import_module(module), function)
    return opener(rest, settings)


def settings_budget(settings: Settings) -> Budget | None:
    """The budget that the settings name, if they name one."""
    limits = (settings.budget_calls, settings.budget_tokens, settings.budget_money)
    if all(limit is None for limit in limits):
        return None
    prices = (model_prices(settings), judge_prices(settings))
    if settings.budget_money is not None and all(price == Prices() for price in prices):
        raise SettingsError(
            "budget_money without prices limits nothing",
            hint="set price_prompt and price_completion, for a million tokens each",
        )
    return Budget(
        calls=settings.budget_calls,
        tokens=settings.budget_tokens,
        money=settings.budget_money,
        prices=model_prices(settings),
    )


def model_prices(settings: Settings) -> Prices:
    """Return the prices of the model that answers."""
    return Prices(prompt=settings.price_prompt, completion=settings.price_completion)


def judge_prices(settings: Settings) -> Prices:
    """Return the prices of the judge: its own if they are set, else the model's."""
    own, other = model_prices(settings), (settings.judge_price_prompt, settings.judge_price_completion)
    return Prices(
        prompt=own.prompt if other[0] is None else other[0],
        completion=own.completion if other[1] is None else other[1],
    )
