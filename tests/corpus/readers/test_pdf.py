"""PDFs are read in reading order, with pages, headings and words that were split, and without margins."""

from __future__ import annotations

from pathlib import Path

import pytest
from layouts import HEIGHT, Pdf

from probative.corpus.documents.document import Document
from probative.corpus.documents.passages import passages_of
from probative.corpus.readers import ocr
from probative.corpus.readers.formats import read_document
from probative.errors import UnreadableError

LEFT = [
    "The ferry to the island leaves at six each",
    "morning and comes back at noon. In the",
    "winter it waits for the bus from the town.",
    "The captain decides about the weather.",
]
RIGHT = [
    "Tickets are sold on board and at the kiosk.",
    "Children below six years travel free of",
    "charge. Dogs need a ticket, and bicycles",
    "do not need one before nine o'clock.",
]


def read(pdf: Pdf, folder: Path) -> Document:
    file = folder / "report.pdf"
    file.write_bytes(pdf.bytes())
    return read_document(file)


def test_lines_become_paragraphs_and_split_words_are_joined(tmp_path: Path) -> None:
    pdf = Pdf()
    page = pdf.page()
    page.paragraph(
        72, 700, ["The first ferry left the har-", "bour at six. A well-known captain", "was ill."]
    )
    page.paragraph(72, 620, ["The har", "bour was a well-", "known one."])
    text = read(pdf, tmp_path).text
    assert "left the harbour at six. A well-known captain was ill." in text
    assert "was a well-known one." in text


@pytest.mark.parametrize("by_row", [False, True])
def test_columns_are_read_one_after_the_other_however_they_were_written(tmp_path: Path, by_row: bool) -> None:
    pdf = Pdf()
    page = pdf.page()
    page.line(72, 770, "The island line: what every guest of the harbour should know today", 16, bold=True)
    page.line(
        72, 740, "This note was written by the harbour office and holds for all boats of the summer season."
    )
    if by_row:
        for row, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True)):
            page.line(72, 700 - 14 * row, left)
            page.line(320, 700 - 14 * row, right)
    else:
        page.paragraph(72, 700, LEFT)
        page.paragraph(320, 700, RIGHT)
    document = read(pdf, tmp_path)
    assert " ".join(LEFT) in document.text
    assert " ".join(RIGHT) in document.text
    assert document.text.index("This note") < document.text.index(LEFT[0]) < document.text.index(RIGHT[0])
    assert document.title.startswith("The island line")


def test_rows_of_a_table_stay_together(tmp_path: Path) -> None:
    pdf = Pdf()
    page = pdf.page()
    rows = [("Route", "First", "Fare"), ("Harbour line", "06:10", "3.20"), ("Island line", "07:30", "5.00")]
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            page.line(72 + 150 * column, 700 - 16 * row, cell)
    blocks = read(pdf, tmp_path).text.split("\n\n")
    assert blocks == [
        "Route: Harbour line; First: 06:10; Fare: 3.20",
        "Route: Island line; First: 07:30; Fare: 5.00",
    ]


def test_rows_without_a_header_keep_their_cells_apart(tmp_path: Path) -> None:
    pdf = Pdf()
    page = pdf.page()
    for row, cells in enumerate([("Motor", "37 kW"), ("Ropes", "2 of 28 mm"), ("Gauge", "1,140 mm")]):
        page.line(72, 700 - 16 * row, cells[0])
        page.line(250, 700 - 16 * row, cells[1])
    assert read(pdf, tmp_path).text.split("\n\n") == [
        "Motor | 37 kW",
        "Ropes | 2 of 28 mm",
        "Gauge | 1,140 mm",
    ]


def test_numbered_clauses_are_blocks_of_their_own(tmp_path: Path) -> None:
    pdf = Pdf()
    page = pdf.page()
    lines = [
        "3.1 Each rope is tested on a sample of",
        "3.20 metres. The load is at least 520 kN.",
        "3.2 The Supplier keeps it.",
    ]
    page.paragraph(72, 700, lines)
    assert read(pdf, tmp_path).text.split("\n\n") == [f"{lines[0]} {lines[1]}", lines[2]]


def test_headers_and_page_numbers_are_left_out_and_sentences_go_on_over_pages(tmp_path: Path) -> None:
    pdf = Pdf()
    bodies = [
        ["Each boat has a log. The captain of the first boat writes down the time and the"],
        ["weather at each stop. The log stays on board.", "It was read twice a year."],
        ["The harbour office keeps old logs for ten years."],
    ]
    for number, lines in enumerate(bodies, start=1):
        page = pdf.page()
        page.line(72, HEIGHT - 40, "Harbour office: annual report")
        page.paragraph(72, 700, lines)
        page.line(280, 30, f"Page {number} of 3")
    document = read(pdf, tmp_path)
    assert "annual report" not in document.text
    assert "Page" not in document.text
    joined = "writes down the time and the weather at each stop."
    assert joined in document.text
    at = document.text.index(joined)
    assert document.page_at(at) == 1
    assert document.page_at(document.text.index("weather")) == 2
    assert document.page_at(document.text.index("old logs")) == 3
    assert len(document.pages) == 3


def test_headings_are_told_by_their_font(tmp_path: Path) -> None:
    pdf = Pdf()
    page = pdf.page()
    page.line(72, 760, "Harbour rules", 20, bold=True)
    page.line(72, 720, "1. Boats", 14, bold=True)
    page.paragraph(72, 700, LEFT)
    page.line(72, 600, "Nets", 11, bold=True)
    page.paragraph(72, 580, RIGHT)
    document = read(pdf, tmp_path)
    assert [(heading.text, heading.level) for heading in document.headings] == [
        ("Harbour rules", 1),
        ("1. Boats", 2),
        ("Nets", 3),
    ]
    assert all(document.quote(heading.start, heading.end) == heading.text for heading in document.headings)


def test_a_mark_of_a_footnote_does_not_hide_the_end_of_a_sentence(tmp_path: Path) -> None:
    pdf = Pdf()
    page = pdf.page()
    page.raised(72, 700, "The pier was built in 1904.", "12", " It was mended later.")
    page.line(72, 100, "12 Minutes of the council, volume 3, as the archive of the town has them.", 8)
    assert "in 1904.[12] It was mended later." in read(pdf, tmp_path).text


def test_an_encrypted_pdf_says_so(tmp_path: Path) -> None:
    pdf = Pdf(password="secret")
    pdf.page().line(72, 700, "Nobody reads this.")
    with pytest.raises(UnreadableError, match="password") as caught:
        read(pdf, tmp_path)
    assert caught.value.reason == "encrypted"


def test_a_scanned_pdf_says_so_and_a_scanned_page_is_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ocr, "is_installed", lambda: False)
    scanned = Pdf()
    scanned.page().image(0, 0, 595, 842)
    with pytest.raises(UnreadableError) as caught:
        read(scanned, tmp_path)
    assert caught.value.reason == "scanned"
    mixed = Pdf()
    mixed.page().line(72, 700, "A page of text.")
    mixed.page().image(0, 0, 595, 842)
    document = read(mixed, tmp_path)
    assert document.notes[0].startswith("1 of 2 pages (2) is without text; to read pictures by OCR: pip")
    assert len(document.pages) == 2


@pytest.mark.parametrize("kept", [20, 400])
def test_a_damaged_pdf_says_so(tmp_path: Path, kept: int) -> None:
    pdf = Pdf()
    pdf.page().line(72, 700, "A page of text.")
    file = tmp_path / "broken.pdf"
    file.write_bytes(pdf.bytes()[:kept])
    with pytest.raises(UnreadableError) as caught:
        read_document(file)
    assert caught.value.reason in ("damaged", "empty")


def test_an_empty_page_says_so(tmp_path: Path) -> None:
    pdf = Pdf()
    pdf.page()
    with pytest.raises(UnreadableError) as caught:
        read(pdf, tmp_path)
    assert caught.value.reason == "empty"


FOOT = ["The captain of the first boat", "writes down the time and the"]
REST = ["weather at each stop.", "The log stays on board."]


@pytest.mark.parametrize("size", [11, 8], ids=["a caption", "a footnote"])
def test_a_sentence_goes_on_past_what_stands_at_the_foot_of_its_page(tmp_path: Path, size: float) -> None:
    pdf = Pdf()
    page = pdf.page()
    page.paragraph(72, 700, FOOT)
    page.line(72, 600, "Table 1: The boats of the line and their berths", size)
    page.line(72, 580, "Gull")
    page.line(250, 580, "berth four")
    page = pdf.page()
    page.line(72, 700, "Figure 2. A boat at the pier in the year of the great storm", 11)
    page.paragraph(
        72, 640, [*REST, "It is read out once a year, in the", "week after the feast of the nets."]
    )
    document = read(pdf, tmp_path)
    sentence = "writes down the time and the weather at each stop."
    assert sentence in document.text
    (passage,) = [each for each in passages_of(document) if sentence in each.text]
    cited = next(span for span in passage.sentences if document.quote(*span).endswith(sentence))
    assert document.page_at(cited[0]) == 1
    assert document.page_at(document.text.index("weather at")) == 2
    assert document.page_at(document.text.index("Figure 2")) == 2
    assert document.page_at(document.text.index("Table 1")) == 1
    assert "Gull | berth four" in document.text


def test_a_paragraph_that_ends_does_not_take_up_the_next_page(tmp_path: Path) -> None:
    pdf = Pdf()
    page = pdf.page()
    page.paragraph(72, 700, ["The captain of the first boat", "writes down the time of each stop."])
    page.line(72, 600, "Table 1: The boats of the line and their berths")
    page = pdf.page()
    page.paragraph(72, 700, ["weather permitting, the second boat", "leaves at nine."])
    blocks = read(pdf, tmp_path).text.split("\n\n")
    assert [block[:5] for block in blocks] == ["The c", "Table", "weath"]


def test_underscores_that_are_drawn_as_rules_are_read(tmp_path: Path) -> None:
    pdf = Pdf()
    page = pdf.page()
    x = page.spaced(72, 700, ["read", "the", "log"], rule=True)
    page.line(x + 4, 700, "gives the log of a day.")
    page.spaced(72, 660, ["boat", "crew"], rule=False)
    page.line(72, 620, "The total")
    page.rule(72, 618, 45)  # underlined
    text = read(pdf, tmp_path).text
    assert "read_the_log gives the log of a day." in text
    assert "boat crew" in text
    assert text.count("_") == 2


@pytest.mark.parametrize("title", ["", "(anonymous)", "untitled", "(Untitled)", "Microsoft Word - tides.doc"])
def test_a_title_that_a_program_put_in_is_not_used(title: str, tmp_path: Path) -> None:
    pdf = Pdf(title=title)
    page = pdf.page()
    page.line(72, 770, "The tides of the harbour", 16, bold=True)
    page.paragraph(72, 740, LEFT)
    assert read(pdf, tmp_path).title == "The tides of the harbour"


def test_dots_that_lead_to_no_page_stay(tmp_path: Path) -> None:
    pdf = Pdf()
    page = pdf.page()
    # Each way to divide so many dots would take an hour.
    page.line(72, 700, f"Fares {'.' * 3_000} none", 1)
    page.line(72, 600, f"Ports {'.' * 60} 12")
    text = read(pdf, tmp_path).text
    assert "Ports … 12" in text
    assert "." * 3_000 in text
