"""The reader's adapter: what training added to the published language model, merged when that is converted.

An adapter holds two thin matrices for every linear layer, A (rank × inputs) and B (outputs × rank); the tuned
weight is W + B·A (Hu et al., 2021; the scale α/r is multiplied into B). They are stored in float16, or in
8 bits with scales beside them ("….A.scale", one a row; "….B.scale", one a column). Those are some 15 million
numbers instead of 106 million, so that they travel inside this package. See weights/reader/CARD.md.
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

READER = Path(__file__).parents[2] / "weights" / "reader" / "adapter.safetensors"
TUNED, PLAIN = "embedded", "embedded:plain"
"""What users call the two."""
_SCALE = ".scale"
_MEND = "install probative again; until then --model embedded:plain needs no adapter"


def language_model(name: str | None) -> Source | None:
    """What an embedded language model of this name is made of, if there is one.

    >>> language_model("embedded:plain").title, language_model("openai:x")
    ('SmolLM2-135M-Instruct', None)
    """
    if name == PLAIN:
        return LANGUAGE_MODEL
    return reader() if name == TUNED else None


def reader() -> Source:
    """The published model with the package's adapter."""
    if not READER.is_file():
        raise WeightsError(f"{READER} is missing: without it `embedded` is not the tuned reader", hint=_MEND)
    found = tuned(LANGUAGE_MODEL, READER)
    try:
        facts = json.loads(READER.with_name("manifest.json").read_text(encoding="utf-8"))
        expected = facts["adapter_sha256"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WeightsError(f"the manifest beside {READER} cannot be read: {error!r}", hint=_MEND) from error
    if found.adapter_sha256 != expected:
        raise WeightsError(f"{READER} is damaged: its sha256 is not {expected}", hint=_MEND)
    return found


def tuned(source: Source, adapter: Path) -> Source:
    """A source with an adapter: a model of its own, in a folder that is named by the adapter's content."""
    sha256 = sha256_of(adapter)
    return source.model_copy(
        update={
            "name": f"{source.name}-reader-{sha256[:12]}",
            "title": f"tuned {source.title}",
            "adapter": adapter,
            "adapter_sha256": sha256,
        }
    )


class Adapter:
    """The matrices of an adapter, by the names that transformers gives the layers."""

    def __init__(self, tensors: dict[str, Matrix]) -> None:
        self._left = tensors

    @classmethod
    def read(cls, file: Path) -> Adapter:
        """Read a safetensors file."""
        import numpy as np
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        try:
            stored = {name: value.astype(np.float32) for name, value in load_file(file).items()}
        except (OSError, SafetensorError) as error:
            raise WeightsError(f"the adapter {file} cannot be read: {error}", hint=_MEND) from error
        return cls(in_full(stored))

    def merge(self, name: str, weight: Matrix) -> Matrix:
        """W + B·A for one layer; each can be merged once.

        >>> import numpy as np
        >>> adapter = Adapter({"up.A": np.array([[1.0, 2.0]]), "up.B": np.array([[3.0], [0.0]])})
        >>> adapter.merge("up", np.eye(2)).tolist()
        [[4.0, 6.0], [0.0, 1.0]]
        """
        try:
            a, b = self._left.pop(f"{name}.A"), self._left.pop(f"{name}.B")
        except KeyError as error:
            raise WeightsError(f"the adapter has no {error.args[0]}", hint=_MEND) from None
        if (b.shape[0], a.shape[1]) != weight.shape or b.shape[1] != a.shape[0]:
            raise WeightsError(
                f"the adapter's {name} is made for another model: {b.shape} · {a.shape} for {weight.shape}",
                hint=_MEND,
            )
        merged: Matrix = weight + b @ a
        return merged

    def all_merged(self) -> None:
        """Complain about what found no layer."""
        if self._left:
            raise WeightsError(
                f"the adapter is made for another model: nothing takes {min(self._left)}", hint=_MEND
            )


def in_full(stored: dict[str, Matrix]) -> dict[str, Matrix]:
    """Matrices multiplied with the scales that stand beside them; those without one are as they are.

    >>> import numpy as np
    >>> in_full({"up.A": np.array([[2.0, 3.0]]), "up.A.scale": np.array([[0.5]])})["up.A"].tolist()
    [[1.0, 1.5]]
    """
    found = {name: value for name, value in stored.items() if not name.endswith(_SCALE)}
    for name, scale in stored.items():
        if name.endswith(_SCALE):
            matrix = name.removesuffix(_SCALE)
            if matrix not in found:
                raise WeightsError(f"the adapter has no {matrix}", hint=_MEND)
            found[matrix] = found[matrix] * scale
    return found
