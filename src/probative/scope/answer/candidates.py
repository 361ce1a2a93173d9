"""The texts that may be the answer, and the passages that they rest on.

The reader gives its most probable texts with their probabilities (a beam search after one reading of the
prompt). A text may be the answer if it stands in the chain in some normal form, if the question offers it, or
if it is the yes or no that the question asks for.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from difflib import get_close_matches

from probative.models.task_prompts import UNKNOWN
from probative.models.types import Alternative
from probative.scope.finding import Candidate, ParsedAnswer
from probative.scope.run import Run
from probative.scope.sentences import passage_sentences, rows_with
from probative.text import english
from probative.text.words import words

# The largest number of spans to pick from, those of the first passages first: each costs a small model a
# reading of the chain.
MAX_CANDIDATES = 12
# The texts that the reader gives: a beam of 6 takes a quarter more time than one text.
ALTERNATIVES = 4
# How similar the reader's spelling and a span of the chain must be for the span to replace it.
MIN_SIMILARITY = 0.85


def answer_candidates(run: Run, chain: Sequence[int]) -> list[str]:
    """Return the spans of the chain, its titles included, that could answer the question."""
    passages = run.pool.at(chain)
    question = run.question.parsed
    candidates = english.answer_candidates([passage.text for passage in passages], question)
    if question.kind in ("person", "place", "name"):
        titles = dict.fromkeys(passage.title for passage in passages if passage.title)
        candidates += [
            title for title in titles if title not in candidates and not set(words(title)) <= question.words
        ]
    return candidates[:MAX_CANDIDATES]


def first_of(options: Sequence[str], text: str) -> str | None:
    """Return the option that comes first in a text; of several at one position the longest.

    >>> first_of(["Berg", "Ada Berg", "Molde"], "It was Ada Berg, of Molde.")
    'Ada Berg'
    """
    plain = f" {_plain(text)} "
    positions = [(plain.find(f" {_plain(option)} "), -len(option), option) for option in options]
    present = [entry for entry in positions if entry[0] >= 0]
    return min(present)[2] if present else None


def holding(run: Run, answer: str, chain: Sequence[int]) -> list[int]:
    """Return the passages of the chain that contain the words of an answer; all of them for yes and no."""
    content = set(words(answer))
    if not content or answer.lower() in ("yes", "no"):
        return list(chain)
    passages = zip(chain, run.pool.at(chain), strict=True)
    return [index for index, passage in passages if content <= set(words(passage.whole))]


def cited(run: Run, answer: str, chain: Sequence[int]) -> ParsedAnswer:
    """Return an answer that rests on the passages that contain it, or on the whole chain."""
    return ParsedAnswer(answer, tuple(holding(run, answer, chain)) or tuple(chain))


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def candidates_in_chain(
    run: Run, alternatives: Sequence[Alternative], chain: Sequence[int]
) -> tuple[Candidate, ...]:
    """Return the texts that may be the answer, the most probable first; equal normal forms count once."""
    shares: dict[tuple[str, ...], float] = {}
    spelling: dict[tuple[str, ...], str] = {}
    for alternative in alternatives:
        text = grounded_spelling(run, first_line(alternative.text), chain)
        if text is None:
            continue
        form = english.normal_form(text)
        spelling.setdefault(form, text)
        shares[form] = shares.get(form, 0.0) + math.exp(alternative.log_probability)
    ordered = sorted(shares, key=lambda form: -shares[form])
    return tuple(Candidate(spelling[form], min(1.0, shares[form])) for form in ordered)


def unknown_share(alternatives: Sequence[Alternative]) -> float:
    """Return the probability that the reader says "unknown"; 0 if it is not among the alternatives."""
    return min(
        1.0, math.fsum(math.exp(other.log_probability) for other in alternatives if is_unknown(other.text))
    )


def is_unknown(text: str) -> bool:
    """Return whether the reader says that there is no answer.

    >>> is_unknown("unknown.")
    True
    """
    return text.strip(" .\n").lower() == UNKNOWN


def grounded_spelling(run: Run, text: str, chain: Sequence[int]) -> str | None:
    """Return a text that may be the answer, spelled as in the chain; None if nothing there is like it."""
    answer = english.read_answer(text)
    if answer is None or is_unknown(answer):
        return None
    if answer.lower() in ("yes", "no"):
        return answer.lower() if run.question.kind == "yes-no" else None
    sentences = passage_sentences(run, chain)
    offered = [english.normal_form(option) for option in english.offered_pair(run.question.text) or ()]
    if rows_with(run, answer, sentences, prose=False) or english.normal_form(answer) in offered:
        return answer
    near = get_close_matches(answer, answer_candidates(run, chain), n=1, cutoff=MIN_SIMILARITY)
    return near[0] if near else None


def first_line(reply: str) -> str:
    """Return the first line of a reply that is not empty."""
    return next((line for line in reply.splitlines() if line.strip()), "")
