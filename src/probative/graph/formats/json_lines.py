"""Triples from JSON: an object with the three parts or a list of three a line, or one array of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TextIO

from probative.errors import InputError
from probative.graph.formats.columns import PARTS, find_keys
from probative.graph.formats.sources import Row, Source


def read_json_lines(source: Source) -> Iterator[Row]:
    """Read the triples of a file with one JSON object or list a line, or of one array of them. The keys are
    found from the first object, or given by the user.
    """
    keys: tuple[str, str, str] | None = None
    order = [
        source.columns.order.index(part) if source.columns.order else index
        for index, part in enumerate(PARTS)
    ]
    width = len(source.columns.order or PARTS)
    with source.text() as lines:
        for number, record in _records(lines, source):
            if isinstance(record, dict):
                if keys is None:
                    keys = find_keys(record, source.columns, source.path.name)
                parts = [record.get(key) for key in keys]
            elif isinstance(record, list) and len(record) == width:
                parts = [record[index] for index in order]
            else:
                source.malformed.add(number, f"is neither an object nor a list of {width}")
                continue
            triple = tuple(_text(part) for part in parts)
            if all(triple):
                yield number, triple[0], triple[1], triple[2]
            else:
                missing = PARTS[triple.index("")]
                source.malformed.add(
                    number, f"has no {missing}" + (f" ('{keys[triple.index('')]}')" if keys else "")
                )


def _records(lines: TextIO, source: Source) -> Iterator[tuple[int, Any]]:
    """Yield the value of each line with its number, or the numbered items if the file is one array."""
    is_first = True
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            value = error
        if is_first and _begins_array(line.strip(), value):
            yield from enumerate(_array(line + lines.read(), source), 1)
            return
        is_first = False
        if isinstance(value, Exception):
            source.malformed.add(number, f"is not JSON: {value}")
        else:
            yield number, value


def _begins_array(line: str, value: Any) -> bool:
    """Return whether a line is an array of triples or the beginning of one, rather than one triple."""
    if isinstance(value, list):
        return not value or isinstance(value[0], list | dict)
    return line.startswith("[") and line[-1] in "[{,"


def _array(text: str, source: Source) -> list[Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{source.path} begins like a JSON array, but is not valid: {error}",
            hint="write one object or list a line, or correct the array",
        ) from None
    return value if isinstance(value, list) else [value]


def _text(value: Any) -> str:
    """Return a string or whole number as a name; anything else gives an empty string."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    return str(value).strip()
