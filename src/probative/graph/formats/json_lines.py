"""Triples from JSON: lines that are objects with the three parts or lists of three, or one array of such."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TextIO

from probative.errors import InputError
from probative.graph.formats.columns import PARTS, find_keys
from probative.graph.formats.sources import Row, Source


def read_json_lines(source: Source) -> Iterator[Row]:
    """The triples of a file with one JSON object or list a line, or of one array of them; what the keys are
    called is seen from the first object, or said by the user.
    """
    keys: tuple[str, str, str] | None = None
    order = [
        source.columns.order.index(part) if source.columns.order else at for at, part in enumerate(PARTS)
    ]
    width = len(source.columns.order or PARTS)
    with source.text() as lines:
        for number, said in _records(lines, source):
            if isinstance(said, dict):
                if keys is None:
                    keys = find_keys(said, source.columns, source.path.name)
                parts = [said.get(key) for key in keys]
            elif isinstance(said, list) and len(said) == width:
                parts = [said[at] for at in order]
            else:
                source.faults.add(number, f"is no object and no list of {width}")
                continue
            triple = tuple(_text(part) for part in parts)
            if all(triple):
                yield number, triple[0], triple[1], triple[2]
            else:
                missing = PARTS[triple.index("")]
                source.faults.add(
                    number, f"has no {missing}" + (f" ('{keys[triple.index('')]}')" if keys else "")
                )


def _records(lines: TextIO, source: Source) -> Iterator[tuple[int, Any]]:
    """What the lines say, each with its number; or the entries of the array that the file is, numbered."""
    begun = False
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            said = json.loads(line)
        except (ValueError, RecursionError) as error:
            said = error
        if not begun and _begins_array(line.strip(), said):
            yield from enumerate(_array(line + lines.read(), source), 1)
            return
        begun = True
        if isinstance(said, Exception):
            source.faults.add(number, f"is no JSON: {said}")
        else:
            yield number, said


def _begins_array(line: str, said: Any) -> bool:
    """Whether a line is an array of triples, or the beginning of one, and not a triple itself."""
    if isinstance(said, list):
        return not said or isinstance(said[0], list | dict)
    return line.startswith("[") and line[-1] in "[{,"


def _array(text: str, source: Source) -> list[Any]:
    try:
        said = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{source.path} begins as one JSON array, and is none: {error}",
            hint="write one object or list a line, or mend the array",
        ) from None
    return said if isinstance(said, list) else [said]


def _text(value: Any) -> str:
    """A name: a text or a whole number; nothing else is one."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    return str(value).strip()
