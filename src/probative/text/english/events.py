"""Events in a question about which came first, and signs that a date is doubtful."""

from __future__ import annotations

import re
from typing import NamedTuple

from probative.text.analysis import Attribute
from probative.text.english.degrees import BIRTH, DEATH
from probative.text.word_lists import IRREGULAR_PASTS, any_of, stem, word_set

EARLY = any_of("events.early")
LATE = any_of("events.late")
_WHEN = rf"{EARLY}|{LATE}"
_PAST = rf"born|(?:came|come)(?: out)?|{any_of('events.past')}|[a-z]{{2,}}ed"
_PRESENT = any_of("events.present")
_EVENT_FIRST = re.compile(rf"\b(?P<verb>{_PAST}|{_PRESENT}|premiere|debut|opening)\s+(?P<when>{_WHEN})\b")
# "Did A or B open first?": only here the verb stands in its base form.
_DID_FIRST = re.compile(rf"^\W*(?i:did|does|do|will)\b.*\b(?P<verb>[a-z]{{2,}})\s+(?P<when>{_WHEN})\b")
_EVENT_WORD_FIRST = re.compile(rf"\b(?P<verb>{_PAST})\s+[a-z]+\s+(?P<when>{_WHEN})\b")
_FIRST_EVENT = re.compile(
    rf"\b(?:is|are|was|were)\s+(?:the\s+)?(?P<when>{_WHEN})\s+(?:to\s+(?:be\s+)?)?(?P<verb>{_PAST}|die|open|start)\b"
)
_DIRECTION = re.compile(rf"\b(?:(?P<early>{EARLY}|before)|(?P<late>{LATE}|after))\b")
# Verbs that take no "was": "When did it open?", and "was opened" asks for the same.
_ACTIVE = word_set("events.active")
_PASSIVE = re.compile(r"\b(?:is|are|was|were|been|be)\b")
_NOT_VERBS = word_set("events.no_verbs")
_CLOCK_VERBS = word_set("events.on_the_clock")


class EventOrder(NamedTuple):
    """The event that decides an order, whether the latest is asked for, and the words that say so."""

    attributes: tuple[Attribute, ...]
    latest: bool
    start: int
    end: int


def find_event_order(question: str) -> EventOrder | None:
    """Return the event whose dates a question puts in order.

    >>> order = find_event_order("Which magazine was founded first, A or B?")
    >>> order.attributes[0].question, order.latest
    ('When was {} founded?', False)
    >>> find_event_order("Which shop opens earlier?").attributes[0].question
    'When does {} open?'
    """
    for pattern in (_FIRST_EVENT, _DID_FIRST, _EVENT_FIRST, _EVENT_WORD_FIRST):
        for match in pattern.finditer(question):
            if match["verb"].lower() in _NOT_VERBS:
                continue
            latest = re.fullmatch(LATE, match["when"], re.IGNORECASE) is not None
            attributes = event_attributes(match["verb"], question[: match.start("verb")])
            start = min(match.start("verb"), match.start("when"))
            return EventOrder(attributes, latest, start, match.end())
    return None


def directions(question: str) -> frozenset[str]:
    """Return "early", "late", or both: what a question asks for.

    >>> sorted(directions("Was the first or the last ship built earlier?"))
    ['early', 'late']
    """
    return frozenset(match.lastgroup or "" for match in _DIRECTION.finditer(question))


def event_attributes(verb: str, before: str = "") -> tuple[Attribute, ...]:
    """Return the date of an event by its verb; `before` is the question before the verb.

    >>> [event_attributes(verb)[0].question for verb in ("born", "died", "came out")]
    ['When was {} born?', 'When did {} die?', 'When did {} come out?']
    >>> event_attributes("moved", "Who was ")[0].question
    'When was {} moved?'
    """
    low = " ".join(verb.lower().split())
    if low in ("born", "birth"):
        return (BIRTH,)
    if base_form(low) == "die":
        return (DEATH,)
    first, _, particle = low.partition(" ")
    base = base_form(first)
    attribute = Attribute("date", "", "date")
    tail = f"{base} {particle}".strip()
    if re.fullmatch(_PRESENT, first):
        asked = f"When does {{}} {base}?"
        return (_clock(asked, base),)
    if low in ("came", "come"):
        return (attribute._replace(question="When did {} come out?"),)
    did = re.match(r"\W*(?:did|does|do|will)\b", before, re.IGNORECASE) is not None
    active = did or (base in _ACTIVE and not _PASSIVE.search(before.lower()))
    question = f"When did {{}} {tail}?" if active else f"When was {{}} {low}?"
    dated = attribute._replace(question=question)
    return (dated, _clock(question, base)) if base in _CLOCK_VERBS else (dated,)


def _clock(question: str, verb: str) -> Attribute:
    """Return the time of day of an event."""
    return Attribute("time", question, "quantity", frozenset({"clock"}), frozenset({stem(verb)}))


def base_form(verb: str) -> str:
    """Return the base form of a past form, by the usual spelling rules.

    >>> [base_form(verb) for verb in ("opened", "moved", "planned", "began", "carried", "opens")]
    ['open', 'move', 'plan', 'begin', 'carry', 'open']
    """
    if verb in IRREGULAR_PASTS:
        return IRREGULAR_PASTS[verb]
    if verb.endswith("ied") and len(verb) > 4:
        return f"{verb[:-3]}y"
    if verb.endswith("ed") and len(verb) > 4:
        root = verb[:-2]
        if root[-1] == root[-2] and root[-1] not in "lsz":
            return root[:-1]
        return (
            f"{root}e"
            if re.search(r"(?:[vcszu]|[^aeiou]g|[aiou]t|[aiu]r|[aiou]d|[^aeiou]l)$", root)
            else root
        )
    if verb.endswith("s") and not verb.endswith("ss") and len(verb) > 3:
        return verb[:-1]
    return verb
