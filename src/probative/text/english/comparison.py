"""What an English question compares: the dates, lives or countries of two things, or which one is meant."""

from __future__ import annotations

import re
from collections.abc import Sequence

from probative.text.analyzer import Comparison, ParsedQuestion
from probative.text.english.events import STARTS, event_of
from probative.text.english.negation import is_denied
from probative.text.english.roles import role_in
from probative.text.names import mentions, without_brackets

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


def needs_dates(question: str) -> bool:
    """Return whether the answer needs the dates of the two things themselves that a question compares.

    >>> needs_dates("Who was born first, Ada Berg or Ole Lund?"), needs_dates("Who came first?")
    (True, False)
    """
    if role_in(question) or is_denied(question) or not _BY_DATE.search(question):
        return False
    return event_of(question) is not None and _wants_earlier(question) is not None


def compared_pair(question: ParsedQuestion, titles: Sequence[str]) -> tuple[str, str] | None:
    """Return the two things that a question compares: the titles that it names, or its own names.

    >>> from probative.text.english.questions import parse_question
    >>> compared_pair(parse_question("Which is older, the Lark or Heron?"), ["Lark (ketch)", "Heron"])
    ('Lark', 'Heron')
    """
    low = question.text.lower()
    named = [title for title in dict.fromkeys(map(without_brackets, titles)) if mentions(low, title)]
    named = [
        name for name in named if not any(name != other and name.lower() in other.lower() for other in named)
    ]
    if len(named) < 2:
        named = question.names
    if len(named) != 2:
        return None
    first, second = sorted(named, key=lambda name: low.find(name.lower()))
    return None if _in_longer_list(question.text, first) else (first, second)


def offered_pair(question: ParsedQuestion, titles: Sequence[str]) -> tuple[str, str] | None:
    """Return the two options of a question that ends in "A or B?".

    >>> from probative.text.english.questions import parse_question
    >>> offered_pair(parse_question("Who is a film critic, Ada Berg or Ole Vik?"), [])
    ('Ada Berg', 'Ole Vik')
    >>> offered_pair(parse_question("Did Ada Berg or Ole Vik sail first to Molde?"), []) is None
    True
    """
    pair = compared_pair(question, titles)
    if pair is None:
        return None
    first, second = map(re.escape, pair)
    ending = re.search(rf"\b{first},? or (?:the )?{second}\W*$", question.text, re.IGNORECASE)
    return pair if ending else None


def _wants_earlier(question: str) -> bool | None:
    """Return whether the earlier of two is asked for; None if the question says neither or both."""
    early, late = _EARLIER.search(question) is not None, _LATER.search(question) is not None
    return None if early == late else early


def _in_longer_list(question: str, name: str) -> bool:
    """Return whether another name and a comma precede a name: then more than two things are listed."""
    for match in re.finditer(rf", (?:or |and )?{re.escape(name)}\b", question):
        start = match.start()
        while start > 0 and (question[start - 1].isalnum() or question[start - 1] == "_"):
            start -= 1
        capital = next((i for i in range(start, match.start()) if "A" <= question[i] <= "Z"), None)
        if capital is not None:
            return "," in question[:capital]
    return False
