"""Read Excel workbooks (XLSX): the cells as the sheets show them, without macros and links to other files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple
from xml.etree.ElementTree import Element

from probative.corpus.documents.dates import iso_date, title_from_name
from probative.corpus.documents.document import Document, short
from probative.corpus.readers.number_formats import BUILT_IN, shown
from probative.corpus.readers.office_package import made_on, properties, related, related_id
from probative.corpus.readers.sheet import (
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_ROWS,
    Area,
    Cell,
    Sheet,
    uncalculated_note,
)
from probative.corpus.readers.sheet_text import add_sheet
from probative.corpus.readers.text_builder import FileContent, TextBuilder, document_of, hidden_note
from probative.corpus.readers.zip_documents import Container, local_name
from probative.errors import UnreadableError

_BOOK = "xl/workbook.xml"
_CELL = re.compile(r"\$?([A-Z]{1,3})\$?(\d{1,7})")
_TRUE = ("1", "true", "on")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


def read_xlsx(content: FileContent) -> Document:
    """Return the document of a workbook: the rows of its tables with their headers, sheet by sheet.

    Values are shown in their number formats; a formula has the value that was kept with it. Hidden sheets are
    left out; hidden rows and columns, which filters and groups fold away, are read.
    """
    with Container(content) as container:
        book = _Book(container)
        builder = TextBuilder()
        visible = [listed for listed in book.sheets if not listed.hidden]
        for listed in visible:
            add_sheet(builder, book.read(listed), alone=len(visible) == 1)
        fields = properties(container)
        made = made_on(fields, container.written(_BOOK))
    return document_of(
        content,
        builder,
        title=fields.get("title", "") or title_from_name(content.path),
        language=fields.get("language", ""),
        date=made,
        date_source="file properties",
        metadata={"author": fields.get("creator", ""), "subject": fields.get("subject", "")},
        notes=[
            *hidden_note("sheet", [each.name for each in book.sheets if each.hidden]),
            *uncalculated_note(book.uncalculated),
        ],
    )


class _Listed(NamedTuple):
    """A sheet as the workbook lists it."""

    name: str
    part: str
    hidden: bool


class _Book:
    """A workbook: its sheets, and what their cells refer to."""

    def __init__(self, container: Container) -> None:
        self._container = container
        root = container.xml(_BOOK)
        parts = related(container, _BOOK)
        named = {part.kind: part.name for part in parts.values() if part.name in container}
        self._from_1904 = any(
            element.get("date1904") in _TRUE for element in root if local_name(element) == "workbookPr"
        )
        self._strings = self._read_strings(named.get("sharedStrings"))
        self._codes = self._read_codes(named.get("styles"))
        self._shown = cache(self._show)
        self.uncalculated: list[str] = []
        self.sheets = [
            _Listed(short(element.get("name", "")), part.name, element.get("state", "visible") != "visible")
            for element in root.iter()
            if local_name(element) == "sheet" and (part := parts.get(related_id(element))) is not None
            if part.kind == "worksheet"
        ]

    def read(self, listed: _Listed) -> Sheet:
        """Return a sheet with its cells."""
        sheet = Sheet(listed.name)
        number = cells = 0
        for element in self._container.pieces(listed.part, "row", "mergeCell"):
            if local_name(element) == "mergeCell":
                sheet.merged += _areas(element.get("ref", ""))
                continue
            given = _number(element.get("r", ""))
            number = given if number < given <= MAX_ROWS else number + 1
            row = self._row(element, listed.name)
            if row:
                sheet.rows[number] = row
            cells += len(row)
            if cells > MAX_CELLS:
                raise UnreadableError(
                    "too large", f"{self._container.source} has more than {MAX_CELLS:,} cells"
                )
        for part in related(self._container, listed.part).values():
            if part.kind == "table" and part.name in self._container:
                table = self._container.xml(part.name)
                headers = _number(table.get("headerRowCount", "1"))
                sheet.tables += [(area, headers) for area in _areas(table.get("ref", ""))]
        return sheet

    def _row(self, element: Element, sheet: str) -> dict[int, Cell]:
        row: dict[int, Cell] = {}
        column = 0
        for child in element:
            if local_name(child) != "c":
                continue
            match = _CELL.fullmatch(child.get("r", ""))
            column = _column(match[1]) if match else column + 1
            cell = self._cell(child, sheet)
            if cell is not None and cell.text.strip() and column <= MAX_COLUMNS:
                row[column] = cell
        return row

    def _cell(self, element: Element, sheet: str) -> Cell | None:
        kind = element.get("t", "n")
        parts = {local_name(child): child for child in element}
        if kind == "inlineStr":
            return Cell(_text(parts["is"])) if "is" in parts else None
        value = (parts["v"].text or "") if "v" in parts else ""
        if not value:
            if "f" in parts and kind != "str":
                self.uncalculated.append(f"{sheet}!{element.get('r', '')}")
            return None
        if kind == "s":
            return Cell(_at(self._strings, value, ""))
        if kind == "b":
            return Cell("TRUE" if value in _TRUE else "FALSE")
        if kind == "n":
            return self._shown(value, element.get("s", "0"))
        day = iso_date(value) if kind == "d" else None
        return Cell(_unescaped(value), "date" if day else "text", day)

    def _show(self, value: str, style: str) -> Cell:
        text, day = shown(value, _at(self._codes, style, "General"), from_1904=self._from_1904)
        return Cell(text, "date" if day else "number", day)

    def _read_strings(self, part: str | None) -> list[str]:
        return [_text(element) for element in self._container.pieces(part, "si")] if part else []

    def _read_codes(self, part: str | None) -> list[str]:
        """Return the number format of each style of cells."""
        if part is None:
            return []
        root = self._container.xml(part)
        codes = dict(BUILT_IN)
        for element in root.iter():
            if local_name(element) == "numFmt":
                codes[_number(element.get("numFmtId", ""))] = element.get("formatCode", "General")
        styles = next((element for element in root if local_name(element) == "cellXfs"), None)
        ids = (element.get("numFmtId", "0") for element in styles) if styles is not None else ()
        return [codes.get(_number(each), "General") for each in ids]


def _number(text: str) -> int:
    """Return the number that a text is, or -1 if it is none."""
    return int(text) if text.isdecimal() and len(text) < 9 else -1


def _at(texts: Sequence[str], index: str, default: str) -> str:
    number = _number(index)
    return texts[number] if 0 <= number < len(texts) else default


def _text(element: Element) -> str:
    """Return the text of a string, without how it is pronounced."""
    pieces = (child if local_name(child) == "t" else _run(child) for child in element)
    return _unescaped("".join(piece.text or "" for piece in pieces if piece is not None))


def _run(element: Element) -> Element | None:
    is_run = local_name(element) == "r"
    return next((child for child in element if local_name(child) == "t"), None) if is_run else None


def _unescaped(text: str) -> str:
    """Return a text with the characters that XML cannot have; control characters become spaces."""
    return _ESCAPED.sub(lambda match: char if (char := chr(int(match[1], 16))).isprintable() else " ", text)


def _areas(reference: str) -> list[Area]:
    """Return the area that a reference such as "A1:C3" names; none for others."""
    first, _, last = reference.partition(":")
    corners = _CELL.fullmatch(first), _CELL.fullmatch(last or first)
    if corners[0] is None or corners[1] is None:
        return []
    return [Area(_column(corners[0][1]), int(corners[0][2]), _column(corners[1][1]), int(corners[1][2]))]


def _column(letters: str) -> int:
    """Return the number of a column, from 1.

    >>> _column("A"), _column("AA")
    (1, 27)
    """
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number
