"""What commands print beside views. Text of others must not steer the terminal."""

from __future__ import annotations

import re
import sys

import typer

from probative.types import Value
from probative.views.terminal import plain_lines

# What JSON may have in a string but a terminal should not get.
_UNSAFE_IN_JSON = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")

_NOT_ASCII = re.compile("[^\x00-\x7f]")


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
