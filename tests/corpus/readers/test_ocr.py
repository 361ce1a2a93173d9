"""Scans and pictures are read by OCR: their words with their places, marked as such, within limits."""

from __future__ import annotations

import socket
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from layouts import HEIGHT, WIDTH, Pdf
from scans import drawn, saved

from probative.corpus.corpus import Corpus
from probative.corpus.documents.document import READ_BY_OCR, Document
from probative.corpus.documents.passages import passages_of
from probative.corpus.index.update import update_index
from probative.corpus.readers import image, ocr
from probative.corpus.readers.formats import read_document
from probative.corpus.readers.ocr import Word
from probative.corpus.readers.ocr_page import word_boxes
from probative.corpus.reading.limited import ReadLimits, read_limited
from probative.errors import ReadingLimitError, UnreadableError

LINES = ["The ferry leaves the quay at six.", "A ticket is 3.20 crowns."]


def read(data: bytes, folder: Path, name: str) -> Document:
    file = folder / name
    file.write_bytes(data)
    return read_document(file)


def scan(pdf: Pdf, picture: Any) -> None:
    """Add a page with a picture."""
    page = pdf.page()
    page.picture(picture, 0, HEIGHT - WIDTH * picture.height / picture.width, WIDTH)


@pytest.mark.slow
def test_a_scanned_pdf_is_read_and_each_word_has_its_place(tmp_path: Path) -> None:
    pdf = Pdf()
    scan(pdf, drawn(LINES))
    document = read(pdf.bytes(), tmp_path, "scan.pdf")
    assert document.text == "\n\n".join(LINES) or document.text == " ".join(LINES)
    assert (document.metadata, document.notes) == (READ_BY_OCR, ("the page is read by OCR",))
    assert all(passage.metadata == READ_BY_OCR for passage in passages_of(document))
    words = {document.quote(word.start, word.end): word for word in document.words}
    drawn_words = "The ferry leaves the quay at six A ticket is 3.20 crowns"
    assert " ".join(document.quote(word.start, word.end) for word in document.words) == drawn_words
    # "ferry" begins 81 pixels from the left and 40 from the top of a picture that is 620 pixels wide.
    ferry, scale = words["ferry"], WIDTH / 620
    assert (ferry.left * WIDTH, ferry.top * HEIGHT) == pytest.approx((81 * scale, 40 * scale), abs=12)
    assert words["crowns"].top > ferry.bottom - 0.01 > ferry.top
    assert ferry.right < words["leaves"].right < words["quay"].right


@pytest.mark.slow
def test_only_pages_without_text_are_read_by_ocr_and_their_passages_say_so(tmp_path: Path) -> None:
    pdf = Pdf()
    pdf.page().line(72, 700, "The crane was built in 1904.")
    scan(pdf, drawn(LINES))
    document = read(pdf.bytes(), tmp_path, "mixed.pdf")
    assert document.notes == ("1 of 2 pages (2) is read by OCR",)
    marked = {passage.page: passage.metadata for passage in passages_of(document)}
    assert marked == {1: {}, 2: READ_BY_OCR}
    assert document.metadata == {}
    assert document.page_at(document.words[0].start) == 2


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_pictures_are_read(tmp_path: Path, kind: str) -> None:
    document = read(saved(drawn(LINES).convert("RGB"), kind), tmp_path, f"photo.{kind.lower()}")
    assert [sentence for sentence in LINES if sentence in document.text] == LINES
    assert document.pages == (0,)


@pytest.mark.slow
def test_each_picture_of_a_tiff_file_is_a_page(tmp_path: Path) -> None:
    first, second = drawn(LINES[:1]).convert("1"), drawn(LINES[1:]).convert("1")
    data = saved(first, "TIFF", save_all=True, append_images=[second], compression="group4")
    document = read(data, tmp_path, "fax.tif")
    assert (len(document.pages), document.page_at(document.text.index("ticket"))) == (2, 2)


@pytest.mark.slow
@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_turned_page_is_read_and_its_words_stay_where_they_are(quarters: int) -> None:
    pixels = np.asarray(drawn(LINES).convert("RGB"))
    reading = ocr.read_lines(np.rot90(pixels, quarters))
    assert [line.text for line in reading.lines] == LINES
    left, top, right, bottom = reading.on_picture(reading.lines[0].words[0].box)
    # The first word is in the upper left corner of the page, which is turned against the clock.
    corner = {1: (0.0, 1.0), 2: (1.0, 1.0), 3: (1.0, 0.0)}[quarters]
    assert ((left + right) / 2, (top + bottom) / 2) == pytest.approx(corner, abs=0.3)


@pytest.mark.slow
def test_a_skewed_page_of_two_columns_is_read_one_after_the_other(tmp_path: Path) -> None:
    left = [
        "The harbour office opens at",
        "eight and closes at noon in",
        "the winter months of each",
        "year.",
    ]
    right = ["A fee is due for each boat", "that stays for longer than", "two nights at the outer", "pier."]
    page = drawn([], size=(1000, 300))
    for column, lines in ((0, left), (480, right)):
        page.paste(drawn(lines, size=(440, 220)), (column + 20, 30))
    skewed = page.rotate(-2.0, resample=3, fillcolor=255)
    text = read(saved(skewed, "PNG"), tmp_path, "columns.png").text
    assert " ".join(text.split()) == " ".join([*left, *right])


def test_without_the_extra_scans_are_named_with_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ocr, "is_installed", lambda: False)
    pdf = Pdf()
    scan(pdf, drawn(LINES))
    install = r"OCR is not installed: pip install 'probative-evidence\[ocr\]'"
    with pytest.raises(UnreadableError, match=install) as caught:
        read(pdf.bytes(), tmp_path, "scan.pdf")
    assert caught.value.reason == "scanned"
    with pytest.raises(UnreadableError, match=install) as caught:
        read(saved(drawn(LINES), "PNG"), tmp_path, "scan.png")
    assert caught.value.reason == "image"
    pdf = Pdf()
    pdf.page().line(72, 700, "A page of text.")
    scan(pdf, drawn(LINES))
    (note,) = read(pdf.bytes(), tmp_path, "mixed.pdf").notes
    assert note.startswith("1 of 2 pages (2) is without text; to read pictures by OCR: pip install")


def png(width: int, height: int) -> bytes:
    """Return a PNG file that says that it has so many pixels, and has none."""
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(bytes(100))), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(part)) + kind + part + struct.pack(">I", zlib.crc32(kind + part))
        for kind, part in parts
    )


@pytest.mark.parametrize("size", [(10_000, 10_000), (60_000, 60_000), (2**31 - 1, 2**31 - 1)])
def test_a_bomb_of_pixels_is_too_large(tmp_path: Path, size: tuple[int, int]) -> None:
    with pytest.raises(UnreadableError, match="more than 89,000,000 pixels") as caught:
        read(png(*size), tmp_path, "bomb.png")
    assert caught.value.reason == "too large"


def damaged() -> dict[str, bytes]:
    whole = drawn(LINES).convert("RGB")
    files = {kind.lower(): saved(whole, kind) for kind in ("PNG", "JPEG", "TIFF", "WEBP")}
    # The offset of the first directory of a TIFF file: into the header itself, which is none.
    files["tif"] = b"II*\x00\x04\x00\x00\x00" + bytes(40)
    return {name: data if name == "tif" else data[: len(data) // 2] for name, data in files.items()}


@pytest.mark.parametrize(("name", "data"), damaged().items(), ids=list(damaged()))
def test_half_a_picture_is_damaged(tmp_path: Path, name: str, data: bytes) -> None:
    with pytest.raises(UnreadableError) as caught:
        read(data, tmp_path, f"half.{name}")
    assert caught.value.reason == "damaged"


@pytest.mark.parametrize("size", [(1, 1), (1, 60_000), (3, 2)])
def test_a_picture_without_words_is_empty(tmp_path: Path, size: tuple[int, int]) -> None:
    with pytest.raises(UnreadableError, match="OCR found no words") as caught:
        read(saved(drawn([], size=size), "PNG"), tmp_path, "dot.png")
    assert caught.value.reason == "empty"


def test_the_name_of_a_picture_that_is_none_is_damaged(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="is not a JPG file"):
        read(b"It rained.", tmp_path, "photo.jpg")


@pytest.mark.parametrize("mode", ["RGBA", "P", "CMYK", "I;16", "LA", "1"])
def test_pictures_of_every_kind_of_pixel_are_dark_on_white(mode: str) -> None:
    from PIL import Image, ImageChops

    grey = drawn(LINES)
    if mode == "I;16":
        made = Image.fromarray(np.asarray(grey, dtype=np.uint16) * 257)
    elif mode in ("RGBA", "LA"):  # black letters on nothing
        black = [Image.new("L", grey.size)] * (len(mode) - 1)
        made = Image.merge(mode, [*black, ImageChops.invert(grey)])
    else:
        made = grey.convert("RGB").convert(mode)
    pixels = image._pixels(image._small(made))
    assert pixels.shape == (*reversed(grey.size), 3)
    assert pixels.mean() > 220 > 100 > pixels.min()


@pytest.mark.slow
def test_nothing_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise AssertionError("OCR opened a connection")

    monkeypatch.setattr(socket, "socket", refused)
    ocr._engine.cache_clear()
    reading = ocr.read_lines(np.asarray(drawn(LINES[:1]).convert("RGB")))
    assert [line.text for line in reading.lines] == LINES[:1]


def test_a_pdf_with_text_does_not_load_ocr(tmp_path: Path) -> None:
    pdf = Pdf()
    pdf.page().line(72, 700, "The crane was built in 1904.")
    (tmp_path / "a.pdf").write_bytes(pdf.bytes())
    code = (
        "import sys; from pathlib import Path; from probative.corpus.readers.formats import read_document; "
        "read_document(Path(sys.argv[1])); print({'cv2', 'rapidocr', 'PIL'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "a.pdf")], capture_output=True, text=True
    )
    assert done.stdout.strip() == "set()", done.stderr


@pytest.mark.slow
def test_each_page_has_the_time_and_the_memory_of_ocr(tmp_path: Path) -> None:
    # 256 MB would not do for the models alone.
    file = tmp_path / "fax.tif"
    file.write_bytes(saved(drawn(LINES), "TIFF", save_all=True, append_images=[drawn(LINES)]))
    (content,) = read_limited([(file, "fax.tif")], ReadLimits(memory_bytes=700_000_000))
    assert not isinstance(content, Exception), content
    assert len(content.document.pages) == 2
    (late,) = read_limited([(file, "fax.tif")], ReadLimits(seconds=0.05))
    assert isinstance(late, ReadingLimitError)
    assert late.reason == "time"


@pytest.mark.slow
def test_no_more_pages_are_read_than_allowed(tmp_path: Path) -> None:
    from probative.corpus.readers.text_builder import FileContent

    data = saved(drawn(LINES), "TIFF", save_all=True, append_images=[drawn(LINES)] * 2)
    asked: list[str] = []
    content = FileContent("fax.tif", Path("fax.tif"), data, 2, lambda: asked.append("page"))
    document = image.read_image(content)
    assert (len(document.pages), len(asked)) == (2, 2)
    assert document.notes == ("2 of 2 pages (1, 2) are read by OCR", "no more than 2 pages are read by OCR")


@pytest.mark.slow
def test_scans_are_read_when_ocr_is_installed_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from probative.corpus.reading import limited

    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "scan.png").write_bytes(saved(drawn(LINES), "PNG"))

    def read_here(files: Any, _: object = None) -> list[Any]:
        contents: list[Any] = []
        for path, source in files:
            try:
                contents.append(read_document(path, source))
            except UnreadableError as error:
                contents.append(error)
        return contents

    with monkeypatch.context() as patch:
        patch.setattr(limited, "read_limited", read_here)
        patch.setattr(ocr, "is_installed", lambda: False)
        (unread,) = update_index(folder, tmp_path / "index").unread
    assert "pip install" in unread.what
    assert update_index(folder, tmp_path / "index").documents == 1
    with Corpus(tmp_path / "index") as corpus:
        (passage,) = corpus("When does the ferry leave?", 1)
        assert passage.metadata == READ_BY_OCR
        assert corpus.document("scan.png").words


def test_words_are_found_again_in_rows_and_where_they_were_moved() -> None:
    text = "boat: Gull; berth: 4\n\nIt rained all day. The quay was wet."
    box = (0.0, 0.0, 0.1, 0.1)
    read = "boat berth Gull 4 The quay was wet. It rained all day. 17"
    words = [Word(word, box) for word in read.split()]
    found = {text[place.start : place.end] for place in word_boxes(text, 0, len(text), words)}
    assert {"Gull", "4", "The", "quay", "wet", "rained", "day"} <= found
