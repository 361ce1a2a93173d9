"""The embedded encoders and the evidence policy, on the CPU: all-MiniLM-L6-v2 and a trained MiniLM in 8 bits
with CTranslate2, and the static potion-base-8M with numpy, which has one vector for each token.

The static vector of a text is the mean of its tokens' vectors, so a thousand passages take a second where a
transformer takes a minute. An index has these vectors beside its words. The policy's score of a sequence is
w · [first state, mean of states] + b.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from probative.errors import InputError, ModelError
from probative.models.contract import Progress
from probative.models.embedded.catalog import ENCODER, STATIC
from probative.models.embedded.convert import HEAD
from probative.models.embedded.engine import (
    EmbeddedScorer,
    Engine,
    engine_cores,
    maker,
    on_workers,
    text_tokenizer,
)
from probative.models.embedded.shipped import policy, unknown_model
from probative.models.embedded.store import Store, Weights, weights_for
from probative.models.encoder import CountedEncoder, checked_texts
from probative.models.evidence_policy import SEP, PolicyScores, PolicyState, Weighing, decision_sequences
from probative.models.in_process import by_tokens
from probative.models.types import Vector
from probative.settings import Settings
from probative.types import Usage, total

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


BATCH_TOKENS = 2048


def open_encoder(rest: str, settings: Settings) -> EmbeddedEncoder:
    """Return the embedded encoder."""
    if rest:
        raise unknown_model(rest, "'embedded'")
    return EmbeddedEncoder(weights_for(ENCODER, settings), threads=settings.threads)


def open_static(settings: Settings, *, fetch: bool = True) -> StaticEncoder | None:
    """Return the static encoder; None if it is not here and `fetch` is false."""
    if fetch:
        return StaticEncoder(weights_for(STATIC, settings))
    weights = Store(settings.weights_folder).find(STATIC)
    return None if weights is None else StaticEncoder(weights)


class EmbeddedEncoder(CountedEncoder):
    """all-MiniLM-L6-v2 in this process: 384 numbers per text.

    It reads the first 256 tokens of a text, as in its training; `truncated` counts the longer texts.
    """

    def __init__(self, weights: Weights, *, threads: int | None = None) -> None:
        facts = weights.facts
        super().__init__("embedded", f"ctranslate2-int8:{weights.fingerprint}", facts["dimensions"])
        self._window: int = facts["window"]
        self._engine = Engine(maker("Encoder", weights.folder, threads=threads or engine_cores()))
        self._tokenizer = text_tokenizer(weights.folder)
        self.truncated = 0

    def encode_each(self, texts: Sequence[str]) -> Iterator[tuple[int, Vector | ModelError]]:
        encoded = [encoding.ids for encoding in self._tokenizer.encode_batch(checked_texts(texts))]
        # [CLS] … [SEP]: a text that was cut still ends in [SEP].
        read = [ids if len(ids) <= self._window else [*ids[: self._window - 1], ids[-1]] for ids in encoded]
        with self._counting:
            self.truncated += sum(len(ids) > self._window for ids in encoded)
        return self._encode_batches(read, BATCH_TOKENS, self._vectors)

    def _vectors(self, batch: list[list[int]]) -> NDArray[np.float32]:
        """Return the mean of the states of each text, with length 1."""
        import numpy as np

        states = np.asarray(self._engine().forward_batch(batch).last_hidden_state)
        means = [states[row, : len(ids)].mean(axis=0) for row, ids in enumerate(batch)]
        return np.stack([mean / max(float(np.linalg.norm(mean)), 1e-12) for mean in means])


_BATCH = 1_024


class StaticEncoder(CountedEncoder):
    """potion-base-8M in this process: 256 numbers per text. It reads the whole text."""

    def __init__(self, weights: Weights) -> None:
        super().__init__("static", f"static:{weights.fingerprint}", weights.facts["dimensions"])
        self._weights = weights

    @cached_property
    def _table(self) -> NDArray[np.float32]:
        import numpy as np

        table: NDArray[np.float32] = np.load(
            self._weights.folder / "model.bin", mmap_mode="r", allow_pickle=False
        )
        return table

    @cached_property
    def _tokenizer(self) -> Any:
        return text_tokenizer(self._weights.folder)

    def encode(self, texts: Sequence[str], *, progress: Progress | None = None) -> NDArray[np.float32]:
        import numpy as np

        texts = checked_texts(texts)
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for start in range(0, len(texts), _BATCH):
            part = texts[start : start + _BATCH]
            vectors[start : start + len(part)] = self._encode(part)
            if progress is not None:
                progress(start + len(part), len(texts))
        return vectors

    def _encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of one batch; a text without a known token gets zeros."""
        import numpy as np

        started = time.perf_counter()
        unknown = self._tokenizer.token_to_id("[UNK]")
        encoded = self._tokenizer.encode_batch_fast(texts, add_special_tokens=False)
        table = np.asarray(self._table)
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        tokens = 0
        for row, each in enumerate(encoded):
            ids = [token for token in each.ids if token != unknown]
            if ids:
                # One sum for each text: `np.add.reduceat` over all of them takes eight times as long.
                table.take(ids, axis=0).sum(axis=0, out=vectors[row])
                tokens += len(ids)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        seconds = time.perf_counter() - started
        self._count(Usage(calls=1, prompt_tokens=tokens, seconds=seconds))
        return vectors


# One worker per core with one thread each, and small batches: 5,900 tokens/s on 2 cores, against 5,100 for
# one worker with two threads and batches of 4,096.
POLICY_BATCH_TOKENS = 256

Row = tuple[int, ...]


def open_policy(settings: Settings) -> EmbeddedPolicy:
    """Return the evidence policy that the package ships."""
    return EmbeddedPolicy(weights_for(policy(), settings), threads=settings.threads)


class EmbeddedPolicy(EmbeddedScorer):
    """The policy in this process. Texts are cut to their maximum length in training."""

    name = "embedded:policy"

    def __init__(self, weights: Weights, *, threads: int | None = None) -> None:
        import numpy as np

        super().__init__("Encoder", weights, threads)
        head = np.load(weights.folder / HEAD)
        self._first, self._mean = np.split(head[:-1], 2)
        self._bias = float(head[-1])

    def weigh(self, states: Sequence[PolicyState]) -> list[PolicyScores]:
        """Return the scores of each decision, in order."""
        return [weighing.scores for weighing in self.weigh_each(states)]

    def weigh_each(self, states: Sequence[PolicyState]) -> list[Weighing]:
        """Return the scores and the cost of each decision.

        A sequence that several decisions share is read once, and counted for the first of them.
        """
        started = time.perf_counter()
        states = checked_states(states)
        tokens = self._tokens(states)
        groups = [
            decision_sequences(
                tokens[state.query],
                [tokens[text] for text in state.chosen],
                [tokens[text] for text in state.candidates],
                neighbours=[(tokens[around.before], tokens[around.after]) for around in state.neighbours],
            ).rows
            for state in states
        ]
        rows = [[tuple(row) for row in group] for group in groups]
        scores = self.scores(row for group in rows for row in group)
        seconds = (time.perf_counter() - started) / max(1, len(rows))
        weighings: list[Weighing] = []
        unread = set(scores)
        for group in rows:
            *candidates, complete, nothing = (scores[row] for row in group)
            read = sum(len(row) for row in unread.intersection(group))
            unread.difference_update(group)
            usage = Usage(calls=1, prompt_tokens=read, seconds=seconds)
            weighings.append(Weighing(PolicyScores(tuple(candidates), complete, nothing), usage))
        self._count(total(weighing.usage for weighing in weighings))
        return weighings

    def _tokens(self, states: Sequence[PolicyState]) -> dict[str, list[int]]:
        """Return the tokens of each distinct text of the decisions."""
        texts = list(dict.fromkeys(text for state in states for text in _texts(state)))
        encoded = self._tokenizer.encode_batch_fast(texts, add_special_tokens=False)
        return {text: encoding.ids for text, encoding in zip(texts, encoded, strict=True)}

    def scores(self, rows: Iterable[Row]) -> dict[Row, float]:
        """Return the score of each distinct sequence, in batches of similar length on all workers."""
        longest_first = sorted(dict.fromkeys(rows), key=len, reverse=True)
        batches = list(by_tokens(longest_first, POLICY_BATCH_TOKENS, length=len))
        engine = self._engine()
        scored = on_workers(self._workers, lambda batch: self._batch(engine, batch), batches)
        return {row: score for batch, scores in scored for row, score in zip(batch, scores, strict=True)}

    def _batch(self, engine: Any, batch: Sequence[Row]) -> list[float]:
        import numpy as np

        seconds = [row.index(SEP) + 1 for row in batch]
        output = engine.forward_batch(
            [list(row) for row in batch],
            token_type_ids=[
                [0] * second + [1] * (len(row) - second) for row, second in zip(batch, seconds, strict=True)
            ],
        )
        states: NDArray[np.float32] = np.asarray(output.last_hidden_state)
        return [
            float(states[index, 0] @ self._first + states[index, : len(row)].mean(axis=0) @ self._mean)
            + self._bias
            for index, row in enumerate(batch)
        ]


def checked_states(states: Sequence[PolicyState]) -> list[PolicyState]:
    """Return the decisions as a list; raises `InputError` if one is invalid."""
    checked = list(states)
    for state in checked:
        if not isinstance(state, PolicyState):
            raise InputError(f"a decision must be a PolicyState, got {type(state).__name__}")
        checked_texts(_texts(state))
        if state.neighbours and len(state.neighbours) != len(state.candidates):
            raise InputError(
                f"got {len(state.neighbours)} neighbours for {len(state.candidates)} candidates",
                hint="pass neighbours for every candidate, or for none",
            )
    return checked


def _texts(state: PolicyState) -> list[str]:
    """Return every text of a decision."""
    return [
        state.query,
        *state.chosen,
        *state.candidates,
        *(text for around in state.neighbours for text in around),
    ]
