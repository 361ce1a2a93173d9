"""Draw tables on pages of a PDF, and write down beside them what a reader should get from each."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

PAGE = (595.0, 842.0)
Frame = tuple[float, float, float, float]
"""Left, bottom, width and height."""
Span = tuple[int, int, int, int]
"""The first column and row of a merged cell, and its last column and row; all count from 0."""


@dataclass(frozen=True)
class Truth:
    """A table as it should be read: the page, the name of each column and the cells of each row.

    `heads` is the number of rows of the head on this page; 0 where a table goes on without it.
    """

    page: int
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    heads: int = 1


@dataclass(frozen=True)
class TablePage:
    """A file with tables, or without any, and what is in it."""

    name: str
    data: bytes
    tables: tuple[Truth, ...] = ()


@dataclass(frozen=True)
class Drawn:
    """A table to be drawn. `rows` begin with the rows of the head; `lines` are "grid", "rules" (above, below
    the head, at the end), "rows" (below each row), "columns" (between columns, and a frame) or "none".
    `right` names the columns of numbers, `groups` the rows that are the name of what stands below them.
    """

    rows: Sequence[Sequence[str]]
    heads: int = 1
    lines: str = "none"
    spans: Sequence[Span] = ()
    right: Sequence[int] = ()
    widths: Sequence[float] | None = None
    bold: bool = False
    shaded: bool = False
    striped: bool = False
    total: bool = False
    groups: Sequence[int] = ()
    size: float = 9
    font: str = "Helvetica"
    under: Sequence[Span] = field(default=())
    """Lines below parts of the head."""
    repeat: bool = False

    def truth(self, page: int = 1, first: int = 0, last: int | None = None) -> Truth:
        """Return what should be read from the rows of the body from `first` to `last`."""
        rows = [[" ".join(cell.split()) for cell in row] for row in self.rows]
        for left, top, right, bottom in self.spans:
            for row in rows[top : bottom + 1]:
                row[left : right + 1] = [rows[top][left]] * (right + 1 - left)
        for number in self.groups:
            rows[number] = []
        names = [
            list(dict.fromkeys(filter(None, column))) for column in zip(*rows[: self.heads], strict=True)
        ]
        body = tuple(tuple(row) for row in rows[self.heads :][first:last] if row)
        heads = self.heads if first == 0 or self.repeat else 0
        return Truth(page, tuple(map(" ".join, names)), body, heads)

    def flowable(self) -> Any:
        """Return the table as reportlab lays it out."""
        from reportlab.lib.styles import ParagraphStyle
        from reportlab.platypus import Paragraph, Table

        bold, plain = f"{self.font}-Bold", self._plain
        style: list[tuple[Any, ...]] = [
            ("FONT", (0, 0), (-1, -1), plain, self.size),
            ("LEADING", (0, 0), (-1, -1), 1.2 * self.size),
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            *(("SPAN", span[:2], span[2:]) for span in self.spans),
            *(("ALIGN", (at, 0), (at, -1), "RIGHT") for at in self.right),
            *(("ALIGN", span[:2], span[2:], "CENTER") for span in self.spans if span[2] > span[0]),
            *(("LINEBELOW", span[:2], span[2:], 0.5, "black") for span in self.under),
            *(("FONT", (0, row), (-1, row), bold, self.size) for row in self.groups),
        ]
        if self.bold:
            style.append(("FONT", (0, 0), (-1, self.heads - 1), bold, self.size))
        if self.shaded:
            style.append(("BACKGROUND", (0, 0), (-1, self.heads - 1), "#ccddee"))
        if self.striped:
            style += [
                ("BACKGROUND", (0, row), (-1, row), "#eeeeee") for row in range(self.heads, len(self.rows), 2)
            ]
        style += self._lines()
        text = ParagraphStyle("cell", fontName=plain, fontSize=self.size, leading=1.2 * self.size)
        cells = [
            [
                Paragraph(cell, text) if self._wraps(cell, at) and row >= self.heads else cell
                for at, cell in enumerate(cells)
            ]
            for row, cells in enumerate(self.rows)
        ]
        return Table(cells, colWidths=self.widths, style=style, repeatRows=self.heads if self.repeat else 0)

    @property
    def _plain(self) -> str:
        return "Times-Roman" if self.font == "Times" else self.font

    def _wraps(self, cell: str, at: int) -> bool:
        from reportlab.pdfbase.pdfmetrics import stringWidth

        return bool(self.widths) and stringWidth(cell, self._plain, self.size) > (self.widths or [0])[at] - 12

    def _lines(self) -> list[tuple[Any, ...]]:
        """Return the lines as reportlab names them."""
        whole = ((0, 0), (-1, -1), 0.5, "black")
        head = ("LINEBELOW", (0, self.heads - 1), (-1, self.heads - 1), 0.5, "black")
        ends = [("LINEABOVE", (0, 0), (-1, 0), 1, "black"), ("LINEBELOW", (0, -1), (-1, -1), 1, "black")]
        lines: dict[str, list[tuple[Any, ...]]] = {
            "grid": [("GRID", *whole)],
            "rules": [*ends, head],
            "head": [head],
            "rows": [("LINEBELOW", *whole), ("LINEABOVE", (0, 0), (-1, 0), 0.5, "black")],
            "columns": [("BOX", *whole), ("LINEAFTER", (0, 0), (-2, -1), 0.5, "black"), head],
            "none": [],
        }
        total = [("LINEABOVE", (0, -1), (-1, -1), 0.5, "black")] if self.total else []
        return lines[self.lines] + total


def paragraphs(*texts: str, size: float = 10) -> list[Any]:
    """Return paragraphs to be laid out."""
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import Paragraph

    style = ParagraphStyle("text", fontName="Times-Roman", fontSize=size, leading=1.25 * size, spaceAfter=8)
    return [Paragraph(text, style) for text in texts]


def space(height: float = 12) -> Any:
    """Return an empty space."""
    from reportlab.platypus import Spacer

    return Spacer(1, height)


def laid_out(
    flow: Sequence[Any],
    frames: Sequence[Frame] = ((60, 60, 475, 720),),
    draw: Callable[[Any], None] = lambda canvas: None,
) -> bytes:
    """Return a PDF in which paragraphs and tables flow through frames; `draw` adds to each page."""
    from reportlab.platypus import BaseDocTemplate, PageTemplate
    from reportlab.platypus import Frame as FlowFrame

    file = io.BytesIO()
    made = BaseDocTemplate(file, pagesize=PAGE, invariant=1)
    boxes = [FlowFrame(*frame, showBoundary=0) for frame in frames]
    made.addPageTemplates(PageTemplate(frames=boxes, onPage=lambda canvas, _: draw(canvas)))
    made.build(list(flow))
    return file.getvalue()


def truths_over_pages(drawn: Drawn, data: bytes) -> tuple[Truth, Truth]:
    """Return what should be read of a table that begins on the first page of a file and ends on the second;
    the first cells of its rows differ.
    """
    from pypdfium2 import PdfDocument

    file = PdfDocument(data)
    lines = file[0].get_textpage().get_text_range().split()
    file.close()
    rows = sum(row[0] in lines for row in drawn.rows[drawn.heads :])
    return drawn.truth(1, 0, rows), drawn.truth(2, rows)
