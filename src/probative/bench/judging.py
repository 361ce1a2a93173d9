"""Is an answer right? A judge model says yes or no; without one, normalised exact match decides."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib import resources

from probative.bench.metrics import exact_match
from probative.bench.report import Cell
from probative.bench.study import Lab
from probative.bench.tables import ratio_cell
from probative.models.types import Request
from probative.types import Value

# Enough for "Yes." and for the first words of a reply that is neither yes nor no.
MAX_TOKENS = 16


class Judged(Value):
    """Whether an answer is right, and the judge's reply; `right` is None if it is neither yes nor no."""

    right: bool | None
    raw: str


def judge_answer(lab: Lab, question: str, gold: str, answer: str) -> Judged:
    """Ask the judge model whether an answer is right; without one, compare by normalised exact match.

    An empty answer is wrong, and the judge is not asked.
    """
    if not answer.strip():
        return Judged(right=False, raw="")
    if lab.judge_model is None:
        return Judged(right=exact_match(answer, gold), raw="")
    prompt = _prompt().format(question=question, gold=gold, answer=answer)
    (reply,) = lab.judge_model.generate([Request.user(prompt, max_tokens=MAX_TOKENS)])
    return Judged(right=read_yes_no(reply.text), raw=reply.text)


def read_yes_no(text: str) -> bool | None:
    """Return True for a reply that starts with yes, False for no, and None for any other.

    >>> read_yes_no("Yes, it does."), read_yes_no("**No**"), read_yes_no("Perhaps."), read_yes_no("Nobody")
    (True, False, None, None)
    """
    first = re.match(r"\W*(yes|no)\b", text, re.IGNORECASE)
    return None if first is None else first[1].lower() == "yes"


def judged_cell(judged: Sequence[bool | None], published: float | None = None) -> Cell:
    """Return the share of right answers in percent with Wilson's interval; an undecided one counts as wrong.

    >>> judged_cell([True, None]).value
    50.0
    """
    return ratio_cell(sum(verdict is True for verdict in judged), len(judged), published)


def undecided_note(judged: Sequence[bool | None]) -> str:
    """Return how many replies of the judge were neither yes nor no, or nothing if all were.

    >>> undecided_note([True, None, False])
    '1 of 3 replies of the judge was neither yes nor no: counted as wrong'
    """
    undecided = sum(verdict is None for verdict in judged)
    if not undecided:
        return ""
    verb = "was" if undecided == 1 else "were"
    return f"{undecided} of {len(judged)} replies of the judge {verb} neither yes nor no: counted as wrong"


@cache
def _prompt() -> str:
    return resources.files("probative.bench").joinpath("prompts/judge_answer.txt").read_text(encoding="utf-8")
