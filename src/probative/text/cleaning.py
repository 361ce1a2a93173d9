"""Text of others made safe to read: on one line, without control characters."""

from __future__ import annotations

import re

from probative.errors import InputError

# Terminal sequences whole, then other control characters and those that turn the direction of writing.
_CONTROL = re.compile(
    "\x1b\\[[0-9;?]*[ -/]*[@-~]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"
)


def clean(text: str) -> str:
    r"""A text on one line, without control characters; text that is no Unicode is an `InputError`.

    >>> clean("a\x1b[31m red\n line")
    'a red line'
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"a text cannot be encoded as UTF-8: {error.reason}") from None
    return " ".join(_CONTROL.sub(" ", text).split())


def has_control(text: str) -> bool:
    """Whether a text holds what `clean` leaves out."""
    return _CONTROL.search(text) is not None
