"""Text from a file or from standard input."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

from probative.errors import InputError

STANDARD_INPUT = "standard input"


class NamedText(NamedTuple):
    """A text and the name of its origin: a file, or `STANDARD_INPUT`."""

    name: str
    text: str


def read_text(file: str | None, *, what: str, option: str, may_be_empty: bool = False) -> NamedText:
    """Read a file, or standard input for `-` or None. A blank text is an `InputError`, or empty.

    `what` names the input in the error if there is none, and `option` is the option that would name a file.
    """
    name, raw = _read_stdin(what, option) if file is None or file == "-" else (file, _read_file(file))
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{name} is not UTF-8 text (line {line}, byte {error.start:,})",
            hint="save it as UTF-8; PDF, Word and other files are read as documents, with --corpus",
        ) from None
    if not text.strip():
        if may_be_empty:
            return NamedText(name, "")
        raise InputError(f"{name} is empty", hint=f"name another file with {option}")
    return NamedText(name, text)


def read_sentences(
    files: list[str] | None, *, what: str, option: str, lines: bool, may_be_empty: bool = False
) -> str | list[str]:
    """Return the text of one file or of standard input; with `lines`, its lines, which are not split."""
    if files is not None and len(files) > 1:
        raise InputError(
            f"{option} names {len(files)} files, but there can be only one text",
            hint=f"join them: cat a.txt b.txt | probative … {option} -",
        )
    file = files[0] if files else None
    text = read_text(file, what=what, option=option, may_be_empty=may_be_empty).text
    return [line.strip() for line in text.split("\n") if line.strip()] if lines else text


def _read_stdin(what: str, option: str) -> tuple[str, bytes]:
    if sys.stdin is None or sys.stdin.isatty():
        raise InputError(f"there is no {what}", hint=f"give {option} FILE, or pipe the text to the command")
    return STANDARD_INPUT, sys.stdin.buffer.read()


def _read_file(file: str) -> bytes:
    try:
        return Path(file).expanduser().read_bytes()
    except FileNotFoundError:
        raise InputError(f"there is no file {file}", hint="check the name") from None
    except (OSError, ValueError, RuntimeError) as error:
        raise InputError(f"{file} cannot be read: {getattr(error, 'strerror', None) or error}") from None


def read_file(file: Path) -> str:
    """Return the text of a file; raises `InputError`."""
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file} cannot be read: {error}") from None


def read_examples(file: Path) -> list[dict[str, Any]]:
    """Return the JSON objects of a file; an `InputError` names the line that is wrong."""
    lines = read_file(file).splitlines()
    examples = [_object(file, number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not examples:
        raise InputError(f"{file} has no examples", hint="write one JSON object on each line")
    return examples


def _object(file: Path, number: int, line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file}, line {number} is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise InputError(f"{file}, line {number} is not a JSON object")
    return value
