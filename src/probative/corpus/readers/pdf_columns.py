"""The reading order of a page: columns from left to right, each from top to bottom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from probative.corpus.readers.pdf_runs import Run

# A side of a gutter is prose if it has this many lines, of this many characters on average. Cells of a table
# are shorter, and must stay in their row.
_MIN_LINES = 3
_MIN_CHARACTERS = 18
_MIN_FILL = 0.55
# Narrower than this, in points, is a space between words.
_MIN_GUTTER = 6
_MAX_COLUMNS_DEPTH = 2


def regions(runs: Sequence[Run], depth: int = 0) -> Iterator[list[Run]]:
    """Yield groups of runs in reading order. Each is a part of one column, or spans the page."""
    gutter = _gutter(runs) if depth <= _MAX_COLUMNS_DEPTH else None
    if gutter is None:
        yield _by_line(runs)
        return
    # Stretches without columns stay together: the short last line of a paragraph does not cross the gutter.
    whole: list[Run] = []
    for band in _bands(runs, gutter):
        left = [run for run in band if run.right <= gutter]
        right = [run for run in band if run.left >= gutter]
        if len(left) + len(right) == len(band) and _is_prose(left) and _is_prose(right):
            if whole:
                yield _by_line(whole)
                whole = []
            yield from regions(left, depth + 1)
            yield from regions(right, depth + 1)
        else:
            whole += band
    if whole:
        yield _by_line(whole)


def _by_line(runs: Sequence[Run]) -> list[Run]:
    return sorted(runs, key=lambda run: (-run.middle, run.left))


def _bands(runs: Sequence[Run], gutter: float) -> Iterator[list[Run]]:
    """Yield stretches of the page, from the top, in which either every line or no line crosses the gutter."""
    band: list[Run] = []
    crossing = False
    for run in sorted(runs, key=lambda run: (-run.top, run.left)):
        crosses = run.left < gutter < run.right
        if band and crosses != crossing and _is_below(run, band):
            yield band
            band = []
        elif band and crosses != crossing:
            # A line beside a crossing one: the stretch is neither; keep it whole, as rows.
            band.append(run)
            continue
        if not band:
            crossing = crosses
        band.append(run)
    if band:
        yield band


def _is_below(run: Run, band: Sequence[Run]) -> bool:
    return run.middle < min(other.middle for other in band) - 0.3 * run.size or run.top <= min(
        other.middle for other in band
    )


def _gutter(runs: Sequence[Run]) -> float | None:
    """Return the x of the emptiest vertical strip in the middle of the page; None if it parts nothing."""
    if len(runs) < 2 * _MIN_LINES:
        return None
    left, right = min(run.left for run in runs), max(run.right for run in runs)
    width = int(right - left)
    if width < 100:
        return None
    changes = [0] * (width + 3)
    for run in runs:
        changes[max(0, int(run.left - left))] += 1
        changes[min(width, int(run.right - left)) + 1] -= 1
    crossing, total = [], 0
    for change in changes[: width + 1]:
        total += change
        crossing.append(total)
    first, last = width // 5, width - width // 5
    fewest = min(crossing[first:last])
    if fewest > len(runs) // 2:
        return None
    strip = _widest(crossing, first, last, fewest)
    if strip[1] - strip[0] < _MIN_GUTTER:
        return None
    return left + (strip[0] + strip[1]) / 2


def _widest(crossing: Sequence[int], first: int, last: int, fewest: int) -> tuple[int, int]:
    """Return the widest strip that only the fewest runs cross; it may reach beyond the middle of the page."""
    best = (0, 0)
    start: int | None = None
    for x in range(first, last + 1):
        if x < last and crossing[x] == fewest:
            start = x if start is None else start
        elif start is not None:
            best = max(best, (start, x), key=lambda strip: strip[1] - strip[0])
            start = None
    return best


def _is_prose(runs: Sequence[Run]) -> bool:
    """Return whether runs are lines of text of about the same width."""
    if len(runs) < _MIN_LINES:
        return False
    widest = max(run.width for run in runs)
    characters = sum(len(run.text) for run in runs) / len(runs)
    return characters >= _MIN_CHARACTERS and median(run.width for run in runs) >= _MIN_FILL * widest
