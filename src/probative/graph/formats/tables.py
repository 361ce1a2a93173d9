"""Triples from a table in a text file: tabs, commas or another separator between the cells."""

from __future__ import annotations

import csv
import itertools
import re
from collections import deque
from collections.abc import Iterator, Sequence
from typing import TextIO

from probative.errors import InputError
from probative.graph.formats.columns import PARTS, ColumnPositions, places
from probative.graph.formats.sources import Row, Source

_SEPARATORS = "\t,;|"
# A zero byte alone is dirt in a text; with others that no text has it is another kind of file.
_BINARY = re.compile("[\x01-\x08\x0e-\x1a\udc80-\udcff]")
# A cell may hold line ends, but a record of so many lines is one whose quotation mark was never closed.
_MOST_LINES = 10
# In the place of the cells of a line whose quotation mark is not closed; no text has it.
_OPEN = "\ud800"


def read_table(source: Source) -> Iterator[Row]:
    """The triples of a table, line by line. Only a file with commas or semicolons has quoted cells: with tabs
    a quotation mark is part of a name.
    """
    with source.text() as lines:
        first, skipped = _first_line(lines, source)
        separator = source.separator or _separator(first, source.suffix)
        split = _quoted if separator in (",", ";") else _plain
        cells = next(split(iter([first]), separator, 0))[1]
        if split is _quoted and len(cells) < len(PARTS) and first.count('"') % 2 and not source.columns.order:
            raise InputError(
                f"line {skipped + 1} of {source.path} has a quotation mark that is not closed, so the "
                f"columns cannot be told: {first.strip()[:60]!r}",
                hint="close it, or give the order: --columns head,relation,tail",
            )
        found = places(cells, source.columns, source.path.name)
        rows = split(itertools.chain([first], lines), separator, found.width)
        if found.header:
            next(rows)
        else:
            source.begins = skipped + 1
        yield from _triples(rows, found, skipped, source)


def _first_line(lines: TextIO, source: Source) -> tuple[str, int]:
    """The first line that is not blank, and how many are before it."""
    for skipped, line in enumerate(lines):
        if line.startswith(("\udcff\udcfe", "\udcfe\udcff")):
            raise InputError(
                f"{source.path} is UTF-16", hint="convert it to UTF-8, or give --encoding utf-16"
            )
        if line.count("\0") > 1 or ("\0" in line and _BINARY.search(line)):
            raise InputError(
                f"{source.path} is no text: its first line has {line.count(chr(0)):,} zero bytes",
                hint="name its format, or unpack it; if it is UTF-16, give --encoding utf-16-le or utf-16-be",
            )
        if line.strip():
            return line, skipped
    raise InputError(f"{source.path} is empty", hint="a line is a head, a relation and a tail")


def _separator(line: str, suffix: str) -> str:
    """What stands between the cells: a tab if there is one, else what is there most often.

    >>> _separator("ferry;part of;fleet, old", ".csv"), _separator("no cells here", ".csv")
    (';', ',')
    """
    if "\t" in line or suffix == ".tsv":
        return "\t"
    best = max(_SEPARATORS, key=line.count)
    return best if best in line else {".csv": ","}.get(suffix, "\t")


def _plain(lines: Iterator[str], separator: str, _: int) -> Iterator[tuple[int, Sequence[str]]]:
    return enumerate((line.rstrip("\n").split(separator) for line in lines), 1)


class _Lines:
    """Lines that can be given back: `taken` are those since the last record."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self._again: deque[str] = deque()
        self.taken: list[str] = []

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line = self._again.popleft() if self._again else next(self._lines)
        self.taken.append(line)
        return line

    def give_back(self) -> None:
        """Give back all but the first of those that were taken."""
        self._again.extendleft(reversed(self.taken[1:]))
        del self.taken[1:]


def _quoted(lines: Iterator[str], separator: str, width: int) -> Iterator[tuple[int, Sequence[str]]]:
    """The cells of each record, and the number of its first line. A quotation mark that is not closed costs
    its own line only: those it swallowed are read again.
    """
    source, number = _Lines(lines), 1
    reader = csv.reader(source, delimiter=separator, skipinitialspace=True)
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            cells = [f"{error}"]  # one cell, which is too few wherever three are needed
        if len(source.taken) > 1 and not _whole(source.taken, cells, separator, width):
            source.give_back()
            reader = csv.reader(source, delimiter=separator, skipinitialspace=True)
            cells = [f"{_OPEN} {source.taken[0].strip()[:60]}"]
        yield number, cells
        number += len(source.taken)
        source.taken.clear()


def _whole(lines: Sequence[str], cells: Sequence[str], separator: str, width: int) -> bool:
    """Whether several lines are really one record: as wide as the others, and well-formed if it is read
    strictly.
    """
    if len(lines) > _MOST_LINES or len(cells) != width:
        return False
    try:
        list(csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=True))
    except csv.Error:
        return False
    return True


def _triples(
    rows: Iterator[tuple[int, Sequence[str]]], found: ColumnPositions, skipped: int, source: Source
) -> Iterator[Row]:
    head, relation, tail, width = found.head, found.relation, found.tail, found.width
    for number, cells in rows:
        if len(cells) != width:
            if any(cell.strip() for cell in cells):
                source.faults.add(number + skipped, _counted(cells, width))
            continue
        one, two, three = cells[head].strip(), cells[relation].strip(), cells[tail].strip()
        if one and two and three:
            yield number + skipped, one, two, three
        elif one or two or three:
            triple = (one, two, three)
            missing = ("head", "relation", "tail")[triple.index("")]
            source.faults.add(number + skipped, f"has no {missing}")


def _counted(cells: Sequence[str], width: int) -> str:
    if len(cells) == 1 and cells[0].startswith(_OPEN):
        return f"has a quotation mark that is not closed: {cells[0].removeprefix(_OPEN).strip()!r}"
    has = f"has {len(cells)} cell{'s' * (len(cells) != 1)} instead of {width}"
    return f"{has}: {cells[0].strip()[:60]!r}" if len(cells) == 1 else has
