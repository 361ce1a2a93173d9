"""Events and their dates, in a question and in a text about someone or something."""

from __future__ import annotations

import re

from probative.text.dates import Date
from probative.text.decomposition import Event
from probative.text.english.dates import dates_in, first_date, plain_eras
from probative.text.english.negation import is_denied

STARTS = (
    r"released|came out|come out|published|founded|established|started|created|opened|formed|launched|built|"
    r"began|begun|premiered|aired|introduced|made|incorporated|completed|written|debuted"
)
_AGE = re.compile(r"\b(?:older|oldest|younger|youngest)\b", re.IGNORECASE)
_BIRTH = re.compile(r"\b(?:born|birth)\b", re.IGNORECASE)
_DEATH = re.compile(r"\b(?:died|dies|die|death)\b", re.IGNORECASE)
_START = re.compile(rf"\b(?:{STARTS})\b", re.IGNORECASE)
# "(5 May 1900 – 3 June 1980)", perhaps with a name in another script or a place before the dates.
_LIFE = re.compile(r"\((?P<dates>[^()]*\d[^()]*)\)")
# The dates of a life follow the name directly; brackets after a verb may be a term of office.
_PREDICATE = re.compile(r"\b(?:is|was|were|are|became|served|held|ruled)\b", re.IGNORECASE)
_DEFINED = re.compile(r"\b(?:is|was|are|were) an? (?:[a-z]+ )?(?P<year>[12]\d{3})\b(?! [–-])")
# Keeps a date together with its era.
_UNCUT = r"\w*(?: BCE?\b)?"
_BORN = re.compile(rf"\bborn\b(?P<rest>[^.()]{{0,80}}{_UNCUT})", re.IGNORECASE)
_DIED = re.compile(rf"\b(?:died|death)\b(?P<rest>[^.;()]{{0,80}}{_UNCUT})", re.IGNORECASE)
_NEAR = re.compile(rf".{{0,60}}{_UNCUT}", re.DOTALL)
# Signs that a date is not that of a birth or death, or is uncertain.
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
    """Return the event whose dates a question compares.

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
    """Return the date of an event that a text gives for its subject.

    >>> life = "Ada Berg (5 May 1900 – 3 June 1980) was a sailor."
    >>> event_date(life, "birth"), event_date(life, "death"), event_date("A 1950 film.", "birth")
    ((1900, 5, 5), (1980, 6, 3), None)
    >>> event_date("Ada (100 BC – 44 BC) was a queen.", "death"), event_date("Built in 30 B.C.", "start")
    ((-44, 0, 0), (-30, 0, 0))
    """
    if is_denied(text):
        return None
    text = plain_eras(text)
    if event == "start":
        return _start_date(text)
    return _life_date(text, event) or _told_date(text, event)


def defining_year(text: str) -> Date | None:
    """Return the year in what a text says its subject is: "is a 1919 American film".

    >>> defining_year("Lark is a 1911 ketch."), defining_year("Lark is a ketch of a man born in 1880.")
    ((1911, 0, 0), None)
    """
    match = _DEFINED.search(text)
    return None if match is None else (int(match["year"]), 0, 0)


def is_doubtful_date(text: str) -> bool:
    """Return whether the dates of a sentence are uncertain, denied, or those of a relative.

    >>> is_doubtful_date("He was born around 1850."), is_doubtful_date("Her father was born in 1850.")
    (True, True)
    >>> is_doubtful_date("She was born in 1880 in Molde.")
    False
    """
    return any(pattern.search(text) for pattern in (_UNSURE, _RELATIVE)) or is_denied(text)


def _start_date(text: str) -> Date | None:
    """Return the first date behind the verb of a beginning, or the first date of the text."""
    verb = _START.search(text)
    near = _NEAR.match(text, verb.end()) if verb else None
    return (first_date(near.group()) if near else None) or first_date(text)


def _life_date(text: str, event: Event) -> Date | None:
    """Return the birth or death from brackets behind the name: "(5 May 1900 – 3 June 1980)"."""
    for life in _LIFE.finditer(text):
        dates = dates_in(life.group("dates"))
        before = text[: life.start()]
        certain = not _UNSURE.search(life.group("dates"))
        if len(dates) == 2 and certain and not _PREDICATE.search(before) and not _RELATIVE.search(before):
            return dates[0 if event == "birth" else 1]
    return None


def _told_date(text: str, event: Event) -> Date | None:
    """Return the date behind "born" or "died"."""
    clause = (_BORN if event == "birth" else _DIED).search(text)
    if clause is None or _UNSURE.search(clause.group("rest")) or _RELATIVE.search(text[: clause.start()]):
        return None
    return first_date(clause.group("rest"))
