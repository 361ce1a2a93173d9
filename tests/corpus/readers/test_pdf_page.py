"""Pages of PDFs are drawn, and sentences of their documents are marked where they stand."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pytest
from layouts import Pdf

from docs.tools.examples import ROOT
from probative.corpus.readers.formats import document_in
from probative.corpus.readers.pdf_page import MAX_WIDTH, Box, Quote, cells_of, draw_page, letters_of
from probative.corpus.readers.text_builder import FileContent, read_bytes
from probative.errors import UnreadableError
from probative.server.routes.pages import boxes_on, quotes_on
from probative.text.sentences import split_sentences

EXAMPLES = sorted((ROOT / "examples" / "corpus").rglob("*.pdf"))


def content(data: bytes) -> FileContent:
    return FileContent("a.pdf", Path("a.pdf"), data)


def text_in(page: Any, boxes: tuple[Box, ...]) -> str:
    """Return the letters whose middles are within boxes."""
    width, height = page.get_size()
    textpage = page.get_textpage()
    found = ""
    for index, letter in enumerate(textpage.get_text_range()):
        left, bottom, right, top = textpage.get_charbox(index)
        x, y = (left + right) / 2 / width, 1 - (bottom + top) / 2 / height
        if any(
            box.left <= x <= box.left + box.width and box.top <= y <= box.top + box.height for box in boxes
        ):
            found += letter
    return letters_of(found)


def pixels(png: bytes) -> Any:
    """Return the pixels of a PNG of ours, which has one part of data and no filters."""
    width, height = struct.unpack(">II", png[16:24])
    size = struct.unpack(">I", png[33:37])[0]
    rows = np.frombuffer(zlib.decompress(png[41 : 41 + size]), np.uint8).reshape(height, width * 3 + 1)
    return rows[:, 1:].reshape(height, width, 3)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_sentence_of_an_example_is_found_where_it_stands(path: Path) -> None:
    read = read_bytes(path, path.name)
    document = document_in(read)
    pdf = pypdfium2.PdfDocument(read.data)
    try:
        for sentence in split_sentences(document.text, document.language):
            number = document.page_at(sentence.start) or 1
            spans = ((sentence.start, sentence.end),)
            quotes = quotes_on(document, number, spans)
            page, picture = draw_page(read, number, quotes)
            assert (page.pages, picture) == (len(pdf), b"")
            text = quotes[0].text
            (boxes,) = boxes_on(document, number, spans, page.boxes)
            shown = text_in(pdf[number - 1], boxes)
            assert shown in (letters_of(text), letters_of(cells_of(text))), text
    finally:
        pdf.close()


def test_of_a_sentence_that_repeats_the_right_one_is_marked() -> None:
    pdf = Pdf()
    page = pdf.page()
    page.paragraph(60, 780, ["The gate is shut at night.", "It rained.", "The gate is shut at night."])
    read = content(pdf.bytes())
    document = document_in(read)
    first = document.text.index("The gate")
    second = document.text.index("The gate", first + 1)
    length = len("The gate is shut at night.")
    spans = ((first, first + length), (second, second + length))
    page_marks, _ = draw_page(read, 1, quotes_on(document, 1, spans))
    (upper,), (lower,) = page_marks.boxes
    assert upper.top < lower.top
    assert upper.left == lower.left


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_boxes_cover_the_ink_on_a_page_that_is_turned_and_cut(turn: int) -> None:
    pdf = Pdf()
    page = pdf.page()
    page.line(200, 500, "The mast was struck by lightning.", 20)
    made = pypdfium2.PdfDocument(pdf.bytes())
    made[0].set_rotation(turn)
    made[0].set_cropbox(150, 300, 595, 700)
    out = io.BytesIO()
    made.save(out)
    made.close()
    marked, picture = draw_page(
        content(out.getvalue()), 1, [Quote(text="The mast was struck by lightning.")], 800
    )
    (box,) = marked.boxes[0]
    shown = pixels(picture)
    height, width, _ = shown.shape
    dark = np.argwhere(shown.min(axis=2) < 128)
    inside = (
        (dark[:, 0] >= box.top * height - 6)
        & (dark[:, 0] <= (box.top + box.height) * height + 6)
        & (dark[:, 1] >= box.left * width - 6)
        & (dark[:, 1] <= (box.left + box.width) * width + 6)
    )
    assert len(dark) > 100
    assert inside.all()
    assert box.width * width * box.height * height < 0.2 * width * height


def test_a_sentence_in_two_columns_is_marked_in_both() -> None:
    pdf = Pdf()
    page = pdf.page()
    page.line(60, 700, "The harbour board decided on Monday that the old")
    page.line(320, 780, "slipway is closed until the divers have seen it.")
    page.line(60, 400, "Something else stands at the bottom of the page.")
    wanted = "decided on Monday that the old slipway is closed until the divers have seen it."
    marked, _ = draw_page(
        content(pdf.bytes()), 1, [Quote(text=wanted), Quote(text="Not on this page at all")]
    )
    assert len(marked.boxes[0]) == 2
    assert marked.boxes[1] == ()


def test_a_picture_has_its_width_within_limits() -> None:
    pdf = Pdf()
    page = pdf.page()
    page.line(60, 700, "It rained.")
    read = content(pdf.bytes())
    for asked, width in ((300, 300), (10**9, MAX_WIDTH)):
        _, picture = draw_page(read, 1, (), asked)
        assert abs(struct.unpack(">I", picture[16:20])[0] - width) <= 1
    tall = pypdfium2.PdfDocument.new()
    tall.new_page(10, 14_000)
    out = io.BytesIO()
    tall.save(out)
    _, picture = draw_page(content(out.getvalue()), 1, (), 2_000)
    across, down = struct.unpack(">II", picture[16:24])
    assert across * down < 17_000_000


def test_what_cannot_be_drawn_says_why() -> None:
    pdf = Pdf()
    page = pdf.page()
    page.line(60, 700, "It rained.")
    for data, number, words in (
        (pdf.bytes(), 2, "a.pdf has 1 pages, not 2"),
        (b"%PDF-1.7 and no more", 1, "cannot be drawn"),
        (b"no PDF", 1, "cannot be drawn"),
    ):
        with pytest.raises(UnreadableError, match=words):
            draw_page(content(data), number)
