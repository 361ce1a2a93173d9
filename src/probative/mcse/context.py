"""A claim and its text made ready for the search: what is a candidate, and what is not, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from probative.errors import InputError
from probative.text.cleaning import clean, has_control


@dataclass
class Context:
    """A claim, the sentences by their numbers, and which of them are candidates."""

    claim: str
    sentences: list[str]
    candidates: list[int]
    notes: list[str] = field(default_factory=list)


def make_context(claim: str, sentences: Sequence[str]) -> Context:
    """Check and clean. A blank sentence and a repeated one are no candidates; a note says so.

    >>> make_context("It rained.", ["Rain fell.", " ", "Rain  fell."]).candidates
    [0]
    """
    if not isinstance(claim, str):
        raise InputError(f"a claim is a string, not {type(claim).__name__}")
    if isinstance(sentences, str):
        raise InputError("sentences are a list of strings, and a single string came")
    for sentence in sentences:
        if not isinstance(sentence, str):
            raise InputError(f"a sentence is a string, not {type(sentence).__name__}")
    notes: list[str] = []
    cleaned = [clean(sentence) for sentence in sentences]
    if not (wanted := clean(claim)):
        raise InputError("the claim is empty", hint="say what is to be proved")
    if not any(cleaned):
        raise InputError("the text has no sentences", hint="give a text with at least one sentence")
    if any(has_control(text) for text in [claim, *sentences]):
        notes.append("control characters were left out of what the model reads")
    first: dict[str, int] = {}
    blank: list[int] = []
    repeated: list[int] = []
    for number, text in enumerate(cleaned):
        if not text:
            blank.append(number)
        elif text in first:
            repeated.append(number)
        else:
            first[text] = number
    if blank:
        notes.append(f"blank: {_numbers(blank)}")
    if repeated:
        notes.append(f"repeats of an earlier sentence, not searched again: {_numbers(repeated)}")
    return Context(wanted, cleaned, list(first.values()), notes)


def _numbers(numbers: Sequence[int]) -> str:
    """Some of the numbers, and how many more there are.

    >>> _numbers([1, 2]), _numbers(range(20))
    ('sentences 1, 2', 'sentences 0, 1, 2, 3, 4, 5, 6, 7 and 12 more')
    """
    shown = ", ".join(str(number) for number in numbers[:8])
    more = f" and {len(numbers) - 8} more" if len(numbers) > 8 else ""
    return f"sentence{'s' if len(numbers) > 1 else ''} {shown}{more}"
