"""The large embedded model as verdict model: it writes the verdict and the lines that decide."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from probative.errors import ModelError
from probative.models.batches import interruptible
from probative.models.contract import scores_of
from probative.models.embedded.engine import on_workers
from probative.models.embedded.language import END
from probative.models.embedded.scorers import EmbeddedScorer, softmax, too_long
from probative.models.embedded.shipped import large
from probative.models.embedded.store import Weights, weights_for
from probative.models.encoder import checked_texts
from probative.models.task_prompts import VERDICTS, Line, one_line, prompt_pieces, read_reply
from probative.models.verdict import Judging, VerdictItem, VerdictLimits, VerdictScores, checked_items
from probative.settings import Settings
from probative.usage import Usage, total

# Claims over four documents of a page each were trained on.
LIMITS = VerdictLimits(tokens=1900, pieces=200)
MAX_PROMPT_TOKENS = 4096
# "no 12 40 7": the verdict and a few numbers, whose digits are a token each.
REPLY_TOKENS = 14
START = "<|im_start|>"


def open_large_verdict(settings: Settings) -> LargeVerdict:
    """Return the large verdict model."""
    return LargeVerdict(weights_for(large(), settings), threads=settings.threads)


class LargeVerdict(EmbeddedScorer):
    """The verdict model of the large model's adapter, in this process."""

    name = "embedded:large"
    limits = LIMITS

    def __init__(self, weights: Weights, *, threads: int | None = None) -> None:
        super().__init__("Generator", weights, threads)
        ids = self._tokenizer.get_vocab(with_added_tokens=True)
        self._vocabulary = sorted(ids, key=ids.__getitem__)
        self._verdicts = [self._encode(word)[0] for word in VERDICTS]

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text in the prompt."""
        lines = [one_line(text) for text in checked_texts(texts)]
        return [len(encoding.ids) for encoding in self._tokenizer.encode_batch_fast(lines)]

    def judge(self, items: Sequence[VerdictItem]) -> list[VerdictScores]:
        """Return the scores of each item, in order."""
        return scores_of(self.judge_each(items))

    def judge_each(self, items: Sequence[VerdictItem]) -> list[Judging | ModelError]:
        """Return the scores and the cost of each item, or its error. Equal items are read once."""
        items = checked_items(items, None)
        prompts = {item: self._prompt(item) for item in dict.fromkeys(items)}
        fitting = [item for item, tokens in prompts.items() if len(tokens) <= MAX_PROMPT_TOKENS]
        engine = self._engine()
        longest_first = sorted(fitting, key=lambda item: -len(prompts[item]))
        judged = interruptible(
            lambda: dict(
                on_workers(self._workers, lambda item: self._read(engine, item, prompts[item]), longest_first)
            )
        )
        self._count(total(judging.usage for judging in judged.values()))
        outcomes: list[Judging | ModelError] = []
        for item in items:
            if item not in judged:
                outcomes.append(too_long(len(prompts[item]), MAX_PROMPT_TOKENS))
            else:
                outcomes.append(judged[item])
                judged[item] = judged[item]._replace(usage=Usage())  # an equal item costs nothing
        return outcomes

    def _read(self, engine: Any, item: VerdictItem, tokens: list[str]) -> Judging:
        """Return the judging of one item: the probabilities of the first token, and the lines behind it."""
        import numpy as np

        started = time.perf_counter()
        (result,) = engine.generate_batch(
            [tokens],
            max_length=REPLY_TOKENS,
            include_prompt_in_result=False,
            return_logits_vocab=True,
            end_token=[END],
        )
        first = np.asarray(result.logits[0][0], dtype=np.float64)
        supported, contradicted, insufficient = softmax(first[self._verdicts])
        _, cited = read_reply(self._tokenizer.decode(result.sequences_ids[0]))
        deciding = _shares(cited, len(item.evidence))
        written = len(result.sequences_ids[0])
        seconds = time.perf_counter() - started
        usage = Usage(calls=1, prompt_tokens=len(tokens), completion_tokens=written, seconds=seconds)
        return Judging(VerdictScores(supported, contradicted, insufficient, deciding), usage)

    def _prompt(self, item: VerdictItem) -> list[str]:
        """Return the tokens of the chat; what stands in a text never becomes a control token."""
        lines = [Line(text) for text in item.evidence]
        asked = "".join(piece.text for piece in prompt_pieces("verdict", item.claim, lines))
        parts: list[str | list[int]] = [
            START,
            self._encode("system\nverdict"),
            END,
            self._encode("\n"),
            START,
        ]
        parts += [self._encode("user\n") + self._encode(asked), END, self._encode("\n"), START]
        parts.append(self._encode("assistant\n"))
        return [
            token
            for part in parts
            for token in ([part] if isinstance(part, str) else [self._vocabulary[number] for number in part])
        ]

    def _encode(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return ids


def _shares(cited: Sequence[int], pieces: int) -> tuple[float, ...]:
    """Return how much each piece decides: the cited ones alike; all of them, if none is cited.

    >>> _shares((1, 7), 3), _shares((), 2)
    ((0.0, 1.0, 0.0), (0.5, 0.5))
    """
    places = {index for index in cited if index < pieces} or set(range(pieces))
    return tuple(float(index in places) / len(places) for index in range(pieces))
