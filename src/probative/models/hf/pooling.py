"""How a sentence-transformers model makes one vector of a text, as the files beside its weights say.

`modules.json` lists the steps: a transformer, a pooling over its tokens, perhaps a normalisation. The folder
of the pooling has its own `config.json`, and `sentence_bert_config.json` says how many tokens are read.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, NamedTuple

from probative.errors import ModelError

Pooling = Literal["mean", "cls"]
_POOLINGS: dict[str, Pooling] = {"mean": "mean", "cls": "cls"}
# Their names in older files: one flag each.
_FLAGS = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls"}
_KNOWN = ("Transformer", "Pooling", "Normalize")
_POOLING_FOLDER = "1_Pooling"

Files = Callable[[str], Path | None]
"""Returns the file of this name that lies with the weights, or None."""


class SentenceConfig(NamedTuple):
    """The pooling, the folder of the transformer, the most tokens read, and whether in lower case."""

    pooling: Pooling
    subfolder: str
    max_tokens: int | None
    lower_case: bool


def read_config(name: str, files: Files) -> SentenceConfig:
    """Return how the model called `name` encodes a sentence; raises ModelError if its files do not say."""
    modules = _read(name, files, "modules.json")
    paths = {"Transformer": "", "Pooling": _POOLING_FOLDER}
    for module in modules if isinstance(modules, list) else ():
        kind = str(module.get("type", "")).rpartition(".")[2]
        if kind not in _KNOWN:
            raise ModelError(
                f"{name} has a step {kind}, which is not supported",
                hint="use a sentence-transformers model of a transformer and a mean or CLS pooling",
            )
        paths[kind] = str(module.get("path", ""))
    pooling = _read(name, files, _joined(paths["Pooling"], "config.json"))
    if not isinstance(pooling, dict):
        raise ModelError(
            f"{name} does not say how it pools: {_joined(paths['Pooling'], 'config.json')} is missing",
            hint="use a sentence-transformers model; without a network, download all of its files",
        )
    sentences = _read(name, files, _joined(paths["Transformer"], "sentence_bert_config.json"))
    limits = sentences if isinstance(sentences, dict) else {}
    tokens = limits.get("max_seq_length")
    return SentenceConfig(
        pooling=_pooling(name, pooling),
        subfolder=paths["Transformer"],
        max_tokens=tokens if isinstance(tokens, int) and tokens > 2 else None,
        lower_case=limits.get("do_lower_case") is True,
    )


def _pooling(name: str, config: dict[str, Any]) -> Pooling:
    """Return the one pooling that a config switches on.

    >>> _pooling("x", {"pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True})
    'mean'
    >>> _pooling("x", {"pooling_mode": "cls"})
    'cls'
    """
    said = config.get("pooling_mode")
    wanted = [said] if isinstance(said, str) else list(said or ())
    wanted += [
        _FLAGS.get(flag, flag)
        for flag, on in config.items()
        if flag.startswith("pooling_mode_") and on is True
    ]
    if len(wanted) != 1 or wanted[0] not in _POOLINGS:
        raise ModelError(
            f"{name} pools by {' and '.join(map(str, wanted)) or 'nothing'}",
            hint="only models that pool by mean or by the CLS token are supported",
        )
    return _POOLINGS[wanted[0]]


def _read(name: str, files: Files, file: str) -> Any:
    """Return what a JSON file says, or None if there is no such file; raises ModelError."""
    path = files(file)
    if path is None:
        return None
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(
            f"{file} of {name} cannot be read: {error}", hint="download the model again"
        ) from error


def _joined(folder: str, file: str) -> str:
    return f"{folder}/{file}" if folder else file
