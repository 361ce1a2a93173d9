"""Passages made ready: what can be judged, and what cannot, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from probative.errors import InputError
from probative.text.cleaning import clean
from probative.text.words import bm25, latin, words
from probative.types import Passage


def as_passages(given: Any) -> list[Passage]:
    """Strings, dictionaries and passages, as passages; errors count them from 0, as results do.

    >>> as_passages(["One.", {"id": "b", "text": "Two."}])[1].id
    'b'
    """
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise InputError("passages are a list of texts or passages", hint="put a single text into a list")
    return [_as_passage(number, one) for number, one in enumerate(given)]


def _as_passage(number: int, one: Any) -> Passage:
    if isinstance(one, Passage):
        return _encodable(number, one)
    if isinstance(one, str):
        return _encodable(number, Passage(text=one))
    if not isinstance(one, Mapping):
        raise InputError(f"passage {number} is a {type(one).__name__}, not a text")
    known = {name: one[name] for name in Passage.model_fields if one.get(name) is not None}
    if isinstance(known.get("id"), int):
        known["id"] = str(known["id"])
    try:
        return _encodable(number, Passage.model_validate(known))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"passage {number} cannot be used: {where}: {first['msg']}") from None


def _encodable(number: int, passage: Passage) -> Passage:
    """Half of a surrogate pair, wherever it stands, could not be written down with the result."""
    for value in (passage.text, passage.id, passage.title, passage.source):
        try:
            (value or "").encode()
        except UnicodeEncodeError as error:
            raise InputError(f"passage {number} cannot be encoded as UTF-8: {error.reason}") from None
    return passage


def checked_question(question: Any) -> str:
    """The question, on one line, without control characters."""
    if not isinstance(question, str):
        raise InputError(f"a question is a string, not {type(question).__name__}")
    cleaned = clean(question)
    if not cleaned:
        raise InputError("the question is empty", hint="ask something")
    if not words(cleaned):
        raise InputError("the question names nothing that a passage could speak of", hint="ask for something")
    return cleaned


def deduplicate(passages: Sequence[Passage], notes: list[str]) -> list[int]:
    """The places of passages that say something, each text once; a note says what was left out."""
    first: dict[str, int] = {}
    blank = repeated = 0
    for place, passage in enumerate(passages):
        text = clean(passage.text).lower()
        if not text:
            blank += 1
        elif text in first:
            repeated += 1
        else:
            first[text] = place
    if not first:
        raise InputError(
            "there are no passages to answer from" if not passages else "the passages are all empty",
            hint="give at least one passage with a text",
        )
    if blank:
        notes.append(f"empty passages were left out: {blank}")
    if repeated:
        notes.append(f"passages that repeat an earlier one word for word were left out: {repeated}")
    return list(first.values())


def non_latin_notes(question: str, passages: Sequence[Passage]) -> list[str]:
    """A note for what the models that learned from English texts hardly understand: a question or passages
    in other than Latin letters. Other languages in Latin letters are not noticed.

    >>> non_latin_notes("Кто командовал кораблём?", [Passage(text="Ada Berg led it."), Passage(text="赤い")])
    ['not in Latin letters, and the embedded models learned from English: the question, 1 of 2 passages']
    """
    count = sum(not latin(passage.text) for passage in passages)
    parts = [] if latin(question) else ["the question"]
    parts += [f"{count} of {len(passages)} passages"] if count else []
    if not parts:
        return []
    return [f"not in Latin letters, and the embedded models learned from English: {', '.join(parts)}"]


def prefilter(question: str, passages: Sequence[Passage], most: int, notes: list[str]) -> list[int]:
    """The places of the passages that share most with the question, in their order, if there are too many."""
    if len(passages) <= most:
        return list(range(len(passages)))
    scores = bm25(words(question), [words(passage.whole) for passage in passages])
    best = sorted(range(len(passages)), key=lambda place: (-scores[place], place))[:most]
    notes.append(
        f"{most} of {len(passages)} passages were judged, those that share most words with the question"
    )
    return sorted(best)
