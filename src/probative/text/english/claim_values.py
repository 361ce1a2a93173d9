"""The values that an English claim compares: "higher than B", "before 1990", "twice as many A as B"."""

from __future__ import annotations

import re

from probative.text.analysis import Attribute, Comparison, DateLimit
from probative.text.dates import Date
from probative.text.english.closed_comparisons import find_limit
from probative.text.english.dates import dates_in
from probative.text.english.degrees import count_of, quantity
from probative.text.english.events import base_form
from probative.text.english.negation import is_negated
from probative.text.word_lists import any_of, word_set
from probative.text.words import words

# Longer options are no names: the rule has cut the claim in the wrong place.
MAX_OPTION_WORDS = 5
# What such an option means stands in another sentence.
_POINTING = re.compile(rf"(?i)^(?:{any_of('claims.pronouns')})\b")
# "less than an hour": one hour.
_A_UNIT = re.compile(
    r"(?i)(?:(?<=\bthan\s)|(?<=\bover\s)|(?<=\bmost\s)|(?<=\bleast\s))an?\s+(?="
    rf"(?:{any_of('claims.units')})\b)"
)
_ONE = re.compile(r"(?i)\bone\b")
_UNTIL_DATE = re.compile(
    r"(?i)\b(?P<when>before|prior to|earlier than|after|later than)\s+"
    r"(?P<date>(?:[\w,]+\s+){0,3}?\d{3,4}(?: ?BCE?)?)\b"
)
_LOOSE_DATE = re.compile(rf"(?i)\d['’]?s\b|\b(?:{any_of('claims.before_dates')})\b[^.]{{0,20}}\d{{3,4}}\b")
_AFTER = ("after", "later than")
_HOLD = word_set("claims.hold")
_VERB = "|".join(sorted(word_set("claims.hold", "claims.give")))
_MONEY = word_set("claims.money")
# "The club has more money in its till than in its safe."
_MORE_IN = re.compile(
    rf"(?i)^(?P<owner>.+?)\s+(?:{_VERB})\s+(?P<more>more|less|fewer)(?:\s+(?P<noun>[a-z-]+(?:\s+[a-z-]+)?))??\s+"
    r"(?:in|on|at|from|for)\s+(?P<first>.+?)\s+than\s+(?:in|on|at|from|for)\s+(?P<second>.+?)\W*$"
)
# "The till holds more than the safe."
_HOLDS_MORE = re.compile(
    rf"(?i)^(?P<first>.+?)\s+(?P<verb>{_VERB})\s+(?P<more>more|less|fewer)(?:\s+(?P<noun>{any_of('claims.money')}))?\s+"
    r"than\s+(?P<second>.+?)(?:\s+(?:does|do|did))?\W*$"
)
_AMOUNTS = "money number mass volume data power area"
_DETERMINER = re.compile(r"(?i)^(?:the|an?|its|his|her|their|our|my)\s+")


def claimed_comparison(claim: str) -> Comparison | None:
    """Return what a claim compares with a limit or with another thing; None for every other claim.

    >>> claimed_comparison("Mount Ode is higher than Skarn Fell.").options
    ('Mount Ode', 'Skarn Fell')
    >>> claimed_comparison("It is higher than Skarn Fell.")
    """
    if is_negated(claim):
        return None
    held = _held(claim)
    if held is not None and all(map(_is_thing, held.options)):
        return held
    parts = find_limit(f"Is {_A_UNIT.sub('one ', claim.strip())}")
    if parts is None or parts.limit_question:
        return None
    if not all(map(_is_thing, parts.options)):
        return None
    ends_in_one = _ONE.search(claim[-6:]) is not None
    return None if parts.limit is not None and ends_in_one else parts


def _held(claim: str) -> Comparison | None:
    """Return the two things of which a claim says that one holds more than the other.

    >>> _held("The club has more money in its till than in its safe.").options
    ('till', 'safe')
    """
    match = _MORE_IN.match(claim.strip())
    owner = "" if match is None else match["owner"]
    verb = ""
    if match is None:
        match = _HOLDS_MORE.match(claim.strip())
        if match is None:
            return None
        verb = match["verb"].lower()
    options = tuple(_DETERMINER.sub("", match[name].strip()) for name in ("first", "second"))
    attribute = _amount_of((match["noun"] or "").lower())
    of_owner = frozenset() if owner.lower() == "there" else frozenset(words(owner))
    attribute = attribute._replace(verb=verb, words=of_owner)
    return Comparison((attribute,), options, match["more"].lower() == "more")


def _amount_of(noun: str) -> Attribute:
    """Return the attribute that "more", "more money" or "more ewes" compares."""
    if noun in _MONEY:
        return quantity("money", "How much money does {} have?", "money")
    return count_of(noun) if noun else quantity("amount", "How much does {} have?", _AMOUNTS)


def same_verb(verb: str, text: str) -> bool:
    """Return whether a text contains a verb, in another form or as another word for "hold".

    >>> same_verb("holds", "The club has £9 in the till."), same_verb("sold", "The club has £9 in the till.")
    (True, False)
    """
    text_words = frozenset(re.findall(r"[a-z]+", text.lower()))
    if verb in _HOLD:
        return bool(text_words & _HOLD)
    return base_form(verb) in {base_form(word) for word in text_words}


def _is_thing(option: str) -> bool:
    """Return whether an option of a claim names a thing by itself, and says nothing else about it."""
    if not option or len(option.split()) > MAX_OPTION_WORDS or any(letter.isdigit() for letter in option):
        return False
    return _POINTING.match(option) is None and _ONE.search(option) is None


def claimed_date_limit(claim: str) -> DateLimit | None:
    """Return the date that a claim puts something before or after.

    >>> claimed_date_limit("The pier was finished before May 1900.")
    DateLimit(date=(1900, 5, 0), later=False)
    """
    matches = list(_UNTIL_DATE.finditer(claim))
    if len(matches) != 1 or is_negated(claim) or len(dates_in(claim)) != 1:
        return None
    dates = dates_in(matches[0]["date"])
    return DateLimit(dates[0], matches[0]["when"].lower() in _AFTER) if len(dates) == 1 else None


def claimed_date(claim: str) -> Date | None:
    """Return the only date of a claim, if it says that something happened then: neither before, nor after it,
    nor in its decade.

    >>> claimed_date("The mill burnt in May 1890."), claimed_date("She was born in the 1840s.")
    ((1890, 5, 0), None)
    """
    dates = dates_in(claim)
    if len(dates) != 1 or is_negated(claim) or _LOOSE_DATE.search(claim):
        return None
    return dates[0]
