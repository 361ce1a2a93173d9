"""Workbooks and presentations made for tests part by part, as office programs write them."""

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


_SLIDE = "http://schemas.openxmlformats.org/presentationml/2006/main"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"


def shape(*lines: str, kind: str | None = None, marks: str = "", hidden: bool = False) -> str:
    """Return a shape with these paragraphs; `kind` is that of its placeholder, "" for one of content."""
    place = "" if kind is None else f'<p:ph type="{kind}"/>' if kind else '<p:ph idx="1"/>'
    paragraphs = "".join(
        f"<a:p><a:pPr>{marks}</a:pPr><a:r><a:t>{escape(line)}</a:t></a:r></a:p>" for line in lines
    )
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="1" hidden="{int(hidden)}"/><p:nvPr>{place}</p:nvPr></p:nvSpPr>'
        f"<p:txBody>{paragraphs}</p:txBody></p:sp>"
    )


def slide_table(rows: Sequence[Sequence[str]], *, first_row: bool = True) -> str:
    """Return a table; the cell "^" is merged with the one above."""

    def cell(text: str) -> str:
        merged = ' vMerge="1"' if text == "^" else ""
        run = f"<a:r><a:t>{escape(text.strip('^'))}</a:t></a:r>"
        return f"<a:tc{merged}><a:txBody><a:p>{run}</a:p></a:txBody></a:tc>"

    cells = ["".join(map(cell, row)) for row in rows]
    body = "".join(f"<a:tr>{row}</a:tr>" for row in cells)
    return (
        f'<p:graphicFrame><a:graphic><a:tbl><a:tblPr firstRow="{int(first_row)}"/>{body}</a:tbl></a:graphic>'
        "</p:graphicFrame>"
    )


def pptx(
    slides: Sequence[str],
    notes: Mapping[int, str] | None = None,
    parts: Mapping[str, str | bytes] | None = None,
    hidden: Sequence[int] = (),
) -> bytes:
    """Return a presentation with these slides; `notes` and `hidden` have the numbers of slides, from 1."""
    spaces = f'xmlns:p="{_SLIDE}" xmlns:a="{_DRAWING}" xmlns:r="{_RELATED}"'
    members: dict[str, str | bytes] = {}
    ids = ""
    for number, body in enumerate(slides, start=1):
        ids += f'<p:sldId id="{255 + number}" r:id="r{number}"/>'
        show = ' show="0"' if number in hidden else ""
        members[f"ppt/slides/slide{number}.xml"] = (
            f"<p:sld {spaces}{show}><p:cSld><p:spTree>{body}</p:spTree></p:cSld></p:sld>"
        )
        targets = (
            [("notesSlide", f"../notesSlides/notesSlide{number}.xml")] if number in (notes or {}) else []
        )
        members[f"ppt/slides/_rels/slide{number}.xml.rels"] = relations(
            *targets, ("diagramData", f"../diagrams/data{number}.xml")
        )
    for number, body in (notes or {}).items():
        members[f"ppt/notesSlides/notesSlide{number}.xml"] = (
            f"<p:notes {spaces}><p:cSld><p:spTree>{body}</p:spTree></p:cSld></p:notes>"
        )
    members |= {
        "ppt/presentation.xml": f"<p:presentation {spaces}><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": relations(
            *(("slide", f"slides/slide{number}.xml") for number in range(1, len(slides) + 1))
        ),
        **(parts or {}),
    }
    return packed(members)


_OPEN = "urn:oasis:names:tc:opendocument:xmlns"
_SPACES = " ".join(
    f'xmlns:{name}="{_OPEN}:{space}:1.0"'
    for name, space in (
        ("office", "office"), ("text", "text"), ("table", "table"), ("style", "style"), ("draw", "drawing"),
        ("meta", "meta"),
    )
) + ' xmlns:dc="http://purl.org/dc/elements/1.1/"'  # fmt: skip


def open_document(
    kind: str, body: str, parts: Mapping[str, str | bytes] | None = None, styles: str = ""
) -> bytes:
    """Return a file of OpenDocument; `kind` is "text" or "spreadsheet"."""
    members: dict[str, str | bytes] = {
        "mimetype": f"application/vnd.oasis.opendocument.{kind}",
        "content.xml": f"<office:document-content {_SPACES}>"
        f"<office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>",
        **(parts or {}),
    }
    return packed(members)


def open_meta(fields: str) -> str:
    """Return the properties of a file of OpenDocument."""
    return f"<office:document-meta {_SPACES}><office:meta>{fields}</office:meta></office:document-meta>"


def open_cell(text: str, kind: str = "string", value: str = "", more: str = "") -> str:
    """Return a cell with the text that it shows and the value behind it."""
    name = "date-value" if kind == "date" else "value"
    given = f' office:value-type="{kind}"' + (f' office:{name}="{value}"' if value else "") if kind else ""
    paragraph = f"<text:p>{escape(text)}</text:p>" if text else ""
    return f"<table:table-cell{given} {more}>{paragraph}</table:table-cell>"


def open_row(*cells: str | None, more: str = "") -> str:
    """Return a row; texts that are no cells yet become cells, and None is an empty one."""
    written = (
        "<table:table-cell/>" if cell is None else cell if cell.startswith("<") else open_cell(cell)
        for cell in cells
    )
    return f"<table:table-row {more}>{''.join(written)}</table:table-row>"


def open_table(*rows: str, name: str = "T", style: str = "") -> str:
    """Return a table or a sheet."""
    return (
        f'<table:table table:name={quoteattr(name)} table:style-name="{style}">{"".join(rows)}</table:table>'
    )
