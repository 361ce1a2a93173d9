"""Open the embedded models; they are fetched and converted at their first use."""

from __future__ import annotations

import sys
from pathlib import Path

from probative.errors import InputError
from probative.models.embedded.catalog import ENCODER, STATIC, Source
from probative.models.embedded.encoder import EmbeddedEncoder, StaticEncoder
from probative.models.embedded.evidence_policy import EmbeddedPolicy
from probative.models.embedded.language import EmbeddedModel
from probative.models.embedded.shipped import PLAIN, TUNED, language_model, policy, verdict
from probative.models.embedded.store import Store, Weights, showing_progress
from probative.models.embedded.verdict import EmbeddedVerdict
from probative.settings import Settings


def open_model(rest: str, settings: Settings) -> EmbeddedModel:
    """Return the embedded language model: the tuned reader, or ``plain``, the published model."""
    name = f"embedded:{rest}" if rest else "embedded"
    if (source := language_model(name)) is None:
        raise _unknown(rest, f"'{TUNED}' or '{PLAIN}'")
    return EmbeddedModel(_weights(source, settings), threads=settings.threads, name=name)


def open_encoder(rest: str, settings: Settings) -> EmbeddedEncoder:
    """Return the embedded encoder."""
    if rest:
        raise _unknown(rest, "'embedded'")
    return EmbeddedEncoder(_weights(ENCODER, settings), threads=settings.threads)


def open_static(settings: Settings, *, fetch: bool = True) -> StaticEncoder | None:
    """Return the static encoder; None if it is not here and `fetch` is false."""
    if fetch:
        return StaticEncoder(_weights(STATIC, settings))
    weights = Store(settings.weights_folder).find(STATIC)
    return None if weights is None else StaticEncoder(weights)


def open_policy(settings: Settings) -> EmbeddedPolicy:
    """Return the evidence policy that the package ships."""
    return EmbeddedPolicy(_weights(policy(), settings), threads=settings.threads)


def open_verdict(settings: Settings) -> EmbeddedVerdict:
    """Return the embedded verdict model."""
    return EmbeddedVerdict(_weights(verdict(), settings), threads=settings.threads)


def _weights(source: Source, settings: Settings) -> Weights:
    return ready_weights(source, settings.weights_folder, origin=settings.wheels_folder)


def ready_weights(source: Source, folder: Path, *, origin: Path | None = None) -> Weights:
    """Return the weights of a model in `folder`; fetches and converts them, with a message, if need be."""
    store = Store(folder)
    weights, problem = store.inspect(source)
    if weights is not None:
        return weights
    if source.shipped is None:
        print(f"probative: {source.title} is {problem}; fetching it into {folder}", file=sys.stderr)
    with showing_progress() as report:
        return store.ensure(source, report, origin=origin)


def _unknown(rest: str, known: str) -> InputError:
    return InputError(
        f"there is no embedded model called {rest!r}",
        hint=f"write {known}; for your own model file write hf:{rest}",
    )
