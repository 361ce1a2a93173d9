"""Workbooks made for tests part by part, as spreadsheet programs write them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from xml.sax.saxutils import escape, quoteattr

_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"


def packed(members: Mapping[str, str | bytes]) -> bytes:
    """Return a zip file with these members."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as written:
        for name, content in members.items():
            written.writestr(name, content)
    return file.getvalue()


def relations(*targets: tuple[str, str], external: bool = False) -> str:
    """Return the relations of a part: kind and target of each; their ids are r1, r2…"""
    mode = ' TargetMode="External"' if external else ""
    entries = "".join(
        f'<Relationship Id="r{number}" Type="{_RELATED}/{kind}" Target={quoteattr(target)}{mode}/>'
        for number, (kind, target) in enumerate(targets, start=1)
    )
    return f'<Relationships xmlns="{_PACKAGE}">{entries}</Relationships>'


class Value(NamedTuple):
    """A number in a number format; `formula` is what it was computed by, and `number` None if it was not."""

    number: float | str | None
    code: str = "General"
    formula: str = ""


@dataclass
class Worksheet:
    """The rows of a sheet; None is an empty cell. `tables` are declared, with the number of header rows."""

    rows: Sequence[Sequence[Any]]
    merged: Sequence[str] = ()
    state: str = "visible"
    tables: Sequence[tuple[str, int]] = field(default_factory=tuple)


def xlsx(
    sheets: Mapping[str, Worksheet | Sequence[Sequence[Any]]],
    parts: Mapping[str, str | bytes] | None = None,
    *,
    from_1904: bool = False,
) -> bytes:
    """Return a workbook with these sheets; `parts` replaces or adds members."""
    strings: dict[str, int] = {}
    codes: dict[str, int] = {"General": 0}
    given = {
        name: sheet if isinstance(sheet, Worksheet) else Worksheet(sheet) for name, sheet in sheets.items()
    }
    members: dict[str, str | bytes] = {}
    listed = ""
    for number, (name, sheet) in enumerate(given.items(), start=1):
        listed += f'<sheet name={quoteattr(name)} sheetId="{number}" state="{sheet.state}" r:id="r{number}"/>'
        rows = "".join(
            f'<row r="{row}">'
            + "".join(_cell(each, row, at, strings, codes) for at, each in enumerate(cells))
            + "</row>"
            for row, cells in enumerate(sheet.rows, start=1)
        )
        merged = "".join(f'<mergeCell ref="{area}"/>' for area in sheet.merged)
        members[f"xl/worksheets/sheet{number}.xml"] = (
            f'<worksheet xmlns="{_SHEET}"><sheetData>{rows}</sheetData>'
            f"<mergeCells>{merged}</mergeCells></worksheet>"
        )
        for at, (area, headers) in enumerate(sheet.tables):
            table = f'<table xmlns="{_SHEET}" ref="{area}" headerRowCount="{headers}"/>'
            members[f"xl/tables/table{number}_{at}.xml"] = table
        targets = [("table", f"../tables/table{number}_{at}.xml") for at in range(len(sheet.tables))]
        members[f"xl/worksheets/_rels/sheet{number}.xml.rels"] = relations(*targets)
    formats = "".join(
        f'<numFmt numFmtId="{200 + at}" formatCode={quoteattr(code)}/>' for code, at in codes.items()
    )
    styles = "".join(f'<xf numFmtId="{200 + at}"/>' for at in codes.values())
    members |= {
        "xl/workbook.xml": f'<workbook xmlns="{_SHEET}" xmlns:r="{_RELATED}">'
        f'<workbookPr date1904="{int(from_1904)}"/><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relations(
            *(("worksheet", f"worksheets/sheet{number}.xml") for number in range(1, len(given) + 1)),
            ("sharedStrings", "/xl/sharedStrings.xml"),
            ("styles", "styles.xml"),
        ),
        "xl/sharedStrings.xml": f'<sst xmlns="{_SHEET}">'
        + "".join(f"<si><t>{escape(text)}</t></si>" for text in strings)
        + "</sst>",
        "xl/styles.xml": f'<styleSheet xmlns="{_SHEET}"><numFmts>{formats}</numFmts>'
        f"<cellXfs>{styles}</cellXfs></styleSheet>",
        **(parts or {}),
    }
    return packed(members)


def _cell(value: Any, row: int, at: int, strings: dict[str, int], codes: dict[str, int]) -> str:
    place = f'r="{chr(ord("A") + at)}{row}"'
    if value is None:
        return ""
    if isinstance(value, str):
        return f'<c {place} t="s"><v>{strings.setdefault(value, len(strings))}</v></c>'
    if isinstance(value, bool):
        return f'<c {place} t="b"><v>{int(value)}</v></c>'
    number, code, formula = value if isinstance(value, Value) else Value(value)
    style = codes.setdefault(code, len(codes))
    written = f"<f>{escape(formula)}</f>" if formula else ""
    kind = ' t="str"' if isinstance(number, str) else ""
    kept = "" if number is None else f"<v>{escape(str(number))}</v>"
    return f'<c {place} s="{style}"{kind}>{written}{kept}</c>'
