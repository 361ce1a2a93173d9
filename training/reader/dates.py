"""Dates that a whole text is, or that it contains at any precision."""

from __future__ import annotations

from probative.text.dates import Date
from probative.text.english.statements import SHAPES, read_date


def date_of(text: str, anywhere: str | None = None) -> Date | None:
    """Return the date that the whole text is; with `anywhere`, that date if the text contains it.

    >>> date_of("October 5, 1987"), date_of("5 October 1987"), date_of("1987"), date_of("Oslo 1987")
    ((1987, 10, 5), (1987, 10, 5), (1987, 0, 0), None)
    >>> date_of("He was born on 5 October 1987.", anywhere="October 5, 1987")
    (1987, 10, 5)
    """
    if anywhere is not None:
        wanted = date_of(anywhere)
        return wanted if wanted is not None and wanted in set(_dates_at_any_precision(text)) else None
    for shape in SHAPES:
        match = shape.fullmatch(text.strip())
        if match is not None:
            return read_date(match)
    return None


def _dates_at_any_precision(text: str) -> list[Date]:
    """Return every date in a text; a full date also counts as its month and as its year."""
    dates = [read_date(match) for shape in SHAPES for match in shape.finditer(text)]
    return [*dates, *((year, month, 0) for year, month, _ in dates), *((year, 0, 0) for year, _, _ in dates)]
