"""Read the lines of a picture by OCR: RapidOCR with the models of its wheel, in one thread, offline."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from probative.errors import UnreadableError, install_command

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]
    """Rows of pixels, each blue, green and red."""

EXTRA = "ocr"
MAX_SIDE = 2_000
"""Pixels of the longer side: an A4 page at 170 dpi."""
MEMORY_BYTES = 2_000_000_000
"""What OCR may need beside the memory of a reader: its libraries and models reserve 1.6 GB of addresses."""
# Fewer pixels on a side have no letter.
_MIN_SIDE = 10
# Lines that are sure below this, on average, may stand upside down, or are hard to read.
SURE = 0.85
# A box that is higher than wide by this factor is a line that runs up or down.
_UPRIGHT = 1.5


class Word(NamedTuple):
    """A word in a picture, with its box in pixels from the top left corner: left, top, right, bottom."""

    text: str
    box: tuple[float, float, float, float]


class Line(NamedTuple):
    """A line as it was found: its text, how sure its letters are on average, its corners clockwise from the
    top left of its letters, and its words.
    """

    text: str
    certainty: float
    corners: tuple[tuple[float, float], ...]
    words: tuple[Word, ...]


class Reading(NamedTuple):
    """The lines of a picture that was turned to be read, by `turns` quarters to the left; their corners and
    words are where they are on the turned picture, which has this `width` and `height`.
    """

    lines: list[Line]
    turns: int
    width: int
    height: int

    @property
    def certainty(self) -> float:
        """How sure the letters are, on average."""
        letters = sum(len(line.text) for line in self.lines)
        return sum(line.certainty * len(line.text) for line in self.lines) / letters if letters else 0.0

    def on_picture(self, box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        """Return where a box is on the picture as it was given, as shares of its width and height.

        >>> Reading([], 1, 200, 100).on_picture((0, 0, 50, 10))
        (0.9, 0.0, 1.0, 0.25)
        """
        left, top, right, bottom = (
            box[0] / self.width, box[1] / self.height, box[2] / self.width, box[3] / self.height,
        )  # fmt: skip
        for _ in range(self.turns):
            left, top, right, bottom = 1 - bottom, left, 1 - top, right
        return left, top, right, bottom


def is_installed() -> bool:
    """Return whether the extra is installed."""
    return find_spec("rapidocr") is not None and find_spec("onnxruntime") is not None


def is_loaded() -> bool:
    """Return whether this process has the models in its memory."""
    return _engine.cache_info().currsize > 0


def not_installed(reason: str, what: str) -> UnreadableError:
    """Return the error of a file that only OCR can read."""
    return UnreadableError(reason, f"{what}; OCR is not installed: {install_command(EXTRA)}")


def read_lines(pixels: Pixels) -> Reading:
    """Return the lines of a picture, which may lie on its side or stand upside down."""
    reading = _read(pixels, 0)
    if not _is_on_its_side(reading):
        return _right_way_up(pixels, reading)
    # Lines that run down a page are read as well, but in the wrong order, unless it is written downwards.
    turned = _right_way_up(pixels, _read(pixels, 1))
    return reading if _sureness(reading) > _UPRIGHT * _sureness(turned) else turned


def _right_way_up(pixels: Pixels, reading: Reading) -> Reading:
    if not reading.lines or reading.certainty >= SURE:
        return reading
    return max(reading, _read(pixels, (reading.turns + 2) % 4), key=_sureness)


def _sureness(reading: Reading) -> float:
    return sum(line.certainty * len(line.text) for line in reading.lines if line.certainty >= SURE)


def _is_on_its_side(reading: Reading) -> bool:
    heights = [_side(line.corners, 0, 3) >= _UPRIGHT * _side(line.corners, 0, 1) for line in reading.lines]
    return sum(heights) > len(heights) / 2


def _side(corners: Sequence[tuple[float, float]], first: int, second: int) -> float:
    (x, y), (other_x, other_y) = corners[first], corners[second]
    return float(((x - other_x) ** 2 + (y - other_y) ** 2) ** 0.5)


def _read(picture: Pixels, turns: int) -> Reading:
    import numpy as np

    pixels = np.rot90(picture, turns)
    height, width = pixels.shape[:2]
    if min(height, width) < _MIN_SIDE:
        return Reading([], turns, width, height)
    try:
        result = _engine()(np.ascontiguousarray(pixels))
    except Exception as error:  # its libraries have many errors of their own
        if _is_out_of_memory(error):
            raise MemoryError from error
        raise
    texts = result.txts or ()
    letters = result.word_results if len(result.word_results) == len(texts) else [()] * len(texts)
    lines = [
        Line(text, float(score), _points(box), tuple(_words(text, _points(box), boxes)))
        for text, score, box, boxes in zip(texts, result.scores or (), result.boxes, letters, strict=True)
    ] if len(texts) else []  # fmt: skip
    return Reading(lines, turns, width, height)


def _is_out_of_memory(error: BaseException) -> bool:
    words = str(error).lower()
    return any(
        each in words for each in ("bad_alloc", "bad allocation", "insufficient memory", "out of memory")
    )


def _points(box: Any) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in box)


def _words(text: str, corners: Sequence[tuple[float, float]], letters: Sequence[Any]) -> list[Word]:
    """Return the words of a line. Its letters have boxes; without them, it is divided evenly."""
    boxes = [_points(box) for _, _, box in letters]
    words: list[Word] = []
    if len(boxes) == len("".join(text.split())):
        at = 0
        for word in text.split():
            points = [point for box in boxes[at : at + len(word)] for point in box]
            words.append(Word(word, _around(points)))
            at += len(word)
        return words
    at = 0
    for word in text.split():
        start = text.index(word, at)
        at = start + len(word)
        ends = [_between(corners, share / len(text)) for share in (start, at)]
        words.append(Word(word, _around([point for pair in ends for point in pair])))
    return words


def _between(corners: Sequence[tuple[float, float]], share: float) -> list[tuple[float, float]]:
    """Return the two points at the top and the bottom of a line that are this share of it from its start."""
    top_left, top_right, bottom_right, bottom_left = corners
    return [
        (first[0] + share * (last[0] - first[0]), first[1] + share * (last[1] - first[1]))
        for first, last in ((top_left, top_right), (bottom_left, bottom_right))
    ]


def _around(points: Sequence[tuple[float, float]]) -> tuple[float, float, float, float]:
    across, down = [x for x, _ in points], [y for _, y in points]
    return min(across), min(down), max(across), max(down)


@cache
def _engine() -> Callable[[Pixels], Any]:
    """Return RapidOCR with the models of its wheel: one thread, lines one by one, which is fastest then."""
    import cv2
    import rapidocr

    cv2.setNumThreads(1)
    models = Path(rapidocr.__file__).parent / "models"
    engine: Callable[[Pixels], Any] = rapidocr.RapidOCR(
        params={
            "Global.log_level": "error",
            "Global.max_side_len": MAX_SIDE,
            "Global.use_cls": False,
            "Global.return_word_box": True,
            "Global.return_single_char_box": True,
            # With a path, a model that is missing is an error; without one, it would be fetched.
            "Det.model_path": str(models / "PP-OCRv6_det_small.onnx"),
            "Rec.model_path": str(models / "PP-OCRv6_rec_small.onnx"),
            "Rec.rec_batch_num": 1,
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )
    return engine
