"""Roles that people have in something: director, author, builder and so on."""

from __future__ import annotations

import re

from probative.text.word_lists import word_lists

_ROLE = re.compile(rf"(?i)\b({'|'.join(word_lists('roles'))})s?\b")


def role_in(question: str) -> str | None:
    """Return the first role that a question names.

    >>> role_in("Which film has the director born first?"), role_in("Who sailed first?")
    ('director', None)
    """
    match = _ROLE.search(question)
    return match.group(1).lower() if match is not None else None
