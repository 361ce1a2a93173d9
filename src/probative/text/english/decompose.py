"""English questions that ask for a computation, as parts: the task, the attribute and the options."""

from __future__ import annotations

import re

from probative.text.decomposition import Decomposition
from probative.text.english.arithmetic import find_age, find_amount, find_difference, find_total
from probative.text.english.degrees import BIRTH, DEATH, Degree, find_degree
from probative.text.english.limits import find_limit
from probative.text.english.negation import is_denied
from probative.text.english.operands import options_around
from probative.text.english.role_questions import with_role
from probative.text.english.same import find_same
from probative.text.english.when import directions, find_event_order

_LIVED = re.compile(
    r"\blived\s+(?:the\s+)?(?:(?P<longer>longer|longest)|shorter|shortest)\s*(?=[,:–—?-]|$)", re.IGNORECASE
)
_PERSON = re.compile(r"\W*(?:who|whom|whose)\b|\b(?:he|she|person|people|man|woman)\b", re.IGNORECASE)
_PEOPLE_NOUN = re.compile(
    r"\b(?:which|what)\s+(?:[\w-]+\s+){0,3}?\w*(?:er|or|ist|ian|man|woman|king|queen|poet|actress|athlete|pilot)\b"
    r"(?=\s+(?:is|was|of))",
    re.IGNORECASE,
)
_DIFFERENT = re.compile(r"\bdifferent\b|\bdiffer\b", re.IGNORECASE)
# Without an offer, "older" may describe someone ("the older brother of A and B").
_OFFER = re.compile(r"\bor\b|\b(?i:between)\b.*\band\b|\b(?:of|among) the(?:se)? (?:two|three|four)\b")
_NAME = re.compile(r"[A-Z]\S*")
_QUALIFIED = re.compile(
    r"\s+(?:when|while|to|after|before|in|at|from|north|south|east|west|northern|southern|up|down)\b"
)
# A question this long is a text; parsing it for options would take long and help nobody.
MAX_CHARACTERS = 1_000


def decompose(question: str) -> Decomposition | None:
    """Return the parts of a question that asks for a computation; None for every other question.

    >>> parts = decompose("Which peak is higher, Skarn Fell or Mount Ode?")
    >>> parts.task, parts.options, parts.attributes[0].ask(parts.options[0])
    ('order', ('Skarn Fell', 'Mount Ode'), 'How high is Skarn Fell?')
    >>> decompose("Who built the ferry?") is None
    True
    """
    if len(question) > MAX_CHARACTERS or _is_denied(question):
        return None
    for find in (find_age, find_difference, find_total, find_same, find_limit, _find_order, find_amount):
        parts = find(question)
        if parts is not None:
            return with_role(question, parts)
    return None


def _is_denied(question: str) -> bool:
    """Return whether a question contains a negation outside the names in it."""
    first, _, rest = question.partition(" ")
    lower = _NAME.sub(" ", _DIFFERENT.sub("", rest))
    return is_denied(f"{first} {lower}")


def _find_order(question: str) -> Decomposition | None:
    """Return the parts of "Which is higher, A or B?"."""
    if not _OFFER.search(question):
        return None
    if (lived := _LIVED.search(question)) is not None:
        options = options_around(question, lived.start(), lived.end())
        return Decomposition("lives", (BIRTH, DEATH), options, largest=lived["longer"] is not None)
    order = find_event_order(question)
    if order is not None:
        if len(directions(question)) != 1:
            return None  # "the first or the last … earlier": more than one order is in play
        options = options_around(question, order.start, order.end)
        return Decomposition("order", order.attributes, options, largest=order.latest)
    degree = find_degree(question, person=asks_for_person(question))
    if degree is None or not _is_asked(question, degree):
        return None
    options = options_around(question, degree.start, degree.end)
    return Decomposition("order", degree.attributes, options, largest=degree.largest)


def asks_for_person(question: str) -> bool:
    """Return whether people are compared.

    >>> asks_for_person("Who is older?"), asks_for_person("Which painter is older?")
    (True, True)
    >>> asks_for_person("Which church is older?")
    False
    """
    return _PERSON.match(question) is not None or _PEOPLE_NOUN.search(question) is not None


def _is_asked(question: str, degree: Degree) -> bool:
    """Return whether a degree orders the options: not one at a moment ("older when they died") or to a
    thing that is named ("nearer to the Sava").
    """
    return not _QUALIFIED.match(question, degree.end)
