"""Measure OCR: the share of the words of drawn pages that are read right, in their order.

    python benchmarks/ocr.py            20 pages: five layouts, each clean and in three bad conditions
    python benchmarks/ocr.py --layouts 1

The texts and layouts are our own. Each page is drawn with Pillow, spoilt with a fixed seed, and read as a
picture by the reader of Probative; a word is right if it comes out letter for letter, with its stops, in the
order of the page. Needs the `dev` extra, which has OCR.
"""

from __future__ import annotations

import argparse
import io
import time
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import Any

from benchmark_report import add_keep, show, text_table

WIDTH, HEIGHT = 1240, 1754  # A4 at 150 dpi
_SEED = 20261119

_MINUTES = (
    "The harbour board of Stellhaven met on 3 May 2026 in the old rope walk. It heard that the outer "
    "pier had settled by 14 mm since the winter, and that two bollards must be replaced before the "
    "autumn gales. The engineer, Ms Ødegård, put the cost at 48,600 crowns; the board agreed, with "
    "one vote against. A ferry may call at berth 7 only between 06:15 and 22:40, unless the harbour "
    "master allows it in writing. Boats that are longer than 12.5 m pay a second fee, which is due on "
    "the day of arrival. Nobody may store tar, paint or spirits on the quay (see rule 9). The crane "
    "was last tested in March; its certificate no. B-2071/26 runs out in eleven months."
)
PROSE = tuple(_MINUTES.split())
ROWS = (
    ("boat", "master", "berth", "fee"),
    ("Gull", "Ida Brandt", "4", "120.50"),
    ("Grey Heron", "Marit Solberg", "11", "98.00"),
    ("Tern", "Paul Okafor", "2", "310.75"),
    ("Northern Light", "J. Wexler", "7", "1,204.20"),
    ("Petrel", "Ana Lindqvist", "9", "75.00"),
)
LETTER = (
    "Alden Ropes Ltd", "14 Quay Street, Stellhaven", "", "12 June 2026", "", "Dear Mr Okafor,", "",
    "Thank you for your order of 30 May. We shall send 240 m of", "hemp rope (24 mm) and six fenders by the "
    "coaster Tern, which", "leaves on Monday. Invoice 2026-118 comes to 3,415.60 crowns", "and is payable "
    "within thirty days.", "", "Yours sincerely,", "Grete Alden",
)  # fmt: skip

Draw = Callable[[Any], list[str]]


@cache
def font(size: int, name: str) -> Any:
    """Return a font that reportlab or matplotlib brings."""
    import matplotlib
    import reportlab
    from PIL import ImageFont

    folders = (Path(reportlab.__file__).parent / "fonts", Path(matplotlib.get_data_path()) / "fonts/ttf")
    return ImageFont.truetype(str(next(each for f in folders if (each := f / f"{name}.ttf").is_file())), size)


def prose(draw: Any, words: Sequence[str], box: tuple[int, int, int], size: int, name: str) -> list[str]:
    """Draw words as a paragraph in a box (left, top, width); return them."""
    left, top, width = box
    line = ""
    for word in (*words, ""):
        longer = f"{line} {word}".strip()
        if not word or draw.textlength(longer, font=font(size, name)) > width:
            draw.text((left, top), line, font=font(size, name), fill=0)
            line, top = word, top + round(1.5 * size)
        else:
            line = longer
    return list(words)


def one_column(draw: Any) -> list[str]:
    """A heading and a paragraph."""
    draw.text((120, 120), "Minutes of the board", font=font(40, "VeraBd"), fill=0)
    return ["Minutes", "of", "the", "board", *prose(draw, PROSE, (120, 220, 1000), 24, "Vera")]


def two_columns(draw: Any) -> list[str]:
    """Two columns of a serif font."""
    half = len(PROSE) // 2
    left = prose(draw, PROSE[:half], (100, 160, 480), 23, "DejaVuSerif")
    return left + prose(draw, PROSE[half:], (660, 160, 480), 23, "DejaVuSerif")


def small_print(draw: Any) -> list[str]:
    """Small letters: 8 points."""
    return prose(draw, PROSE, (120, 160, 1000), 17, "DejaVuSans")


def letter(draw: Any) -> list[str]:
    """A letter with short lines."""
    for number, line in enumerate(LETTER):
        draw.text((140, 140 + 40 * number), line, font=font(25, "DejaVuSerif"), fill=0)
    return " ".join(LETTER).split()


def table(draw: Any) -> list[str]:
    """A ruled table."""
    for row, cells in enumerate(ROWS):
        for column, cell in enumerate(cells):
            left, top = 120 + 260 * column, 200 + 60 * row
            draw.rectangle((left - 14, top - 14, left + 246, top + 46), outline=0)
            draw.text((left, top), cell, font=font(24, "VeraBd" if not row else "Vera"), fill=0)
    return " ".join(cell for row in ROWS[1:] for cell in row).split()


LAYOUTS: dict[str, Draw] = {
    "one column": one_column,
    "two columns": two_columns,
    "small print": small_print,
    "letter": letter,
    "table": table,
}


def clean(page: Any) -> Any:
    """Return the page as it was drawn."""
    return page


def skewed(page: Any) -> Any:
    """Turn it by 2 degrees, with noise."""
    return noisy(page.rotate(2.0, resample=3, fillcolor=255), 25)


def blurred(page: Any) -> Any:
    """Blur it as a bad lens does, at 100 dpi, as a JPEG of low quality."""
    from PIL import Image, ImageFilter

    small = page.filter(ImageFilter.GaussianBlur(1.2)).resize((WIDTH * 2 // 3, HEIGHT * 2 // 3))
    file = io.BytesIO()
    small.save(file, "JPEG", quality=40)
    return Image.open(file).convert("L")


def photographed(page: Any) -> Any:
    """Turn it by 4 degrees the other way, in uneven light with weak contrast and noise."""
    import numpy as np
    from PIL import Image

    turned = np.asarray(page.rotate(-4.0, resample=3, fillcolor=255), dtype=float)
    light = np.linspace(0.55, 1.0, turned.shape[1])[None, :]
    return noisy(Image.fromarray(((90 + turned * 0.6) * light).clip(0, 255).astype("uint8")), 12)


def noisy(page: Any, strength: float) -> Any:
    """Add noise to each pixel."""
    import numpy as np
    from PIL import Image

    noise = np.random.default_rng(_SEED).normal(0, strength, (page.height, page.width))
    return Image.fromarray((np.asarray(page, dtype=float) + noise).clip(0, 255).astype("uint8"))


CONDITIONS = {
    "clean": clean,
    "noise, 2° skew": skewed,
    "blur, 100 dpi, JPEG": blurred,
    "photo, 4° skew": photographed,
}


def words_right(drawn: Sequence[str], text: str) -> int:
    """Return how many of the words come out whole and in their order.

    >>> words_right(["boat", "Gull", "berth"], "boat: Gull; berth 4")
    2
    """
    # A row of a table is written with its header: "boat: Gull; berth: 4".
    read = [word.removesuffix(";") for word in text.split()]
    blocks = SequenceMatcher(None, drawn, read, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks)


def measure(draw: Draw, spoil: Callable[[Any], Any]) -> tuple[int, int, float]:
    """Return how many words of a page are right, of how many, and the processor's seconds."""
    from PIL import Image, ImageDraw

    from probative.corpus.readers.image import read_image
    from probative.corpus.readers.text_builder import FileContent

    page = Image.new("L", (WIDTH, HEIGHT), 255)
    drawn = draw(ImageDraw.Draw(page))
    file = io.BytesIO()
    spoil(page).save(file, "PNG")
    start = time.process_time()
    text = read_image(FileContent("a.png", Path("a.png"), file.getvalue())).text
    return words_right(drawn, text), len(drawn), time.process_time() - start


def main(words: Sequence[str] | None = None) -> None:
    """Run the comparison."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--layouts", type=int, default=len(LAYOUTS), help="only so many layouts")
    add_keep(parser)
    given = parser.parse_args(words)
    rows: list[list[str]] = []
    totals = {name: [0, 0] for name in CONDITIONS}
    seconds: list[float] = []
    for name, draw in list(LAYOUTS.items())[: given.layouts]:
        cells = [name]
        for condition, spoil in CONDITIONS.items():
            right, drawn, spent = measure(draw, spoil)
            totals[condition][0] += right
            totals[condition][1] += drawn
            seconds.append(spent)
            cells.append(f"{right} of {drawn}")
        print(*cells, sep=" · ", flush=True)
        rows.append(cells)
    shares = [f"{100 * right / drawn:.1f} %" for right, drawn in totals.values()]
    rows.append(["all", *shares])
    note = f"Processor's time: {sum(seconds) / len(seconds):.1f} s a page, on one thread."
    title = "Words of drawn pages that OCR reads right"
    show([text_table(title, ["layout", *CONDITIONS], rows, note)], given, __file__, title="OCR", name="ocr")


if __name__ == "__main__":
    main()
