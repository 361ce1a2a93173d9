"""What happened, and when, in the words of a question and of a text about someone or something."""

from __future__ import annotations

import re
from typing import Literal

from probative.text.english.dates import Date, dates_of, first_date, plain_eras

Event = Literal["birth", "death", "start"]

STARTS = (
    r"released|came out|come out|published|founded|established|started|created|opened|formed|launched|built|"
    r"began|begun|premiered|aired|introduced|made|incorporated|completed|written|debuted"
)
NEGATED = re.compile(r"\b(?:not|never|neither|nor|different|lie|myth|false)\b|n['’]t\b", re.IGNORECASE)
_AGE = re.compile(r"\b(?:older|oldest|younger|youngest)\b", re.IGNORECASE)
_BIRTH = re.compile(r"\b(?:born|birth)\b", re.IGNORECASE)
_DEATH = re.compile(r"\b(?:died|dies|die|death)\b", re.IGNORECASE)
_START = re.compile(rf"\b(?:{STARTS})\b", re.IGNORECASE)
# "(5 May 1900 – 3 June 1980)", perhaps with a name in another script or a place before the dates.
_LIFE = re.compile(r"\((?P<dates>[^()]*\d[^()]*)\)")
# It stands at the name, before what is said of its bearer; what stands later is a term of office, say.
_SAID = re.compile(r"\b(?:is|was|were|are|became|served|held|ruled)\b", re.IGNORECASE)
# No date is cut from its era.
_UNCUT = r"\w*(?: BCE?\b)?"
_BORN = re.compile(rf"\bborn\b(?P<rest>[^.()]{{0,80}}{_UNCUT})", re.IGNORECASE)
_DIED = re.compile(rf"\b(?:died|death)\b(?P<rest>[^.;()]{{0,80}}{_UNCUT})", re.IGNORECASE)
_NEAR = re.compile(rf".{{0,60}}{_UNCUT}", re.DOTALL)
# A date that is not that of a birth or death, or not for certain.
_UNSURE = re.compile(
    r"\b(?:reign\w*|r|ruled|fl|floruit|active|before|after|between|or|circa|ca|c|around|about|perhaps|"
    r"probably|v\. Chr|century)\b\.?",
    re.IGNORECASE,
)
# Someone else, whose date may follow.
_RELATIVE = re.compile(
    r"\b(?:father|mother|son|daughter|brother|sister|wife|husband|widow|uncle|aunt|parents?|child|children|"
    r"married|whose)\b|['’]s\b",
    re.IGNORECASE,
)


def event_of(question: str) -> Event | None:
    """What the dates to compare are of.

    >>> [event_of(text) for text in ("Who is older?", "Who died last?", "Which came out first?", "Who won?")]
    ['birth', 'death', 'start', None]
    >>> event_of("Who was older when they died?")  # neither who was born first nor who died first
    """
    if _DEATH.search(question):
        return None if _AGE.search(question) else "death"
    if _AGE.search(question) or _BIRTH.search(question):
        return "birth"
    return "start" if _START.search(question) else None


def event_date(text: str, event: Event) -> Date | None:
    """The date of an event that a text about someone or something gives.

    >>> life = "Ada Berg (5 May 1900 – 3 June 1980) was a sailor."
    >>> event_date(life, "birth"), event_date(life, "death"), event_date("A 1950 film.", "birth")
    ((1900, 5, 5), (1980, 6, 3), None)
    >>> event_date("Ada (100 BC – 44 BC) was a queen.", "death"), event_date("Built in 30 B.C.", "start")
    ((-44, 0, 0), (-30, 0, 0))
    """
    if NEGATED.search(text):
        return None
    text = plain_eras(text)
    if event == "start":
        verb = _START.search(text)
        near = _NEAR.match(text, verb.end()) if verb else None
        return (first_date(near.group()) if near else None) or first_date(text)
    for life in _LIFE.finditer(text):
        dates = dates_of(life.group("dates"))
        before = text[: life.start()]
        if (
            len(dates) == 2
            and not _UNSURE.search(life.group("dates"))
            and not _SAID.search(before)
            and not _RELATIVE.search(before)
        ):
            return dates[0 if event == "birth" else 1]
    said = (_BORN if event == "birth" else _DIED).search(text)
    if said is None or _UNSURE.search(said.group("rest")) or _RELATIVE.search(text[: said.start()]):
        return None
    return first_date(said.group("rest"))
