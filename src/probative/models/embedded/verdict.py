"""The embedded verdict models, with CTranslate2: the first token that they write is the verdict, the numbers
after it are those of the lines that decide. The softmax over the logits of the three verdicts gives their
probabilities.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from probative.errors import ModelError
from probative.models.embedded.engine import CPU, Device, EmbeddedScorer, device_for, on_workers
from probative.models.embedded.language import END
from probative.models.embedded.shipped import LARGE_TUNED, TUNED, has_large, large, small, unknown_model
from probative.models.embedded.store import Weights, weights_for
from probative.models.encoder import checked_texts
from probative.models.in_process import by_length, interruptible
from probative.models.task_prompts import VERDICTS, lines_in, one_line, prompt_pieces, read_reply
from probative.models.verdict import (
    VERDICT_LIMITS,
    CountedVerdict,
    Judging,
    VerdictItem,
    VerdictModel,
    VerdictScores,
    checked_items,
    too_long,
)
from probative.settings import Settings
from probative.types import Usage, total

Encode = Callable[[str], list[int]]
Prompt = tuple[int, list[int]]
"""The index of an item, and the tokens of its prompt."""
START = "<|im_start|>"


# The most tokens of a prompt: far above a usual one, and never trained beyond.
MAX_PROMPT_TOKENS = {TUNED: 2048, LARGE_TUNED: 4096}
# One worker per core with one thread each: two threads of one worker took 4 times as long next to a busy
# process. A batch of 4 takes 14% less time than 4 single prompts of 132 tokens. The large model fills all
# cores with one text.
BATCH = {TUNED: 4, LARGE_TUNED: 1}
# CTranslate2 reads one by one the tokens by which a prompt exceeds the shortest of its batch.
VERDICT_SPREAD = 4
# "no 12 40 7": the verdict and a few numbers, whose digits are a token each.
REPLY_TOKENS = 14
NOT_A_NUMBER = ModelError(
    "the model computed a verdict that is no number",
    hint="set device to cpu (PROBATIVE_DEVICE=cpu), or try again",
)


def open_verdict(rest: str, settings: Settings) -> VerdictModel:
    """Return the embedded verdict model: the small one, or ``large``."""
    if rest and not (rest == "large" and has_large()):
        raise unknown_model(rest, "'embedded'")
    if rest:
        weights = weights_for(large(), settings)
        return EmbeddedVerdict(
            weights, LARGE_TUNED, threads=settings.threads, device=device_for(settings.device)
        )
    return EmbeddedVerdict(weights_for(small(), settings), threads=settings.threads)


class EmbeddedVerdict(EmbeddedScorer, CountedVerdict):
    """A language model with the adapter of all tasks, which writes its verdict."""

    def __init__(
        self, weights: Weights, name: str = TUNED, *, threads: int | None = None, device: Device = CPU
    ) -> None:
        super().__init__("Generator", weights, threads, device)
        self.name, self.limits = name, VERDICT_LIMITS[name]
        self._max_tokens = min(MAX_PROMPT_TOKENS[name], weights.facts["window"] - REPLY_TOKENS)
        self._ids: dict[str, int] = self._tokenizer.get_vocab(with_added_tokens=True)
        self._vocabulary = sorted(self._ids, key=self._ids.__getitem__)
        self._verdicts = [self._encode(word)[0] for word in VERDICTS]

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text in the prompt."""
        lines = [one_line(text) for text in checked_texts(texts)]
        encoded = self._tokenizer.encode_batch_fast(lines, add_special_tokens=False)
        return [len(encoding.ids) for encoding in encoded]

    def judge_each(self, items: Sequence[VerdictItem]) -> list[Judging | ModelError]:
        """Return the scores and the cost of each item, or its error. Equal items are read once."""
        items = checked_items(items, self.limits.pieces)
        distinct = list(dict.fromkeys(items))
        encode = lru_cache(maxsize=None)(self._encode)  # the pieces of one text stand in many items
        prompts = [(index, self._prompt(item, encode)) for index, item in enumerate(distinct)]
        fitting = [prompt for prompt in prompts if len(prompt[1]) <= self._max_tokens]
        judgings = interruptible(lambda: self._judged(distinct, fitting))
        self._count(total(one.usage for one in judgings.values() if isinstance(one, Judging)))
        lengths = {distinct[index]: len(ids) for index, ids in prompts}
        outcomes: list[Judging | ModelError] = []
        for item in items:
            if item not in judgings:
                outcomes.append(too_long(lengths[item], self._max_tokens))
                continue
            outcomes.append(judging := judgings[item])
            if isinstance(judging, Judging):
                judgings[item] = judging._replace(usage=Usage())  # an equal item costs nothing
        return outcomes

    def _judged(
        self, items: Sequence[VerdictItem], prompts: Sequence[Prompt]
    ) -> dict[VerdictItem, Judging | ModelError]:
        """Return the judging of each item that has a prompt, in batches on all workers, the longest first."""
        engine = self._engine()
        batches = [*by_length(prompts, size=BATCH[self.name], spread=VERDICT_SPREAD)][::-1]
        judged = on_workers(self._workers, lambda batch: self._batch(engine, items, batch), batches)
        return {
            items[index]: judging
            for batch, judgings in judged
            for (index, _), judging in zip(batch, judgings, strict=True)
        }

    def _batch(
        self, engine: Any, items: Sequence[VerdictItem], batch: Sequence[Prompt]
    ) -> list[Judging | ModelError]:
        """Return the judgings of prompts of similar length."""
        started = time.perf_counter()
        prompts = [[self._vocabulary[token] for token in ids] for _, ids in batch]
        results = engine.generate_batch(
            prompts,
            include_prompt_in_result=False,
            return_logits_vocab=self._device == CPU,
            max_length=REPLY_TOKENS,
            end_token=[END],
        )
        if self._device == CPU:
            logits = [self._logits(result) for result in results]
        else:
            logits = self._log_probabilities(engine, prompts)
        seconds = (time.perf_counter() - started) / len(batch)
        judgings: list[Judging | ModelError] = []
        for (index, ids), result, of_verdicts in zip(batch, results, logits, strict=True):
            if not all(map(math.isfinite, of_verdicts)):
                judgings.append(NOT_A_NUMBER)
                continue
            reply = result.sequences_ids[0]
            supported, contradicted, insufficient = softmax(of_verdicts)
            _, cited = read_reply(self._tokenizer.decode(reply))
            deciding = _shares(cited, len(items[index].evidence))
            scores = VerdictScores(supported, contradicted, insufficient, deciding)
            usage = Usage(calls=1, prompt_tokens=len(ids), completion_tokens=len(reply), seconds=seconds)
            judgings.append(Judging(scores, usage))
        return judgings

    def _logits(self, result: Any) -> list[float]:
        """Return the logits of the three verdicts as the first token of a reply."""
        import numpy as np

        # Before them stand those of the tokens by which this prompt exceeds the shortest of the batch;
        # after them, if the reply ended by itself, those of its end.
        written = min(len(result.sequences_ids[0]) + 1, REPLY_TOKENS)
        logits: list[float] = np.asarray(result.logits[0][-written])[self._verdicts].tolist()
        return logits

    def _log_probabilities(self, engine: Any, prompts: Sequence[list[str]]) -> list[list[float]]:
        """Return the log-probabilities of the three verdicts after each prompt, for graphics cards: there the
        logits of a reply were often zeros, or no numbers (seen with CTranslate2 4.8; the cause is not known).
        """
        words = [self._vocabulary[verdict] for verdict in self._verdicts]
        texts = [[*prompt, word] for prompt in prompts for word in words]
        scored = engine.score_batch(
            texts, max_batch_size=MAX_PROMPT_TOKENS[self.name], batch_type="tokens", max_input_length=0
        )
        last = [float(entry.log_probs[-1]) for entry in scored]
        return [last[start : start + len(words)] for start in range(0, len(last), len(words))]

    def _encode(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return ids

    def _prompt(self, item: VerdictItem, encode: Encode) -> list[int]:
        """Return the tokens of the prompt; what stands in a text never becomes a control token."""
        asked = "".join(piece.text for piece in prompt_pieces("verdict", item.claim, lines_in(item)))
        start, end = [self._ids[START]], [self._ids[END], *encode("\n")]
        system, user = [*encode("system\nverdict"), *end], [*encode("user\n"), *encode(asked), *end]
        return [*start, *system, *start, *user, *start, *encode("assistant\n")]


def softmax(logits: Sequence[float]) -> tuple[float, ...]:
    """Return the probabilities of some logits."""
    weights = [math.exp(logit - max(logits)) for logit in logits]
    return tuple(weight / math.fsum(weights) for weight in weights)


def _shares(cited: Sequence[int], pieces: int) -> tuple[float, ...]:
    """Return how much each piece decides: the cited ones alike; all of them, if none is cited.

    >>> _shares((1, 7), 3), _shares((), 2)
    ((0.0, 1.0, 0.0), (0.5, 0.5))
    """
    deciding = {index for index in cited if index < pieces} or set(range(pieces))
    return tuple(float(index in deciding) / len(deciding) for index in range(pieces))
