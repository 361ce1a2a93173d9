"""What OpenDocument files share: their properties, the text of paragraphs, and tables (ISO/IEC 26300)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from probative.corpus.documents.dates import iso_date
from probative.corpus.documents.places import column_letters
from probative.corpus.readers.number_formats import shown
from probative.corpus.readers.office_package import made_on
from probative.corpus.readers.sheet import MAX_CELLS, MAX_COLUMNS, MAX_ROWS, Area, Cell, Sheet
from probative.corpus.readers.zip_documents import Container, local_name
from probative.errors import UnreadableError

CONTENT = "content.xml"
_MANIFEST, _META = "META-INF/manifest.xml", "meta.xml"
# Comments, what was deleted, and how a word is pronounced.
SKIPPED = frozenset(("annotation", "tracked-changes", "ruby-text", "hidden-text", "desc", "title"))
BLOCKS = ("h", "p", "table")
# Tables of contents repeat the headings; charts and formulas are objects.
_NO_TEXT = ("table-of-content", "object", "forms", "shapes")
_FIXED = {"s": " ", "tab": "\t", "line-break": "\n", "soft-page-break": ""}
_NUMBERS = ("float", "percentage", "currency", "time")


def check_protection(container: Container) -> None:
    """Raise `UnreadableError` if a password protects the file."""
    if _MANIFEST in container and b"encryption-data" in container.read(_MANIFEST):
        raise UnreadableError(
            "encrypted", f"{container.source} is protected by a password", hint="save it without the password"
        )


def metadata(container: Container) -> dict[str, str]:
    """Return title, author, subject, language and date of a document, where it has them."""
    if _META not in container:
        return {}
    fields: dict[str, str] = {}
    for element in container.xml(_META).iter():
        fields.setdefault(local_name(element), (element.text or "").strip())
    dates = {"created": fields.get("creation-date", ""), "modified": fields.get("date", "")}
    return {
        "title": fields.get("title", ""),
        "author": fields.get("initial-creator") or fields.get("creator", ""),
        "subject": fields.get("subject", ""),
        "language": fields.get("language", ""),
        "date": made_on(dates, container.written(CONTENT)) or "",
    }


def attribute(element: Element, name: str) -> str:
    """Return an attribute without regard to the schema of its name; "" if there is none."""
    return next((value for key, value in element.items() if key.rpartition("}")[2] == name), "")


def number_in(element: Element, name: str) -> int:
    """Return an attribute that counts, 1 if there is none."""
    value = attribute(element, name)
    return int(value) if value.isdecimal() and len(value) < 9 else 1


def lines_of(element: Element, notes: list[Element], inner: list[Element]) -> str:
    """Return the text of a paragraph. Its footnotes are added to `notes`, and marked by their numbers; what
    stands in frames on it is added to `inner`.
    """
    pieces: list[str] = []
    left: list[Element | str] = _contents(element)
    while left:
        child = left.pop()
        if isinstance(child, str):
            pieces.append(re.sub(r"\s+", " ", child))
            continue
        name = local_name(child)
        if name in _FIXED:
            pieces.append(_FIXED[name])
        elif name == "note":
            notes.append(child)
            pieces.append(f"[{len(notes)}]")
        elif name in BLOCKS:
            inner.append(child)
        elif name not in SKIPPED:
            left += _contents(child)
    lines = (re.sub(r"[ \t\u00a0]+", " ", line).strip() for line in "".join(pieces).split("\n"))
    return "\n".join(line for line in lines if line)


def _contents(element: Element) -> list[Element | str]:
    """Return what is in an element, its text among its children, from the end."""
    contents: list[Element | str] = [element.text or ""]
    for child in element:
        contents += (child, child.tail or "")
    return contents[::-1]


class Rows:
    """The rows of a table as they come, each as often as the file repeats it, and the areas of merged cells.

    `notes` and `inner` are as in `lines_of`; `uncalculated` are the formulas without a kept value.
    """

    def __init__(self, name: str, notes: list[Element]) -> None:
        self.sheet = Sheet(name)
        self.notes = notes
        self.inner: list[Element] = []
        self.uncalculated: list[str] = []
        self._row = self._cells = 0

    def add(self, element: Element) -> None:
        """Add a row of the file."""
        repeated = number_in(element, "number-rows-repeated")
        number = self._row + 1
        self._row = min(number + repeated - 1, MAX_ROWS)
        row = self._read(element, number)
        if not row:
            return
        self._cells += len(row) * (self._row + 1 - number)
        if self._cells > MAX_CELLS:
            raise UnreadableError(
                "too large", f"the table {self.sheet.name} has more than {MAX_CELLS:,} cells"
            )
        for each in range(number, self._row + 1):
            self.sheet.rows[each] = dict(row)

    def _read(self, element: Element, number: int) -> dict[int, Cell]:
        row: dict[int, Cell] = {}
        column = 0
        for child in element:
            if local_name(child) not in ("table-cell", "covered-table-cell"):
                continue
            first = column + 1
            column = min(column + number_in(child, "number-columns-repeated"), MAX_COLUMNS)
            cell = self._cell(child, number, first)
            if cell is None or local_name(child) == "covered-table-cell":
                continue
            row |= dict.fromkeys(range(first, column + 1), cell)
            right = min(first + number_in(child, "number-columns-spanned") - 1, MAX_COLUMNS)
            bottom = number + number_in(child, "number-rows-spanned") - 1
            if right > first or bottom > number:
                self.sheet.merged.append(Area(first, number, right, bottom))
        return row

    def _cell(self, element: Element, row: int, column: int) -> Cell | None:
        """Return a cell as the sheet shows it, which the file has beside its value; None without text."""
        blocks = [block for block, _ in blocks_of(element)]
        self.inner += [block for block in blocks if local_name(block) == "table"]
        lines = (lines_of(block, self.notes, self.inner) for block in blocks if local_name(block) != "table")
        text = " ".join(" ".join(lines).split())
        kind = attribute(element, "value-type")
        day = iso_date(attribute(element, "date-value")) if kind == "date" else None
        if not text:
            text = day or shown(attribute(element, "value")).text or attribute(element, "string-value")
        if not text and attribute(element, "formula") and not kind:
            self.uncalculated.append(f"{column_letters(column)}{row}")
        return Cell(text, "date" if day else "number" if kind in _NUMBERS else "text", day) if text else None


def blocks_of(element: Element) -> Iterator[tuple[Element, bool]]:
    """Yield the headings, paragraphs and tables below an element, and whether each starts a list item."""
    left = [(child, False) for child in reversed(element)]
    while left:
        child, starts = left.pop()
        name = local_name(child)
        if name in BLOCKS:
            yield child, starts
        elif name not in (*SKIPPED, *_NO_TEXT) and attribute(child, "display") != "none":
            inside = [(each, False) for each in reversed(child)]
            if inside and (name == "list-item" or starts):
                inside[-1] = (inside[-1][0], True)
            left += inside
