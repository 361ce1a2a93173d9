"""The adapters of the package, which the conversion merges into the published language model.

There are two: that of the reader, which answers, and that of the verdict model.

An adapter has two thin matrices for every linear layer, A (rank × inputs) and B (outputs × rank). The tuned
weight is W + B·A (Hu et al., 2021; the scale α/r is part of B). They are stored in float16, or in 8 bits with
scales ("….A.scale", one per row; "….B.scale", one per column). These are about 15 million numbers instead of
106 million, few enough for the package itself. See the CARD.md next to each of them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from probative.errors import WeightsError
from probative.models.embedded.catalog import LANGUAGE_MODEL, Source
from probative.models.embedded.fetch import sha256_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]

_SHIPPED = Path(__file__).parents[2] / "weights"
READER = _SHIPPED / "reader" / "adapter.safetensors"
VERDICT = _SHIPPED / "verdict" / "adapter.safetensors"
TUNED, PLAIN = "embedded", "embedded:plain"
"""The names of the two language models."""
_SCALE = ".scale"
_HINT = "install probative-evidence again; --model embedded:plain and --verdict model need no adapter"


def language_model(name: str | None) -> Source | None:
    """Return the source of the embedded language model `name`, or None for another name.

    >>> language_model("embedded:plain").title, language_model("openai:x")
    ('SmolLM2-135M-Instruct', None)
    """
    if name == PLAIN:
        return LANGUAGE_MODEL
    return reader() if name == TUNED else None


def reader() -> Source:
    """Return the published model with the adapter of the reader."""
    return _shipped(READER, "reader", f"tuned {LANGUAGE_MODEL.title}", "`embedded` is not the tuned reader")


def verdict() -> Source:
    """Return the published model with the adapter of the verdict model."""
    return _shipped(VERDICT, "verdict", "the verdict model", "there is no embedded verdict model")


def _shipped(adapter: Path, name: str, title: str, without: str) -> Source:
    """Return the published model with an adapter of the package; raises `WeightsError` if it is damaged."""
    if not adapter.is_file():
        raise WeightsError(f"{adapter} is missing: without it {without}", hint=_HINT)
    source = tuned(LANGUAGE_MODEL, adapter, name=name, title=title)
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


class Adapter:
    """The matrices of an adapter, under the names that transformers gives the layers."""

    def __init__(self, tensors: dict[str, Matrix]) -> None:
        self._unmerged = tensors

    @classmethod
    def read(cls, file: Path) -> Adapter:
        """Read a safetensors file."""
        import numpy as np
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        try:
            stored = {name: value.astype(np.float32) for name, value in load_file(file).items()}
        except (OSError, SafetensorError) as error:
            raise WeightsError(f"the adapter {file} cannot be read: {error}", hint=_HINT) from error
        return cls(dequantized(stored))

    def merge(self, name: str, weight: Matrix) -> Matrix:
        """Return W + B·A for one layer; each layer can be merged once.

        >>> import numpy as np
        >>> adapter = Adapter({"up.A": np.array([[1.0, 2.0]]), "up.B": np.array([[3.0], [0.0]])})
        >>> adapter.merge("up", np.eye(2)).tolist()
        [[4.0, 6.0], [0.0, 1.0]]
        """
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


def dequantized(stored: dict[str, Matrix]) -> dict[str, Matrix]:
    """Return the matrices multiplied by their scales; a matrix without a scale is unchanged.

    >>> import numpy as np
    >>> dequantized({"up.A": np.array([[2.0, 3.0]]), "up.A.scale": np.array([[0.5]])})["up.A"].tolist()
    [[1.0, 1.5]]
    """
    matrices = {name: value for name, value in stored.items() if not name.endswith(_SCALE)}
    for name, scale in stored.items():
        if name.endswith(_SCALE):
            matrix = name.removesuffix(_SCALE)
            if matrix not in matrices:
                raise WeightsError(f"the adapter has no {matrix}", hint=_HINT)
            matrices[matrix] = matrices[matrix] * scale
    return matrices
