"""Roles that people have in something: director, author, builder and so on."""

from __future__ import annotations

import re

# A role, and how an English text says who had it.
_STEMS = {
    "director": "direct",
    "composer": "compos|music",
    "performer": "perform|sung|song by|record",
    "singer": "perform|sung|song by|record",
    "author": "writ|wrote|author|novel by|book by",
    "writer": "writ|wrote",
    "producer": "produc",
    "founder": "found|establish",
    "builder": "buil",
}
_ROLE = re.compile(rf"\b({'|'.join(_STEMS)})s?\b", re.IGNORECASE)
_ALL_STEMS = [
    "direct",
    "compos",
    "perform",
    "writ",
    "wrote",
    "produc",
    "found",
    "star",
    "edit",
    "photograph",
    "based",
]


def role_in(question: str) -> str | None:
    """Return the first role that a question names.

    >>> role_in("Which film has the director born first?"), role_in("Who sailed first?")
    ('director', None)
    """
    match = _ROLE.search(question)
    return match.group(1).lower() if match is not None else None


def had_role(name: str, role: str, text: str) -> bool:
    """Return whether a text says that someone had a role, with no other role named in between.

    >>> had_role("Ada Berg", "director", "A film directed by Ole Lund and written by Ada Berg.")
    False
    """
    stems = _STEMS[role]
    others = "|".join(stem for stem in _ALL_STEMS if stem not in stems.split("|"))
    between = rf"(?:(?!{others})[^.]){{0,80}}?"
    pattern = rf"\b(?:{stems})\w*{between}(?<!\w){re.escape(name)}(?!\w)"
    return re.search(pattern, text, re.IGNORECASE) is not None
