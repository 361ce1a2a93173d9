"""The policy's weights in the package: matrices in 8 bits, with a scale for each row.

    W[row] ≈ scale[row] · Q[row],   scale[row] = max |W[row]| / 127

The engine rounds rows in the same way, so the conversion through floating point changes no weight.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from probative.errors import WeightsError
from probative.models.embedded.fetch import sha256_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Arrays = dict[str, NDArray[Any]]

SHIPPED = Path(__file__).parents[2] / "weights" / "policy"
# The files in the manifest; the first one has the weights.
FILES = ("model.safetensors", "config.json", "tokenizer.json")
SCALE = ".scale"
# Small matrices are not rounded: positions and the two kinds of tokens.
_NOT_ROUNDED = ("position_embeddings", "token_type_embeddings")
_HINT = (
    "install probative-evidence again, from where you got it (pip install --force-reinstall --no-deps FOLDER)"
)


def quantized(weights: Mapping[str, NDArray[Any]]) -> Arrays:
    """Return the arrays to ship: 8 bits for matrices, floating point for vectors and the head.

    >>> import numpy as np
    >>> arrays = quantized({"a.weight": np.array([[0.5, -1.0], [0.0, 0.0]])})
    >>> arrays["a.weight"].tolist(), [round(float(scale), 4) for scale in arrays["a.weight.scale"]]
    ([[64, -127], [0, 0]], [0.0079, 1.0])
    """
    import numpy as np

    arrays: Arrays = {}
    for name, value in weights.items():
        if name.endswith("position_ids"):
            continue
        exact = value.astype(np.float32)
        if any(part in name for part in _NOT_ROUNDED):
            arrays[name] = exact.astype(np.float16)
        elif exact.ndim < 2 or name.startswith("head."):
            arrays[name] = exact
        else:
            largest = np.abs(exact).max(axis=1)
            scale = np.where(largest > 0, largest / np.float32(127), np.float32(1)).astype(np.float32)
            arrays[name] = np.rint(exact / scale[:, None]).astype(np.int8)
            arrays[name + SCALE] = scale
    return arrays


def restored(arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[np.float32]]:
    """Return the weights of `quantized` arrays.

    >>> import numpy as np
    >>> restored({"a": np.array([[127, -64]], dtype=np.int8), "a.scale": np.array([0.5])})["a"].tolist()
    [[63.5, -32.0]]
    """
    import numpy as np

    weights = {}
    for name, value in arrays.items():
        if not name.endswith(SCALE):
            weights[name] = value.astype(np.float32)
            if value.dtype == np.int8:
                weights[name] *= arrays[name + SCALE][:, None].astype(np.float32)
    return weights


def checked(folder: Path) -> dict[str, str]:
    """Return the sha256 of each shipped file; raises `WeightsError` unless they match the manifest."""
    missing = [name for name in (*FILES, "manifest.json") if not (folder / name).is_file()]
    if missing:
        raise WeightsError(f"the evidence policy is incomplete: {folder} has no {missing[0]}", hint=_HINT)
    try:
        expected = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["files"]
        hashes = {name: sha256_of(folder / name) for name in FILES}
        wrong = [name for name in FILES if expected[name] != hashes[name]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WeightsError(f"the manifest in {folder} cannot be read: {error!r}", hint=_HINT) from error
    if wrong:
        raise WeightsError(f"{folder / wrong[0]} is damaged: its sha256 is not the manifest's", hint=_HINT)
    return hashes


def is_shipped() -> bool:
    """Return whether this copy of the package has the weights."""
    return (SHIPPED / FILES[0]).is_file()
