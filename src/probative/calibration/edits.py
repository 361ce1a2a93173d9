"""Sentences of documents with one thing changed, so that they no longer hold; and shorter, so that they do.

What cannot be changed safely is left alone: "at least 30" with another number may still be true.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence

from probative.text import dates, english

NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w])")
MONTHS = [month.capitalize() for month in dates.MONTHS]
MONTH = re.compile(rf"\b(?:{'|'.join(MONTHS)})\b")
_BRACKETS = re.compile(r" ?\([^()]*\)")
_YEAR = re.compile(r"(?<![\d.,/-])(?:1[5-9]|20)\d\d(?![\d,/-]|\.\d)")
# Another number may still be true after these, and is the name of a thing after those.
_LOOSE = re.compile(
    r"(?i)\b(?:least|most|over|under|above|below|than|to|about|around|nearly|almost|roughly|some|within|from|"
    r"between|and|or|no|number|section|clause|page|table|figure|appendix|article|version|room|line)\.? ?$"
)
# Of a sentence whose main verb is this one, "not" makes the opposite.
_VERB = re.compile(r"\b(?:is|was|are|were|can|could|will|would|must)\b(?! not)(?= \w)")
_HAD = re.compile(r"\b(?:has|have|had)\b(?= \w+(?:ed|en|wn|ne)\b)")
# Before the verb, its clause is not the main one; anywhere, "not" makes something else.
_CLAUSE = re.compile(
    r"(?i)\b(?:if|when|who|which|that|while|because|where|unless|until|as|whose|what|how|whether)\b|[;:]"
)
_NO_NEGATION = re.compile(
    r"(?i)\b(?:not|no|none|never|nor|neither|nothing|nobody|cannot|hardly|only|all|every|each|both|any|either|"
    r"some|least|most|unless|without|still|too|already|yet|also)\b|n[’']t\b"
)
_LEAD = re.compile(r"^(?:In|On|At|After|Before|Since|During|By|From|Until|For) [^,;:]{2,50}, (?=\w)")
_ASIDE = re.compile(r", (?:which|who|where) [^,;:]+(?:,(?= (?:was|is|are|were|has|had|will)\b)|(?=\.$))")
_CLOSE = re.compile(r"(?i)(?:in|at|of|by|from|to|with|for|near|through|between|mrs?|ms|dr)\.?")

Change = Callable[[str, Sequence[str], random.Random], str | None]


def without_brackets(sentence: str) -> str:
    """Return a sentence without what stands in brackets.

    >>> without_brackets("The Lark (1890) sank.")
    'The Lark sank.'
    """
    return _BRACKETS.sub("", sentence)


def shortened(sentence: str) -> str | None:
    """Return a sentence without a part that it holds without; None if it has none.

    >>> shortened("In 1890, the old Lark sank."), shortened("The Lark, which Ada built, was sold.")
    ('The old Lark sank.', 'The Lark was sold.')
    """
    for short in (_ASIDE.sub("", sentence, count=1), without_brackets(sentence), _LEAD.sub("", sentence)):
        if short != sentence and len(short.split()) >= 4:
            return short[0].upper() + short[1:]
    return None


def moved(number: str, rng: random.Random) -> str:
    """Return a number near another, written as it is.

    >>> moved("1,200", random.Random(1))
    '3,200'
    """
    digits = [index for index, letter in enumerate(number) if letter.isdigit()]
    # A changed first digit of a year would be absurd: the last ones move.
    index = rng.choice(digits[-2:] if len(digits) == 4 and "," not in number else digits[:2])
    new = rng.choice([digit for digit in "123456789" if digit != number[index]])
    return number[:index] + new + number[index + 1 :]


def other_month(sentence: str, text: Sequence[str], rng: random.Random) -> str | None:
    """Return the sentence with its first month changed."""
    return MONTH.sub(lambda found: rng.choice([m for m in MONTHS if m != found[0]]), sentence, count=1)


def other_number(sentence: str, text: Sequence[str], rng: random.Random) -> str | None:
    """Return the sentence with another amount; None if it has none that can be changed.

    >>> other_number("The mill of 1790 has 12 looms.", [], random.Random(1))
    'The mill of 1790 has 62 looms.'
    >>> other_number("The mill has at least 12 looms.", [], random.Random(1))
    """
    spans = [(start, end) for start, end, _ in english.date_spans(sentence)]
    spans += [year.span() for year in _YEAR.finditer(sentence)]
    amounts = [
        found
        for found in NUMBER.finditer(sentence)
        if not any(start < found.end() and found.start() < end for start, end in spans)
        and _LOOSE.search(sentence[: found.start()]) is None
        and found[0] != "1"  # "1 boat" has no other number
    ]
    if not amounts:
        return None
    amount = rng.choice(amounts)
    return f"{sentence[: amount.start()]}{moved(amount[0], rng)}{sentence[amount.end() :]}"


def other_date(sentence: str, text: Sequence[str], rng: random.Random) -> str | None:
    """Return the sentence with another month or year; None if it has neither.

    >>> other_date("The mill burnt in 1890.", [], random.Random(1))
    'The mill burnt in 1892.'
    """
    spans = [
        (start, end)
        for start, end, _ in english.date_spans(sentence)
        if _LOOSE.search(sentence[:start]) is None
    ]
    if not spans:
        return None
    start, end = rng.choice(spans)
    date = sentence[start:end]
    year = _YEAR.search(date)
    changed = other_month(date, text, rng) if MONTH.search(date) else None
    if changed is None and year is not None:
        # The last digit only: another decade would often be absurd.
        last = rng.choice([digit for digit in "0123456789" if digit != year[0][-1]])
        changed = f"{date[: year.end() - 1]}{last}{date[year.end() :]}"
    return None if changed in (None, date) else f"{sentence[:start]}{changed}{sentence[end:]}"


def other_name(sentence: str, text: Sequence[str], rng: random.Random) -> str | None:
    """Return the sentence with a name of the text in place of one that follows the same word; else None.

    >>> other_name("The Lark sailed to Molde.", ["Ada went to Bergen."], random.Random(1))
    'The Lark sailed to Bergen.'
    """
    present = {word for name in english.values_in(sentence).names for word in name.split()}
    others: dict[tuple[str, int], list[str]] = {}
    for part in text:
        for close, name in _names(part):
            if present.isdisjoint(name.split()) and name not in sentence:
                others.setdefault((close, len(name.split())), []).append(name)
    pairs = [
        (name, like) for close, name in _names(sentence) if (like := others.get((close, len(name.split()))))
    ]
    if not pairs:
        return None
    old, like = rng.choice(pairs)
    return sentence.replace(old, rng.choice(like), 1)


def _names(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield each name of a sentence that follows a preposition or a title, after that word."""
    for name in english.values_in(sentence).names:
        before = sentence.partition(f" {name}")[0].split()
        month = MONTH.search(name)
        if len(name) > 2 and before and _CLOSE.fullmatch(before[-1]) and not month:
            yield before[-1].strip(".").lower(), name


def negated(sentence: str, text: Sequence[str], rng: random.Random) -> str | None:
    """Return the sentence with its main verb denied; None if that would say something else.

    >>> [negated(text, [], random.Random(1)) for text in ("The mill was built.", "All mills were built.")]
    ['The mill was not built.', None]
    """
    verb = _VERB.search(sentence) or _HAD.search(sentence)
    if verb is None or _NO_NEGATION.search(sentence) or _CLAUSE.search(sentence[: verb.start()]):
        return None
    return f"{sentence[: verb.end()]} not{sentence[verb.end() :]}"


FALSIFIED: dict[str, Change] = {
    "number": other_number,
    "date": other_date,
    "name": other_name,
    "negation": negated,
}
"""The ways to make a sentence false, by what they change."""
