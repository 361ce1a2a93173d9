"""The values of attributes in sentences: found by rule, or read by the model and then found in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from probative.scope.answer.compare.date_values import date_by_rule, date_of_reply, sure_date
from probative.scope.answer.compare.evidence import ChainSentence
from probative.scope.answer.compare.quantity_values import (
    candidates,
    may_be_same,
    only,
    quantity_by_last_rule,
    quantity_by_rule,
    quantity_of_reply,
)
from probative.scope.answer.compare.sentence_value import SentenceValue, has_cue
from probative.text import english
from probative.text.analysis import Attribute
from probative.text.words import words


class Asked(NamedTuple):
    """An attribute, the stems of the question that asks for it, and the rules of the language."""

    attribute: Attribute
    stems: frozenset[str]


def value_by_rule(asked: Asked, sentences: Sequence[ChainSentence]) -> SentenceValue | None:
    """Return the value that the sentences give beyond doubt: the only one of its kind near its words."""
    attribute, stems = asked
    if attribute.kind == "date":
        return date_by_rule(attribute, sentences)
    if attribute.kind == "quantity":
        return quantity_by_rule(attribute, sentences, stems)
    if attribute.kind == "country":
        return _country(sentences)
    return None


def value_of_reply(asked: Asked, reply: str, sentences: Sequence[ChainSentence]) -> SentenceValue | None:
    """Return the value that a model's reply names, as a sentence gives it; None if no sentence does."""
    attribute, stems = asked
    if attribute.kind == "date":
        return date_of_reply(attribute, reply, sentences)
    if attribute.kind == "quantity":
        return quantity_of_reply(attribute, reply, sentences, stems)
    if attribute.kind == "country":
        return _country_of_reply(reply, sentences)
    return _name_of_reply(reply, sentences)


def value_by_last_rule(asked: Asked, sentences: Sequence[ChainSentence]) -> SentenceValue | None:
    """Return the value for which the model found no answer, if the sentences give one place, or one size
    behind "of", and nothing else of that kind.
    """
    attribute, _ = asked
    if attribute.kind == "place":
        return only(
            [
                SentenceValue(place, place, entry.index, entry.text)
                for entry in sentences
                if has_cue(attribute, entry)
                for place in english.places_in(entry.text)
            ]
        )
    return quantity_by_last_rule(attribute, sentences) if attribute.kind == "quantity" else None


def may_have_value(asked: Asked, sentences: Sequence[ChainSentence]) -> bool:
    """Return whether a sentence has anything of the attribute's kind: without it, no model need be asked."""
    attribute, _ = asked
    if attribute.kind == "date":
        return any(english.may_contain_date(entry.text) for entry in sentences)
    if attribute.kind == "quantity":
        return any(True for _ in candidates(attribute, sentences))
    return bool(sentences)


def disputed_values(
    asked: Asked, sentences: Sequence[ChainSentence]
) -> tuple[SentenceValue, SentenceValue] | None:
    """Return two values of different passages that cannot both be right, if there are any."""
    attribute, stems = asked
    by_passage: dict[int, list[ChainSentence]] = {}
    for entry in sentences:
        by_passage.setdefault(entry.index, []).append(entry)
    if attribute.kind == "date":
        read = [sure_date(attribute, entries) for entries in by_passage.values()]
    elif attribute.kind == "quantity":
        read = [quantity_by_rule(attribute, entries, stems) for entries in by_passage.values()]
    else:
        return None
    values = [value for value in read if value is not None]
    return next((pair for pair in combinations(values, 2) if not may_be_same(*pair)), None)


def _country(sentences: Sequence[ChainSentence]) -> SentenceValue | None:
    """Return the countries by which the first sentence with any says what its subject is."""
    for entry in sentences:
        countries = english.origins_of(entry.text)
        if countries:
            return SentenceValue(countries, " and ".join(sorted(countries)), entry.index, entry.text)
    return None


def _country_of_reply(reply: str, sentences: Sequence[ChainSentence]) -> SentenceValue | None:
    """Return the country of the reply, if a sentence names that country too."""
    countries = english.countries_in(reply)
    for entry in sentences:
        if countries and countries <= english.countries_in(entry.text):
            return SentenceValue(countries, reply, entry.index, entry.text, read=True)
    return None


def _name_of_reply(reply: str, sentences: Sequence[ChainSentence]) -> SentenceValue | None:
    """Return the reply as it is, if a sentence has all its words."""
    wanted = set(words(reply))
    for entry in sentences:
        if wanted and wanted <= set(words(f"{entry.title or ''} {entry.text}")):
            return SentenceValue(reply, reply, entry.index, entry.text, read=True)
    return None
