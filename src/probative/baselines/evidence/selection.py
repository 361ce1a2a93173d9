"""What the baselines share: they check the input, and turn a ranking into evidence."""

from __future__ import annotations

import re
from collections.abc import Sequence

from probative.errors import InputError
from probative.mcse.context import Context, make_context
from probative.mcse.result import McseResult, ProofSentence, RunnerUp
from probative.mcse.search import RUNNERS_UP, K, count_to_choose
from probative.text.prompts import fill, read_prompt


def make_baseline_context(claim: str, sentences: Sequence[str], k: K) -> tuple[Context, int]:
    """Return the checked input and the number of sentences to choose; raises InputError for k="auto"."""
    if k == "auto":
        raise InputError(
            "k='auto' works only with the methods mcse and learned",
            hint="pass k as a number, or use --method mcse or learned",
        )
    context = make_context(claim, sentences)
    return context, count_to_choose(k, context, 0)


def choose_by_score(context: Context, scores: Sequence[float], n: int) -> McseResult:
    """Return the `n` candidates with the highest scores; of equal ones the first.

    `scores` has one value for each candidate, in their order.
    """
    order = sorted(range(len(scores)), key=lambda position: (-scores[position], position))
    ranking = [(context.candidates[position], scores[position]) for position in order]
    runners_up = tuple(
        RunnerUp(index=index, text=context.sentences[index], score=score)
        for index, score in ranking[n : n + RUNNERS_UP]
    )
    evidence = [
        ProofSentence(
            index=index,
            text=context.sentences[index],
            score=score,
            runners_up=runners_up if rank == n else (),
        )
        for rank, (index, score) in enumerate(ranking[:n], 1)
    ]
    return McseResult(evidence, notes=context.notes)


def choose_in_order(context: Context, order: Sequence[int], n: int) -> McseResult:
    """Return the first `n` sentences of an order of candidates; the score of each is 1 / rank."""
    rank = {index: position for position, index in enumerate(order, 1)}
    ranked = [index for index in context.candidates if index in rank]
    subset = Context(context.claim, context.sentences, ranked, context.notes)
    return choose_by_score(subset, [1.0 / rank[index] for index in ranked], min(n, len(ranked)))


def fill_prompt(name: str, context: Context, indexes: Sequence[int], n: int) -> str:
    """Return a prompt with the claim, the number `n`, and the sentences numbered from 1."""
    numbered = "\n".join(f"[{number}] {context.sentences[index]}" for number, index in enumerate(indexes, 1))
    prompt = read_prompt("probative.baselines.evidence", name)
    return fill(prompt, count=str(n), claim=context.claim, sentences=numbered)


def read_numbers(text: str, highest: int) -> list[int]:
    """Return the numbers from 1 to `highest` in a model's reply, each once, in its order.

    If the reply has numbers in brackets, as requested, other numbers are ignored: they may count something.

    >>> read_numbers("[2] > [1] > [9] > [2]", 3), read_numbers("The 3 best: [5], [2]", 9)
    ([2, 1], [5, 2])
    """
    digits = re.findall(r"\[(\d{1,6})\]", text) or re.findall(r"\b\d{1,6}\b", text)
    numbers = (int(number) for number in digits)
    return list(dict.fromkeys(number for number in numbers if 1 <= number <= highest))
