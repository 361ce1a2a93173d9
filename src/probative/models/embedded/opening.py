"""Open the embedded models, fetching them at their first use."""

from __future__ import annotations

import sys

from probative.errors import InputError
from probative.models.embedded.adapter import PLAIN, TUNED, language_model
from probative.models.embedded.catalog import ENCODER, Source
from probative.models.embedded.encoder import EmbeddedEncoder
from probative.models.embedded.language import EmbeddedModel
from probative.models.embedded.progress import showing_progress
from probative.models.embedded.store import Store, Weights
from probative.settings import Settings


def open_model(rest: str, settings: Settings) -> EmbeddedModel:
    """The embedded language model: the tuned reader, or ``plain``, as it was published."""
    name = f"embedded:{rest}" if rest else "embedded"
    if (source := language_model(name)) is None:
        raise _unknown(rest, f"'{TUNED}' or '{PLAIN}'")
    return EmbeddedModel(_weights(source, settings), threads=settings.threads, name=name)


def open_encoder(rest: str, settings: Settings) -> EmbeddedEncoder:
    """The embedded encoder."""
    if rest:
        raise _unknown(rest, "'embedded'")
    return EmbeddedEncoder(_weights(ENCODER, settings), threads=settings.threads)


def _weights(source: Source, settings: Settings) -> Weights:
    store = Store(settings.weights_folder)
    if (found := store.find(source)) is not None:
        return found
    _, problem = store.inspect(source)
    print(f"probative: {source.title} is {problem}; fetching it into {store.folder}", file=sys.stderr)
    with showing_progress() as report:
        return store.ensure(source, report, origin=settings.wheels_folder)


def _unknown(rest: str, known: str) -> InputError:
    return InputError(
        f"there is no embedded model called {rest!r}",
        hint=f"write {known}; a model file of your own runs as hf:{rest}",
    )
