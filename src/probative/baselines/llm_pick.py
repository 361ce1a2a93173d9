"""A language model that sees all sentences and names those that support the claim."""

from __future__ import annotations

from collections.abc import Sequence

from probative.baselines.selection import filled, in_order, named_numbers, prepared
from probative.errors import OutputError
from probative.mcse.found import Found
from probative.mcse.search import K
from probative.models.exchange import Completion, Request
from probative.models.together import Ask, Search, Tools


def by_llm_pick(claim: str, sentences: Sequence[str], k: K, tools: Tools) -> Search[Found]:
    """The sentences that the model names, in its order. It may name fewer than asked: a note says so."""
    context, count = prepared(claim, sentences, k)
    asked = Request.user(
        filled("pick", context, context.candidates, count), max_tokens=16 + 6 * count, temperature=0.0
    )
    answers: list[Completion] = yield Ask("generate", [asked], "pick")
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
            mend="use a larger model, or --method mcse, which needs no written answer",
        )
    if len(named) < count:
        context.notes.append(f"the model named {len(named)} of {count} sentences")
    return in_order(context, [context.candidates[number - 1] for number in named], count)
