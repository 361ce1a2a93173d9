"""LLM pick: a language model reads all sentences and names those that support the claim."""

from __future__ import annotations

from collections.abc import Sequence

from probative.baselines.evidence.selection import (
    choose_in_order,
    fill_prompt,
    make_baseline_context,
    read_numbers,
)
from probative.engine.search import Search, generate
from probative.engine.tools import Tools
from probative.errors import OutputError
from probative.mcse.result import McseResult
from probative.mcse.search import K
from probative.models.types import Request


def by_llm_pick(claim: str, sentences: Sequence[str], k: K, tools: Tools) -> Search[McseResult]:
    """Choose the sentences that the model names, in its order; a note says if it names fewer than k."""
    context, n = make_baseline_context(claim, sentences, k)
    request = Request.user(
        fill_prompt("pick", context, context.candidates, n), max_tokens=16 + 6 * n, temperature=0.0
    )
    (reply,) = yield from generate([request], step="pick")
    if reply.finish_reason == "dry-run":
        return choose_in_order(context, context.candidates, n)
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
