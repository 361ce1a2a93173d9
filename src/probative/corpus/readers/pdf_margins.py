"""Find running headers, footers and page numbers, which belong to the pages and not to the text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from probative.corpus.readers.pdf_blocks import Line

# Headers and footers stand within this share of the height, from the top and the bottom.
_MARGIN = 0.12
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
        if line.middle > (1 - _MARGIN) * height or line.middle < _MARGIN * height:
            side = "top" if line.middle > height / 2 else "bottom"
            keys[index] = f"{side} {re.sub(r'[0-9]+', '#', line.text)}"
    return keys


def repeated_keys(pages: Sequence[dict[int, str]]) -> frozenset[str]:
    """Return the keys of headers and footers: on at least two pages, and a third of all (a book has other
    ones on left and right pages, and in each chapter).
    """
    counts = Counter(key for keys in pages for key in set(keys.values()))
    least = max(2, len(pages) // 10) if len(pages) > 9 else 2
    return frozenset(key for key, count in counts.items() if count >= least)


def is_page_number(line: Line, height: float) -> bool:
    """Return whether a line in a margin is only a page number."""
    in_margin = line.middle > (1 - _MARGIN) * height or line.middle < _MARGIN * height
    return in_margin and _PAGE_NUMBER.fullmatch(line.text) is not None
