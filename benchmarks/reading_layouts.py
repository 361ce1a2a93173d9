"""Ten layouts of PDFs, made from our own texts, with the text that a reader should get from each."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

PAGE = (595.0, 842.0)
PROSE = [
    "The harbour of Norrvik has two piers, and the longer one was built of oak between 1902 and 1904. "
    "It carried a narrow-gauge railway until the storm of 1931 took its outer third. Since then the "
    "rails end at the warehouse of the herring company, where a bronze plate marks the height of the "
    "water.",
    "A well-known engineer, Marta Lindqvist, measured the currents for three winters before she "
    "proposed the new breakwater. Her report is short: twelve pages, four tables and a map. The council"
    " read it aloud in two sessions and accepted it without a change, although the costs were twice the"
    " yearly income of the town.",
    "The ferry to Little Skarv leaves at ten past six, except on Sundays. In winter it waits for the "
    "bus from the station, because the road over the moor is often closed. The captain alone decides "
    "about the weather, and his decision is written on the board beside the ticket office.",
    "Fishing within the outer marks has been forbidden since 1974. Exceptions are given by the harbour "
    "master for research, and for the feast of the nets in September. Whoever finds a marked buoy "
    "outside of its place is asked to report it on channel eleven.",
    "The lighthouse keeper's log has been kept without a gap since 1871. It notes wind, visibility and "
    "every ship that passed by day. Some entries are longer: on 4 May 1899 the keeper describes, over "
    "nine pages, how a whale came into the basin and stayed until the evening tide.",
    "Rents for berths are paid in advance. Boats of up to eight metres pay forty crowns a month, and "
    "longer boats pay six crowns for each metre. A berth that stands empty for a year goes back to the "
    "town, which gives it to the next name on the list.",
]
ROWS = [
    ["Boat", "Berth", "Length", "Rent"],
    ["Gull", "A 4", "7.5 m", "40 crowns"],
    ["Grey Heron", "B 12", "11.0 m", "66 crowns"],
    ["Northern Star", "C 1", "23.4 m", "140 crowns"],
    ["Marta L.", "A 9", "8.0 m", "40 crowns"],
]


@dataclass(frozen=True)
class Layout:
    """A layout: its name, the file, the pieces that must be found whole, and what must not be in the text."""

    name: str
    data: bytes
    pieces: tuple[str, ...]
    unwanted: tuple[str, ...] = ()


def layouts() -> list[Layout]:
    """Return all layouts; they are the same each time."""
    makers = (
        _plain, _two_columns, _rows_of_columns, _running_headers, _table, _footnotes, _hyphens, _list,
        _letter, _three_columns,
    )  # fmt: skip
    return [maker() for maker in makers]


def sentences(paragraphs: Sequence[str]) -> tuple[str, ...]:
    """Return the sentences of paragraphs; ours end with a full stop and a space."""
    return tuple(
        f"{sentence.rstrip('.')}." for text in paragraphs for sentence in text.split(". ") if sentence.strip()
    )


def _styles() -> Any:
    from reportlab.lib.styles import getSampleStyleSheet

    return getSampleStyleSheet()


def _built(flow: list[Any], frames: Sequence[tuple[float, float, float, float]], draw: Any = None) -> bytes:
    """Return a PDF in which paragraphs flow through frames."""
    from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate

    file = io.BytesIO()
    made = BaseDocTemplate(file, pagesize=PAGE, invariant=1)
    boxes = [Frame(*frame, showBoundary=0) for frame in frames]
    made.addPageTemplates(PageTemplate(frames=boxes, onPage=draw or (lambda *_: None)))
    made.build(flow)
    return file.getvalue()


def _paragraphs(texts: Sequence[str], *, justified: bool = False, repeat: int = 1) -> list[Any]:
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import Paragraph

    base = _styles()["BodyText"]
    style = ParagraphStyle("own", parent=base, alignment=4 if justified else 0, spaceAfter=6)
    return [Paragraph(text, style) for _ in range(repeat) for text in texts]


def _headed(texts: Sequence[str], headings: Sequence[str]) -> list[Any]:
    from reportlab.platypus import Paragraph

    flow: list[Any] = []
    for heading, paragraph in zip(headings, _paragraphs(texts), strict=True):
        flow += [Paragraph(heading, _styles()["Heading2"]), paragraph]
    return flow


def _plain() -> Layout:
    headings = ["The piers", "The breakwater", "The ferry", "Fishing", "The log", "Berths"]
    data = _built(_headed(PROSE, headings), [(70, 70, 455, 700)])
    return Layout("one column, headings", data, (*sentences(PROSE), *headings))


def _two_columns() -> Layout:
    flow = _paragraphs(PROSE, justified=True)
    data = _built(flow, [(50, 400, 240, 380), (305, 400, 240, 380)])
    return Layout("two columns, justified", data, sentences(PROSE))


def _lines(text: str, width: int) -> list[str]:
    import textwrap

    return textwrap.wrap(text, width, break_on_hyphens=False)


def _canvas(draw: Callable[[Any], None]) -> bytes:
    from reportlab.pdfgen.canvas import Canvas

    file = io.BytesIO()
    canvas = Canvas(file, pagesize=PAGE, invariant=True)
    draw(canvas)
    canvas.showPage()
    canvas.save()
    return file.getvalue()


def _rows_of_columns() -> Layout:
    """Two columns that the program wrote line by line over the whole page."""
    columns = [[line for text in half for line in [*_lines(text, 44), ""]] for half in (PROSE[:3], PROSE[3:])]

    def draw(canvas: Any) -> None:
        canvas.setFont("Times-Bold", 16)
        canvas.drawString(60, 780, "Norrvik harbour: what the visitor should know about its piers")
        canvas.setFont("Times-Roman", 10)
        for row in range(max(map(len, columns))):
            for column, x in zip(columns, (60, 320), strict=True):
                if row < len(column):
                    canvas.drawString(x, 740 - 13 * row, column[row])

    return Layout("two columns, written by line", _canvas(draw), sentences(PROSE))


def _running_headers() -> Layout:
    def margins(canvas: Any, made: Any) -> None:
        canvas.setFont("Helvetica", 8)
        canvas.drawString(70, 805, "Harbour board of Norrvik")
        canvas.drawRightString(525, 805, "Annual report 2026")
        canvas.drawCentredString(297, 35, f"Page {made.page} of 4")

    data = _built(_paragraphs(PROSE), [(70, 560, 455, 200)], margins)
    unwanted = ("Annual report 2026", "Harbour board of Norrvik", "of 4")
    return Layout("running headers, four pages", data, sentences(PROSE), unwanted)


def _table() -> Layout:
    from reportlab.platypus import Spacer, Table

    flow = [
        *_paragraphs(PROSE[:2]),
        Spacer(1, 12),
        Table(ROWS, colWidths=110),
        Spacer(1, 12),
        *_paragraphs(PROSE[2:3]),
    ]
    data = _built(flow, [(70, 70, 455, 700)])
    rows = tuple(" | ".join(row) for row in ROWS[1:])
    return Layout("a table between paragraphs", data, (*sentences(PROSE[:3]), *rows))


def _footnotes() -> Layout:
    marked = [
        text.replace(". ", f".<super>{number}</super> ", 1) for number, text in enumerate(PROSE[:4], start=1)
    ]
    notes = [f"{number} Archive of the town, box {number + 30}, folder {number}." for number in range(1, 5)]

    def margins(canvas: Any, _: Any) -> None:
        canvas.setFont("Helvetica", 7)
        for row, note in enumerate(notes):
            canvas.drawString(70, 110 - 10 * row, note)

    data = _built(_paragraphs(marked), [(70, 150, 455, 620)], margins)
    return Layout("footnotes with raised marks", data, sentences(PROSE[:4]))


def _hyphens() -> Layout:
    """Justified text in which the last word of each line is split, as in books."""
    lines: list[str] = []
    for text in PROSE[:4]:
        rest = text
        while len(rest) > 50:
            cut = 48
            while not (rest[cut - 2 : cut + 2].isalpha() and rest[cut - 2 : cut + 2].islower()):
                cut -= 1
            lines.append(f"{rest[:cut]}-")
            rest = rest[cut:]
        lines += [rest, ""]

    def draw(canvas: Any) -> None:
        canvas.setFont("Times-Roman", 11)
        for row, line in enumerate(lines):
            canvas.drawString(90, 780 - 14 * row, line)

    return Layout("words split at line ends", _canvas(draw), sentences(PROSE[:4]))


def _list() -> Layout:
    from reportlab.platypus import ListFlowable, ListItem

    items = [f"{sentence}" for sentence in sentences(PROSE[3:6])]
    bullets = ListFlowable([ListItem(item) for item in _paragraphs(items)], bulletType="bullet")
    numbers = ListFlowable([ListItem(item) for item in _paragraphs(sentences(PROSE[:2]))], bulletType="1")
    data = _built([*_paragraphs(PROSE[2:3]), bullets, numbers], [(70, 70, 455, 700)])
    return Layout(
        "lists with bullets and numbers", data, (*sentences(PROSE[2:3]), *items, *sentences(PROSE[:2]))
    )


def _letter() -> Layout:
    def margins(canvas: Any, _: Any) -> None:
        canvas.setFont("Helvetica", 9)
        for row, line in enumerate(["Harbour office", "Pier Street 4", "Norrvik", "3 May 2026"]):
            canvas.drawRightString(525, 790 - 12 * row, line)
        for row, line in enumerate(["Ms Ada Holm", "Moor Road 12", "Norrvik"]):
            canvas.drawString(70, 760 - 12 * row, line)

    data = _built(_paragraphs(PROSE[:3]), [(70, 70, 455, 620)], margins)
    return Layout("a letter with two addresses", data, (*sentences(PROSE[:3]), "Ms Ada Holm", "3 May 2026"))


def _three_columns() -> Layout:
    flow = _paragraphs(PROSE)
    frames = [(40.0 + 175 * column, 420.0, 165.0, 370.0) for column in range(3)]
    return Layout("three narrow columns", _built(flow, frames), sentences(PROSE))
