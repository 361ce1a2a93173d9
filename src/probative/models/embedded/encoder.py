"""The embedded encoder: all-MiniLM-L6-v2 in 8 bits, on the CPU, with CTranslate2."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from probative.errors import ModelError
from probative.models.batches import by_tokens
from probative.models.contract import Progress
from probative.models.embedded.engine import Engine, available_cores, number_type
from probative.models.embedded.store import Weights
from probative.models.encoder import LocalEncoder, checked_texts, stack_vectors
from probative.models.types import Vector
from probative.usage import Usage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BATCH_TOKENS = 2048


class EmbeddedEncoder(LocalEncoder):
    """all-MiniLM-L6-v2 in this process: 384 numbers per text.

    It reads the first 256 tokens of a text, as in its training; `truncated` counts the longer texts.
    """

    def __init__(self, weights: Weights, *, threads: int | None = None) -> None:
        import ctranslate2
        from tokenizers import Tokenizer

        facts = json.loads((weights.folder / "facts.json").read_text(encoding="utf-8"))
        super().__init__("embedded", f"ctranslate2-int8:{weights.fingerprint}", facts["dimensions"])
        self._window: int = facts["window"]
        self._engine = Engine(
            lambda: ctranslate2.Encoder(
                str(weights.folder),
                compute_type=number_type(),
                inter_threads=1,
                intra_threads=threads or available_cores(),
            )
        )
        self._tokenizer = Tokenizer.from_file(str(weights.folder / "tokenizer.json"))
        self._tokenizer.encode_special_tokens = True
        self.truncated = 0

    def encode(self, texts: Sequence[str], *, progress: Progress | None = None) -> NDArray[np.float32]:
        import numpy as np

        texts = checked_texts(texts)
        vectors = stack_vectors(self.encode_each(texts), len(texts), progress)
        return vectors if len(texts) else np.empty((0, self._dimensions), dtype=np.float32)

    def encode_each(self, texts: Sequence[str]) -> Iterator[tuple[int, Vector | ModelError]]:
        import numpy as np

        texts = checked_texts(texts)
        encoded = [encoding.ids for encoding in self._tokenizer.encode_batch(texts)]
        # [CLS] … [SEP]: a text that was cut still ends in [SEP].
        kept = [ids if len(ids) <= self._window else [*ids[: self._window - 1], ids[-1]] for ids in encoded]
        with self._counting:
            self.truncated += sum(len(ids) > self._window for ids in encoded)
        order = sorted(range(len(texts)), key=lambda index: -len(kept[index]))
        calls = 1
        for batch in by_tokens(order, BATCH_TOKENS, length=lambda index: len(kept[index])):
            started = time.perf_counter()
            output = self._engine().forward_batch([kept[index] for index in batch])
            states = np.asarray(output.last_hidden_state)
            seconds = (time.perf_counter() - started) / len(batch)
            for row, index in enumerate(batch):
                mean = states[row, : len(kept[index])].mean(axis=0)
                usage = Usage(calls=calls, prompt_tokens=len(kept[index]), seconds=seconds)
                calls = 0
                self._count(usage)
                yield index, Vector(mean / max(float(np.linalg.norm(mean)), 1e-12), usage)
