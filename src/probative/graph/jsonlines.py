"""Triples from JSON lines: an object with the three parts, or a list of three."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from probative.graph.columns import PARTS, keys_of
from probative.graph.sources import Row, Source


def read_json_lines(source: Source) -> Iterator[Row]:
    """The triples of a file with one JSON object or list a line; what the keys are called is seen from the
    first object, or said by the user.
    """
    keys: tuple[str, str, str] | None = None
    order = [
        source.columns.order.index(part) if source.columns.order else at for at, part in enumerate(PARTS)
    ]
    width = len(source.columns.order or PARTS)
    with source.text() as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                said = json.loads(line)
            except (ValueError, RecursionError) as error:
                source.faults.add(number, f"is no JSON: {error}")
                continue
            if isinstance(said, dict):
                if keys is None:
                    keys = keys_of(said, source.columns, source.path.name)
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


def _text(value: Any) -> str:
    """A name: a text or a whole number; nothing else is one."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    return str(value).strip()
