"""Rows of a table from its lines: which of them are the second line of a cell."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from probative.corpus.readers.pdf_runs import Run

# In font sizes: the lines of a cell are not further apart. Rows are further apart by this factor.
_LEADING, _FURTHER = 1.5, 1.2
# Of lines that are close, more than this share are rows if they begin in the first column as the one above.
_ROWS = 0.4


class TextLine(NamedTuple):
    """A line of a table: its runs, the columns that they stand in, and those that one run shares."""

    runs: list[Run]
    columns: frozenset[int]
    shared: frozenset[int] = frozenset()


def mean_of(line: Sequence[Run]) -> float:
    """Return the height of the middle of a line."""
    return sum(run.middle for run in line) / len(line)


def group_rows(lines: Sequence[TextLine], floors: Sequence[float] = ()) -> list[list[TextLine]]:
    """Return the rows of a table, each with its lines. `floors` are the heights of rules between rows.

    The lines of a cell are closer to one another than rows are; where all are equally close, a line with one
    cell, which is not in the first column, goes on with the row above.

    >>> def line(height, *columns):
    ...     return TextLine([Run("x", 0, height, 9, height + 9, 9, "") for _ in columns], frozenset(columns))
    >>> rows = group_rows([line(100, 0, 1, 2), line(83, 0, 1, 2), line(72, 1), line(55, 0, 1)])
    >>> [len(row) for row in rows]
    [1, 2, 1]
    """
    pitches = [mean_of(upper.runs) - mean_of(lower.runs) for upper, lower in pairwise(lines)]
    close = _close(lines, pitches)
    rows = [[line] for line in lines[:1]]
    for pitch, (upper, lower) in zip(pitches, pairwise(lines), strict=True):
        size = max(run.size for run in lower.runs)
        is_parted = any(mean_of(lower.runs) < floor < mean_of(upper.runs) for floor in floors)
        known = frozenset().union(*(line.columns for line in rows[-1]))
        goes_on = (
            pitch <= close
            if close
            else pitch <= _LEADING * size
            and len(lower.columns) == 1
            and 0 not in lower.columns
            and lower.columns <= known
            and len(known) > 1
        )
        # Names of their own stand below a name over all of them.
        is_below = any(len(lower.columns & line.shared) > 1 for line in rows[-1])
        if goes_on and not is_parted and not is_below:
            rows[-1].append(lower)
        else:
            rows.append([lower])
    return rows


def _close(lines: Sequence[TextLine], pitches: Sequence[float]) -> float:
    """Return how close the lines of a cell are; 0 if all lines are about equally far apart."""
    size = max((run.size for line in lines for run in line.runs), default=0.0)
    jumps = [
        (after - before, (before + after) / 2)
        for before, after in pairwise(sorted(pitches))
        if before <= _LEADING * size and after >= _FURTHER * before
    ]
    if not jumps:
        return 0.0
    close = max(jumps)[1]
    near = [pair for pair, pitch in zip(pairwise(lines), pitches, strict=True) if pitch <= close]
    rows = [
        lower
        for upper, lower in near
        if 0 in upper.columns and 0 in lower.columns and len(lower.columns) >= len(upper.columns)
    ]
    return 0.0 if len(rows) > _ROWS * len(near) else close
