"""From the lines that OCR found on a page to runs of text, as a PDF has them; and from the text of a document
back to the words on the page.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from probative.corpus.documents.places import WordBox
from probative.corpus.readers.ocr import SURE, Line, Reading, Word
from probative.corpus.readers.pdf_runs import Run

# A line at least this much longer than high shows how a page is skewed.
_LONG = 3.0
# The height of a line in font sizes, as the model for detection draws boxes: around small letters, with
# letters that rise above them, and with letters that hang below them. From 25 lines in five sizes of a font.
_SMALL, _RISING, _HANGING = 0.98, 0.20, 0.12
_HANGS = frozenset("gjpqyQ,;()[]{}|/")
_LOW = frozenset("acemnorsuvwxzgpqy.,:;-–—+~=<>«»")
# Heights vary by a sixth from line to line, so a size is that of the text, or differs from it by such steps.
_STEP = 1.35
# Ideographs and kana stand without spaces: each is a word.
_SIGN = "\u2e80-\u30ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9d"
_PART = re.compile(rf"[{_SIGN}]|(?:(?![{_SIGN}])\w)+")
# A page with more words is no page of text; to find their places would take long.
_MAX_WORDS = 5_000
_ROUNDS = 2


@dataclass
class ScannedRun(Run):
    """A run that was read by OCR, with its words; their boxes are shares of the page as the file has it."""

    words: tuple[Word, ...] = ()


@dataclass
class ScannedPage:
    """The runs of a page that was read by OCR, straightened; its height in points, and how sure the letters
    are on average.
    """

    runs: list[ScannedRun]
    height: float
    certainty: float

    @property
    def is_hard_to_read(self) -> bool:
        return bool(self.runs) and self.certainty < SURE


def words_of(run: Run) -> tuple[Word, ...]:
    """Return the words of a run, if it was read by OCR."""
    return run.words if isinstance(run, ScannedRun) else ()


def scanned_page(reading: Reading, points: float) -> ScannedPage:
    """Return the page of a picture; `points` is the size of a pixel."""
    angle = skew_of(reading.lines)
    runs = [_run(line, reading, angle, points) for line in reading.lines]
    return ScannedPage(runs, reading.height * points, reading.certainty)


def skew_of(lines: Iterable[Line]) -> float:
    """Return the angle of a page in radians, clockwise: the median of its lines, by their lengths.

    >>> tilted = ((0.0, 0.0), (100.0, 2.0), (100.0, 12.0), (0.0, 10.0))
    >>> skew_of([Line("It rained all day.", 0.9, tilted, ())])
    0.02
    """
    angles: list[tuple[float, float]] = []
    for line in lines:
        (left, top), (right, end), _, (_, bottom) = line.corners
        if right - left >= _LONG * (bottom - top):
            angles.append((round(math.atan2(end - top, right - left), 4), right - left))
    half, passed = sum(length for _, length in angles) / 2, 0.0
    for angle, length in sorted(angles):
        passed += length
        if passed >= half:
            return angle
    return 0.0


def _run(line: Line, reading: Reading, angle: float, points: float) -> ScannedRun:
    cosine, sine = math.cos(angle), math.sin(angle)
    middle, centre = reading.width / 2, reading.height / 2
    turned = [
        (
            middle + (x - middle) * cosine + (y - centre) * sine,
            centre + (y - centre) * cosine - (x - middle) * sine,
        )
        for x, y in line.corners
    ]
    across, down = [x for x, _ in turned], [reading.height - y for _, y in turned]
    height = max(down) - min(down)
    return ScannedRun(
        text=line.text.strip(),
        left=points * min(across),
        bottom=points * min(down),
        right=points * max(across),
        top=points * max(down),
        size=points * height / _line_height(line.text),
        font="",
        words=tuple(Word(word.text, reading.on_picture(word.box)) for word in line.words),
    )


def _line_height(text: str) -> float:
    """Return the height of the box around a line, in font sizes."""
    letters = [letter for letter in text if not letter.isspace()]
    rises = any(letter not in _LOW for letter in letters)
    hangs = any(letter in _HANGS for letter in letters)
    return _SMALL + _RISING * rises + _HANGING * hangs


def level_sizes(pages: Sequence[ScannedPage], body: float | None = None) -> None:
    """Give lines that look alike one font size. `body` is that of the text, if other pages tell it."""
    runs = [run for page in pages for run in page.runs]
    body = body or _usual_size(runs)
    for run in runs:
        steps = round(math.log(run.size / body, _STEP)) if run.size > 0 else 0
        run.size = round(2 * body * _STEP**steps) / 2


def _usual_size(runs: Sequence[Run]) -> float:
    """Return the median of the sizes, by characters."""
    half, passed = sum(len(run.text) for run in runs) / 2, 0
    for run in sorted(runs, key=lambda run: run.size):
        passed += len(run.text)
        if passed >= half and run.size > 0:
            return run.size
    return 1.0


def word_boxes(text: str, start: int, end: int, words: Sequence[Word]) -> list[WordBox]:
    """Return the places of words in a part of a text, by their letters and digits. `words` are in the order
    of the text; some may be left out of it or moved, and a line end may have divided one.

    >>> words = [Word(text, (0.0, 0.0, 0.1, 0.1)) for text in ("The", "har-", "bour.")]
    >>> [(box.start, box.end) for box in word_boxes("The harbour.", 0, 12, words)]
    [(0, 3), (4, 7), (7, 11)]
    """
    if len(words) > _MAX_WORDS:
        return []
    spans = [match.span() for match in _PART.finditer(text, start, end)]
    parts = [(part, number) for number, word in enumerate(words) for part in _PART.findall(word.text)]
    places: dict[int, list[tuple[int, int]]] = {}
    for _ in range(_ROUNDS):
        for span, number in list(_matches(text, spans, parts)):
            places.setdefault(number, []).append(span)
        if not spans or not parts:
            break
    boxes = [
        WordBox(min(first for first, _ in each), max(last for _, last in each), *_rounded(words[number].box))
        for number, each in places.items()
    ]
    return sorted(boxes)


def _matches(
    text: str, spans: list[tuple[int, int]], parts: list[tuple[str, int]]
) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield spans with the number of the word that each is of, and leave those that match none."""
    said, read = [text[slice(*span)] for span in spans], [part for part, _ in parts]
    left_spans, left_parts = [], []
    for _, first, last, begin, stop in SequenceMatcher(None, said, read, autojunk=False).get_opcodes():
        if "".join(said[first:last]) != "".join(read[begin:stop]):
            left_spans += spans[first:last]
            left_parts += parts[begin:stop]
            continue
        letters = [at for span in spans[first:last] for at in range(*span)]
        for part, number in parts[begin:stop]:
            yield (letters[0], letters[len(part) - 1] + 1), number
            del letters[: len(part)]
    spans[:], parts[:] = left_spans, left_parts


def _rounded(box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    left, top, right, bottom = (round(min(1.0, max(0.0, each)), 4) for each in box)
    return left, top, right, bottom
