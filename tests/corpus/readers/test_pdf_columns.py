"""Tables without rules between their columns are read row by row; text in columns is none."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from layouts import Page, Pdf

from probative.corpus.readers.formats import document_in
from probative.corpus.readers.text_builder import FileContent

TOP, ROW = 700.0, 17.0


def blocks(pdf: Pdf) -> list[str]:
    return document_in(FileContent("a.pdf", Path("a.pdf"), pdf.bytes())).text.split("\n\n")


def table(
    page: Page,
    rows: Sequence[Sequence[str]],
    places: Sequence[float],
    top: float = TOP,
    *,
    bold: bool = False,
) -> None:
    """Draw rows; a negative place is the right end of a column."""
    for number, row in enumerate(rows):
        for place, text in zip(places, row, strict=True):
            page.line(place, top - ROW * number, text, 9, bold=bold and not number)


def test_a_head_above_rules_between_rows_belongs_to_them() -> None:
    pdf = Pdf()
    page = pdf.page()
    page.line(60, 760, "The books were closed in March.", 11)
    table(page, [("income", "crowns"), ("Tickets", "241,900"), ("Shop", "11,200")], (60, 200), bold=True)
    table(page, [("cost", "crowns"), ("Wages", "148,700"), ("Energy", "6,900")], (60, 200), 640, bold=True)
    for y in (TOP, TOP - ROW, 640, 640 - ROW):
        page.rule(60, y - 5, 200)
    assert blocks(pdf) == [
        "The books were closed in March.",
        "income: Tickets; crowns: 241,900",
        "income: Shop; crowns: 11,200",
        "cost: Wages; crowns: 148,700",
        "cost: Energy; crowns: 6,900",
    ]


def test_a_name_may_stand_beside_the_numbers_below_it_and_a_cell_may_be_empty() -> None:
    pdf = Pdf()
    page = pdf.page()
    table(page, [("Hive", "Honey", "Wax")], (60, 150, 260))
    table(page, [("Linden", "18", "3"), ("Barn", "", "2"), ("Brook", "23", "")], (60, 190, 300), TOP - ROW)
    assert blocks(pdf) == [
        "Hive: Linden; Honey: 18; Wax: 3",
        "Hive: Barn; Wax: 2",
        "Hive: Brook; Honey: 23",
    ]


def test_the_second_line_of_a_cell_is_told_from_a_row_by_its_distance() -> None:
    pdf = Pdf()
    page = pdf.page()
    table(page, [("Pylon", "Found", "Done")], (60, 120, 300), bold=True)
    page.line(60, 680, "P1", 9)
    page.line(120, 680, "Two bolts loose on the", 9)
    page.line(300, 680, "12 May", 9)
    page.line(120, 669, "northern foot", 9)
    page.line(60, 650, "P2", 9)
    page.line(120, 650, "Nothing", 9)
    page.line(60, 630, "P3, which is", 9)
    page.line(120, 630, "Lamp broken", 9)
    page.line(300, 630, "2 June", 9)
    page.line(60, 619, "the oldest", 9)
    assert blocks(pdf) == [
        "Pylon: P1; Found: Two bolts loose on the northern foot; Done: 12 May",
        "Pylon: P2; Found: Nothing",
        "Pylon: P3, which is the oldest; Found: Lamp broken; Done: 2 June",
    ]


def test_names_over_two_columns_and_units_are_parts_of_their_names() -> None:
    pdf = Pdf()
    page = pdf.page()
    page.line(160, TOP + ROW, "North", 9)
    page.line(300, TOP + ROW, "South", 9)
    table(page, [("Row", "old", "new", "old", "new")], (60, 140, 200, 280, 340))
    table(page, [("A", "12", "14", "3", "9"), ("B", "7", "8", "1", "")], (60, 140, 200, 280, 340), TOP - ROW)
    page.rule(60, TOP - 5, 320)
    assert blocks(pdf) == [
        "Row: A; North old: 12; North new: 14; South old: 3; South new: 9",
        "Row: B; North old: 7; North new: 8; South old: 1",
    ]


def test_a_table_that_goes_on_keeps_its_head_also_where_a_column_is_empty() -> None:
    pdf = Pdf()
    page = pdf.page()
    table(page, [("Run", "Guests", "Note"), ("L1", "12", "late"), ("L2", "9", "")], (60, 140, 200), 300)
    page = pdf.page()
    table(page, [("L3", "4", ""), ("L4", "17", ""), ("L5", "6", "")], (60, 140, 200))
    page.line(60, 600, "The keeper wrote this down.", 11)
    assert blocks(pdf)[-4:] == [
        "Run: L3; Guests: 4",
        "Run: L4; Guests: 17",
        "Run: L5; Guests: 6",
        "The keeper wrote this down.",
    ]


def test_a_name_above_its_line_stands_over_the_columns_below_it() -> None:
    """Browsers set names that cover two rows between the names beside them."""
    pdf = Pdf()
    page = pdf.page()
    page.line(110, 709, "Guests", 9, bold=True)
    for x, name in ((60, "Quay"), (240, "Note")):
        page.line(x, 701, name, 9, bold=True)
    for x, name in ((100, "2024"), (140, "2025")):
        page.line(x, 693, name, 9, bold=True)
    table(page, [("North", "1,204", "998", "closed"), ("South", "88", "", "new")], (60, 100, 140, 240), 670)
    assert blocks(pdf) == [
        "Quay: North; Guests 2024: 1,204; Guests 2025: 998; Note: closed",
        "Quay: South; Guests 2024: 88; Note: new",
    ]


def test_a_table_in_a_column_of_text_is_read_there() -> None:
    pdf = Pdf()
    page = pdf.page()
    lines = ["Two fitters walk the whole line with", "a lamp and a hammer, and look at each"]
    page.paragraph(60, 700, [*lines * 6, "pylon."])
    end = page.paragraph(320, 700, [*lines * 3, "of the pylons."])
    table(page, [("Pylon", "Height"), ("P1", "12.4"), ("P2", "31.0")], (324, 420), end - 10)
    text = blocks(pdf)
    assert text[-2:] == ["Pylon: P1; Height: 12.4", "Pylon: P2; Height: 31.0"]
    assert text[0] == " ".join([*lines * 6, "pylon."])


def test_columns_of_a_page_that_is_drawn_smaller_stay_apart() -> None:
    pdf = Pdf()
    page = pdf.page()
    page.shrink(0.5)
    table(page, [("Hive", "Honey"), ("Linden", "18"), ("Barn", "23")], (60, 103))
    assert blocks(pdf) == ["Hive: Linden; Honey: 18", "Hive: Barn; Honey: 23"]


def test_addresses_beside_each_other_are_no_table() -> None:
    pdf = Pdf()
    page = pdf.page()
    table(page, [("Ropeway", "Ada Holm"), ("Quay Street", "Moor Road"), ("Hallen", "Norrvik")], (60, 300))
    assert blocks(pdf) == ["Ropeway | Ada Holm", "Quay Street | Moor Road", "Hallen | Norrvik"]


@pytest.mark.parametrize("rules", [(), (720.0, 560.0)], ids=["without rules", "between rules"])
def test_text_in_columns_is_no_table(rules: tuple[float, ...]) -> None:
    pdf = Pdf()
    page = pdf.page()
    lines = [
        "Two fitters walk the whole line",
        "with a lamp and a hammer, look",
        "at each pylon and tighten what",
        "came loose.",
    ]
    for left in (60, 300):
        page.paragraph(left, 700, lines * 2)
    for y in rules:
        page.rule(60, y, 460)
    assert " ".join(blocks(pdf)) == " ".join(lines * 4)


def test_many_rules_that_begin_and_end_alike_are_bounded_work() -> None:
    pdf = Pdf()
    page = pdf.page()
    for number in range(450):
        page.rule(60, 20 + 1.7 * number, 300 + number % 3)
        page.line(60, 20 + 1.7 * number, "a", 1)
        page.line(300, 20 + 1.7 * number, "b", 1)
    assert sum(block.count("a") for block in blocks(pdf)) == 450


def test_each_cell_is_read_once_where_rules_of_several_widths_lie_over_it() -> None:
    pdf = Pdf()
    page = pdf.page()
    for number in range(60):
        page.rule(20 + number % 6 * 9, 100 + 10 * number, 300)
    for row in range(40):
        for column in range(12):
            page.line(24 + 26 * column, 102 + 15 * row, "7", 6)
    assert sum(block.count("7") for block in blocks(pdf)) == 480
