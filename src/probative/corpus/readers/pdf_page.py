"""Draw a page of a PDF, and find where sentences of its document stand on it.

A document's text is not that of the file letter for letter: line ends are joined, ligatures are written out,
footers are left out. So a sentence is looked for by its letters and digits alone, in the order of the file;
the row of a table, which a document has with its header, by those of its cells. What the file has in pieces,
as in two columns, is found piece by piece.
"""

from __future__ import annotations

import ctypes
import struct
import unicodedata
import zlib
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from probative.corpus.readers.image import draw_image, is_picture
from probative.corpus.readers.pdf import opened_pdf
from probative.corpus.readers.text_builder import FileContent
from probative.errors import UnreadableError
from probative.types import Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_WIDTH = 2_400
# An A0 poster at 100 dpi has 15 million pixels.
_MAX_PIXELS = 16_000_000
# Pages with more characters are drawings of data; a sentence is not looked for in pieces on them.
_MAX_LETTERS = 50_000
# A piece of a sentence has at least this many letters; all pieces together, at least half of it.
_PIECE, _LEAST = 8, 0.5
# Characters of a text layer may be drawn again and again; more boxes than these are no sentence.
_MAX_BOXES = 200


class Box(Value):
    """A rectangle on a page, from its top left corner, as shares of the page's width and height."""

    left: float
    top: float
    width: float
    height: float


class Quote(Value):
    """A text to find on a page; `before` is how often the same letters stand on the page before it."""

    text: str
    before: int = 0


class DrawnPage(Value):
    """A page: how many there are, its size in points, and the boxes of each quote; none if not found."""

    pages: int
    width: float
    height: float
    boxes: tuple[tuple[Box, ...], ...] = ()


def draw_page(
    content: FileContent, number: int, quotes: Sequence[Quote] = (), width: int = 0
) -> tuple[DrawnPage, bytes]:
    """Return a page, counted from 1, with the boxes of quotes, and its picture of some `width` as PNG; no
    picture for the width 0. Quotes are found on pages of a PDF that have text. Raises `UnreadableError` if
    there is no such page, or no PDF and no picture.
    """
    if is_picture(content.data):
        pixels, (across, down) = draw_image(content, number, width or 1)
        return DrawnPage(pages=number, width=across, height=down), png(pixels) if width else b""
    with opened_pdf(content, "cannot be drawn") as pdf:
        pages = len(pdf)
        if not 1 <= number <= pages:
            raise UnreadableError("no page", f"{content.source} has {pages:,} pages, not {number:,}")
        page = pdf[number - 1]
        size = page.get_size()
        boxes = tuple(_boxes(page, quotes)) if quotes else ()
        picture = _picture(page, width) if width else b""
    return DrawnPage(pages=pages, width=size[0], height=size[1], boxes=boxes), picture


def _picture(page: Any, width: int) -> bytes:
    across, down = page.get_size()
    scale = min(min(width, MAX_WIDTH) / across, (_MAX_PIXELS / (across * down)) ** 0.5)
    bitmap = page.render(scale=scale, rev_byteorder=True)
    try:
        return png(bitmap.to_numpy())
    finally:
        bitmap.close()


def png(pixels: NDArray[np.uint8]) -> bytes:
    r"""Return rows of pixels as a PNG; each pixel has one value (grey), three (RGB) or four, without the
    last.

    >>> import numpy as np
    >>> png(np.zeros((2, 3, 3), np.uint8))[:4]
    b'\x89PNG'
    """
    import numpy as np

    height, width, *channels = pixels.shape
    colours = 3 if channels and channels[0] >= 3 else 1
    rows = pixels.reshape(height, width, -1)[:, :, :colours].reshape(height, width * colours)
    # Each row begins with the filter 0: none.
    data = np.concatenate([np.zeros((height, 1), np.uint8), rows], axis=1).tobytes()
    header = struct.pack(">IIBBBBB", width, height, 8, 2 if colours == 3 else 0, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(data, 3)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(part)) + kind + part + struct.pack(">I", zlib.crc32(kind + part))
        for kind, part in parts
    )


def letters_of(text: str) -> str:
    """Return the letters and digits of a text, without case and with ligatures written out.

    >>> letters_of("The ﬁrst ferry, at 6:30 m²")
    'thefirstferryat630m2'
    """
    return "".join(map(_folded, text))


def _folded(character: str) -> str:
    return "".join(each for each in unicodedata.normalize("NFKC", character).casefold() if each.isalnum())


def _boxes(page: Any, quotes: Sequence[Quote]) -> Iterator[tuple[Box, ...]]:
    """Yield the boxes of each quote."""
    import pypdfium2.raw as raw

    textpage = page.get_textpage()
    try:
        codes = (
            raw.FPDFText_GetUnicode(textpage, index) for index in range(raw.FPDFText_CountChars(textpage))
        )
        signs = [chr(code) if code < 0xD800 or 0xDFFF < code <= 0x10FFFF else " " for code in codes]
        folded = [_folded(sign) for sign in signs]
        text = "".join(folded)
        places = [index for index, letters in enumerate(folded) for _ in letters]
        for quote in quotes:
            pieces = find_pieces(text, quote)
            spans = [_with_marks(signs, places[start], places[end - 1] + 1) for start, end in pieces]
            yield tuple(_drawn(page, rectangle) for rectangle in _rectangles(textpage, spans))
    finally:
        textpage.close()


def _with_marks(signs: Sequence[str], start: int, end: int) -> tuple[int, int]:
    """Return a span with the brackets, quotation marks and stops beside it."""
    while start > 0 and _is_mark(signs[start - 1]):
        start -= 1
    while end < len(signs) and _is_mark(signs[end]):
        end += 1
    return start, end


def _is_mark(sign: str) -> bool:
    return sign.isprintable() and not sign.isspace() and not sign.isalnum()


def find_pieces(text: str, quote: Quote) -> list[tuple[int, int]]:
    """Return where the letters of a quote stand in those of a page: one piece, several, or none.

    >>> find_pieces("roperopes", Quote(text="Rope", before=1))
    [(4, 8)]
    >>> find_pieces("thefirstferryleavesfootnoteatsixinthemorning", Quote(
    ...     text="The first ferry leaves at six in the morning"))
    [(0, 19), (27, 44)]
    """
    wanted = letters_of(quote.text)
    for letters in filter(None, (wanted, letters_of(cells_of(quote.text)))):
        starts: list[int] = []
        at = text.find(letters)
        while at >= 0 and len(starts) <= quote.before:
            starts.append(at)
            at = text.find(letters, at + 1)
        if starts:
            return [(starts[-1], starts[-1] + len(letters))]
        wanted = letters
    if not wanted or len(text) > _MAX_LETTERS:
        return []
    blocks = SequenceMatcher(None, text, wanted, autojunk=False).get_matching_blocks()
    pieces = [(block.a, block.a + block.size) for block in blocks if block.size >= min(_PIECE, len(wanted))]
    return pieces if sum(end - start for start, end in pieces) >= _LEAST * len(wanted) else []


def cells_of(text: str) -> str:
    """Return the cells of a row that is written with its header; nothing for other texts.

    >>> cells_of("boat: Gull; berth: 4"), cells_of("It rained.")
    ('Gull 4', '')
    """
    cells = [part.partition(": ") for part in text.split("; ")]
    return " ".join(cell[2] for cell in cells) if all(cell[1] for cell in cells) else ""


def _rectangles(
    textpage: Any, spans: Iterable[tuple[int, int]]
) -> Iterator[tuple[float, float, float, float]]:
    """Yield a rectangle for each line of spans of characters: left, top, right, bottom, in points."""
    import pypdfium2.raw as raw

    left, top, right, bottom = (ctypes.c_double() for _ in range(4))
    count = 0
    for start, end in spans:
        for number in range(raw.FPDFText_CountRects(textpage, start, end - start)):
            if raw.FPDFText_GetRect(textpage, number, left, top, right, bottom) and count < _MAX_BOXES:
                count += 1
                yield left.value, top.value, right.value, bottom.value


# The picture that corners are placed on: pdfium gives whole numbers.
_GRID = 10_000


def _drawn(page: Any, rectangle: tuple[float, float, float, float]) -> Box:
    """Return where a rectangle is on the page as it is shown: it may be turned, or cut."""
    import pypdfium2.raw as raw

    left, top, right, bottom = rectangle
    across, down = ctypes.c_int(), ctypes.c_int()
    corners = []
    for x, y in ((left, top), (right, bottom)):
        raw.FPDF_PageToDevice(page, 0, 0, _GRID, _GRID, 0, x, y, across, down)
        corners.append((across.value / _GRID, down.value / _GRID))
    (one, first), (other, last) = corners
    return Box(left=min(one, other), top=min(first, last), width=abs(one - other), height=abs(first - last))
