"""Lines, paragraphs, headings and rows of tables of a PDF, from the runs of its pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from statistics import median

from probative.corpus.readers.pdf_cells import PdfTable, TableRun
from probative.corpus.readers.pdf_runs import HYPHENS, WIDE_GAP, Run, text_lines

_LIST_ITEM = re.compile(r"(?:[•◦▪‣●○■–—*-]|\(?(?:\d{1,2}|[a-zA-Z])[.)])\s+\S")
# A numbered clause ("3.2 The Supplier"); "3.20 crowns" may stand at the start of any line.
_CLAUSE = re.compile(r"\d{1,2}(?:\.\d{1,2}){1,3}\.?\s+[^\W\d_a-z]")
# The dots between a heading and its page in a table of contents. A match starts at the first of them only, so
# that a line of dots that leads nowhere is looked at once.
_LEADERS = re.compile(r"(?<![ .·])[ .·]*(?:[.·] ?){4}(?=\d|$)")
# How a block ends that goes on elsewhere; the last line ends within this share of the right edge.
_OPEN_END = re.compile(r"[\w,\-\u00ad\u2010\x02\ufffe)”’]$")
_MIN_OPEN = 20
_FULL = 0.12
_CAPTION = re.compile(
    r"(?:fig(?:ure|\.)|table|plate|chart|photo|abb(?:ildung|\.)|tab(?:elle|leau|\.))\s*\d", re.IGNORECASE
)
_SENTENCE_END = re.compile(r"[.!?:;…。！？][\"'”’»)\]]*(?:\[\d+\])?$")


@dataclass
class Line:
    """A line of a column: the runs on one height, joined."""

    text: str
    left: float
    right: float
    bottom: float
    top: float
    size: float
    bold: bool
    font: str
    cells: int
    table: PdfTable | None = None

    @property
    def middle(self) -> float:
        return (self.bottom + self.top) / 2


@dataclass
class Block:
    """A paragraph, a list item, a row of a table or a heading, without line ends."""

    text: str
    size: float
    bold: bool
    lines: int
    row: bool
    page: int
    italic: bool = False
    full: bool = False
    """Whether the last line reaches the end of the column, so that the text may go on elsewhere."""
    is_rest: bool = False
    """Whether it is the rest of the last block of the page before."""
    table: PdfTable | None = None
    """The table that the block is."""


def lines_of(runs: Iterable[Run]) -> list[Line]:
    """Return the lines of a region from top to bottom."""
    return [_line(row) for row in text_lines(runs)]


def _line(row: Sequence[Run]) -> Line:
    text, cells = row[0].text, 1
    for before, run in pairwise(row):
        size = max(before.size, run.size)
        if run.left - before.right > WIDE_GAP * size and not _LIST_ITEM.fullmatch(f"{before.text} x"):
            text += f" | {run.text}"
            cells += 1
        else:
            text += f" {run.text}" if run.left - before.right > 0.1 * size else run.text
    text, leaders = _LEADERS.subn(" … ", text)
    weights: Counter[float] = Counter()
    fonts: Counter[str] = Counter()
    for run in row:
        weights[run.size] += len(run.text)
        fonts[run.font] += len(run.text)
    return Line(
        text=text,
        left=row[0].left,
        right=max(run.right for run in row),
        bottom=min(run.bottom for run in row),
        top=max(run.top for run in row),
        size=weights.most_common(1)[0][0],
        bold=all(run.bold for run in row),
        font=fonts.most_common(1)[0][0],
        cells=cells + leaders,
        table=row[0].table if isinstance(row[0], TableRun) else None,
    )


def page_blocks(pages: Sequence[Sequence[Sequence[Line]]], joiner: LineJoiner) -> list[list[Block]]:
    """Return the blocks of each page, which has regions of lines. A paragraph that goes on elsewhere is the
    last one of its page.
    """
    parts = [
        [list(blocks_of(region, number, joiner)) for region in page]
        for number, page in enumerate(pages, start=1)
    ]
    sizes: Counter[float] = Counter()
    for block in (block for page in parts for region in page for block in region):
        sizes[block.size] += len(block.text)
    body = sizes.most_common(1)[0][0]
    blocks: list[list[Block]] = []
    for page in parts:
        for upper, lower in pairwise(page):
            bring_together(upper, lower, body)
        blocks.append(joined((each for region in page for each in region), joiner))
    filled = [page for page in blocks if page]
    for earlier, later in pairwise(filled):
        bring_together(earlier, later, body)
    for earlier, later in pairwise(filled):
        later[0].is_rest = continues(earlier[-1], later[0])
    _continue_tables(filled, body)
    return blocks


def _continue_tables(pages: Sequence[Sequence[Block]], body: float) -> None:
    """Give the head of a table to its rest on the next page; only footnotes may stand between them."""
    for earlier, later in pairwise(pages):
        text = [block for block in earlier if block.table or block.size > _SMALL * body]
        before, after = text[-1].table if text else None, later[0].table
        if before is not None and after is not None:
            after.goes_on(before)


def blocks_of(lines: Sequence[Line], page: int, joiner: LineJoiner) -> Iterator[Block]:
    """Yield the blocks of one region."""
    if not lines:
        return
    left, right = min(line.left for line in lines), max(line.right for line in lines)
    pitches = [upper.middle - lower.middle for upper, lower in pairwise(lines)]
    pitch = median(pitches) if pitches else 0.0
    group: list[Line] = []
    for line in lines:
        if group and _breaks(group, line, left, right, pitch):
            yield _block(group, page, right, joiner)
            group = []
        group.append(line)
    yield _block(group, page, right, joiner)


def _breaks(group: Sequence[Line], line: Line, left: float, right: float, pitch: float) -> bool:
    """Return whether a line starts a block of its own."""
    last = group[-1]
    gap = last.middle - line.middle
    if line.table or last.table or line.cells > 1 or last.cells > 1 or _LIST_ITEM.match(line.text):
        return True
    if _CLAUSE.match(line.text) and _SENTENCE_END.search(last.text):
        return True
    if abs(line.size - last.size) > 0.08 * last.size or line.bold != last.bold:
        return True
    short = min(last.right, line.right) < right - 0.3 * (right - left)
    if line.font != last.font and (line.size != last.size or short):
        return True
    if gap > max(1.4 * pitch, 1.0) and gap > 1.5 * line.size:
        return True
    indented = line.left - left > 0.8 * line.size
    hanging = group[0].left < line.left
    if indented and not hanging and last.left - left < 0.4 * line.size:
        return True
    # The line before ends early, at the end of a sentence: the last one of a paragraph.
    early = last.right < right - 0.2 * (right - left)
    return early and bool(_SENTENCE_END.search(last.text)) and not hanging


def _block(group: Sequence[Line], page: int, right: float, joiner: LineJoiner) -> Block:
    first = group[0]
    return Block(
        text=joiner.join(line.text for line in group),
        size=first.size,
        bold=all(line.bold for line in group),
        lines=len(group),
        row=first.cells > 1 or first.table is not None,
        page=page,
        italic=all("italic" in line.font or "oblique" in line.font for line in group),
        full=group[-1].right > right - _FULL * (right - first.left),
        table=first.table,
    )


def continues(first: Block, second: Block) -> bool:
    """Return whether a block is the rest of another one, in the next column or on the next page."""
    if first.row or second.row or (first.size, first.bold) != (second.size, second.bold):
        return False
    if _LIST_ITEM.match(second.text) or is_caption(first) or is_caption(second) or not is_open(first):
        return False
    return second.text[:1].islower() or (first.lines > 1 and first.full)


def is_caption(block: Block) -> bool:
    """Return whether a block is the caption of a figure or a table."""
    return _CAPTION.match(block.text) is not None


def is_open(block: Block) -> bool:
    """Return whether a block does not end like a sentence."""
    return not block.row and len(block.text) >= _MIN_OPEN and _OPEN_END.search(block.text) is not None


def joined(blocks: Iterable[Block], joiner: LineJoiner) -> list[Block]:
    """Return the blocks of a page with those joined that a column break cut in two."""
    done: list[Block] = []
    for block in blocks:
        if done and continues(done[-1], block):
            done[-1].text = joiner.head(done[-1].text, block.text) + block.text
            done[-1].lines += block.lines
            done[-1].full = block.full
        else:
            done.append(block)
    return done


class LineJoiner:
    """Joins lines, and the two parts of a word that a hyphen at the end of a line separates.

    Whether the hyphen belongs to the word ("well-known") follows from the rest of the document, where the
    word may stand within a line; if it does not, the hyphen goes.

    >>> LineJoiner(["a well-known boat", "the harbour"]).join(["the har-", "bour of a well-", "known boat"])
    'the harbour of a well-known boat'
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._words: Counter[str] = Counter()
        for line in lines:
            self._words.update(word.lower() for word in re.findall(r"[\w-]*\w", line))

    def join(self, lines: Iterable[str]) -> str:
        text = reduce(lambda first, second: self.head(first, second) + second, lines)
        return text.replace("\x02", "-").replace("\ufffe", "-").replace("\u00ad", "")

    def head(self, first: str, second: str) -> str:
        """Return a line as it stands before the next one: with a space, or without the hyphen at its end."""
        if not _splits_word(first, second):
            return f"{first} "
        head, tail = re.findall(r"[\w-]*\w", first[:-1]), re.match(r"\w+", second)
        if not head or tail is None:
            return first
        joined, hyphened = f"{head[-1]}{tail[0]}".lower(), f"{head[-1]}-{tail[0]}".lower()
        keeps = self._words[hyphened] > self._words[joined] and first[-1] in ("-", "\u2010", "\x02", "\ufffe")
        return first if keeps else first[:-1]


def _splits_word(first: str, second: str) -> bool:
    return len(first) > 1 and first[-1] in HYPHENS and first[-2].isalpha() and second[:1].islower()


# Footnotes are set smaller than the text by this factor.
_SMALL = 0.9


def bring_together(first: list[Block], second: list[Block], body: float) -> None:
    """Move a paragraph that goes on to the end of its page, and its rest to the beginning of the next one.

    Footnotes, captions and rows of tables may stand between the two parts. `body` is the font size of the
    text.
    """
    last = next((at for at in reversed(range(len(first))) if not is_aside(first[at], body)), None)
    start = next((at for at, block in enumerate(second) if not is_aside(block, body)), None)
    if last is None or start is None or not is_open(first[last]) or not continues(first[last], second[start]):
        return
    # A capital letter after a table or a caption more often begins something new.
    passed = [*first[last + 1 :], *second[:start]]
    if any(block.size > _SMALL * body for block in passed) and not second[start].text[:1].islower():
        return
    first.append(first.pop(last))
    second.insert(0, second.pop(start))


def is_aside(block: Block, body: float) -> bool:
    """Return whether a block may stand within a paragraph: a footnote, a caption or a row of a table."""
    return block.row or block.size <= _SMALL * body or is_caption(block)


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
