"""An answer picked from the names, dates and numbers of the chain: for a small model."""

from __future__ import annotations

from collections.abc import Sequence

from probative.engine.search import Search, generate, score
from probative.models.types import Pair, Request
from probative.scope.answer.parsed import (
    NO_ANSWER,
    ParsedAnswer,
    answer_candidates,
    cited,
    first_of,
    holding,
)
from probative.scope.prompt_text import fill_prompt
from probative.scope.run import Run
from probative.text import english
from probative.text.prompts import numbered
from probative.text.words import words

PICK_TOKENS = 24


def pick_answer(run: Run, chain: Sequence[int], inferred: Sequence[str] = ()) -> Search[ParsedAnswer]:
    """Return the candidate that the model writes first or, if it writes none, the most probable one.

    If a place is asked for, it is none of the `inferred` nodes between the question and the answer.
    """
    candidates = answer_candidates(run, chain)
    if run.question.kind == "place":
        candidates = [text for text in candidates if text not in inferred] or candidates
    if not candidates:
        run.note("the chain contains nothing of the kind that is asked for")
        return NO_ANSWER
    if len(candidates) == 1:
        return ParsedAnswer(candidates[0], tuple(holding(run, candidates[0], chain)))
    if candidates == ["yes", "no"] and (stated := _stated(run, chain)) is not None:
        return stated
    return (yield from _ask(run, chain, candidates))


def _ask(run: Run, chain: Sequence[int], candidates: Sequence[str]) -> Search[ParsedAnswer]:
    """Ask the model, and score the candidates if it writes none of them."""
    passages = numbered(run.passages_at(chain))
    prompt = fill_prompt("pick", passages=passages, question=" ".join(run.question.text.split()))
    replies = yield from generate([Request.user(prompt, max_tokens=PICK_TOKENS)], step="answer")
    if replies[0].finish_reason == "dry-run":
        return NO_ANSWER
    best = first_of(candidates, replies[0].text)
    if best is None:
        pairs = [Pair(prompt=f"{prompt}\nAnswer:", continuation=f" {text}") for text in candidates]
        scores = yield from score(pairs, step="answer")
        best = candidates[max(range(len(candidates)), key=lambda index: scores[index].mean)]
    return cited(run, best, chain)


def _stated(run: Run, chain: Sequence[int]) -> ParsedAnswer | None:
    """Return yes or no if a passage contains all words of the question, with a negation or without."""
    question_negated = english.is_negated(run.question.text)
    for index, passage in zip(chain, run.passages_at(chain), strict=True):
        if run.question.parsed.words <= set(words(passage.whole)):
            agree = english.is_negated(passage.whole) == question_negated
            return ParsedAnswer("yes" if agree else "no", (index,))
    return None
