"""Triples from a table in a text file: tabs, commas or another separator between the cells."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterator, Sequence
from typing import TextIO

from probative.errors import InputError
from probative.graph.columns import Places, places
from probative.graph.sources import Row, Source

_SEPARATORS = "\t,;|"


def read_table(source: Source) -> Iterator[Row]:
    """The triples of a table, line by line. Only a file with commas or semicolons has quoted cells: with tabs
    a quotation mark is part of a name.
    """
    with source.text() as lines:
        first, skipped = _first_line(lines, source)
        separator = source.separator or _separator(first, source.suffix)
        split = _quoted if separator in ",;" else _plain
        found = places(next(split(iter([first]), separator))[1], source.columns, source.path.name)
        rows = split(itertools.chain([first], lines), separator)
        if found.header:
            next(rows)
        yield from _triples(rows, found, skipped, source)


def _first_line(lines: TextIO, source: Source) -> tuple[str, int]:
    """The first line that is not blank, and how many are before it."""
    for skipped, line in enumerate(lines):
        if line.startswith(("\udcff\udcfe", "\udcfe\udcff")):
            raise InputError(
                f"{source.path} is UTF-16", mend="convert it to UTF-8, or give --encoding utf-16"
            )
        if "\0" in line:
            raise InputError(f"{source.path} is no text", mend="name its format, or unpack it")
        if line.strip():
            return line, skipped
    raise InputError(f"{source.path} is empty", mend="a line is a head, a relation and a tail")


def _separator(line: str, suffix: str) -> str:
    """What stands between the cells: a tab if there is one, else what is there most often.

    >>> _separator("ferry;part of;fleet, old", ".csv"), _separator("no cells here", ".csv")
    (';', ',')
    """
    if "\t" in line or suffix == ".tsv":
        return "\t"
    best = max(_SEPARATORS, key=line.count)
    return best if best in line else {".csv": ","}.get(suffix, "\t")


def _plain(lines: Iterator[str], separator: str) -> Iterator[tuple[int, Sequence[str]]]:
    return enumerate((line.rstrip("\n").split(separator) for line in lines), 1)


def _quoted(lines: Iterator[str], separator: str) -> Iterator[tuple[int, Sequence[str]]]:
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=True)
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            cells = [f"{error}"]  # one cell, which is too few wherever three are needed
        yield reader.line_num, cells


def _triples(
    rows: Iterator[tuple[int, Sequence[str]]], found: Places, skipped: int, source: Source
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
    has = f"has {len(cells)} cell{'s' * (len(cells) != 1)} instead of {width}"
    return f"{has}: {cells[0].strip()[:60]!r}" if len(cells) == 1 else has
