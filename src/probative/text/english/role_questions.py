"""A role between the options and what is compared: "the director who was born first"."""

from __future__ import annotations

import re
from dataclasses import replace

from probative.text.decomposition import Decomposition
from probative.text.english.degrees import BIRTH
from probative.text.english.roles import role_in

_PATTERNS = (
    re.compile(
        r"\b(?:has|have|had|with)\s+(?:the|an?)\s+(?P<role>[a-z]+?)s?\s+(?:who|that|which|born|died|lived|from)\b",
        re.IGNORECASE,
    ),
    re.compile(r"\bwhose\s+(?P<role>[a-z]+)\s+(?:is|was|were|has|had|died|lived)\b", re.IGNORECASE),
    re.compile(r"\b(?:the|both)\s+(?P<role>[a-z]+?)s\s+of\b", re.IGNORECASE),
)
_OPTION_ROLE = re.compile(
    r"(?:the\s+)?(?P<role>[a-z]+)\s+of\s+(?:(?:the\s+)?(?:film|book|movie|song|play|opera)\s+)?",
    re.IGNORECASE,
)
_OLDER = re.compile(r"\b(?:older|oldest|younger|youngest|elder)\b", re.IGNORECASE)


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
    """Return the parts of "the director of A and the director of B", or "the directors of A and B", with the
    role of both.
    """
    found = [_OPTION_ROLE.match(option) for option in parts.options]
    first = found[0] if found else None
    role = role_in(first["role"]) if first is not None else None
    if role is None or any(match is not None and role_in(match["role"]) != role for match in found):
        return parts
    options = tuple(
        option[match.end() :] if match is not None else option
        for option, match in zip(parts.options, found, strict=True)
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
