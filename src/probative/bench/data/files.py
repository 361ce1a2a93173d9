"""Read the files of data sets, and draw cases from what was read."""

from __future__ import annotations

import csv
import gzip
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter

T = TypeVar("T")


def read_json(file: Path) -> Any:
    """Return the content of a JSON file."""
    return json.loads(file.read_text(encoding="utf-8-sig"))


def read_lines(file: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a file of JSON lines, which may be compressed (.gz); empty lines are skipped.

    Raises `ValueError` for a line that is not a JSON object.
    """
    with (gzip.open if file.suffix == ".gz" else open)(file, "rt", encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except ValueError as error:
                raise ValueError(f"line {number}: {error}") from None
            if not isinstance(row, dict):
                raise ValueError(f"line {number} is not a JSON object")
            yield row


def read_rows(file: Path) -> Iterator[Any]:
    """Yield the objects of a file that is a JSON list or JSON lines: some sets come in both forms."""
    with file.open(encoding="utf-8-sig") as lines:
        is_list = lines.read(1) == "["
    yield from read_json(file) if is_list else read_lines(file)


def read_csv(file: Path) -> Iterator[dict[str, str]]:
    """Yield the rows of a CSV file by column; raises `ValueError` for one with another number of fields."""
    with file.open(encoding="utf-8-sig", newline="") as lines:
        for number, row in enumerate(csv.DictReader(lines, strict=True), 1):
            if None in row or None in row.values():
                raise ValueError(f"row {number} has another number of fields than the header")
            yield row


def read_tsv(file: Path) -> list[list[str]]:
    """Return the cells of each line of a table with tabs; raises `ValueError` for a line without a tab."""
    rows = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    for number, row in enumerate(rows, 1):
        if len(row) < 2:
            raise ValueError(f"line {number} has one column")
    return rows


def read_records(file: Path, kind: type[T]) -> list[T]:
    """Return the lines of a file as records of one type: a dataclass or a `Value`."""
    return as_records(read_lines(file), kind)


def as_records(rows: Iterable[Any], kind: type[T]) -> list[T]:
    """Return rows as records of one type."""
    adapter = TypeAdapter(kind)
    return [adapter.validate_python(row) for row in rows]


def draw(items: Sequence[T], n: int | None, seed: int) -> list[T]:
    """Return `n` items that the seed draws, in the order of the list; all of them without a number.

    A larger `n` contains the items of a smaller one.

    >>> draw("abcdef", 3, seed=1), draw("abcdef", 3, seed=2), draw("ab", 9, seed=1)
    (['c', 'd', 'f'], ['b', 'c', 'd'], ['a', 'b'])
    """
    order = list(range(len(items)))
    random.Random(seed).shuffle(order)
    return [items[index] for index in sorted(order[:n])]


def spread(items: Sequence[T], n: int | None) -> list[T]:
    """Return `n` items, evenly spread over the list; all of them if there are no more, or without a number.

    >>> spread("abcdef", 3), spread("ab", 9), spread("ab", None)
    (['a', 'c', 'e'], ['a', 'b'], ['a', 'b'])
    """
    count = len(items) if n is None else min(n, len(items))
    return [items[index * len(items) // count] for index in range(count)]


def single_spaced(text: str) -> str:
    """Return a text with a single space between its words."""
    return " ".join(text.split())
