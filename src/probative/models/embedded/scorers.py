"""The embedded evidence policy and verdict model, on the CPU, with CTranslate2.

The policy is a trained MiniLM in 8 bits. The score of a sequence is w · [first state, mean of states] + b.

The verdict model is SmolLM2-135M with an adapter of its own. One pass over the prompt gives the logits of the
verdicts, and one more token those of the letters. The softmax over the three verdicts gives their
probabilities; that over the letters of the window says how much each piece decides.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from probative.errors import ContextError, InputError, ModelError
from probative.models.batches import by_length, by_tokens, interruptible
from probative.models.contract import Counted, scores_of
from probative.models.embedded.convert import HEAD
from probative.models.embedded.engine import Engine, available_cores, maker, on_workers, text_tokenizer
from probative.models.embedded.shipped import has_large, policy, unknown_model, verdict
from probative.models.embedded.store import Weights, weights_for
from probative.models.encoder import checked_texts
from probative.models.evidence_policy import SEP, PolicyScores, PolicyState, Weighing, decision_sequences
from probative.models.verdict import (
    LETTERS,
    VERDICTS,
    Judging,
    VerdictItem,
    VerdictModel,
    VerdictScores,
    checked_items,
    clean,
    decides,
    prompt_ids,
)
from probative.settings import Settings
from probative.usage import Usage, total

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# One worker per core with one thread each, and small batches: 5,900 tokens/s on 2 cores, against 5,100 for
# one worker with two threads and batches of 4,096.
POLICY_BATCH_TOKENS = 256
# One worker per core with one thread each: two threads of one worker took 4 times as long next to a busy
# process. A batch of 4 takes 14% less time than 4 single prompts of 132 tokens; the verdict and the letter by
# `generate_batch` take as long as one `forward_batch`, which computes the logits of every token, and which
# would be needed twice.
VERDICT_BATCH = 4
# CTranslate2 reads one by one the tokens by which a prompt exceeds the shortest of its batch.
VERDICT_SPREAD = 4
# Far above a usual window of 400 tokens; longer prompts were never trained.
MAX_PROMPT_TOKENS = 2048

Row = tuple[int, ...]
Prompt = tuple[int, list[int]]


def open_policy(settings: Settings) -> EmbeddedPolicy:
    """Return the evidence policy that the package ships."""
    return EmbeddedPolicy(weights_for(policy(), settings), threads=settings.threads)


def open_verdict(rest: str, settings: Settings) -> VerdictModel:
    """Return the embedded verdict model."""
    if rest == "large" and has_large():
        from probative.models.embedded.large import open_large_verdict

        return open_large_verdict(settings)
    if rest not in ("", "verdict"):
        raise unknown_model(rest, "'embedded'")
    return EmbeddedVerdict(weights_for(verdict(), settings), threads=settings.threads)


class EmbeddedScorer(Counted):
    """A model in this process that scores items: one worker per core, with one thread each."""

    def __init__(self, kind: str, weights: Weights, threads: int | None) -> None:
        super().__init__()
        self._weights = weights
        self._workers = threads or available_cores()
        self._engine = Engine(maker(kind, weights.folder, workers=self._workers))
        self._tokenizer = text_tokenizer(weights.folder)

    @property
    def fingerprint(self) -> str:
        """Identifies these weights."""
        return f"ctranslate2-int8:{self._weights.fingerprint}"


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


class EmbeddedVerdict(EmbeddedScorer):
    """The verdict model in this process."""

    name = "embedded:verdict"

    def __init__(self, weights: Weights, *, threads: int | None = None) -> None:
        super().__init__("Generator", weights, threads)
        self._max_tokens = min(MAX_PROMPT_TOKENS, weights.facts["window"] - 2)
        ids = self._tokenizer.get_vocab(with_added_tokens=True)
        self._vocabulary = sorted(ids, key=ids.__getitem__)
        self._verdicts = [self._encode(text)[0] for text in VERDICTS]
        self._letters = [self._encode(decides(index))[0] for index in range(len(LETTERS))]

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text in the prompt."""
        cleaned = [clean(text) for text in checked_texts(texts)]
        encoded = self._tokenizer.encode_batch_fast(cleaned, add_special_tokens=False)
        return [len(encoding.ids) for encoding in encoded]

    def judge(self, items: Sequence[VerdictItem]) -> list[VerdictScores]:
        """Return the scores of each item, in order."""
        return scores_of(self.judge_each(items))

    def judge_each(self, items: Sequence[VerdictItem]) -> list[Judging | ModelError]:
        """Return the scores and the cost of each item, or its error. Equal items are read once."""
        items = checked_items(items)
        distinct = list(dict.fromkeys(items))
        encode = lru_cache(maxsize=None)(self._encode)  # the pieces of one text stand in many items
        prompts = [(index, prompt_ids(*item, encode)) for index, item in enumerate(distinct)]
        fitting = [prompt for prompt in prompts if len(prompt[1]) <= self._max_tokens]
        judgings = interruptible(lambda: self._judged(distinct, fitting))
        self._count(total(judging.usage for judging in judgings.values()))
        lengths = {distinct[index]: len(ids) for index, ids in prompts}
        outcomes: list[Judging | ModelError] = []
        for item in items:
            if item not in judgings:
                outcomes.append(too_long(lengths[item], self._max_tokens))
            else:
                outcomes.append(judgings[item])
                judgings[item] = judgings[item]._replace(usage=Usage())  # an equal item costs nothing
        return outcomes

    def _judged(self, items: Sequence[VerdictItem], prompts: Sequence[Prompt]) -> dict[VerdictItem, Judging]:
        """Return the judging of each item that has a prompt, in batches on all workers."""
        engine = self._engine()
        batches = list(by_length(prompts, size=VERDICT_BATCH, spread=VERDICT_SPREAD))
        judged = on_workers(self._workers, lambda batch: self._batch(engine, items, batch), batches)
        return {
            items[index]: judging
            for batch, judgings in judged
            for (index, _), judging in zip(batch, judgings, strict=True)
        }

    def _batch(self, engine: Any, items: Sequence[VerdictItem], batch: Sequence[Prompt]) -> list[Judging]:
        """Return the judgings of prompts of similar length."""
        import numpy as np

        started = time.perf_counter()
        results = engine.generate_batch(
            [[self._vocabulary[token] for token in ids] for _, ids in batch],
            max_length=2,
            min_length=2,  # the end of the text is no verdict
            include_prompt_in_result=False,
            return_logits_vocab=True,
        )
        seconds = (time.perf_counter() - started) / len(batch)
        judgings = []
        for (index, ids), result in zip(batch, results, strict=True):
            # Before them stand those of the tokens by which this prompt exceeds the shortest of the batch.
            first, second = (np.asarray(logits, dtype=np.float64) for logits in result.logits[0][-2:])
            letters = self._letters[: len(items[index].evidence)]
            supported, contradicted, insufficient = softmax(first[self._verdicts])
            scores = VerdictScores(supported, contradicted, insufficient, softmax(second[letters]))
            usage = Usage(calls=1, prompt_tokens=len(ids), completion_tokens=2, seconds=seconds)
            judgings.append(Judging(scores, usage))
        return judgings

    def _encode(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return ids


def too_long(tokens: int, window: int) -> ContextError:
    """Return the error of a prompt that the model cannot read."""
    return ContextError(
        f"the claim with its evidence has {tokens:,} tokens, and the verdict model reads at most {window:,}",
        tokens=tokens,
        window=window,
    )


def softmax(logits: NDArray[np.float64]) -> tuple[float, ...]:
    """Return the probabilities of some logits."""
    import numpy as np

    weights = np.exp(logits - logits.max())
    return tuple((weights / weights.sum()).tolist())
