"""Text as a terminal may show it."""

from __future__ import annotations

import unicodedata


def plain(text: str) -> str:
    """A text on one line, without control characters and such that turn the direction of writing: it must
    not steer the terminal.
    """
    shown = "".join(" " if unicodedata.category(one) == "Cc" or one in _TURNING else one for one in text)
    return " ".join(shown.split())


_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
