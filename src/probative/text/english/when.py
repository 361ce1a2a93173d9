"""Questions about which came first: the event, and the question that asks for its date."""

from __future__ import annotations

import re
from typing import NamedTuple

from probative.text.decomposition import Attribute
from probative.text.english.degrees import BIRTH, DEATH
from probative.text.english.events import STARTS
from probative.text.word_lists import IRREGULAR_PASTS, stem, word_set

EARLY = r"first|earlier|earliest|sooner|soonest"
LATE = r"later|latest|last|more recently|most recently"
_WHEN = rf"{EARLY}|{LATE}"
_EVENTS = (
    "came began begun won went left became sang sung wrote written met built made held sold bought took "
    "taken found lost fell sank ran drawn shown died arisen shut"
)
_PAST = rf"born|(?:came|come)(?: out)?|{'|'.join(_EVENTS.split())}|[a-z]{{2,}}ed"
_PRESENT = "opens|closes|starts|begins|leaves|arrives|departs|ends|finishes|appears"
_EVENT_FIRST = re.compile(rf"\b(?P<verb>{_PAST}|{_PRESENT}|premiere|debut|opening)\s+(?P<when>{_WHEN})\b")
# "Did A or B open first?": only here the verb stands in its base form.
_DID_FIRST = re.compile(rf"^\W*(?i:did|does|do|will)\b.*\b(?P<verb>[a-z]{{2,}})\s+(?P<when>{_WHEN})\b")
_EVENT_WORD_FIRST = re.compile(rf"\b(?P<verb>{_PAST})\s+[a-z]+\s+(?P<when>{_WHEN})\b")
_FIRST_EVENT = re.compile(
    rf"\b(?:is|are|was|were)\s+(?:the\s+)?(?P<when>{_WHEN})\s+(?:to\s+(?:be\s+)?)?(?P<verb>{_PAST}|die|open|start)\b"
)
_DIRECTION = re.compile(rf"\b(?:(?P<early>{EARLY}|before)|(?P<late>{LATE}|after))\b")
# Verbs that take no "was": "When did it open?", and "was opened" asks for the same.
_ACTIVE = word_set("come open begin debut premiere air appear start die win end close finish leave")
_PASSIVE = re.compile(r"\b(?:is|are|was|were|been|be)\b")
_NOT_VERBS = word_set(
    "the which who what that is are was were be been of in on at to from for by his her its their a "
    "an one it and or not does did do has have had years year days film more less earlier later"
)
_START_VERBS = re.compile(rf"(?:{STARTS})", re.IGNORECASE)
_CLOCK_VERBS = word_set("open close start begin leave arrive depart end finish")


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
    event = "start" if _START_VERBS.fullmatch(low) or _START_VERBS.fullmatch(first) else None
    cues = frozenset({stem(first), stem(base)})
    attribute = Attribute("date", "", "date", cues=cues, event=event, verb=first)  # type: ignore[arg-type]
    tail = f"{base} {particle}".strip()
    if re.fullmatch(_PRESENT, first):
        asked = f"When does {{}} {base}?"
        clock = Attribute("time", asked, "quantity", frozenset({"clock"}), frozenset({stem(base)}))
        return (clock, attribute._replace(question=asked))
    if low in ("came", "come"):
        return (attribute._replace(question="When did {} come out?", event="start"),)
    did = re.match(r"\W*(?:did|does|do|will)\b", before, re.IGNORECASE) is not None
    active = did or (base in _ACTIVE and not _PASSIVE.search(before.lower()))
    question = f"When did {{}} {tail}?" if active else f"When was {{}} {low}?"
    dated = attribute._replace(question=question)
    if base in _CLOCK_VERBS and event is None:
        clock = Attribute("time", question, "quantity", frozenset({"clock"}), cues)
        return (dated, clock)
    return (dated,)


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
