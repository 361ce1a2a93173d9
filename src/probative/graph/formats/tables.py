"""Triples from a table: in a text file, with tabs, commas or another separator between the cells, or in a
Parquet file, through duckdb.
"""

from __future__ import annotations

import csv
import glob
import itertools
import re
from collections import deque
from collections.abc import Iterator, Sequence
from typing import TextIO

from probative.errors import InputError, MissingExtraError
from probative.graph.formats.columns import PARTS, ColumnPositions, find_columns, find_keys
from probative.graph.formats.sources import Row, Source
from probative.text.words import clean

_SEPARATORS = "\t,;|"
# A single zero byte may be a flaw of a text; with other control characters the file is not text.
_BINARY = re.compile("[\x01-\x08\x0e-\x1a\udc80-\udcff]")
# A quoted cell may contain line ends, but a longer record has a quotation mark that was never closed.
_MAX_RECORD_LINES = 10
# Marks the cells of a line whose quotation mark is not closed; a lone surrogate occurs in no text.
_UNCLOSED = "\ud800"


def read_table(source: Source) -> Iterator[Row]:
    """Read the triples of a table. Only commas and semicolons come with quoted cells; with other separators a
    quotation mark is part of a name.
    """
    with source.text() as lines:
        first, skipped = _first_line(lines, source)
        separator = source.separator or _separator(first, source.suffix)
        split = _quoted if separator in (",", ";") else _plain
        cells = next(split(iter([first]), separator, 0))[1]
        if split is _quoted and len(cells) < len(PARTS) and first.count('"') % 2 and not source.columns.order:
            raise InputError(
                f"line {skipped + 1} of {source.path} has a quotation mark that is not closed, so its "
                f"columns are unknown: {first.strip()[:60]!r}",
                hint="close it, or give the order: --columns head,relation,tail",
            )
        positions = find_columns(cells, source.columns, source.path.name)
        rows = split(itertools.chain([first], lines), separator, positions.width)
        if positions.header:
            next(rows)
        else:
            source.first_line = skipped + 1
        yield from _triples(rows, positions, skipped, source)


def _first_line(lines: TextIO, source: Source) -> tuple[str, int]:
    """Return the first line that is not blank, and the number of lines before it."""
    for skipped, line in enumerate(lines):
        if line.startswith(("\udcff\udcfe", "\udcfe\udcff")):
            raise InputError(
                f"{source.path} is UTF-16", hint="convert it to UTF-8, or give --encoding utf-16"
            )
        if line.count("\0") > 1 or ("\0" in line and _BINARY.search(line)):
            raise InputError(
                f"{source.path} is not text: its first line has {line.count(chr(0)):,} zero bytes",
                hint="name its format, or unpack it; if it is UTF-16, give --encoding utf-16-le or utf-16-be",
            )
        if line.strip():
            return line, skipped
    raise InputError(f"{source.path} is empty", hint="write lines of head, relation and tail")


def _separator(line: str, suffix: str) -> str:
    """Return the separator: a tab if the line has one, otherwise the commonest candidate.

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
    """An iterator of lines that can be read again; `taken` are the lines of the current record."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self._returned: deque[str] = deque()
        self.taken: list[str] = []

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line = self._returned.popleft() if self._returned else next(self._lines)
        self.taken.append(line)
        return line

    def return_all_but_first(self) -> None:
        """Return all lines of the current record but the first, to be read again."""
        self._returned.extendleft(reversed(self.taken[1:]))
        del self.taken[1:]


def _quoted(lines: Iterator[str], separator: str, width: int) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield the number of the first line and the cells of each record. If a quotation mark is not closed,
    only its own line is lost: the lines after it are read again.
    """
    source, number = _Lines(lines), 1
    reader = csv.reader(source, delimiter=separator, skipinitialspace=True)
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            cells = [f"{error}"]  # one cell, which is always too few
        if len(source.taken) > 1 and not _whole(source.taken, cells, separator, width):
            source.return_all_but_first()
            reader = csv.reader(source, delimiter=separator, skipinitialspace=True)
            cells = [f"{_UNCLOSED} {source.taken[0].strip()[:60]}"]
        yield number, cells
        number += len(source.taken)
        source.taken.clear()


def _whole(lines: Sequence[str], cells: Sequence[str], separator: str, width: int) -> bool:
    """Return whether several lines are one record: with the right number of cells, and well-formed in strict
    mode.
    """
    if len(lines) > _MAX_RECORD_LINES or len(cells) != width:
        return False
    try:
        list(csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=True))
    except csv.Error:
        return False
    return True


def _triples(
    rows: Iterator[tuple[int, Sequence[str]]], positions: ColumnPositions, skipped: int, source: Source
) -> Iterator[Row]:
    at_head, at_relation, at_tail = positions.head, positions.relation, positions.tail
    width = positions.width
    for number, cells in rows:
        if len(cells) != width:
            if any(cell.strip() for cell in cells):
                source.malformed.add(number + skipped, _wrong_width(cells, width))
            continue
        head, relation, tail = cells[at_head].strip(), cells[at_relation].strip(), cells[at_tail].strip()
        if head and relation and tail:
            yield number + skipped, head, relation, tail
        elif head or relation or tail:
            missing = PARTS[(head, relation, tail).index("")]
            source.malformed.add(number + skipped, f"has no {missing}")


def _wrong_width(cells: Sequence[str], width: int) -> str:
    """Return what is wrong with a line that has too few or too many cells."""
    if len(cells) == 1 and cells[0].startswith(_UNCLOSED):
        return f"has a quotation mark that is not closed: {cells[0].removeprefix(_UNCLOSED).strip()!r}"
    has = f"has {len(cells)} cell{'s' * (len(cells) != 1)} instead of {width}"
    return f"{has}: {cells[0].strip()[:60]!r}" if len(cells) == 1 else has


_ROWS_A_FETCH = 10_000
# Without hive partitioning: a folder called year=2020 is not a column of the file.
_TABLE = "read_parquet(?, hive_partitioning = false)"


def read_parquet(source: Source) -> Iterator[Row]:
    """Read the rows of a Parquet file; the number of a row is its number in the file."""
    try:
        import duckdb
    except ImportError:
        raise MissingExtraError("graph", "reading Parquet") from None
    if not source.path.is_file():
        raise InputError(
            f"{source.path} is not a regular file", hint="Parquet cannot be read from a pipe: save it first"
        )
    path = glob.escape(str(source.path))  # duckdb reads *, ? and [ as a pattern
    with duckdb.connect() as database:
        try:
            described = database.execute(f"SELECT * FROM {_TABLE} LIMIT 0", [path]).description
            (total,) = database.execute(f"SELECT count(*) FROM {_TABLE}", [path]).fetchall()[0]
            names = [str(column[0]) for column in described or []]
            keys = find_keys(dict.fromkeys(names), source.columns, source.path.name)
            chosen = ", ".join(f'CAST("{key.replace(chr(34), chr(34) * 2)}" AS VARCHAR)' for key in keys)
            database.execute(f"SELECT {chosen} FROM {_TABLE}", [path])
            number = 0
            source.progress = lambda: number / max(1, total)
            while rows := database.fetchmany(_ROWS_A_FETCH):
                for row in rows:
                    number += 1
                    triple = tuple((part or "").strip() for part in row)
                    if all(triple):
                        yield number, triple[0], triple[1], triple[2]
                    else:
                        source.malformed.add(number, f"has no {PARTS[triple.index('')]}")
        except duckdb.Error as error:
            # The first line says what is wrong; the others repeat our query.
            message = clean(str(error).partition("\n")[0])
            raise InputError(
                f"{source.path} cannot be read as Parquet: {message}",
                hint="if it has another format, name it: --format",
            ) from None
