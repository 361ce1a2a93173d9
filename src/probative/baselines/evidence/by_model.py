"""LLM pick, RankGPT and LLM rerank: a language model chooses sentences or puts them into order."""

from __future__ import annotations

from collections.abc import Sequence

from probative.baselines.evidence.by_score import cosines
from probative.baselines.evidence.selection import (
    choose_in_order,
    fill_prompt,
    make_baseline_context,
    read_numbers,
)
from probative.engine.methods import Tools
from probative.engine.search import Search, generate
from probative.errors import OutputError
from probative.mcse.context import Context
from probative.mcse.result import McseResult
from probative.mcse.search import K
from probative.models.types import Request

WINDOW, STRIDE = 20, 10
SHORTLIST = 10


def by_llm_pick(claim: str, sentences: Sequence[str], k: K, tools: Tools) -> Search[McseResult]:
    """Choose the sentences that the model names, in its order; a note says if it names fewer than k."""
    context, n = make_baseline_context(claim, sentences, k)
    request = Request.user(
        fill_prompt("pick", context, context.candidates, n), max_tokens=16 + 6 * n, temperature=0.0
    )
    (reply,) = yield from generate([request], step="pick")
    numbers = read_numbers(reply.text, len(context.candidates))[:n]
    if not numbers:
        raise OutputError(
            "the reply names none of the sentences",
            raw=reply.text,
            model=reply.model,
            step="pick",
            finish_reason=reply.finish_reason,
            hint="use a larger model, or the method mcse, which needs no written answer",
        )
    if len(numbers) < n:
        context.notes.append(f"the model named {len(numbers)} of {n} sentences")
    return choose_in_order(context, [context.candidates[number - 1] for number in numbers], n)


def by_rankgpt(claim: str, sentences: Sequence[str], k: K, tools: Tools) -> Search[McseResult]:
    """Choose the first sentences after ranking windows of 20, each 10 nearer to the beginning.

    The best sentences rise through all windows.
    """
    context, n = make_baseline_context(claim, sentences, k)
    order = list(context.candidates)
    end = len(order)
    while True:
        start = max(0, end - WINDOW)
        order[start:end] = yield from rank_by_model(context, order[start:end], "window")
        if start == 0:
            return choose_in_order(context, order, n)
        end -= STRIDE


def rank_by_model(context: Context, indexes: Sequence[int], step: str) -> Search[list[int]]:
    """Return the sentences in the model's order; those that it does not name follow in their own order."""
    if len(indexes) < 2:
        return list(indexes)
    request = Request.user(
        fill_prompt("rank", context, indexes, len(indexes)), max_tokens=16 + 6 * len(indexes), temperature=0.0
    )
    (reply,) = yield from generate([request], step=step)
    named = [indexes[number - 1] for number in read_numbers(reply.text, len(indexes))]
    if not named:
        context.notes.append("the model ranked none of the sentences of a window: they kept their order")
    return named + [index for index in indexes if index not in named]


def by_llm_rerank(claim: str, sentences: Sequence[str], k: K, tools: Tools) -> Search[McseResult]:
    """Choose from the model's order of the sentences nearest to the claim: ten, or 2k if that is more."""
    context, n = make_baseline_context(claim, sentences, k)
    similarities = yield from cosines(context)
    order = sorted(range(len(similarities)), key=lambda position: (-similarities[position], position))
    shortlist = [context.candidates[position] for position in order[: max(SHORTLIST, 2 * n)]]
    return choose_in_order(context, (yield from rank_by_model(context, shortlist, "rerank")), n)
