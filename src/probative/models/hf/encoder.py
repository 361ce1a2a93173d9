"""Any sentence-transformers model with mean or CLS pooling (MPNet, GTE, …), through transformers alone.

The files beside its weights say how it makes one vector of a text: `modules.json` lists the steps (a
transformer, a pooling over its tokens, perhaps a normalisation), the folder of the pooling has its own
`config.json`, and `sentence_bert_config.json` says how many tokens are read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from probative.errors import ModelError
from probative.models.encoder import CountedEncoder, checked_texts
from probative.models.hf.runtime import (
    Runtime,
    checked_name,
    not_loaded,
    options_of,
    readable_tokens,
    weights_mark,
)
from probative.models.types import Vector
from probative.settings import Settings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Tokens of one batch, padding included.
CPU_TOKENS, GPU_TOKENS = 4_096, 65_536

Pooling = Literal["mean", "cls"]
_POOLINGS: dict[str, Pooling] = {"mean": "mean", "cls": "cls"}
# Their names in older files: one flag each.
_FLAGS = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls"}
_KNOWN = ("Transformer", "Pooling", "Normalize")
_POOLING_FOLDER = "1_Pooling"

Files = Callable[[str], Path | None]
"""Returns the file of this name that lies with the weights, or None."""


def open_encoder(name: str, settings: Settings) -> HFEncoder:
    """Return the encoder `name`, on the device and in the number type of the settings."""
    return HFEncoder(checked_name(name), **options_of(settings))


class HFEncoder(CountedEncoder):
    """A sentence-transformers model: `NAME` from the hub or its cache, or a folder.

    The default of `dtype` is float32. `truncated` counts the texts that were longer than the model reads.
    """

    def __init__(self, name: str, *, device: str | None = None, dtype: str | None = None) -> None:
        self.name = f"hf:{name}"
        runtime = Runtime(name, device, dtype)
        self._torch, self._device = runtime.torch, runtime.device
        self._config = read_config(self.name, lambda file: _find(name, file, runtime.transformers))
        options = {"subfolder": self._config.subfolder} if self._config.subfolder else {}
        self._model, self._tokenizer = runtime.load("AutoModel", name, **options)
        self._window = readable_tokens(self._model, self._tokenizer, self._config.max_tokens) or 1_000_000
        mark = f"{runtime.dtype}:{self._config.pooling}:{self._window}:{weights_mark(self._model)}"
        super().__init__(self.name, f"transformers:{mark}", int(self._model.config.hidden_size))
        self.truncated = 0

    def encode_each(self, texts: Sequence[str]) -> Iterator[tuple[int, Vector | ModelError]]:
        limit = CPU_TOKENS if self._device.type == "cpu" else GPU_TOKENS
        return self._encode_batches(self._tokens(checked_texts(texts)), limit, self._vectors)

    def _tokens(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the tokens of each text, cut to what the model reads, its special tokens kept."""
        if not texts:
            return []
        read = [text.lower() for text in texts] if self._config.lower_case else list(texts)
        plain = {"split_special_tokens": True}  # "[SEP]" in a text stays text
        whole = self._tokenizer(read, verbose=False, **plain)["input_ids"]
        cut = self._tokenizer(read, truncation=True, max_length=self._window, **plain)["input_ids"]
        with self._counting:
            self.truncated += sum(len(ids) > len(read_ids) for ids, read_ids in zip(whole, cut, strict=True))
        return [list(ids) for ids in cut]

    def _vectors(self, batch: Sequence[list[int]]) -> NDArray[np.float32]:
        """Return the pooled vectors, each of length 1."""
        import numpy as np

        torch = self._torch
        longest, pad = max(map(len, batch)), self._tokenizer.pad_token_id or 0
        ids = torch.tensor([[*row, *[pad] * (longest - len(row))] for row in batch], device=self._device)
        mask = torch.tensor(
            [[1] * len(row) + [0] * (longest - len(row)) for row in batch], device=self._device
        )
        with torch.inference_mode():
            states = self._model(input_ids=ids, attention_mask=mask).last_hidden_state.float()
        if self._config.pooling == "cls":
            pooled = states[:, 0]
        else:
            weights = mask.unsqueeze(-1).float()
            pooled = (states * weights).sum(1) / weights.sum(1).clamp(min=1e-9)
        unit = torch.nn.functional.normalize(pooled, dim=1)
        return np.asarray(unit.cpu().numpy(), dtype=np.float32)


def _find(name: str, file: str, transformers: Any) -> Path | None:
    """Return a file that lies with the weights, in a folder or on the hub; None if there is none."""
    folder = Path(name).expanduser()
    if folder.is_dir():
        return folder / file if (folder / file).is_file() else None
    try:
        path = transformers.utils.cached_file(
            name,
            file,
            _raise_exceptions_for_missing_entries=False,
            _raise_exceptions_for_connection_errors=False,
            _raise_exceptions_for_gated_repo=False,
        )
    except (OSError, ValueError) as error:
        raise not_loaded(f"hf:{name}", error, "found") from error
    return None if path is None else Path(path)


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
    mode = config.get("pooling_mode")
    modes = [mode] if isinstance(mode, str) else list(mode or ())
    modes += [
        _FLAGS.get(flag, flag)
        for flag, on in config.items()
        if flag.startswith("pooling_mode_") and on is True
    ]
    if len(modes) != 1 or modes[0] not in _POOLINGS:
        raise ModelError(
            f"{name} pools by {' and '.join(map(str, modes)) or 'nothing'}",
            hint="only models that pool by mean or by the CLS token are supported",
        )
    return _POOLINGS[modes[0]]


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
