"""What baselines that select sentences share: a ranking becomes evidence."""

from __future__ import annotations

import re
from collections.abc import Sequence

from probative.errors import InputError
from probative.mcse.context import Context, make_context
from probative.mcse.result import McseResult, ProofSentence, RunnerUp
from probative.mcse.search import RUNNERS_UP, K, how_many
from probative.text.prompts import read_prompt


def prepared(claim: str, sentences: Sequence[str], k: K) -> tuple[Context, int]:
    """The checked input, and how many sentences to take."""
    if k == "auto":
        raise InputError(
            "only mcse and learned know when to stop by themselves",
            hint="give k as a number, or use --method mcse or learned",
        )
    context = make_context(claim, sentences)
    return context, how_many(k, context, 0)


def ranked(context: Context, scores: Sequence[float], count: int) -> McseResult:
    """The candidates with the highest scores (of equals the first), given a score for each."""
    order = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
    best = [(context.candidates[place], scores[place]) for place in order]
    after = tuple(
        RunnerUp(index=number, text=context.sentences[number], score=score)
        for number, score in best[count : count + RUNNERS_UP]
    )
    taken = [
        ProofSentence(
            index=number,
            text=context.sentences[number],
            score=score,
            runners_up=after if place == count - 1 else (),
        )
        for place, (number, score) in enumerate(best[:count])
    ]
    return McseResult(taken, notes=context.notes)


def in_order(context: Context, order: Sequence[int], count: int) -> McseResult:
    """The first of candidates in a given order; a sentence's score is 1 through its rank."""
    place = {number: at for at, number in enumerate(order)}
    left = [number for number in context.candidates if number in place]
    subset = Context(context.claim, context.sentences, left, context.notes)
    return ranked(subset, [1.0 / (place[number] + 1) for number in left], min(count, len(left)))


def prompt_text(name: str) -> str:
    """One of the prompts beside this file."""
    return read_prompt("probative.baselines.evidence", name)


def filled(name: str, context: Context, numbers: Sequence[int], count: int) -> str:
    """A prompt with the sentences numbered from 1. The text goes in last, so nothing in it is replaced."""
    listed = "\n".join(f"[{at}] {context.sentences[number]}" for at, number in enumerate(numbers, 1))
    parts = {"{count}": str(count), "{claim}": context.claim, "{sentences}": listed}
    return re.sub(r"\{(?:count|claim|sentences)\}", lambda found: parts[found.group()], prompt_text(name))


def named_numbers(text: str, most: int) -> list[int]:
    """The numbers from 1 to `most` that a model wrote, each once, in its order.

    Numbers in brackets, as they were asked for, go before others, which may count something else.

    >>> named_numbers("[2] > [1] > [9] > [2]", 3), named_numbers("The 3 best: [5], [2]", 9)
    ([2, 1], [5, 2])
    """
    written = re.findall(r"\[(\d{1,6})\]", text) or re.findall(r"\b\d{1,6}\b", text)
    found = (int(number) for number in written)
    return list(dict.fromkeys(number for number in found if 1 <= number <= most))
