"""Open a model or an encoder by name, and add cache, budget and trace."""

from __future__ import annotations

from typing import Any, NamedTuple, cast

from probative.errors import InputError, SettingsError
from probative.models.budget import Budget, Prices
from probative.models.contract import LanguageModel
from probative.models.encoder import Encoder
from probative.models.evidence_policy import EvidencePolicy
from probative.models.prices import listed_prices
from probative.models.response_cache import ResponseCache
from probative.models.verdict import VerdictModel
from probative.models.wrappers import budgeted, cached, traced
from probative.registry import Registry
from probative.settings import TUNED_MODELS, Settings, load_settings

# Functions from the rest of a name ("gpt-4o-mini" of "openai:gpt-4o-mini") and the settings to a model.
MODELS = Registry(
    "model",
    {
        "embedded": "probative.models.embedded.language:open_model",
        "openai": "probative.models.openai.model:open_model",
        "hf": "probative.models.hf.model:open_model",
    },
    group="probative.models",
)
ENCODERS = Registry(
    "encoder",
    {
        "embedded": "probative.models.embedded.encoder:open_encoder",
        "openai": "probative.models.openai.encoder:open_encoder",
        "hf": "probative.models.hf.encoder:open_encoder",
    },
    group="probative.encoders",
)
VERDICTS = Registry(
    "verdict model",
    {
        "embedded": "probative.models.embedded.verdict:open_verdict",
        "hf": "probative.models.hf.verdict:open_verdict",
    },
)
_SHIPPED = Registry("shipped model", {"policy": "probative.models.embedded.encoder:open_policy"})
"""What the package alone has: a function from the settings to a model."""
_DRY_RUN = Registry(
    "part of a dry run",
    {
        "stand-in": "probative.dry_run.stand_ins:stand_in",
        "unopened": "probative.dry_run.stand_ins:Unopened",
    },
)
"""What takes the place of models: a function of an opened one, and one of a name."""
# The backends that load weights; the others are opened for a dry run, too, and only asked for their limits.
_IN_PROCESS = ("embedded", "hf")


class Models(NamedTuple):
    """The model that answers and the model that judges."""

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
    """Return the language model ``embedded``, ``embedded:large``, ``openai:NAME`` or ``hf:NAME-or-path``.

    `options` are settings (`base_url`, `api_key`, `cache`, `concurrency`, …; see `probative.settings`). The
    other settings come from the environment, probative.toml and the defaults. Pass `settings` to set all of
    them. The embedded model is fetched at its first use. A model of your own (a `LanguageModel`) gets the
    same cache, budget and trace.

    >>> model = load_model()
    >>> [round(score.log_probability, 1) < 0 for score in model.score([("Two and two make", " four")])]
    [True]
    """
    backend = name if isinstance(name, LanguageModel) else None
    settings = _settings(settings, {**options, "model": None if backend else name})
    model = backend or open_model_backend(settings.model, settings, dry_run=dry_run)
    budget = budget or settings_budget(settings)
    return wrap_model(model, settings_cache(settings), budget, model_prices(settings), dry_run=dry_run)


def load_models(*, dry_run: bool = False, settings: Settings | None = None, **options: Any) -> Models:
    """Return the model and the judge under one budget; the same model where `judge_model` is not set."""
    settings = _settings(settings, options)
    budget, cache = settings_budget(settings), settings_cache(settings)
    bare = open_model_backend(settings.model, settings, dry_run=dry_run)
    model = wrap_model(bare, cache, budget, model_prices(settings), dry_run=dry_run)
    if settings.judge_model is None:
        return Models(model, model)
    judge = open_model_backend(settings.judge_model, judge_settings(settings), dry_run=dry_run)
    return Models(model, wrap_model(judge, cache, budget, judge_prices(settings), dry_run=dry_run))


def load_encoder(name: str | None = None, *, settings: Settings | None = None, **options: Any) -> Encoder:
    """Return the encoder ``embedded``, ``openai:NAME`` or ``hf:NAME-or-path``, without a cache; a `Session`
    adds one. An ``hf:`` encoder is a sentence-transformers model with mean or CLS pooling.
    """
    settings = _settings(settings, {**options, "encoder": name})
    return open_encoder_backend(settings.encoder, settings)


def load_policy(*, settings: Settings | None = None) -> EvidencePolicy:
    """Open the evidence policy that the package ships; it is converted at its first use.

    >>> from probative.models.evidence_policy import PolicyState
    >>> state = PolicyState("The bridge was opened in 1890.", (), ("It opened in 1890.", "Herons eat fish."))
    >>> (weighed,) = load_policy().weigh([state])
    >>> weighed.candidates[0] > weighed.candidates[1]
    True
    """
    return cast(EvidencePolicy, _SHIPPED.load("policy")(settings or load_settings()))


def load_verdict(*, settings: Settings | None = None) -> VerdictModel:
    """Open the verdict model of the settings: that of the package, which is converted at its first use, or
    ``hf:NAME``.
    """
    settings = settings or load_settings()
    name = TUNED_MODELS[0] if settings.verdict_model == "model" else settings.verdict_model
    return cast(VerdictModel, _open(VERDICTS, name, settings))


def open_model_backend(name: str, settings: Settings, *, dry_run: bool = False) -> LanguageModel:
    """Open the language model of this name, with nothing around it; in a dry run, no weights are loaded."""
    _check_backend(MODELS, name)
    if dry_run and name.partition(":")[0] in _IN_PROCESS:
        return cast(LanguageModel, _DRY_RUN.load("unopened")(name))
    return cast(LanguageModel, _open(MODELS, name, settings))


def open_encoder_backend(name: str, settings: Settings) -> Encoder:
    """Open the encoder of this name, with nothing around it."""
    return cast(Encoder, _open(ENCODERS, name, settings))


def judge_settings(settings: Settings) -> Settings:
    """Return the settings of the judge: its own server and key if they are set, otherwise the model's; and
    its own window.
    """
    return settings.model_copy(
        update={
            "base_url": settings.judge_base_url or settings.base_url,
            "api_key": settings.judge_api_key or settings.api_key,
            "window": settings.judge_window,
        }
    )


def settings_cache(settings: Settings) -> ResponseCache | None:
    """Return the response cache, or None if the settings switch it off."""
    return ResponseCache(settings.cache_file) if settings.cache else None


def _settings(settings: Settings | None, options: dict[str, Any]) -> Settings:
    if settings is None:
        return load_settings(options)
    names = [name for name, value in options.items() if value is not None]
    if names:
        raise InputError(
            f"settings and {', '.join(names)} cannot be passed together", hint="pass one or the other"
        )
    return settings


def wrap_model(
    model: LanguageModel,
    cache: ResponseCache | None,
    budget: Budget | None,
    prices: Prices | None,
    *,
    dry_run: bool,
) -> LanguageModel:
    """Return the model with budget, cache and trace around it.

    A dry run reads the cache, as a real one would, and never writes to it.
    """
    if dry_run:
        model = _DRY_RUN.load("stand-in")(model)
    elif budget is not None:
        model = budgeted(model, budget, prices or Prices())
    if cache is not None:
        model = cached(model, cache, read_only=dry_run)
    return traced(model)


def check_model_name(name: str) -> None:
    """Raise `InputError` if no backend has a language model of this name."""
    _check_backend(MODELS, name)


def check_encoder_name(name: str) -> None:
    """Raise `InputError` if no backend has an encoder of this name."""
    _check_backend(ENCODERS, name)


def _open(registry: Registry, name: str, settings: Settings) -> Any:
    _check_backend(registry, name)
    backend, _, rest = name.partition(":")
    return registry.load(backend)(rest, settings)


def _check_backend(registry: Registry, name: str) -> None:
    if name.partition(":")[0] not in registry:
        backends = [other for other in ("openai", "hf") if other in registry]
        examples = " or ".join(f"{other}:{name}" for other in backends)
        names = ", ".join(registry.names())
        raise registry.unknown(name, hint=f"start with the backend ({names}): for example {examples}")


def settings_budget(settings: Settings) -> Budget | None:
    """Return the budget in the settings, or None if they set no limit."""
    limits = (settings.budget_calls, settings.budget_tokens, settings.budget_money)
    if all(limit is None for limit in limits):
        return None
    prices = model_prices(settings)
    if settings.budget_money is not None and not any((prices, judge_prices(settings))):
        raise SettingsError(
            "budget_money without prices limits nothing",
            hint="set price_prompt and price_completion, for a million tokens each",
        )
    return Budget(
        calls=settings.budget_calls,
        tokens=settings.budget_tokens,
        money=settings.budget_money,
        prices=prices,
    )


def model_prices(settings: Settings) -> Prices | None:
    """Return the prices of the model that answers: the user's, otherwise the listed ones; None if there are
    none.
    """
    own = _own_prices(settings.price_prompt, settings.price_completion)
    return own or listed_prices(settings.model, settings.base_url)


def judge_prices(settings: Settings) -> Prices | None:
    """Return the prices of the judge: its own if they are set, otherwise the model's, otherwise the listed
    ones; None if there are none.
    """
    prompt, completion = settings.judge_price_prompt, settings.judge_price_completion
    own = _own_prices(
        settings.price_prompt if prompt is None else prompt,
        settings.price_completion if completion is None else completion,
    )
    return own or listed_prices(settings.judge_model, settings.judge_base_url or settings.base_url)


def _own_prices(prompt: float | None, completion: float | None) -> Prices | None:
    if prompt is None and completion is None:
        return None
    return Prices(prompt=prompt or 0.0, completion=completion or 0.0)
