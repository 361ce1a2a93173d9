"""The embedded verdict models, with CTranslate2: the first token that they write is the verdict.

The softmax over the logits of the three verdicts gives their probabilities. The small model, SmolLM2-135M
with an adapter of its own, then writes the letter of the deciding piece: the softmax over the letters of the
window says how much each piece decides. The large one writes the numbers of the lines that decide.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from probative.errors import ModelError
from probative.models import task_prompts
from probative.models.batches import by_length, interruptible
from probative.models.embedded.engine import CPU, Device, EmbeddedScorer, device_for, on_cpu, on_workers
from probative.models.embedded.language import END
from probative.models.embedded.shipped import has_large, large, unknown_model, verdict
from probative.models.embedded.store import Weights, weights_for
from probative.models.encoder import checked_texts
from probative.models.task_prompts import lines_in, one_line, prompt_pieces, read_reply
from probative.models.verdict import (
    LETTERS,
    VERDICT_LIMITS,
    VERDICTS,
    CountedVerdict,
    Judging,
    VerdictItem,
    VerdictLimits,
    VerdictModel,
    VerdictScores,
    checked_items,
    clean,
    decides,
    prompt_ids,
    too_long,
)
from probative.settings import Settings
from probative.usage import Usage, total

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Encode = Callable[[str], list[int]]
Prompt = tuple[int, list[int]]
"""The index of an item, and the tokens of its prompt."""
START = "<|im_start|>"


def open_verdict(rest: str, settings: Settings) -> VerdictModel:
    """Return the embedded verdict model: the small one, or ``large``."""
    if rest == "large" and has_large():
        weights = weights_for(large(), settings)
        return LargeVerdict(weights, threads=settings.threads, device=device_for(settings.device))
    if rest not in ("", "verdict"):
        raise unknown_model(rest, "'embedded'")
    return EmbeddedVerdict(weights_for(verdict(), settings), threads=settings.threads)


class VerdictGenerator(EmbeddedScorer, CountedVerdict):
    """A verdict model in this process that writes its verdict. A subclass has the prompt of an item and reads
    from the reply which pieces decide.
    """

    limits: ClassVar[VerdictLimits] = VerdictLimits()
    max_prompt_tokens: ClassVar[int]
    verdicts: ClassVar[tuple[str, ...]]
    """What the model writes for supported, contradicted and insufficient; each is one token."""
    batch: ClassVar[int] = 1
    options: ClassVar[dict[str, Any]]
    """How the engine writes a reply."""

    def __init__(self, weights: Weights, *, threads: int | None = None, device: Device = CPU) -> None:
        super().__init__("Generator", weights, threads, device)
        self._max_tokens = min(self.max_prompt_tokens, weights.facts["window"] - self.options["max_length"])
        self._ids: dict[str, int] = self._tokenizer.get_vocab(with_added_tokens=True)
        self._vocabulary = sorted(self._ids, key=self._ids.__getitem__)
        self._verdicts = [self._encode(word)[0] for word in self.verdicts]

    @abstractmethod
    def _prompt(self, item: VerdictItem, encode: Encode) -> list[int]:
        """Return the tokens of the prompt; what stands in a text never becomes a control token."""

    @abstractmethod
    def _line(self, text: str) -> str:
        """Return a text as it stands in the prompt."""

    @abstractmethod
    def _deciding(
        self, item: VerdictItem, logits: Sequence[NDArray[np.float64]], reply: Sequence[int]
    ) -> tuple[float, ...]:
        """Return how much each piece decides, by the tokens of the reply and the logits of each."""

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text in the prompt."""
        lines = [self._line(text) for text in checked_texts(texts)]
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
        """Return the judging of each item that has a prompt, in batches on all workers, the longest first."""
        engine = self._engine()
        batches = [*by_length(prompts, size=self.batch, spread=VERDICT_SPREAD)][::-1]
        judged = on_workers(self._workers, lambda batch: self._batch(engine, items, batch), batches)
        return {
            items[index]: judging
            for batch, judgings in judged
            for (index, _), judging in zip(batch, judgings, strict=True)
        }

    def _batch(self, engine: Any, items: Sequence[VerdictItem], batch: Sequence[Prompt]) -> list[Judging]:
        """Return the judgings of prompts of similar length."""
        started = time.perf_counter()
        results = engine.generate_batch(
            [[self._vocabulary[token] for token in ids] for _, ids in batch],
            include_prompt_in_result=False,
            return_logits_vocab=True,
            **self.options,
        )
        seconds = (time.perf_counter() - started) / len(batch)
        judgings = []
        for (index, ids), result in zip(batch, results, strict=True):
            reply = result.sequences_ids[0]
            # Before them stand those of the tokens by which this prompt exceeds the shortest of the batch;
            # after them, if the reply ended by itself, those of its end.
            written = min(len(reply) + 1, self.options["max_length"])
            logits = [on_cpu(each).astype("float64") for each in result.logits[0][-written:]]
            supported, contradicted, insufficient = softmax(logits[0][self._verdicts])
            deciding = self._deciding(items[index], logits, reply)
            scores = VerdictScores(supported, contradicted, insufficient, deciding)
            usage = Usage(calls=1, prompt_tokens=len(ids), completion_tokens=len(reply), seconds=seconds)
            judgings.append(Judging(scores, usage))
        return judgings

    def _encode(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return ids


# One worker per core with one thread each: two threads of one worker took 4 times as long next to a busy
# process. A batch of 4 takes 14% less time than 4 single prompts of 132 tokens; the verdict and the letter by
# `generate_batch` take as long as one `forward_batch`, which computes the logits of every token, and which
# would be needed twice.
VERDICT_BATCH = 4
# CTranslate2 reads one by one the tokens by which a prompt exceeds the shortest of its batch.
VERDICT_SPREAD = 4


class EmbeddedVerdict(VerdictGenerator):
    """The small verdict model."""

    name = "embedded:verdict"
    # Far above a usual window of 400 tokens; longer prompts were never trained.
    max_prompt_tokens = 2048
    verdicts = VERDICTS
    batch = VERDICT_BATCH
    options: ClassVar[dict[str, Any]] = {
        "max_length": 2,
        "min_length": 2,  # the end of the text is no verdict
    }

    def __init__(self, weights: Weights, *, threads: int | None = None) -> None:
        super().__init__(weights, threads=threads)
        self._letters = [self._encode(decides(index))[0] for index in range(len(LETTERS))]

    def _prompt(self, item: VerdictItem, encode: Encode) -> list[int]:
        return prompt_ids(item.claim, item.evidence, encode)

    def _line(self, text: str) -> str:
        return clean(text)

    def _deciding(
        self, item: VerdictItem, logits: Sequence[NDArray[np.float64]], reply: Sequence[int]
    ) -> tuple[float, ...]:
        return softmax(logits[1][self._letters[: len(item.evidence)]])


class LargeVerdict(VerdictGenerator):
    """The large verdict model: the large language model with the adapter of all tasks."""

    name = "embedded:large"
    # Claims over four documents of a page each were trained on.
    limits = VERDICT_LIMITS["embedded:large"]
    max_prompt_tokens = 4096
    verdicts = task_prompts.VERDICTS
    options: ClassVar[dict[str, Any]] = {
        "max_length": 14,  # "no 12 40 7": the verdict and a few numbers, whose digits are a token each
        "end_token": [END],
    }

    def _prompt(self, item: VerdictItem, encode: Encode) -> list[int]:
        lines = lines_in(item)
        asked = "".join(piece.text for piece in prompt_pieces("verdict", item.claim, lines))
        start, end = [self._ids[START]], [self._ids[END], *encode("\n")]
        system, user = [*encode("system\nverdict"), *end], [*encode("user\n"), *encode(asked), *end]
        return [*start, *system, *start, *user, *start, *encode("assistant\n")]

    def _line(self, text: str) -> str:
        return one_line(text)

    def _deciding(
        self, item: VerdictItem, logits: Sequence[NDArray[np.float64]], reply: Sequence[int]
    ) -> tuple[float, ...]:
        _, cited = read_reply(self._tokenizer.decode(reply))
        return _shares(cited, len(item.evidence))


def softmax(logits: NDArray[np.float64]) -> tuple[float, ...]:
    """Return the probabilities of some logits."""
    import numpy as np

    weights = np.exp(logits - logits.max())
    return tuple((weights / weights.sum()).tolist())


def _shares(cited: Sequence[int], pieces: int) -> tuple[float, ...]:
    """Return how much each piece decides: the cited ones alike; all of them, if none is cited.

    >>> _shares((1, 7), 3), _shares((), 2)
    ((0.0, 1.0, 0.0), (0.5, 0.5))
    """
    deciding = {index for index in cited if index < pieces} or set(range(pieces))
    return tuple(float(index in deciding) / len(deciding) for index in range(pieces))
