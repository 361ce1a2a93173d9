"""Tables with rules between their columns are read row by row, with the names of their columns."""

from __future__ import annotations

import io
from pathlib import Path

import pypdfium2
import pytest
from layouts import Page, Pdf

from probative.corpus.readers.formats import document_in
from probative.corpus.readers.pdf_page import Box, Quote, draw_page
from probative.corpus.readers.text_builder import FileContent
from probative.server.routes.pages import boxes_on

TOP, ROW = 700.0, 20.0


def content(data: bytes) -> FileContent:
    return FileContent("a.pdf", Path("a.pdf"), data)


def grid(page: Page, widths: list[float], rows: int, x: float = 60, top: float = TOP) -> None:
    """Draw a grid."""
    for row in range(rows + 1):
        page.rule(x, top - ROW * row, sum(widths))
    for column in range(len(widths) + 1):
        page.rule(x + sum(widths[:column]), top - ROW * rows, 0.4, ROW * rows)


def cell(page: Page, x: float, row: float, text: str, *, bold: bool = False) -> None:
    page.line(x, TOP - ROW * row - 14, text, 9, bold=bold)


def blocks(pdf: Pdf) -> list[str]:
    return document_in(content(pdf.bytes())).text.split("\n\n")


def merged() -> Pdf:
    """Return a table with a head of two rows, and a name of two rows at the left."""
    pdf = Pdf()
    page = pdf.page()
    page.line(60, 740, "The catch was weighed at the quay.")
    for row in (0, 2, 4):
        page.rule(60, TOP - ROW * row, 330)
    page.rule(150, TOP - ROW, 240)
    page.rule(150, TOP - 3 * ROW, 240)
    for x in (60, 150, 390):
        page.rule(x, TOP - 4 * ROW, 0.4, 4 * ROW)
    page.rule(270, TOP - 4 * ROW, 0.4, 4 * ROW)
    for x in (210, 330):
        page.rule(x, TOP - 4 * ROW, 0.4, 3 * ROW)
    cell(page, 64, 0.5, "Boat")
    cell(page, 190, 0, "2024")
    cell(page, 310, 0, "2025")
    for x, name in zip((154, 214, 274, 334), ("cod", "crab", "cod", "crab"), strict=True):
        cell(page, x, 1, name)
    cell(page, 64, 2.5, "Gull")
    for row, numbers in enumerate((("12", "3", "14", "5"), ("7", "", "9", "1")), start=2):
        for x, number in zip((154, 214, 274, 334), numbers, strict=True):
            cell(page, x, row, number)
    page.line(60, 580, "It was a good year.")
    return pdf


def test_names_above_names_belong_to_the_cells_below_and_merged_cells_to_each_row() -> None:
    assert blocks(merged()) == [
        "The catch was weighed at the quay.",
        "Boat: Gull; 2024 cod: 12; 2024 crab: 3; 2025 cod: 14; 2025 crab: 5",
        "Boat: Gull; 2024 cod: 7; 2025 cod: 9; 2025 crab: 1",
        "It was a good year.",
    ]


def test_lines_of_a_cell_are_one_text_and_columns_without_a_gap_stay_apart() -> None:
    pdf = Pdf()
    page = pdf.page()
    grid(page, [44, 120], 3)
    cell(page, 62, 0, "Wind")
    cell(page, 106, 0, "What to do")
    cell(page, 62, 1, "12 m/sec")
    cell(page, 106, 1, "Run at half")
    cell(page, 62, 2, "18 m/sec")
    page.line(106, TOP - 2 * ROW - 9, "Bring in all cars and", 9)
    page.line(106, TOP - 2 * ROW - 18, "close the gates", 9)
    assert blocks(pdf) == [
        "Wind: 12 m/sec; What to do: Run at half",
        "Wind: 18 m/sec; What to do: Bring in all cars and close the gates",
    ]


def test_a_row_over_all_columns_names_those_below_it() -> None:
    pdf = Pdf()
    page = pdf.page()
    for row in range(6):
        page.rule(60, TOP - ROW * row, 200)
    for x in (60, 260):
        page.rule(x, TOP - 5 * ROW, 0.4, 5 * ROW)
    for top, rows in ((0, 1), (2, 1), (4, 1)):
        page.rule(160, TOP - ROW * (top + rows), 0.4, ROW * rows)
    for row, (first, second) in enumerate(
        (("Part", "Price"), ("Cars", ""), ("Window", "48"), ("Line", ""), ("Bolt", "1"))
    ):
        cell(page, 64, row, first)
        cell(page, 164, row, second)
    assert blocks(pdf) == ["Cars; Part: Window; Price: 48", "Line; Part: Bolt; Price: 1"]


def test_rows_without_a_rule_between_them_are_rows() -> None:
    pdf = Pdf()
    page = pdf.page()
    for y in (TOP, TOP - ROW, TOP - 5 * ROW):
        page.rule(60, y, 200)
    for x in (60, 160, 260):
        page.rule(x, TOP - 5 * ROW, 0.4, 5 * ROW)
    for row, (first, second) in enumerate(
        (("Hive", "Honey"), ("Linden", "18 kg"), ("Barn", ""), ("Brook", "23 kg"), ("Moor", "7 kg"))
    ):
        cell(page, 64, row, first)
        cell(page, 164, row, second)
    assert blocks(pdf) == [
        "Hive: Linden; Honey: 18 kg",
        "Hive: Barn",
        "Hive: Brook; Honey: 23 kg",
        "Hive: Moor; Honey: 7 kg",
    ]


def test_frames_and_ruled_paper_are_no_tables() -> None:
    pdf = Pdf()
    page = pdf.page()
    grid(page, [300], 4)
    for row, text in enumerate(("The ferry leaves at six", "each morning and comes", "back at noon.")):
        cell(page, 70, row, text)
    page = pdf.page()
    grid(page, [12, 300], 20)
    for row, text in enumerate(("The captain decides about", "the weather, and writes", "it on the board.")):
        cell(page, 90, row, text)
    assert blocks(pdf) == [
        "The ferry leaves at six each morning and comes back at noon.",
        "The captain decides about the weather, and writes it on the board.",
    ]


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_the_cells_of_a_row_are_marked_where_they_stand(turn: int) -> None:
    made = pypdfium2.PdfDocument(merged().bytes())
    made[0].set_rotation(turn)
    made[0].set_cropbox(30, 300, 500, 800)
    out = io.BytesIO()
    made.save(out)
    made.close()
    read = content(out.getvalue())
    document = document_in(read)
    row = document.text.index("Boat: Gull; 2024 cod: 7")
    spans = ((row, row + len("Boat: Gull; 2024 cod: 7; 2025 cod: 9; 2025 crab: 1")),)
    cells = (Quote(text="Gull"), Quote(text="7"), Quote(text="9"), Quote(text="1", before=2))
    found, _ = draw_page(read, 1, cells)
    expected = [box for boxes in found.boxes for box in boxes]
    assert len(document.words) == 9
    (boxes,) = boxes_on(document, 1, spans)
    inside = [box for box in expected for mark in boxes if contains(mark, box)]
    assert len(inside) == len(expected) == 4
    assert sum(box.width * box.height for box in boxes) < 0.1


def contains(outer: Box, inner: Box) -> bool:
    x, y = inner.left + inner.width / 2, inner.top + inner.height / 2
    return outer.left <= x <= outer.left + outer.width and outer.top <= y <= outer.top + outer.height


def test_pages_full_of_lines_and_rectangles_are_read_as_text() -> None:
    pdf = Pdf()
    page = pdf.page()
    page.line(60, 800, "The chart shows the tides of the year.")
    for number in range(5_000):
        page.rule(10, 10 + number * 0.15, 500)
        page.rule(10 + number * 0.1, 10, 0.01, 700)
    page = pdf.page()
    page.line(60, 800, "The second one shows the winds.")
    for number in range(3_000):
        page.frame(10 + number % 60, 10 + number % 70, 400, 600)
    assert blocks(pdf) == ["The chart shows the tides of the year.", "The second one shows the winds."]
