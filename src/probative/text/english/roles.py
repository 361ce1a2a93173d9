"""Roles that people have in something: director, author, builder and so on."""

from __future__ import annotations

import re

from probative.text.word_lists import word_list, word_lists

# A role, and how an English text says who had it.
_STEMS = {role: "|".join(stems) for role, stems in word_lists("roles").items()}
_ROLE = re.compile(rf"(?i)\b({'|'.join(_STEMS)})s?\b")
_PERSON_NAME = r"[A-Z][\w'’.-]*(?:\s+(?:(?:de|van|von|la|der|di)\s+)?[A-Z][\w'’.-]*)*"
_NAME_LIST = rf"{_PERSON_NAME}(?:\s*,\s*{_PERSON_NAME})*(?:\s*,?\s+(?:and|&)\s+{_PERSON_NAME})?"
_ALL_STEMS = word_list("comparisons.role_stems")


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


def people_with_role(text: str, role: str) -> list[str]:
    """Return the names that a text lists behind the words for a role; none if it says that there are more.

    >>> people_with_role("Directed by Ada Berg, Ole Lund and Eve Moe, and written by Jon Vik.", "director")
    ['Ada Berg', 'Ole Lund', 'Eve Moe']
    """
    match = re.search(rf"\b(?i:{_STEMS[role]})\w*\s+by\s+(?P<list>{_NAME_LIST})(?P<rest>.{{0,20}})", text)
    if match is None or re.match(r"\s*,?\s*(?:and\s+)?(?:others|et al)\b", match["rest"]):
        return []
    return [name for name in re.split(r"\s*,\s*(?:and\s+)?|\s+(?:and|&)\s+", match["list"]) if name]
