"""Any sentence-transformers model with mean or CLS pooling (MPNet, GTE, …), through transformers alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from probative.errors import InputError, MissingExtraError, ModelError
from probative.models.encoder import CountedEncoder, checked_texts
from probative.models.hf.device import number_type, usable_device, weights_mark
from probative.models.hf.pooling import SentenceConfig, read_config
from probative.models.types import Vector
from probative.settings import Settings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Tokens of one batch, padding included.
CPU_TOKENS, GPU_TOKENS = 4_096, 65_536
# A tokenizer without a limit says a number such as 10^30.
_NO_LIMIT = 1_000_000
# Code that lies with the weights is never run, and nobody is asked whether to.
_NO_CODE = {"trust_remote_code": False}


def open_encoder(name: str, settings: Settings) -> HFEncoder:
    """Return the encoder `name`, on the device and in the number type of the settings."""
    if not name:
        raise InputError("hf: needs a model", hint="write hf:NAME or hf:/path/to/model")
    return HFEncoder(name, device=settings.device, dtype=settings.dtype)


class HFEncoder(CountedEncoder):
    """A sentence-transformers model: `NAME` from the hub or its cache, or a folder.

    The default of `dtype` is float32. `truncated` counts the texts that were longer than the model reads.
    """

    def __init__(self, name: str, *, device: str | None = None, dtype: str | None = None) -> None:
        try:
            import torch
            import transformers
        except ImportError as error:
            raise MissingExtraError("hf", f"hf:{name}") from error
        self.name = f"hf:{name}"
        self._torch = torch
        self._device = usable_device(torch, device)
        self._dtype = dtype or "float32"
        number_type(torch, self._dtype)
        transformers.utils.logging.disable_progress_bar()
        self._config = read_config(self.name, lambda file: _find(name, file, transformers))
        self._model, self._tokenizer = self._load(name, transformers, self._config)
        self._window = self._readable_tokens()
        mark = f"{self._dtype}:{self._config.pooling}:{self._window}:{weights_mark(self._model)}"
        super().__init__(self.name, f"transformers:{mark}", int(self._model.config.hidden_size))
        self.truncated = 0

    def _load(self, name: str, transformers: Any, config: SentenceConfig) -> tuple[Any, Any]:
        source = str(Path(name).expanduser()) if Path(name).expanduser().is_dir() else name
        options: dict[str, Any] = {"subfolder": config.subfolder} if config.subfolder else {}
        try:
            tokenizer = transformers.AutoTokenizer.from_pretrained(source, **_NO_CODE, **options)
            model = transformers.AutoModel.from_pretrained(
                source, dtype=getattr(self._torch, self._dtype), **_NO_CODE, **options
            )
        except Exception as error:  # every format has its own errors
            raise ModelError(
                f"{self.name} cannot be loaded: {str(error).strip().splitlines()[0]}",
                hint="check the name or path; a model from the hub must be downloaded first if there "
                "is no network",
            ) from error
        return model.to(self._device).eval(), tokenizer

    def _readable_tokens(self) -> int:
        positions = getattr(self._model.config, "max_position_embeddings", None)
        limits = [self._config.max_tokens, self._tokenizer.model_max_length, positions]
        return min(limit for limit in [*limits, _NO_LIMIT] if isinstance(limit, int) and limit > 0)

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
            self.truncated += sum(len(ids) > len(kept) for ids, kept in zip(whole, cut, strict=True))
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
        found = transformers.utils.cached_file(
            name,
            file,
            _raise_exceptions_for_missing_entries=False,
            _raise_exceptions_for_connection_errors=False,
            _raise_exceptions_for_gated_repo=False,
        )
    except (OSError, ValueError) as error:
        raise ModelError(
            f"hf:{name} cannot be found: {str(error).strip().splitlines()[0]}",
            hint="check the name or path; a model from the hub must be downloaded first if there "
            "is no network",
        ) from error
    return None if found is None else Path(found)
