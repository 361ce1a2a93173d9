"""Tell headings of a PDF from its text, by their fonts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from probative.corpus.readers.pdf_blocks import Block

_MAX_CHARACTERS = 140
_MAX_LINES = 3
# A heading is set larger than the text by this factor, or bold, or as one line in italics.
_LARGER = 1.1
_NUMBERED = re.compile(r"(?:\d{1,2}(?:\.\d{1,2})*|[IVX]{1,5}|[A-Z])[.)]?\s+\S")
_SENTENCE = re.compile(r"[.;,:]$")


class Headings:
    """Knows the fonts of a document: that of the text, and those of its headings by level."""

    def __init__(self, blocks: Iterable[Block]) -> None:
        blocks = list(blocks)
        characters: Counter[tuple[float, bool, bool]] = Counter()
        for block in blocks:
            characters[block.size, block.bold, block.italic] += len(block.text)
        fonts_by_use = characters.most_common(1)
        self._size, self._bold, self._italic = fonts_by_use[0][0] if fonts_by_use else (0.0, False, False)
        fonts = {(block.size, block.bold) for block in blocks if self._looks_like_heading(block)}
        self._fonts = sorted(fonts, reverse=True)
        first = [block for block in blocks if block.page == 1 and self._looks_like_heading(block)]
        larger = [block for block in first if block.size >= _LARGER * self._size]
        self.title = max(larger, key=lambda block: block.size).text if larger else ""

    def level(self, block: Block) -> int | None:
        """Return the level of a heading; None for text."""
        if not self._looks_like_heading(block):
            return None
        return self._fonts.index((block.size, block.bold)) + 1

    def _looks_like_heading(self, block: Block) -> bool:
        text = block.text
        if block.row or block.lines > _MAX_LINES or len(text) > _MAX_CHARACTERS:
            return False
        if not any(letter.isalpha() for letter in text) or (
            _SENTENCE.search(text) and not _NUMBERED.match(text)
        ):
            return False
        if block.size >= _LARGER * self._size:
            return True
        stands_out = (block.bold and not self._bold) or (
            block.italic and not self._italic and block.lines == 1 and not text[0].islower()
        )
        return stands_out and block.size >= self._size
