"""RankGPT: listwise ranking by a language model in windows that slide from the end to the beginning."""

from __future__ import annotations

from collections.abc import Sequence

from probative.baselines.evidence.selection import filled, in_order, named_numbers, prepared
from probative.engine.search import Search, generate
from probative.engine.tools import Tools
from probative.mcse.context import Context
from probative.mcse.result import McseResult
from probative.mcse.search import K
from probative.models.types import Request

WINDOW, STRIDE = 20, 10


def by_rankgpt(claim: str, sentences: Sequence[str], k: K, tools: Tools) -> Search[McseResult]:
    """Windows of 20 sentences, each 10 nearer to the beginning: the best rise through all of them."""
    context, count = prepared(claim, sentences, k)
    order = list(context.candidates)
    end = len(order)
    while True:
        start = max(0, end - WINDOW)
        order[start:end] = yield from reordered(context, order[start:end], "window")
        if start == 0:
            return in_order(context, order, count)
        end -= STRIDE


def reordered(context: Context, numbers: Sequence[int], step: str) -> Search[list[int]]:
    """The sentences in the model's order; those that it does not name keep theirs, after the others."""
    if len(numbers) < 2:
        return list(numbers)
    asked = Request.user(
        filled("rank", context, numbers, len(numbers)), max_tokens=16 + 6 * len(numbers), temperature=0.0
    )
    answers = yield from generate([asked], step=step)
    if answers[0].finish_reason == "dry-run":
        return list(numbers)
    named = [numbers[number - 1] for number in named_numbers(answers[0].text, len(numbers))]
    if not named:
        context.notes.append("the model ranked none of the sentences of a window: they kept their order")
    return named + [number for number in numbers if number not in named]
