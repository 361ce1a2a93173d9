"""The embedded evidence policy, on the CPU, with CTranslate2: a trained MiniLM in 8 bits.

The score of a sequence is w · [first state, mean of states] + b.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from probative.errors import InputError
from probative.models.batches import by_tokens
from probative.models.embedded.convert import HEAD
from probative.models.embedded.engine import EmbeddedScorer, on_workers
from probative.models.embedded.shipped import policy
from probative.models.embedded.store import Weights, weights_for
from probative.models.encoder import checked_texts
from probative.models.evidence_policy import SEP, PolicyScores, PolicyState, Weighing, decision_sequences
from probative.settings import Settings
from probative.usage import Usage, total

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
