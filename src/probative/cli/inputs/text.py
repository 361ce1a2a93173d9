"""Text from a file or from standard input, or an error that says which and why."""

from __future__ import annotations

import sys
from pathlib import Path

from probative.errors import InputError


def read_text(file: str | None, *, what: str, option: str) -> tuple[str, str]:
    """What the input is called, and its text: a file's, or standard input's for `-` or nothing. `what` is
    missing where there is neither, and `option` would name it.
    """
    if file is None or file == "-":
        name = "standard input"
        if sys.stdin is None or sys.stdin.isatty():
            raise InputError(f"there {what}", hint=f"give {option} FILE, or send the text to standard input")
        raw = sys.stdin.buffer.read()
    else:
        name = file
        try:
            raw = Path(file).expanduser().read_bytes()
        except FileNotFoundError:
            raise InputError(f"there is no file {file}") from None
        except OSError as error:
            raise InputError(f"{file} cannot be read: {error.strerror}") from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{name} is not UTF-8 text (line {line}, byte {error.start:,})",
            hint="save it as UTF-8; PDF and Word are not read",
        ) from None
    if not text.strip():
        raise InputError(f"{name} is empty")
    return name, text
