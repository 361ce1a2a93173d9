"""Passages from a file or from standard input: JSONL, paragraphs or lines."""

from __future__ import annotations

import json
import re

from probative.cli.inputs.text import read_text
from probative.errors import InputError
from probative.types import Passage

_BLANK = re.compile(r"\n[^\S\n]*\n")


def read_passages(file: str | None, option: str) -> list[Passage]:
    """The passages of a file, or of standard input for `-` or nothing. `option` is what names the file.

    JSONL (by the file's name, or because every line starts with `{`) has a text or an object with a `text`
    on each line. Any other text is cut at its blank lines or, where there are none, at its line ends.
    """
    name, text = read_text(file, what="are no passages", option=option)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if name.lower().endswith(".jsonl") or all(line.startswith("{") for _, line in lines):
        return [_from_json(name, number, line) for number, line in lines]
    if _BLANK.search(text.strip()):
        return [Passage(text=part.strip()) for part in _BLANK.split(text) if part.strip()]
    return [Passage(text=line) for _, line in lines]


def _from_json(name: str, number: int, line: str) -> Passage:
    from probative.scope.inputs import as_passages

    try:
        data = json.loads(line)
        json.dumps(data, ensure_ascii=False).encode()
        (passage,) = as_passages([data])
    except InputError as error:
        what = error.what.removeprefix("passage 0 ")
        raise InputError(
            f"{name}, line {number}: {what}",
            hint='a line is a text or an object: "…" or {"text": "…", "id": …, "title": …, "source": …}',
        ) from None
    except UnicodeEncodeError as error:
        raise InputError(f"{name}, line {number} cannot be encoded as UTF-8: {error.reason}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name}, line {number} is no JSON: {error}") from None
    return passage
