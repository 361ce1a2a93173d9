"""What is kept with a corpus: the limit of *supported* that a guarantee is about, and the last test.

A guarantee is about questions like those drawn, answered by the same models, with the same options, over the
same documents. It lapses when one of them changes; until then, `ask` uses its limit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import Field, ValidationError

from probative.corpus.index.index_folder import GUARANTEE as GUARANTEE
from probative.corpus.index.index_folder import SELF_TEST as SELF_TEST
from probative.corpus.stores.labels import write_label
from probative.errors import StoreError
from probative.scope.result import Guarantee
from probative.text.prompts import OWN, digest
from probative.types import Value

if TYPE_CHECKING:
    from probative.corpus.corpus import Corpus

Kept = TypeVar("Kept", bound=Value)
# Of what decides the answers of a batch: the limit itself, what a version and fingerprints say more exactly,
# and the seed, which no answer of the default method depends on.
_MODELS = ("model", "judge_model", "encoder", "verdict", "base_url", "judge_base_url")
_ELSEWHERE = frozenset((*_MODELS, "min_certainty", "seed", "corpus", "guarantee"))


class KeptGuarantee(Value):
    """A guarantee with its limit, and what it holds for: models by fingerprint, options, documents."""

    limit: float = Field(ge=0, le=1)
    guarantee: Guarantee
    models: dict[str, str]
    settings: dict[str, Any]
    version: int

    def lapse(
        self, corpus: Corpus, settings: Mapping[str, Any], fingerprint: Callable[[str], str | None]
    ) -> str | None:
        """Return why the guarantee does not hold for answers over this corpus; None if it does.

        `fingerprint` gives that of a model by its role, for which the model may be opened.
        """
        if corpus.version != self.version:
            return "the documents have changed"
        if corpus.filters or corpus.rerank:
            return "it is about searches of the whole corpus"
        if names := sorted(
            name for name in {*settings, *self.settings} if settings.get(name) != self.settings.get(name)
        ):
            return f"it is about other options ({', '.join(names)})"
        for name, made_with in self.models.items():
            if fingerprint(name) != made_with:
                return f"the {name} is another one"
        return None


def answering_settings(deciding: Mapping[str, Any]) -> dict[str, Any]:
    """Return what decides the answers, of the settings of a batch: the method, its options, the prompts.

    >>> answering_settings({"method": "scope", "rounds": 2, "min_certainty": 0.5, "model": "embedded"})
    {'method': 'scope', 'rounds': 2}
    """
    return {name: value for name, value in deciding.items() if name not in _ELSEWHERE}


def present_settings(method: str, options: Value) -> dict[str, Any]:
    """Return what decides the answers of the run in progress."""
    prompts = digest(OWN.get())
    own = {} if prompts is None else {"prompts": prompts}
    return answering_settings({"method": method, **options.to_dict(), **own})


def keep(index: Path, name: str, value: Value | None) -> None:
    """Write a value into the folder of an index, or remove it; raises `StoreError`."""
    try:
        if value is None:
            (index / name).unlink(missing_ok=True)
        else:
            write_label(index / name, value)
    except OSError as error:
        raise StoreError(
            f"the index {index} cannot be written: {error.strerror or error}",
            hint="a guarantee and a test are kept in the folder of the index: make one that you can write to",
        ) from None


def kept(index: Path, name: str, kind: type[Kept]) -> Kept | None:
    """Return what is kept under this name; None if there is nothing; raises `StoreError` if it is damaged."""
    try:
        return kind.model_validate_json((index / name).read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError):
        raise StoreError(
            f"{index / name} is damaged or of another version", hint="remove it, and calibrate again"
        ) from None
