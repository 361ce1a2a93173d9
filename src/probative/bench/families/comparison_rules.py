"""The rules that `ask` compared with before it decomposed questions: for dates of birth, death and beginning,
lives and countries of two things. Kept as the baseline of the experiment `comparisons`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from probative.scope.run import Run
from probative.text import english
from probative.text.analysis import Event, ParsedQuestion
from probative.text.dates import Date, earlier, lived_longer
from probative.text.english.events import STARTS, event_of
from probative.text.english.negation import is_denied
from probative.text.english.roles import role_in
from probative.text.names import without_brackets
from probative.text.words import words
from probative.types import Passage

_EVENTS = rf"born|died|dies|die|{STARTS}"
_WHEN = r"first|earlier|earliest|sooner|later|latest|last|more recently|most recently"
# The question must ask when something happened, and not for something else that was "first".
_BY_DATE = re.compile(
    rf"\b(?:{_EVENTS})\b(?:\s+\w+){{0,1}}?\s+(?:{_WHEN})\b|\b(?:first|earlier|later)\s+(?:to\s+(?:be\s+)?)?"
    rf"(?:{_EVENTS})\b|\b(?:older|oldest|younger|youngest)\b",
    re.IGNORECASE,
)
_EARLIER = re.compile(r"\b(?:first|earlier|earliest|older|oldest|sooner)\b", re.IGNORECASE)
_LATER = re.compile(r"\b(?:later|latest|younger|youngest|last|more recently|most recently)\b", re.IGNORECASE)
_SAME = re.compile(
    r"\b(?:same|share (?:a|the)) (?:country|nationality|nation)\b|\bsame nationality\b", re.IGNORECASE
)
_DIFFERENT = re.compile(r"\bdifferent (?=(?:countr(?:y|ies)|nationalit(?:y|ies)|nations?)\b)", re.IGNORECASE)
# A whole life, and not how long someone lived in a town or after something.
_LIVED = re.compile(
    r"\W*(?:who|which\b[^,]{0,60}?)\s+lived\s+(?:the\s+)?(?:(?P<longer>longer|longest)|shorter|shortest)\s*[,:–—-]",
    re.IGNORECASE,
)
# Questions of degree or order: a name in them does not say which of the two is meant.
_DEGREE = re.compile(
    r"\b(?:first|last|later|earlier|more|less|most|least|fewer|than|before|after|both|same|other|neither|"
    r"(?:larg|small|long|short|tall|old|young|near|clos|furth|farth|high|low|bigg|great|wid|deep|fast|heavi|rich|"
    r"new|broad)(?:er|est))\b",
    re.IGNORECASE,
)


class Comparison(NamedTuple):
    """How a question compares two things: by what, whether the same, earlier or longer is asked for, the
    event, and the role of the people who are compared.
    """

    by: Literal["country", "date", "lifespan", "name"]
    positive: bool = True
    event: Event | None = None
    role: str | None = None


class _Dated(NamedTuple):
    date: Date
    indexes: tuple[int, ...]


@dataclass(frozen=True)
class _Pair:
    """Two things that a question compares, and the passages of the chain by their index."""

    question: ParsedQuestion
    names: tuple[str, str]
    passages: dict[int, Passage]

    def about(self, name: str) -> list[int]:
        """Return the passages about a name; none if two pages have this name."""
        indexes = [index for index in self.passages if self._is_about(index, name)]
        return indexes if len({self.passages[index].title for index in indexes}) <= 1 else []

    def text_about(self, name: str) -> str:
        """Return the texts of the passages about a name."""
        return " ".join(self.passages[index].text for index in self.about(name))

    def about_or_role(self, name: str, role: str | None) -> list[tuple[int, ...]]:
        """Return each passage about a name; with a role, each such passage with a passage about someone who,
        as it says, had that role.
        """
        about = self.about(name)
        if role is None:
            return [(index,) for index in about]
        return [(index, other) for index in about for other in self._with_role(index, role, about)]

    def date(self, name: str, event: Event, role: str | None) -> _Dated | None:
        """Return the date of an event for a name, or for the one who had the role."""
        dated = [
            _Dated(date, indexes)
            for indexes in self.about_or_role(name, role)
            if (date := english.event_date(self.passages[indexes[-1]].text, event)) is not None
        ]
        if not dated or (role is not None and len({entry.date for entry in dated}) > 1):
            return None
        return dated[0]

    def _is_about(self, index: int, name: str) -> bool:
        passage = self.passages[index]
        if passage.title:
            return without_brackets(passage.title).lower() == name.lower()
        return english.starts_with_name(passage.text, name)

    def _with_role(self, index: int, role: str, about: Sequence[int]) -> list[int]:
        """Return the passages about someone who had a role in something, as a passage says."""
        text = self.passages[index].text
        titles = {
            other: without_brackets(passage.title or "")
            for other, passage in self.passages.items()
            if other not in about
        }
        return [
            other
            for other, title in titles.items()
            if title and title not in self.names and english.had_role(title, role, text)
        ]


def compute_by_rule(run: Run, chain: Sequence[int]) -> str | None:
    """Return the answer to a comparison, if the chain decides it; otherwise None."""
    comparison = find_comparison(run.question.text)
    pair = _pair(run, chain) if comparison is not None else None
    if comparison is None or pair is None:
        return None
    decide = {"country": _by_country, "lifespan": _by_lifespan, "date": _by_date, "name": _by_name}
    return decide[comparison.by](pair, comparison)


def _pair(run: Run, chain: Sequence[int]) -> _Pair | None:
    passages = dict(zip(chain, run.pool.at(chain), strict=True))
    titles = [passage.title for passage in passages.values() if passage.title]
    names = english.compared_pair(run.question.parsed, titles)
    return None if names is None else _Pair(run.question.parsed, names, passages)


def _by_date(pair: _Pair, comparison: Comparison) -> str | None:
    """Return the one whose event was earlier (or later)."""
    assert comparison.event is not None
    first, second = (pair.date(name, comparison.event, comparison.role) for name in pair.names)
    if first is None or second is None or (is_earlier := earlier(first.date, second.date)) is None:
        return None
    return pair.names[0 if is_earlier == comparison.positive else 1]


def _by_lifespan(pair: _Pair, comparison: Comparison) -> str | None:
    """Return the one who lived longer (or shorter), by the birth and the death of both."""
    ending = rf"{re.escape(pair.names[1])}(?: \([^()]*\))?\W*$"
    if not re.search(ending, pair.question.text, re.IGNORECASE):
        return None  # the question says more of the life than whose it is
    lives: list[tuple[Date, Date]] = []
    for name in pair.names:
        birth, death = (pair.date(name, event, comparison.role) for event in ("birth", "death"))
        if birth is None or death is None:
            return None
        if comparison.role is not None and birth.indexes != death.indexes:
            return None
        lives.append((birth.date, death.date))
    is_longer = lived_longer(*lives)
    return None if is_longer is None else pair.names[0 if is_longer == comparison.positive else 1]


def _by_country(pair: _Pair, comparison: Comparison) -> str | None:
    """Return yes or no: whether both, or those who had the role in them, are of the same country (or not)."""
    countries: list[frozenset[str]] = []
    for name in pair.names:
        about = [indexes[-1] for indexes in pair.about_or_role(name, comparison.role)]
        if not about:
            return None
        texts = (pair.passages[index].text for index in about)
        countries.append(frozenset().union(*map(english.countries_of, texts)))
    same = english.same_country(*countries)
    return None if same is None else "yes" if same == comparison.positive else "no"


def _by_name(pair: _Pair, comparison: Comparison) -> str | None:
    """Return the one whose passages contain the names and numbers of the question, if those about the other
    contain none of them.
    """
    titles = [passage.title for passage in pair.passages.values() if passage.title]
    if english.offered_pair(pair.question, titles) != pair.names:
        return None
    asked = set(words(" ".join(english.names_and_numbers(_without(pair.question.text, pair.names)))))
    texts = [pair.text_about(name) for name in pair.names]
    if not asked or not all(texts):
        return None
    for name, text, other in zip(pair.names, texts, reversed(texts), strict=True):
        if asked <= set(words(text)) and asked.isdisjoint(words(other)) and not english.is_denied(text):
            return name
    return None


def _without(text: str, names: Sequence[str]) -> str:
    for name in names:
        text = re.sub(re.escape(name), " ", text, flags=re.IGNORECASE)
    return text


def find_comparison(question: str) -> Comparison | None:
    """Return how a question compares two things; None if it compares nothing or contains a negation.

    >>> find_comparison("Who was born first, Ada Berg or Ole Lund?")
    Comparison(by='date', positive=True, event='birth', role=None)
    >>> find_comparison("Are the builders of the Lark and the Heron of different nationalities?")
    Comparison(by='country', positive=False, event=None, role='builder')
    """
    differ = _DIFFERENT.search(question) is not None
    if is_denied(_DIFFERENT.sub("", question)) or not re.search(r"\b(?:or|and)\b", question):
        return None
    role = role_in(question)
    if differ or _SAME.search(question):
        return Comparison("country", positive=not differ, role=role)
    if (lived := _LIVED.match(question)) is not None:
        return Comparison("lifespan", positive=lived.group("longer") is not None, role=role)
    wants_earlier, event = _wants_earlier(question), event_of(question)
    if _BY_DATE.search(question) and event is not None and wants_earlier is not None:
        return Comparison("date", positive=wants_earlier, event=event, role=role)
    return None if role or _DEGREE.search(question) else Comparison("name")


def _wants_earlier(question: str) -> bool | None:
    """Return whether the earlier of two is asked for; None if the question says neither or both."""
    early, late = _EARLIER.search(question) is not None, _LATER.search(question) is not None
    return None if early == late else early
