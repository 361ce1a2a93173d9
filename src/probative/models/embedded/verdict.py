"""The embedded verdict model: SmolLM2-135M with an adapter of its own, on the CPU, with CTranslate2.

One pass over the prompt gives the logits of the verdicts, and one more token those of the letters. The
softmax over the three verdicts gives their probabilities; that over the letters of the window says how much
each piece decides.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from probative.errors import ContextError, ModelError
from probative.models.batches import by_length, interruptible
from probative.models.contract import scores_of
from probative.models.embedded.engine import EmbeddedScorer, on_workers
from probative.models.embedded.store import Weights
from probative.models.encoder import checked_texts
from probative.models.verdict import (
    LETTERS,
    VERDICTS,
    Judging,
    VerdictItem,
    VerdictScores,
    checked_items,
    clean,
    decides,
    prompt_ids,
)
from probative.usage import Usage, total

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# One worker per core with one thread each: two threads of one worker took 4 times as long next to a busy
# process. A batch of 4 takes 14% less time than 4 single prompts of 132 tokens; the verdict and the letter by
# `generate_batch` take as long as one `forward_batch`, which computes the logits of every token, and which
# would be needed twice.
BATCH = 4
# CTranslate2 reads one by one the tokens by which a prompt exceeds the shortest of its batch.
SPREAD = 4
# Far above a usual window of 400 tokens; longer prompts were never trained.
MAX_PROMPT_TOKENS = 2048

Prompt = tuple[int, list[int]]


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
        batches = list(by_length(prompts, size=BATCH, spread=SPREAD))
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
            supported, contradicted, insufficient = _softmax(first[self._verdicts])
            scores = VerdictScores(supported, contradicted, insufficient, _softmax(second[letters]))
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


def _softmax(logits: NDArray[np.float64]) -> tuple[float, ...]:
    import numpy as np

    weights = np.exp(logits - logits.max())
    return tuple((weights / weights.sum()).tolist())
