"""Open the embedded models, fetching them at their first use."""

from __future__ import annotations

import sys

from probative.errors import InputError
from probative.models.embedded.catalog import ENCODER, LANGUAGE_MODEL, Source
from probative.models.embedded.encoder import EmbeddedEncoder
from probative.models.embedded.language import EmbeddedModel
from probative.models.embedded.progress import showing_progress
from probative.models.embedded.store import Store, Weights
from probative.settings import Settings


def open_model(rest: str, settings: Settings) -> EmbeddedModel:
    """The embedded language model."""
    _plain(rest)
    return EmbeddedModel(_weights(LANGUAGE_MODEL, settings), threads=settings.threads)


def open_encoder(rest: str, settings: Settings) -> EmbeddedEncoder:
    """The embedded encoder."""
    _plain(rest)
    return EmbeddedEncoder(_weights(ENCODER, settings), threads=settings.threads)


def _weights(source: Source, settings: Settings) -> Weights:
    store = Store(settings.weights_folder)
    if (found := store.find(source)) is not None:
        return found
    _, problem = store.inspect(source)
    print(f"probative: {source.title} is {problem}; fetching it into {store.folder}", file=sys.stderr)
    with showing_progress() as report:
        return store.ensure(source, report, origin=settings.wheels_folder)


def _plain(rest: str) -> None:
    if rest:
        raise InputError(
            f"there is no embedded model called {rest!r}",
            mend=f"write 'embedded'; a model file of your own runs as hf:{rest}",
        )
