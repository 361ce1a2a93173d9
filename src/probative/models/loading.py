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
    model = own or _open(_MODELS, settings.model, settings)
    return _dressed(model, settings, budget or _budget(settings), _prices(settings), dry_run=dry_run)


def load_models(*, dry_run: bool = False, settings: Settings | None = None, **options: Any) -> Models:
    """The model and the judge, under one budget. The judge is `judge_model` where that is set."""
    settings = _settings(settings, options)
    budget = _budget(settings)
    model = _dressed(
        _open(_MODELS, settings.model, settings), settings, budget, _prices(settings), dry_run=dry_run
    )
    if settings.judge_model is None:
        return Models(model, model)
    theirs = settings.model_copy(
        update={
            "base_url": settings.judge_base_url or settings.base_url,
            "api_key": settings.judge_api_key or settings.api_key,
        }
    )
    judge = _open(_MODELS, settings.judge_model, theirs)
    return Models(model, _dressed(judge, theirs, budget, _judge_prices(settings), dry_run=dry_run))


def load_encoder(name: str | None = None, *, settings: Settings | None = None, **options: Any) -> Encoder:
    """An encoder by name: ``embedded`` or ``openai:NAME``. It counts what it costs in its `usage`; cache,
    budget and trace are for language models.
    """
    settings = _settings(settings, {**options, "encoder": name})
    encoder: Encoder = _open(_ENCODERS, settings.encoder, settings)
    return encoder


def _settings(settings: Settings | None, given: dict[str, Any]) -> Settings:
    if settings is None:
        return load_settings(given)
    named = [name for name, value in given.items() if value is not None]
    if named:
        raise InputError(f"both settings and {', '.join(named)} were given", hint="give one or the other")
    return settings


def _dressed(
    model: LanguageModel, settings: Settings, budget: Budget | None, prices: Prices, *, dry_run: bool
) -> LanguageModel:
    """The model with what belongs around it. A dry run reads the cache, as a real one would, and leaves
    it as it is.
    """
    if dry_run:
        model = DryRun(model)
    elif budget is not None:
        model = Budgeted(model, budget, prices)
    if settings.cache:
        model = Cached(model, ResponseCache(settings.cache_file), read_only=dry_run)
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


def _budget(settings: Settings) -> Budget | None:
    """The budget that the settings name, if they name one."""
    limits = (settings.budget_calls, settings.budget_tokens, settings.budget_money)
    if all(limit is None for limit in limits):
        return None
    prices = (_prices(settings), _judge_prices(settings))
    if settings.budget_money is not None and all(price == Prices() for price in prices):
        raise SettingsError(
            "budget_money without prices limits nothing",
            hint="set price_prompt and price_completion, for a million tokens each",
        )
    return Budget(
        calls=settings.budget_calls,
        tokens=settings.budget_tokens,
        money=settings.budget_money,
        prices=_prices(settings),
    )


def _prices(settings: Settings) -> Prices:
    return Prices(prompt=settings.price_prompt, completion=settings.price_completion)


def _judge_prices(settings: Settings) -> Prices:
    own, other = _prices(settings), (settings.judge_price_prompt, settings.judge_price_completion)
    return Prices(
        prompt=own.prompt if other[0] is None else other[0],
        completion=own.completion if other[1] is None else other[1],
    )
