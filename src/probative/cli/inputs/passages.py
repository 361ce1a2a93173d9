"""Passages from files and from standard input: JSONL, paragraphs or lines."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from probative.cli.inputs.text import STANDARD_INPUT, read_text
from probative.errors import InputError
from probative.types import Passage

# Fewer lines do not show whether they were wrapped.
MIN_WRAPPED = 3
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")


def read_passages(files: Sequence[str] | None, option: str) -> list[Passage]:
    """Return the passages of all files in order; `-`, or no file at all, is standard input.

    A passage that names no source gets the name of its file.
    """
    if files and list(files).count("-") > 1:
        raise InputError("standard input can be read only once", hint=f"give {option} - once")
    names: list[str | None] = [*files] if files else [None]
    return [passage for name in names for passage in _of_file(name, option)]


def _of_file(file: str | None, option: str) -> list[Passage]:
    """Return the passages of one file.

    JSONL (by the name of the file, or because every line starts with a brace) has a string or an object with
    a `text` on each line. Any other text is split at its blank lines or, without any, at its line ends; a
    text whose lines were only wrapped stays whole.
    """
    name, text = read_text(file, what="passage", option=option)
    source = None if name == STANDARD_INPUT else name
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if name.lower().endswith(".jsonl") or all(line.startswith("{") for _, line in lines):
        passages = [_from_json(name, number, line) for number, line in lines]
        return [_with_source(passage, source) for passage in passages]
    plain = [line for _, line in lines]
    if _BLANK_LINE.search(text.strip()):
        parts = _BLANK_LINE.split(text)
    else:
        parts = [" ".join(plain)] if is_wrapped(plain) else plain
    return [Passage(text=part.strip(), source=source) for part in parts if part.strip()]


def is_wrapped(lines: Sequence[str]) -> bool:
    """Return whether lines are one text that was wrapped: most end within a sentence, and many go on in small
    letters.

    >>> is_wrapped(["The board met in the", "parish hall. Nine", "members were", "present."])
    True
    >>> is_wrapped(["Velm is a town.", "Tassby is a mine.", "The Orra is a river."])
    False
    """
    if len(lines) < MIN_WRAPPED:
        return False
    broken = sum(line[-1].isalnum() or line[-1] in ",-" for line in lines[:-1])
    continued = sum(line[0].islower() for line in lines[1:])
    return broken >= len(lines) / 2 and continued >= len(lines) / 3


def _with_source(passage: Passage, source: str | None) -> Passage:
    return passage if passage.source is not None else passage.model_copy(update={"source": source})


def _from_json(name: str, number: int, line: str) -> Passage:
    from probative.scope.inputs import as_passages

    try:
        data = json.loads(line)
        json.dumps(data, ensure_ascii=False).encode()
        (passage,) = as_passages([data])
    except InputError as error:
        what = error.what.removeprefix("passages[0] ")
        raise InputError(
            f"{name}, line {number}: {what}",
            hint='a line is a string or an object: "…" or {"text": "…", "id": …, "title": …, "source": …}',
        ) from None
    except UnicodeEncodeError as error:
        raise InputError(f"{name}, line {number} cannot be encoded as UTF-8: {error.reason}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name}, line {number} is not JSON: {error}") from None
    return passage
