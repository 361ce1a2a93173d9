"""Find running headers, footers and page numbers, which belong to the pages and not to the text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from probative.corpus.readers.pdf_blocks import Line

# Headers and footers stand within this share of the height, from the top and the bottom.
_MARGIN = 0.12
_MAX_DIGITS = 5
_PAGE_NUMBER = re.compile(
    r"[\W_]*(?:(?:page|seite|página|pagina|sida|side|s\.|p\.)\s*)?(?:\d{1,4}|[ivxlc]{1,7})"
    r"(?:\s*(?:/|of|von|de|av)\s*\d{1,4})?[\W_]*",
    re.IGNORECASE,
)


def margin_keys(lines: Sequence[Line], height: float) -> dict[int, str]:
    """Return the key of each line in the margins, by its index: the text without its numbers, which change
    from page to page.
    """
    keys = {}
    for index, line in enumerate(lines):
        if _in_margin(line, height):
            side = "top" if line.middle > height / 2 else "bottom"
            # The size is part of it: a title that is also the running header stays on its first page.
            keys[index] = f"{side} {line.size} {re.sub(r'[0-9]+', '#', line.text)}"
    return keys


def numbered_lines(pages: Sequence[Sequence[Line]], heights: Sequence[float]) -> frozenset[int]:
    """Return the ids of margin lines with a page number beside other words ("Chapter 2 | 31"): a cell that is
    a number which grows with the pages.
    """
    found: dict[int, list[int]] = {}
    for page, (lines, height) in enumerate(zip(pages, heights, strict=True)):
        for line in lines:
            cells = line.text.split(" | ")
            if len(cells) > 1 and _in_margin(line, height):
                for cell in (cells[0], cells[-1]):
                    if cell.isdecimal() and len(cell) <= _MAX_DIGITS:
                        found.setdefault(int(cell) - page, []).append(id(line))
    return frozenset(line for lines in found.values() if len(lines) > 1 for line in lines)


def _in_margin(line: Line, height: float) -> bool:
    return line.middle > (1 - _MARGIN) * height or line.middle < _MARGIN * height


def repeated_keys(pages: Sequence[dict[int, str]]) -> frozenset[str]:
    """Return the keys of headers and footers: on at least two pages, or on a tenth of many pages (a book has
    other ones on left and right pages, and in each chapter).
    """
    counts = Counter(key for keys in pages for key in set(keys.values()))
    least = max(2, len(pages) // 10) if len(pages) > 9 else 2
    return frozenset(key for key, count in counts.items() if count >= least)


def is_page_number(line: Line, height: float) -> bool:
    """Return whether a line in a margin is only a page number."""
    return _in_margin(line, height) and _PAGE_NUMBER.fullmatch(line.text) is not None
