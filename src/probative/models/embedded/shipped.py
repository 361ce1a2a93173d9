"""The weights in the package: the adapters of the small and of the large model, and the evidence policy.

An adapter has two thin matrices for every linear layer, A (rank × inputs) and B (outputs × rank). The tuned
weight is W + B·A (Hu et al., 2021; the scale α/r is part of B). These are about 15 million numbers instead of
106 million, few enough for the package itself. The conversion merges them into the published language model.

Matrices are stored in float16, or in 8 bits with scales: one per row (or one per column for a matrix B),

    W[row] ≈ scale[row] · Q[row],   scale[row] = max |W[row]| / 127

The engine rounds rows in the same way, so the conversion of the policy through floating point changes no
weight. See the CARD.md next to each of them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from probative.errors import InputError, WeightsError
from probative.models.embedded.catalog import CONVERSION, LANGUAGE_MODEL, LARGE, Source
from probative.models.embedded.fetch import sha256_of
from probative.settings import CASCADE, TUNED_MODELS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]

_SHIPPED = Path(__file__).parents[2] / "weights"
SMALL_ADAPTER = _SHIPPED / "small" / "adapter.safetensors"
POLICY = _SHIPPED / "policy"
LARGE_ADAPTER = _SHIPPED / "large" / "adapter.safetensors"
# The files of the policy in its manifest; the first one has the weights.
FILES = ("model.safetensors", "config.json", "tokenizer.json")
# Increased whenever the conversion of the policy changes; that of the encoder has its own number.
POLICY_FORM = 1
TUNED, LARGE_TUNED = TUNED_MODELS
PLAIN, LARGE_PLAIN = "embedded:plain", "embedded:large-plain"
"""The names of the language models."""
SCALE = ".scale"
_HINT = "install probative-evidence again; --model embedded:plain and --verdict model need no adapter"
_POLICY_HINT = (
    "install probative-evidence again, from where you got it (pip install --force-reinstall --no-deps FOLDER)"
)


def language_model(name: str | None) -> Source | None:
    """Return the source of the embedded language model `name`, or None for another name."""
    if name == TUNED:
        return small()
    if name == LARGE_TUNED and has_large():
        return large()
    return {PLAIN: LANGUAGE_MODEL, LARGE_PLAIN: LARGE}.get(name or "")


def known_names() -> tuple[str, ...]:
    """Return the names of the embedded language models."""
    return TUNED, PLAIN, *([LARGE_TUNED] if has_large() else []), LARGE_PLAIN


def pull_command(name: str) -> str:
    """Return the command that gets an embedded model.

    >>> pull_command("embedded:large-plain")
    'probative models pull large --plain'
    """
    size = " large" if name in (LARGE_TUNED, LARGE_PLAIN, CASCADE) else ""
    return f"probative models pull{size}{' --plain' if name in (PLAIN, LARGE_PLAIN) else ''}"


def unknown_model(rest: str, names: str) -> InputError:
    """Return the error for ``embedded:REST``, which there is not."""
    return InputError(
        f"there is no embedded model called {rest!r}",
        hint=f"write {names}; for your own model file write hf:{rest}",
    )


def small() -> Source:
    """Return the small published model with the adapter of all tasks."""
    without = "there is no tuned embedded model"
    return _shipped(SMALL_ADAPTER, "tuned", f"tuned {LANGUAGE_MODEL.title}", without)


def policy(folder: Path = POLICY) -> Source:
    """Return the evidence policy in a folder of the package; raises `WeightsError` if it is damaged.

    The name of its converted folder has a hash of the shipped files, so another version gets its own.
    """
    hashes = checked(folder)
    digest = hashlib.sha256("".join(hashes.values()).encode()).hexdigest()
    return Source(
        name="policy",
        kind="policy",
        title="the evidence policy",
        files=hashes,
        licence="Apache-2.0",
        shipped=folder,
        folder=f"policy-{CONVERSION}.{POLICY_FORM}-{digest[:12]}",
    )


def large() -> Source:
    """Return the large published model with the adapter of all tasks."""
    without = "there is no tuned large model"
    return _shipped(LARGE_ADAPTER, "tuned", f"tuned {LARGE.title}", without, LARGE)


def has_large() -> bool:
    """Return whether this copy of the package has the adapter of the large model."""
    return LARGE_ADAPTER.is_file()


def _shipped(
    adapter: Path, name: str, title: str, without: str, published: Source = LANGUAGE_MODEL
) -> Source:
    """Return a published model with an adapter of the package; raises `WeightsError` if it is damaged."""
    if not adapter.is_file():
        raise WeightsError(f"{adapter} is missing: without it {without}", hint=_HINT)
    source = tuned(published, adapter, name=name, title=title)
    try:
        facts = json.loads(adapter.with_name("manifest.json").read_text(encoding="utf-8"))
        expected = facts["adapter_sha256"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WeightsError(f"the manifest beside {adapter} cannot be read: {error!r}", hint=_HINT) from error
    if source.adapter_sha256 != expected:
        raise WeightsError(f"{adapter} is damaged: its sha256 is not {expected}", hint=_HINT)
    return source


def tuned(source: Source, adapter: Path, *, name: str = "reader", title: str | None = None) -> Source:
    """Return the source with an adapter; its folder is named after `name` and the content of the adapter."""
    sha256 = sha256_of(adapter)
    return source.model_copy(
        update={
            "name": f"{source.name}-{name}-{sha256[:12]}",
            "title": title or f"tuned {source.title}",
            "adapter": adapter,
            "adapter_sha256": sha256,
            "converted": {},
        }
    )


def checked(folder: Path) -> dict[str, str]:
    """Return the sha256 of each file of the policy; raises `WeightsError` unless they match the manifest."""
    missing = [name for name in (*FILES, "manifest.json") if not (folder / name).is_file()]
    if missing:
        raise WeightsError(
            f"the evidence policy is incomplete: {folder} has no {missing[0]}", hint=_POLICY_HINT
        )
    try:
        expected = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["files"]
        hashes = {name: sha256_of(folder / name) for name in FILES}
        wrong = [name for name in FILES if expected[name] != hashes[name]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WeightsError(
            f"the manifest in {folder} cannot be read: {error!r}", hint=_POLICY_HINT
        ) from error
    if wrong:
        raise WeightsError(
            f"{folder / wrong[0]} is damaged: its sha256 is not the manifest's", hint=_POLICY_HINT
        )
    return hashes


def has_policy() -> bool:
    """Return whether this copy of the package has the weights of the policy."""
    return (POLICY / FILES[0]).is_file()


class Adapter:
    """The matrices of an adapter, under the names that transformers gives the layers."""

    def __init__(self, tensors: dict[str, Matrix]) -> None:
        self._unmerged = tensors

    @classmethod
    def read(cls, file: Path) -> Adapter:
        """Read a safetensors file."""
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        try:
            stored = load_file(file)
        except (OSError, SafetensorError) as error:
            raise WeightsError(f"the adapter {file} cannot be read: {error}", hint=_HINT) from error
        return cls(restored(stored))

    def merge(self, name: str, weight: Matrix) -> Matrix:
        """Return W + B·A for one layer; each layer can be merged once."""
        try:
            a, b = self._unmerged.pop(f"{name}.A"), self._unmerged.pop(f"{name}.B")
        except KeyError as error:
            raise WeightsError(f"the adapter has no {error.args[0]}", hint=_HINT) from None
        if (b.shape[0], a.shape[1]) != weight.shape or b.shape[1] != a.shape[0]:
            raise WeightsError(
                f"the adapter's {name} is made for another model: {b.shape} · {a.shape} for {weight.shape}",
                hint=_HINT,
            )
        merged: Matrix = weight + b @ a
        return merged

    def all_merged(self) -> None:
        """Raise an error if the adapter has matrices for layers that the model does not have."""
        if self._unmerged:
            raise WeightsError(
                f"the adapter is made for another model, which has the layer {min(self._unmerged)}",
                hint=_HINT,
            )


def restored(arrays: Mapping[str, NDArray[Any]]) -> dict[str, Matrix]:
    """Return stored matrices multiplied by their scales; a matrix without a scale is unchanged."""
    import numpy as np

    weights = {name: array.astype(np.float32) for name, array in arrays.items() if not name.endswith(SCALE)}
    for name, scale in arrays.items():
        if name.endswith(SCALE):
            matrix = name.removesuffix(SCALE)
            if matrix not in weights:
                raise WeightsError(f"the adapter has no {matrix}", hint=_HINT)
            column = scale[:, None] if scale.ndim == 1 else scale
            weights[matrix] *= column.astype(np.float32)
    return weights
