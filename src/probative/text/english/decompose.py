"""English questions that ask for a computation, as parts: the task, the attribute and the options."""

from __future__ import annotations

import re
from dataclasses import replace

from probative.text.analysis import Decomposition
from probative.text.english.arithmetic import find_age, find_amount, find_difference, find_total
from probative.text.english.closed_comparisons import find_limit, find_same
from probative.text.english.degrees import BIRTH, DEATH, find_degree
from probative.text.english.events import directions, find_event_order
from probative.text.english.negation import is_denied
from probative.text.english.operands import options_around
from probative.text.english.roles import role_in
from probative.text.word_lists import any_of

_LIVED = re.compile(
    r"(?i)\blived\s+(?:the\s+)?(?:(?P<longer>longer|longest)|shorter|shortest)\s*(?=[,:–—?-]|$)"
)
_PERSON = re.compile(r"(?i)\W*(?:who|whom|whose)\b|\b(?:he|she|person|people|man|woman)\b")
_PEOPLE_NOUN = re.compile(
    rf"(?i)\b(?:which|what)\s+(?:[\w-]+\s+){{0,3}}?\w*(?:{any_of('comparisons.person_endings')})\b"
    r"(?=\s+(?:is|was|of))"
)
_DIFFERENT = re.compile(r"(?i)\bdifferent\b|\bdiffer\b")
# Without an offer, "older" may describe someone ("the older brother of A and B").
_OFFER = re.compile(r"\bor\b|\b(?i:between)\b.*\band\b|\b(?:of|among) the(?:se)? (?:two|three|four)\b")
_NAME = re.compile(r"[A-Z]\S*")
_QUALIFIED = re.compile(rf"\s+(?:{any_of('comparisons.circumstances')})\b")
# A question this long is a text; parsing it for options would take long and help nobody.
MAX_CHARACTERS = 1_000
_PATTERNS = (
    re.compile(
        r"\b(?:has|have|had|with)\s+(?:the|an?)\s+(?P<role>[a-z]+?)s?\s+(?:who|that|which|born|died|lived|from)\b",
        re.IGNORECASE,
    ),
    re.compile(r"\bwhose\s+(?P<role>[a-z]+)\s+(?:is|was|were|has|had|died|lived)\b", re.IGNORECASE),
    re.compile(r"\b(?:the|both)\s+(?P<role>[a-z]+?)s\s+of\b", re.IGNORECASE),
)
_OPTION_ROLE = re.compile(
    r"(?i)(?:the\s+)?(?P<role>[a-z]+)\s+of\s+(?:(?:the\s+)?(?:film|book|movie|song|play|opera)\s+)?"
)
_OLDER = re.compile(r"(?i)\b(?:older|oldest|younger|youngest|elder)\b")


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
    # Not "older when they died", nor "nearer to the Sava".
    if degree is None or _QUALIFIED.match(question, degree.end):
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


def with_role(question: str, parts: Decomposition) -> Decomposition:
    """Return the parts with the role that stands between the options and the attribute, if there is one.

    >>> from probative.text.english.degrees import BIRTH
    >>> parts = Decomposition("order", (BIRTH,), ("A", "B"))
    >>> with_role("Which film has the director who was born first, A or B?", parts).role_question
    'Who is the director of {}?'
    """
    parts = _role_of_options(parts)
    if parts.role is not None:
        return parts
    role = _role(question, parts)
    if role is None:
        return parts
    attributes = parts.attributes
    if _OLDER.search(question):  # only someone can be older whose role is named
        attributes = tuple(dict.fromkeys((BIRTH._replace(inverted=True), *attributes)))
    word = "Who" if role_in(role) else "What"
    return replace(parts, role=role, role_question=f"{word} is the {role} of {{}}?", attributes=attributes)


def _role_of_options(parts: Decomposition) -> Decomposition:
    """Return the parts of "the director of A and the director of B" with the role of both."""
    matches = [_OPTION_ROLE.match(option) for option in parts.options]
    first = matches[0] if matches else None
    role = role_in(first["role"]) if first is not None else None
    if role is None or any(match is not None and role_in(match["role"]) != role for match in matches):
        return parts
    options = tuple(
        option[match.end() :] if match is not None else option
        for option, match in zip(parts.options, matches, strict=True)
    )
    return replace(parts, role=role, role_question=f"Who is the {role} of {{}}?", options=options)


def _role(question: str, parts: Decomposition) -> str | None:
    """Return the role; None if the role is itself what is compared ("the same director")."""
    compared = " ".join(attribute.name for attribute in parts.attributes)
    if parts.task == "age":
        return None
    for pattern in _PATTERNS:
        match = pattern.search(question)
        if match is not None and match["role"].lower() not in compared and not _in_options(match, parts):
            return match["role"].lower()
    role = role_in(question)
    return None if role is None or role in compared or not _stands_free(role, question, parts) else role


def _in_options(match: re.Match[str], parts: Decomposition) -> bool:
    return any(match.group().lower() in option.lower() for option in parts.options)


def _stands_free(role: str, question: str, parts: Decomposition) -> bool:
    """Return whether a role stands outside the options and is no kind of option ("Which singer is older")."""
    for option in parts.options:
        question = question.replace(option, " ")
    kind = re.match(rf"\W*(?:which|what)\s+(?:\w+\s+)?{role}s?\b", question, re.IGNORECASE)
    return re.search(rf"\b{role}s?\b", question, re.IGNORECASE) is not None and kind is None
