"""Lines and paragraphs of a PDF from the runs of its pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from probative.corpus.readers.pdf_runs import HYPHENS, WIDE_GAP, Run

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

    @property
    def middle(self) -> float:
        """The height of the middle of the line."""
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


def lines_of(runs: Iterable[Run]) -> list[Line]:
    """Return the lines of a region from top to bottom."""
    rows: list[list[Run]] = []
    for run in sorted(runs, key=lambda run: -run.middle):
        if rows and abs(rows[-1][0].middle - run.middle) < 0.45 * min(run.size or 8, rows[-1][0].size or 8):
            rows[-1].append(run)
        else:
            rows.append([run])
    return [_line(sorted(row, key=lambda run: run.left)) for row in rows]


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
    )


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
    if line.cells > 1 or last.cells > 1 or _LIST_ITEM.match(line.text):
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
        row=first.cells > 1,
        page=page,
        italic=all("italic" in line.font or "oblique" in line.font for line in group),
        full=group[-1].right > right - _FULL * (right - first.left),
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
            done[-1].text = joiner.pair(done[-1].text, block.text)
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
        """Return the lines as one."""
        text = ""
        for line in lines:
            text = self.pair(text, line) if text else line
        return _clean_hyphens(text)

    def pair(self, first: str, second: str) -> str:
        """Return two lines as one."""
        return first[: len(first) - self.dropped(first, second)] + self.separator(first, second) + second

    def separator(self, first: str, second: str) -> str:
        """Return what stands between two lines."""
        return "" if _splits_word(first, second) else " "

    def dropped(self, first: str, second: str) -> int:
        """Return how many characters at the end of the first line go when the second follows."""
        if not _splits_word(first, second):
            return 0
        head = re.findall(r"[\w-]*\w", first[:-1])
        tail = re.match(r"\w+", second)
        if not head or tail is None:
            return 0
        joined, hyphened = f"{head[-1]}{tail[0]}".lower(), f"{head[-1]}-{tail[0]}".lower()
        keeps = self._words[hyphened] > self._words[joined] and first[-1] in ("-", "\u2010", "\x02", "\ufffe")
        return 0 if keeps else 1


def _splits_word(first: str, second: str) -> bool:
    return len(first) > 1 and first[-1] in HYPHENS and first[-2].isalpha() and second[:1].islower()


def _clean_hyphens(text: str) -> str:
    return text.replace("\x02", "-").replace("\ufffe", "-").replace("\u00ad", "")
