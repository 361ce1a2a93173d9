"""Clean text from outside: on one line, without control characters."""

from __future__ import annotations

import re

from probative.errors import InputError

# Whole terminal sequences, other control characters, and characters that reverse the writing direction.
_CONTROL = re.compile(
    "\x1b\\[[0-9;?]*[ -/]*[@-~]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"
)


def clean(text: str) -> str:
    r"""Return a text on one line, without control characters; raises InputError if it is not valid Unicode.

    >>> clean("a\x1b[31m red\n line")
    'a red line'
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"a text cannot be encoded as UTF-8: {error.reason}") from None
    return " ".join(_CONTROL.sub(" ", text).split())


def has_control(text: str) -> bool:
    """Return whether a text contains characters that `clean` removes."""
    return _CONTROL.search(text) is not None
