"""Passages from a file or from standard input: JSONL, paragraphs or lines."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from probative.errors import InputError
from probative.evidence import Passage

_BLANK = re.compile(r"\n[^\S\n]*\n")


def read_passages(file: str | None, option: str) -> list[Passage]:
    """The passages of a file, or of standard input for `-` or nothing. `option` is what names the file.

    JSONL (by the file's name, or because every line starts with `{`) has a text or an object with a `text`
    on each line. Any other text is cut at its blank lines or, where there are none, at its line ends.
    """
    name, text = _text(file, option)
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if name.lower().endswith(".jsonl") or all(line.startswith("{") for _, line in lines):
        return [_from_json(name, number, line) for number, line in lines]
    if _BLANK.search(text.strip()):
        return [Passage(text=part.strip()) for part in _BLANK.split(text) if part.strip()]
    return [Passage(text=line) for _, line in lines]


def _from_json(name: str, number: int, line: str) -> Passage:
    from probative.scope.prepared import as_passages

    try:
        data = json.loads(line)
        json.dumps(data, ensure_ascii=False).encode()
        (passage,) = as_passages([data])
    except InputError as error:
        what = error.what.removeprefix("passage 0 ")
        raise InputError(
            f"{name}, line {number}: {what}",
            mend='a line is a text or an object: "…" or {"text": "…", "id": …, "title": …, "source": …}',
        ) from None
    except UnicodeEncodeError as error:
        raise InputError(f"{name}, line {number} cannot be encoded as UTF-8: {error.reason}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name}, line {number} is no JSON: {error}") from None
    return passage


def _text(file: str | None, option: str) -> tuple[str, str]:
    """What the input is called, and its text."""
    if file is None or file == "-":
        name = "standard input"
        if sys.stdin is None or sys.stdin.isatty():
            raise InputError(
                "there are no passages", mend=f"give {option} FILE, or send them to standard input"
            )
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
            f"{name}, line {line} is not UTF-8 text (byte {error.start:,})",
            mend="save it as UTF-8; PDF and Word are not read",
        ) from None
    if not text.strip():
        raise InputError(f"{name} is empty")
    return name, text.replace("\r\n", "\n").replace("\r", "\n")
