"""The text of a sheet: rows with their headers, titles and forms, each with the cells that it stands in."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from probative.corpus.documents.document import Record
from probative.corpus.documents.places import Cells
from probative.corpus.readers.records import add_record, date_of, has_text_column
from probative.corpus.readers.sheet import Region, Sheet, fill_down, regions_of, texts_of
from probative.corpus.readers.table import add_cells, named_columns
from probative.corpus.readers.text_builder import MAX_CHARACTERS, TextBuilder
from probative.errors import UnreadableError

# A title is shorter, and no sentence. More lines above a table are a text.
_MAX_TITLE, _MAX_TITLES = 100, 3
_HEADER_ROWS = 3
_SENTENCE_END = (".", "!", "?", ":", ";")
# Names that programs give, in some languages.
_UNNAMED = re.compile(
    r"(?:sheet|table|tabelle|blatt|feuil(?:le)?|hoja|foglio|planilha|ark|blad|arkusz|лист) ?\d*", re.I
)


def add_sheet(builder: TextBuilder, sheet: Sheet, *, alone: bool = False) -> None:
    r"""Add the text of a sheet below its name; `alone` leaves out a name that says nothing ("Sheet1").

    >>> from probative.corpus.readers.sheet import Cell
    >>> ropes = {1: {1: Cell("Rope"), 2: Cell("Price")}, 2: {1: Cell("hemp"), 2: Cell("3.20", "number")}}
    >>> builder = TextBuilder()
    >>> add_sheet(builder, Sheet("Ropes", ropes))
    >>> builder.text, builder.cells[-1].top
    ('Ropes\n\nRope: hemp; Price: 3.20', 2)
    """
    if not sheet.rows:
        return
    builder.cells.append(Cells(start=builder.next_offset, sheet=sheet.name))
    if not (alone and _UNNAMED.fullmatch(sheet.name)):
        builder.heading(sheet.name, 1)
    fill_down(sheet)
    adding = _Adding(builder, sheet)
    for region in regions_of(sheet):
        adding.add(region)
    adding.end()


class _Table(NamedTuple):
    """What rows below an empty row may have in common with the table above it."""

    columns: list[int]
    header: Sequence[str]
    kinds: list[set[str]]


class _Adding:
    """Adds the regions of a sheet; titles wait until it is known whether a table follows."""

    def __init__(self, builder: TextBuilder, sheet: Sheet) -> None:
        self._builder = builder
        self._sheet = sheet
        self._titles: list[tuple[int, int, str]] = []
        self._last: _Table | None = None
        self._wide = {(area.top, area.left): area for area in sheet.merged if area.right > area.left}

    def add(self, region: Region) -> None:
        """Add a region: single cells above a table are its titles."""
        rows = region.rows
        while region.headers is None and rows and (lone := self._lone(rows[0], region.columns)):
            self._titles.append((rows[0], *lone))
            rows = rows[1:]
        if rows:
            self._table(region._replace(rows=rows))

    def end(self) -> None:
        """Add the lines that no table follows."""
        for row, column, text in self._titles:
            with self._cells(row, column, column):
                self._builder.paragraph(text)

    def _lone(self, row: int, columns: Sequence[int]) -> tuple[int, str] | None:
        """Return the column and the text of the only cell of a row; None if it has more, or a number."""
        cells = [(at, cell) for at, cell in self._sheet.rows[row].items() if columns[0] <= at <= columns[-1]]
        if len(cells) != 1 or cells[0][1].kind != "text":
            return None
        return cells[0][0], " ".join(cells[0][1].text.split())

    @contextmanager
    def _cells(self, row: int, left: int, right: int) -> Iterator[None]:
        """Note that what is added comes from these cells."""
        start = self._builder.next_offset
        yield
        if self._builder.length > start:
            name = self._sheet.name
            self._builder.cells.append(
                Cells(start=start, sheet=name, left=left, top=row, right=right, bottom=row)
            )
        self._check(self._builder.length)

    def _check(self, characters: int) -> None:
        if characters > MAX_CHARACTERS:
            raise UnreadableError(
                "too large",
                f"the sheet {self._sheet.name} has more than {MAX_CHARACTERS:,} characters",
                hint="split it",
            )

    def _add_titles(self) -> None:
        """Add what stands above a table: names as headings, sentences as text."""
        level = 2
        for index, (row, column, text) in enumerate(self._titles, start=_MAX_TITLES - len(self._titles)):
            is_title = index >= 0 and len(text) <= _MAX_TITLE and not text.endswith(_SENTENCE_END)
            with self._cells(row, column, column):
                if is_title:
                    self._builder.heading(text, level)
                    level += 1
                else:
                    self._builder.paragraph(text)
        self._titles.clear()

    def _table(self, region: Region) -> None:
        continued = self._continued(region)
        if continued is not None:
            region = region._replace(columns=continued.columns)
        elif self._is_form(region):
            self._form(region)
            return
        texts = texts_of(self._sheet, region)
        for row in texts:
            self._check(sum(map(len, row)))
        header, first = (continued.header, 0) if continued is not None else self._header(region, texts)
        self._add_titles()
        names = [name.strip().lower() for name in header]
        are_records = has_text_column(names)
        left, right = region.columns[0], region.columns[-1]
        for number, row in zip(region.rows[first:], texts[first:], strict=True):
            lone = self._lone(number, region.columns) if len(row) > 1 else None
            with self._cells(number, left, right):
                if lone is not None and self._is_group(number, lone[0], region):
                    self._builder.heading(lone[1], 2 + _MAX_TITLES)
                elif lone is not None and number == region.rows[-1] and lone[1].endswith(_SENTENCE_END):
                    self._builder.paragraph(lone[1])
                elif are_records:
                    add_record(self._builder, dict(zip(header, row, strict=False)))
                else:
                    self._row(number, header, row, names, region)
        rows = [self._sheet.rows[number] for number in region.rows[first:]]
        kinds = [{row[at].kind for row in rows if at in row} for at in region.columns]
        self._last = _Table(region.columns, header, kinds)

    def _is_form(self, region: Region) -> bool:
        """Return whether two columns are names and values ("Customer", "Ada") without a header: a name ends
        with a colon, the first value is no text, or the values are of several kinds, unlike those of a table.
        """
        if region.headers is not None or len(region.columns) != 2:
            return False
        label, value = region.columns
        rows = [self._sheet.rows[number] for number in region.rows]
        names = [row[label] for row in rows if label in row]
        if any(name.kind != "text" for name in names):
            return False
        kinds = [row[value].kind for row in rows if value in row]
        numbers = kinds.count("number")
        several = {"number", "date"} <= set(kinds) or 0 < numbers < len(kinds) - numbers - 1
        no_header = value in rows[0] and rows[0][value].kind != "text"
        return several or no_header or any(name.text.rstrip().endswith(":") for name in names)

    def _form(self, region: Region) -> None:
        self._add_titles()
        for number, row in zip(region.rows, texts_of(self._sheet, region), strict=True):
            name, value = (" ".join(text.split()) for text in row)
            with self._cells(number, region.columns[0], region.columns[1]):
                self._builder.paragraph(f"{name.rstrip(': ')}: {value}" if name and value else name or value)
        self._last = None

    def _is_group(self, row: int, column: int, region: Region) -> bool:
        """Return whether a cell is merged over columns of its table: it names the rows below it."""
        return (row, column) in self._wide and row != region.rows[-1]

    def _row(
        self, number: int, header: Sequence[str], row: list[str], names: list[str], region: Region
    ) -> None:
        start = self._builder.next_offset
        add_cells(self._builder, header, row)
        cells = self._sheet.rows[number]
        named = zip(names, region.columns, strict=False)
        date = date_of({name: cells[at].date or cells[at].text for name, at in named if at in cells})
        if date is not None:
            self._builder.records.append(Record(start=start, end=self._builder.length, date=date, row=True))

    def _header(self, region: Region, texts: list[list[str]]) -> tuple[Sequence[str], int]:
        """Return the names of the columns, and the number of rows that have them."""
        if region.headers is not None:
            depth = min(max(region.headers, 0), len(texts) - 1)
            return (self._names(region, texts, depth), depth) if depth else ((), 0)
        depth = 1
        while depth < min(_HEADER_ROWS, len(texts) - 1) and self._has_wide(region, region.rows[depth - 1]):
            depth += 1
        if depth > 1:
            return self._names(region, texts, depth), depth
        header = named_columns(texts)
        return header, 1 if header else 0

    def _continued(self, region: Region) -> _Table | None:
        """Return the table that rows below an empty row belong to: their cells are of the same kinds.

        Fewer cells, such as those of a total, must have a number among them.
        """
        table = self._last
        if table is None or not table.header or self._titles or region.headers is not None:
            return None
        cells = self._sheet.rows[region.rows[0]]
        known = dict(zip(table.columns, table.kinds, strict=True))
        row = {at: cells[at] for at in region.columns if at in cells}
        if region.columns[0] != table.columns[0] or not known.keys() >= set(region.columns):
            return None
        if [cell.text for cell in row.values()] == list(table.header):
            return None
        is_like = all(cell.kind in (known[at] or {cell.kind}) for at, cell in row.items())
        whole = region.columns == table.columns or any(cell.kind != "text" for cell in row.values())
        return table if is_like and whole else None

    def _has_wide(self, region: Region, row: int) -> bool:
        """Return whether a row has cells that were merged over some columns of a table."""
        return any((row, at) in self._wide for at in region.columns)

    def _names(self, region: Region, texts: list[list[str]], depth: int) -> list[str]:
        """Return the names of columns from top to bottom, such as "2026 Q1" for Q1 below 2026."""
        rows = [list(row) for row in texts[:depth]]
        for number, row in zip(region.rows, rows, strict=False):
            for index, at in enumerate(region.columns):
                area = self._wide.get((number, at))
                for covered in range(index + 1, bisect_right(region.columns, area.right) if area else 0):
                    row[covered] = row[covered] or row[index]
        columns = ([" ".join(name.split()) for name in column] for column in zip(*rows, strict=True))
        return [" ".join(dict.fromkeys(filter(None, column))) for column in columns]
