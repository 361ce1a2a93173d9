"""The date, language and metadata of a place in a document: those of its record, and of the document."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from probative.corpus.document import DateSource, Document, Record, short

Span = tuple[int, int]
_MAX_VALUE = 1_000


@dataclass(frozen=True)
class Facts:
    """What filters look at."""

    date: str | None
    date_source: DateSource | None
    language: str
    metadata: dict[str, str]


class FactsOfPlaces:
    """The facts of each place in a document."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._own = Facts(
            document.date, document.date_source, document.language, _short_values(document.metadata)
        )
        self._starts = [record.start for record in document.records]
        self._headings = [heading.start for heading in document.headings]

    def parts(self, blocks: list[list[Span]]) -> Iterator[list[list[Span]]]:
        """Yield the blocks that may share a passage: of one record, or of rows of the same year."""
        if not self._starts:
            yield blocks
            return
        for _, part in groupby(blocks, key=lambda block: self._key(block[0][0])):
            yield list(part)

    def between(self, start: int, end: int) -> Facts:
        """Return the facts of a passage. Its date is what the dates of its rows have in common."""
        first, last = self._index(start), self._index(end - 1)
        record = self._record(first, start)
        if record is None:
            return self._own
        dates = [each.date for each in self._document.records[first : last + 1] if each.date]
        common = common_date(dates)
        return Facts(
            common or self._own.date,
            "column" if common else self._own.date_source,
            record.language or self._own.language,
            {**self._own.metadata, **_short_values(record.metadata)},
        )

    def is_untitled(self, offset: int) -> bool:
        """Return whether a place is in a record that has no heading, so that none above it is its own."""
        record = self._record(self._index(offset), offset)
        if record is None:
            return False
        heading = bisect_right(self._headings, offset) - 1
        return heading < 0 or self._headings[heading] < record.start

    def _key(self, offset: int) -> tuple[int, str]:
        """Return what the blocks of one passage have in common: the record, or for rows the year."""
        index = self._index(offset)
        record = self._record(index, offset)
        if record is None:
            return -2, ""
        return (-1, (record.date or "")[:4]) if record.row else (index, "")

    def _index(self, offset: int) -> int:
        return bisect_right(self._starts, offset) - 1

    def _record(self, index: int, offset: int) -> Record | None:
        record = self._document.records[index] if index >= 0 else None
        return record if record is not None and offset < record.end else None


def _short_values(metadata: Mapping[str, str]) -> dict[str, str]:
    """Return what each passage has of the metadata."""
    return {name: short(value, _MAX_VALUE) for name, value in metadata.items()}


def common_date(dates: Sequence[str]) -> str | None:
    """Return the day, month or year that dates have in common.

    >>> common_date(["2026-05-03", "2026-05-17"]), common_date(["2026-05", "2026-06"])
    ('2026-05', '2026')
    >>> common_date(["2025-12-31", "2026-01-01"]) is None
    True
    """
    common = []
    for parts in zip(*(date.split("-") for date in dates), strict=False):
        if len(set(parts)) > 1:
            break
        common.append(parts[0])
    return "-".join(common) or None
