"""The models of a verb, opened when they are first needed."""

from __future__ import annotations

from probative.engine.tools import Tools
from probative.errors import InputError
from probative.models.contract import Encoder, LanguageModel
from probative.models.evidence_policy import EvidencePolicy, load_policy
from probative.models.loading import load_encoder, load_model
from probative.models.wrappers.dry_run import DryRunEncoder, DryRunPolicy
from probative.settings import Settings, load_settings


def open_tools(
    model: LanguageModel | str | None,
    encoder: Encoder | str | None,
    settings: Settings | None,
    *,
    dry_run: bool,
) -> Tools:
    """The models, opened when they are first needed."""
    check_kinds(model, encoder, settings)
    if isinstance(model, LanguageModel) and dry_run:
        raise InputError(
            "a dry run needs the model's name", hint="or make the model: load_model(…, dry_run=True)"
        )

    def language_model() -> LanguageModel:
        if isinstance(model, LanguageModel):
            return model
        return load_model(settings=_named(settings, "model", model), dry_run=dry_run)

    def text_encoder() -> Encoder:
        if isinstance(encoder, Encoder):
            return encoder
        if dry_run:
            return DryRunEncoder()
        return load_encoder(settings=_named(settings, "encoder", encoder))

    def evidence_policy() -> EvidencePolicy:
        return DryRunPolicy() if dry_run else load_policy(settings=settings)

    return Tools(language_model, text_encoder, evidence_policy)


def check_kinds(model: object, encoder: object, settings: object) -> None:
    """Refuse what is no model, encoder or settings, before anything is done."""
    if not isinstance(model, LanguageModel | str | None):
        raise InputError(f"a model is a LanguageModel or a name, not {type(model).__name__}")
    if not isinstance(encoder, Encoder | str | None):
        raise InputError(f"an encoder is an Encoder or a name, not {type(encoder).__name__}")
    if not isinstance(settings, Settings | None):
        raise InputError(f"settings are a Settings, not {type(settings).__name__}", hint="load_settings(…)")


def _named(settings: Settings | None, role: str, name: str | None) -> Settings:
    """The settings with the name that was given, if one was."""
    if settings is None:
        return load_settings({role: name})
    return settings if name is None else settings.model_copy(update={role: name})


def one_at_a_time(settings: Settings | None, max_active: int) -> int:
    """How many cases may be under way: one, where a budget is set, so that it is spent on whole results."""
    in_force = settings if settings is not None else load_settings()
    limits = (in_force.budget_calls, in_force.budget_tokens, in_force.budget_money)
    return min(max_active, 1) if any(limit is not None for limit in limits) else max_active
