"""A language model that sees all sentences and names those that support the claim."""

from __future__ import annotations

from collections.abc import Sequence

from probative.baselines.evidence.selection import filled, in_order, named_numbers, prepared
from probative.engine.search import Search, generate
from probative.engine.tools import Tools
from probative.errors import OutputError
from probative.mcse.result import McseResult
from probative.mcse.search import K
from probative.models.types import Request


def by_llm_pick(claim: str, sentences: Sequence[str], k: K, tools: Tools) -> Search[McseResult]:
    """The sentences that the model names, in its order. It may name fewer than asked: a note says so."""
    context, count = prepared(claim, sentences, k)
    asked = Request.user(
        filled("pick", context, context.candidates, count), max_tokens=16 + 6 * count, temperature=0.0
    )
    answers = yield from generate([asked], step="pick")
    if answers[0].finish_reason == "dry-run":
        return in_order(context, context.candidates, count)
    named = named_numbers(answers[0].text, len(context.candidates))[:count]
    if not named:
        raise OutputError(
            "it named none of the sentences",
            raw=answers[0].text,
            model=answers[0].model,
            step="pick",
            finish_reason=answers[0].finish_reason,
            hint="use a larger model, or --method mcse, which needs no written answer",
        )
    if len(named) < count:
        context.notes.append(f"the model named {len(named)} of {count} sentences")
    return in_order(context, [context.candidates[number - 1] for number in named], count)
