"""The sentences of the passages, those that hold an answer, and which of two statements is in force."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from probative.models.task_prompts import Line
from probative.models.verdict import VerdictItem, limits_of
from probative.scope.run import Run
from probative.text import dates, english
from probative.text.dates import Date
from probative.text.prompts import passage_header
from probative.text.sentences import spans_of
from probative.text.words import words

# The share of an answer's content words that must be in the evidence or the question, if it is a sentence.
MIN_SHARE = 0.7


@dataclass(frozen=True)
class PassageSentence:
    """A sentence of a passage: the index of the passage in the pool, its title, the text, its characters."""

    index: int
    title: str | None
    text: str
    start: int
    end: int

    @property
    def whole(self) -> str:
        """The sentence with the title of its passage before it, unless it names that itself."""
        return titled(self.title, self.text)


def titled(title: str | None, text: str) -> str:
    """Return a text with a title before it, unless it names that itself.

    >>> titled("Lark", "It was built in Molde."), titled("Lark", "The Lark was built in Molde.")
    ('Lark: It was built in Molde.', 'The Lark was built in Molde.')
    """
    return text if not title or title.lower() in text.lower() else f"{title}: {text}"


def name_the_same(run: Run, first: str, second: str) -> bool:
    """Return whether two texts name the same names and numbers of the question: Ada Berg is not Jon Berg."""
    numbers = re.findall(r"\d+", run.question.text)
    named = (*run.question.names, *numbers)
    return all(mentions(first, name) == mentions(second, name) for name in named)


def passage_sentences(run: Run, indexes: Sequence[int]) -> list[PassageSentence]:
    """Return the sentences of these passages of the pool, in order."""
    passages = zip(indexes, run.pool.at(indexes), strict=True)
    return [
        PassageSentence(index, passage.title, passage.text[start:end], start, end)
        for index, passage in passages
        for start, end in spans_of(passage)
    ]


def lines_of(run: Run, sentences: Sequence[PassageSentence]) -> list[Line]:
    """Return the sentences below the headers of their passages, for a model that reads headers."""
    passages = run.pool.passages
    return [Line(sentence.text, passage_header(passages[sentence.index])) for sentence in sentences]


def evidence_item(run: Run, claim: str, sentences: Sequence[PassageSentence]) -> VerdictItem:
    """Return a claim with sentences as the verdict model reads them: below headers, or behind titles."""
    if not limits_of(run.tools.verdict).headers:
        return VerdictItem(claim, tuple(sentence.whole for sentence in sentences))
    lines = lines_of(run, sentences)
    return VerdictItem(claim, tuple(line.text for line in lines), tuple(line.header for line in lines))


def rows_with(
    run: Run, answer: str, sentences: Sequence[PassageSentence], *, prose: bool = True
) -> list[int]:
    """Return the rows of the sentences that hold an answer in some normal form; none if it stands nowhere.

    A list of things is held by several sentences together. With `prose`, an answer may also be a sentence of
    its own ("It was built in Molde"): its names, dates and numbers must stand in the sentences, and most of
    its other words there or in the question.
    """
    forms = [
        _Form(english.normal_form(sentence.text), english.normal_form(sentence.title or ""))
        for sentence in sentences
    ]
    rows = _rows_with_span(answer, forms)
    if rows:
        return rows
    parts = english.answer_parts(answer)
    if len(parts) > 1:
        rows = _rows_with_all(parts, forms)
    return rows or (_rows_with_prose(run, answer, sentences, forms) if prose else [])


class _Form(NamedTuple):
    """A sentence in normal form, with the title of its passage."""

    text: tuple[str, ...]
    title: tuple[str, ...]


def contains_span(text: Sequence[str], span: Sequence[str]) -> bool:
    """Return whether some words follow one another in a text.

    >>> contains_span(("built", "in", "sea", "town"), ("sea", "town")), contains_span(("sea",), ())
    (True, False)
    """
    size = len(span)
    return size > 0 and any(
        tuple(text[start : start + size]) == tuple(span) for start in range(len(text) - size + 1)
    )


def _rows_with_span(answer: str, forms: Sequence[_Form]) -> list[int]:
    """Return the rows whose text holds a span; without any, the first row whose title holds it."""
    span = english.normal_form(answer)
    rows = [row for row, form in enumerate(forms) if contains_span(form.text, span)]
    return rows or [row for row, form in enumerate(forms) if contains_span(form.title, span)][:1]


def _rows_with_all(spans: Sequence[str], forms: Sequence[_Form]) -> list[int]:
    """Return the rows that hold some spans; none if one of the spans stands nowhere."""
    held = [_rows_with_span(span, forms) for span in spans]
    return sorted({row for rows in held for row in rows}) if all(held) else []


def _rows_with_prose(
    run: Run, answer: str, sentences: Sequence[PassageSentence], forms: Sequence[_Form]
) -> list[int]:
    asked = run.question.parsed.words
    values = english.values_in(answer)
    new = [
        value for value in (*values.dates, *values.numbers, *values.names) if not set(words(value)) <= asked
    ]
    content = set(words(answer)) - asked
    stated = {word for sentence in sentences for word in words(sentence.whole)}
    return _rows_with_all(new, forms) if len(content & stated) >= MIN_SHARE * len(content) else []


def same_answer(first: str, second: str) -> bool:
    """Return whether two answers are the same in normal form, or one contains the other."""
    forms = english.normal_form(first), english.normal_form(second)
    return forms[0] == forms[1] or contains_span(*forms) or contains_span(*reversed(forms))


def mentions(text: str, name: str) -> bool:
    """Return whether a text contains a name as whole words, whatever its case.

    >>> mentions("The Lark sailed.", "lark"), mentions("The Larks sailed.", "Lark")
    (True, False)
    """
    return re.search(rf"(?<!\w){re.escape(name.lower())}(?!\w)", text.lower()) is not None


class InForce(NamedTuple):
    """The passage whose statement replaces the other, why, and whether its words say so."""

    passage: int
    reason: str
    by_words: bool


def in_force(run: Run, own: PassageSentence, other: PassageSentence, question: str) -> InForce | None:
    """Return which of two statements is in force when the question asks; None if nothing decides.

    Of a question with a date, only the dates from which the statements hold decide. Of one about what holds
    now, words such as "no longer" count next, then the dates of the documents. Later documents do not change
    what happened.
    """
    day = asked_day(question)
    if day is None:
        return None
    begins = english.valid_from(own.text), english.valid_from(other.text)
    coming = [begin is not None and dates.earlier(day, begin[0]) is True for begin in begins]
    if any(coming):
        if all(coming):
            return None
        begin = begins[coming.index(True)]
        reason = "" if begin is None else f"the other holds only {begin[1][:1].lower()}{begin[1][1:]}"
        return InForce((own, other)[coming.index(False)].index, reason, by_words=True)
    if day != _today() and not all(begins):
        return None
    replacing = _replacing(run, own), _replacing(run, other)
    if begins[0] and begins[1]:
        compared = dates.order(begins[0][0], begins[1][0])
        later = None if not compared else int(compared < 0)
        reasons = [begins[0][1], begins[1][1]]
    else:
        reasons = [
            f"“{words}”" if words else "" if begin is None else begin[1]
            for words, begin in zip(replacing, begins, strict=True)
        ]
        later = None if bool(reasons[0]) == bool(reasons[1]) else int(bool(reasons[1]))
    if later is not None:
        return InForce((own, other)[later].index, reasons[later], by_words=True)
    if day != _today():
        return None
    written = [_date(run, sentence) for sentence in (own, other)]
    if not all(written) or written[0].startswith(written[1]) or written[1].startswith(written[0]):
        return None
    later = int(written[1] > written[0])
    reason = f"dated {written[later]}, the other {written[1 - later]}"
    return InForce((own, other)[later].index, reason, by_words=False)


def asked_day(question: str) -> Date | None:
    """Return the day that a question asks about: its only date, or today if it asks what holds now.

    >>> asked_day("What was the fee in May 2020?"), asked_day("Who won the cup?")
    ((2020, 5, 0), None)
    """
    named = english.dates_in(question)
    if len(named) == 1:
        return named[0]
    return _today() if english.asks_lasting(question) else None


def holds_only_later(sentence: str, question: str) -> str | None:
    """Return the words by which a sentence holds only from a later day than the question asks about.

    >>> holds_only_later("From 1 May 2024 it costs €6.", "What was the price in 2020?")
    'From 1 May 2024'
    """
    day, begin = asked_day(question), english.valid_from(sentence)
    return begin[1] if day and begin and dates.earlier(day, begin[0]) else None


def _today() -> Date:
    today = date.today()
    return today.year, today.month, today.day


def _replacing(run: Run, sentence: PassageSentence) -> str:
    return english.replacing_words(sentence.text, run.pool.passages[sentence.index].text)


def _date(run: Run, sentence: PassageSentence) -> str:
    return getattr(run.pool.passages[sentence.index], "date", None) or ""
