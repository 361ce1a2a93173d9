"""Answers that are computed: which of two came first or lived longer, or whether both are of one country.

"Who was born first, A or B?" is answered if a passage about each gives the date, or if the passage about A
names someone (its director, for example) for whom another passage gives it. "Which lies on the Sava, A or B?"
is answered if the passages about one of them mention the Sava and those about the other do not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from probative.scope.run import Run
from probative.text.analyzer import Comparison, ParsedQuestion, TextAnalyzer
from probative.text.dates import Date, earlier, lived_longer, spelled
from probative.text.decomposition import Event
from probative.text.names import mentions, without_brackets
from probative.text.words import words
from probative.types import Passage


class RuleAnswer(NamedTuple):
    """The answer, the passages that it rests on, and the values that decide it."""

    answer: str
    citations: tuple[int, ...]
    reason: str


class _Dated(NamedTuple):
    date: Date
    indexes: tuple[int, ...]


@dataclass(frozen=True)
class _Pair:
    """Two things that a question compares, and the passages of the chain by their index."""

    question: ParsedQuestion
    names: tuple[str, str]
    passages: dict[int, Passage]
    analyzer: TextAnalyzer

    def about(self, name: str) -> list[int]:
        """Return the passages about a name; none if two pages have this name."""
        indexes = [index for index in self.passages if self._is_about(index, name)]
        return indexes if len({self.passages[index].title for index in indexes}) <= 1 else []

    def text_about(self, name: str) -> str:
        """Return the texts of the passages about a name."""
        return " ".join(self.passages[index].text for index in self.about(name))

    def mentioning(self, name: str) -> list[Passage]:
        """Return the passages that are about a name or mention it."""
        return [
            passage
            for index, passage in self.passages.items()
            if self._is_about(index, name) or mentions(passage.text, name)
        ]

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
            if (date := self.analyzer.event_date(self.passages[indexes[-1]].text, event)) is not None
        ]
        if not dated or (role is not None and len({entry.date for entry in dated}) > 1):
            return None
        return dated[0]

    def _is_about(self, index: int, name: str) -> bool:
        passage = self.passages[index]
        if passage.title:
            return without_brackets(passage.title).lower() == name.lower()
        return self.analyzer.starts_with_name(passage.text, name)

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
            if title and title not in self.names and self.analyzer.had_role(title, role, text)
        ]


def compute_by_rule(run: Run, chain: Sequence[int]) -> RuleAnswer | None:
    """Return the answer to a comparison, if the chain decides it; otherwise None."""
    comparison = run.question.parsed.comparison
    pair = _pair(run, chain) if comparison is not None else None
    if comparison is None or pair is None:
        return None
    decide = {"country": _by_country, "lifespan": _by_lifespan, "date": _by_date, "name": _by_name}
    return decide[comparison.by](pair, comparison)


def missing_date(run: Run, chain: Sequence[int]) -> str | None:
    """Return the missing feature, with a note, if the chain has no date for one of the compared names."""
    name = name_without_date(run, chain)
    if name is None:
        return None
    run.note(f"the chain gives no date for {name}: the two cannot be compared")
    return f"date: {name}"


def name_without_date(run: Run, chain: Sequence[int]) -> str | None:
    """Return the compared name for which the chain contains no possible date; None if there is no such name
    or no dates are compared.
    """
    pair = _pair(run, chain) if run.question.parsed.needs_dates else None
    if pair is None:
        return None
    for name in pair.names:
        if not any(run.analyzer.may_contain_date(passage.text) for passage in pair.mentioning(name)):
            return name
    return None


def _pair(run: Run, chain: Sequence[int]) -> _Pair | None:
    passages = dict(zip(chain, run.passages_at(chain), strict=True))
    titles = [passage.title for passage in passages.values() if passage.title]
    names = run.analyzer.compared_pair(run.question.parsed, titles)
    return None if names is None else _Pair(run.question.parsed, names, passages, run.analyzer)


def _by_date(pair: _Pair, comparison: Comparison) -> RuleAnswer | None:
    """Return the one whose event was earlier (or later)."""
    assert comparison.event is not None
    first, second = (pair.date(name, comparison.event, comparison.role) for name in pair.names)
    if first is None or second is None or (is_earlier := earlier(first.date, second.date)) is None:
        return None
    reason = f"{pair.names[0]}: {spelled(first.date)}, {pair.names[1]}: {spelled(second.date)}"
    citations = tuple(dict.fromkeys((*first.indexes, *second.indexes)))
    return RuleAnswer(pair.names[0 if is_earlier == comparison.positive else 1], citations, reason)


def _by_lifespan(pair: _Pair, comparison: Comparison) -> RuleAnswer | None:
    """Return the one who lived longer (or shorter), by the birth and the death of both."""
    ending = rf"{re.escape(pair.names[1])}(?: \([^()]*\))?\W*$"
    if not re.search(ending, pair.question.text, re.IGNORECASE):
        return None  # the question says more of the life than whose it is
    lives: list[tuple[Date, Date]] = []
    citations: list[int] = []
    for name in pair.names:
        birth, death = (pair.date(name, event, comparison.role) for event in ("birth", "death"))
        if birth is None or death is None:
            return None
        if comparison.role is not None and birth.indexes != death.indexes:
            return None
        lives.append((birth.date, death.date))
        citations += [*birth.indexes, *death.indexes]
    is_longer = lived_longer(*lives)
    if is_longer is None:
        return None
    reason = ", ".join(
        f"{name}: {spelled(birth)} to {spelled(death)}"
        for name, (birth, death) in zip(pair.names, lives, strict=True)
    )
    answer = pair.names[0 if is_longer == comparison.positive else 1]
    return RuleAnswer(answer, tuple(dict.fromkeys(citations)), reason)


def _by_country(pair: _Pair, comparison: Comparison) -> RuleAnswer | None:
    """Return yes or no: whether both, or those who had the role in them, are of the same country (or not)."""
    countries: list[frozenset[str]] = []
    citations: list[int] = []
    for name in pair.names:
        about = [indexes[-1] for indexes in pair.about_or_role(name, comparison.role)]
        if not about:
            return None
        countries.append(
            frozenset().union(*(pair.analyzer.countries_of(pair.passages[index].text) for index in about))
        )
        citations += about
    same = pair.analyzer.same_country(*countries)
    if same is None:
        return None
    reason = ", ".join(f"{name}: {next(iter(own))}" for name, own in zip(pair.names, countries, strict=True))
    answer = "yes" if same == comparison.positive else "no"
    return RuleAnswer(answer, tuple(dict.fromkeys(citations)), reason)


def _by_name(pair: _Pair, comparison: Comparison) -> RuleAnswer | None:
    """Return the one whose passages contain the names and numbers of the question, if those about the other
    contain none of them.
    """
    titles = [passage.title for passage in pair.passages.values() if passage.title]
    if pair.analyzer.offered_pair(pair.question, titles) != pair.names:
        return None
    named = pair.analyzer.names_and_numbers(_without(pair.question.text, pair.names))
    wanted = set(words(" ".join(named)))
    texts = [pair.text_about(name) for name in pair.names]
    if not wanted or not all(texts):
        return None
    for own, other in ((0, 1), (1, 0)):
        only_own = wanted <= set(words(texts[own])) and wanted.isdisjoint(words(texts[other]))
        if only_own and not pair.analyzer.is_denied(texts[own]):
            reason = f"{', '.join(dict.fromkeys(named))}: of the two only {pair.names[own]}"
            return RuleAnswer(pair.names[own], tuple(pair.about(pair.names[own])), reason)
    return None


def _without(text: str, names: Sequence[str]) -> str:
    """Return a text without these names."""
    for name in names:
        text = re.sub(re.escape(name), " ", text, flags=re.IGNORECASE)
    return text
