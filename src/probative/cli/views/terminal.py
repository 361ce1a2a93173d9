"""What reaches the terminal. Text of others must not steer it: every view prints through this module."""

from __future__ import annotations

import re
import sys
import unicodedata
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from probative.types import Value

# Whole escape sequences: CSI (colours, cursor), strings up to their end (OSC: titles, links, the clipboard;
# DCS, SOS, PM, APC), and two-character ones. A string without an end loses only its beginning, so that no
# text can be hidden behind one.
_SEQUENCES = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]"
    "|(?:\x1b[\\]PX^_]|[\x90\x98\x9d\x9e\x9f])(?:[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\\\|\x9c))?"
    "|\x1b[ -/]*[0-~]"
)
# Characters that change the direction of writing, and with it the order in which a line is read.
_DIRECTION = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# What JSON may have in a string but a terminal should not get.
_UNSAFE_IN_JSON = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")

_NOT_ASCII = re.compile("[^\x00-\x7f]")


def plain(text: str) -> str:
    r"""Return a text on one line, without escape sequences, control and direction characters.

    >>> plain("Ada \x1b[31mBerg\x1b]52;c;aGk=\x07\nsailed\u202e")
    'Ada Berg sailed'
    """
    return " ".join(_without_controls(text).split())


def plain_lines(text: str) -> str:
    r"""Return a text like `plain`, but keep its line ends and its spaces.

    >>> plain_lines("no such file: \x1b[2Ja\r\n  → name another")
    'no such file: a\n  → name another'
    """
    return "\n".join(_without_controls(line).rstrip() for line in text.split("\n"))


def _without_controls(text: str) -> str:
    text = _SEQUENCES.sub("", text.encode("utf-8", "replace").decode())
    return "".join(
        " " if unicodedata.category(character) in ("Cc", "Zl", "Zp") or character in _DIRECTION else character
        for character in text
    )


def print_text(text: str) -> None:
    """Print a text on standard output."""
    typer.echo(plain_lines(text))


def print_note(text: str) -> None:
    """Print a text on standard error: what accompanies a result and is not part of it."""
    typer.echo(plain_lines(text), err=True)


def print_json(value: Value) -> None:
    """Print a value as JSON; characters that could steer a terminal are escaped as JSON has it."""
    text = _UNSAFE_IN_JSON.sub(_escaped, value.to_json())
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    if not encoding.lower().startswith("utf"):
        text = _NOT_ASCII.sub(_escaped, text)
    typer.echo(text)


def _escaped(match: re.Match[str]) -> str:
    r"""Return a character as JSON escapes it: as one or two UTF-16 units."""
    units = match[0].encode("utf-16-be")
    return "".join(f"\\u{units[at] << 8 | units[at + 1]:04x}" for at in range(0, len(units), 2))


def print_error(text: str) -> None:
    """Print the message of an error on standard error."""
    print(f"probative: {plain_lines(text)}", file=sys.stderr)


def console(*, stderr: bool = False) -> Console:
    """Return a console that prints only what it is given: no highlighting, no emoji codes."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, emoji=False)
