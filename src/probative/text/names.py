"""Names in a text, whatever its language."""

from __future__ import annotations

import re
from collections.abc import Sequence


def mentions(text: str, name: str) -> bool:
    """Return whether a text contains a name as whole words, whatever its case.

    >>> mentions("The Lark sailed.", "lark"), mentions("The Larks sailed.", "Lark")
    (True, False)
    """
    return re.search(rf"(?<!\w){re.escape(name.lower())}(?!\w)", text.lower()) is not None


def without_brackets(title: str) -> str:
    """Return a title without the brackets at its end.

    >>> without_brackets("Lark (ketch)")
    'Lark'
    """
    return re.sub(r"\s*\([^()]*\)$", "", title)


def distinct(names: Sequence[str]) -> list[str]:
    """Return each name once, whatever its case, without single letters and bare numbers.

    >>> distinct(["Tea", "tea", "7", "cough"])
    ['Tea', 'cough']
    """
    first: dict[str, str] = {}
    for name in names:
        if len(name) > 1 and not name.isdigit():
            first.setdefault(name.casefold(), name)
    return list(first.values())
