"""Rows of an experiment: which of them figures are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

Row = dict[str, Any]
"""The result of one method for one case: a line of the file that an experiment writes."""
Rows = Sequence[Row]
Groups = Iterable[tuple[str, Rows]]
"""Rows by the name of the line of a table that they are in."""

FAILED = "failed"
"""The column of a table with the number of cases that failed."""


def counted_rows(rows: Iterable[Row]) -> list[Row]:
    """Return the rows that figures are made of: those of finished cases, and those of failed cases that count
    as wrong answers.

    >>> failed = {"key": "2", "error": "no reply", "error_type": "OutputError"}
    >>> [row["key"] for row in counted_rows([{"key": "1"}, failed, {**failed, "key": "3", "answer": ""}])]
    ['1', '3']
    """
    return [row for row in rows if "error" not in row or row.keys() - {"key", "error", "error_type"}]


def finished_rows(rows: Iterable[Row]) -> list[Row]:
    """Return the rows of the cases that did not fail: costs are those of these."""
    return list(filter(is_finished, rows))


def is_finished(row: Row) -> bool:
    """Return whether the case of a row did not fail."""
    return "error" not in row


def failed_count(rows: Iterable[Row]) -> int:
    """Return how many cases failed."""
    return sum("error" in row for row in rows)


def groups_by(rows: Rows, field: str) -> Iterator[tuple[str, list[Row]]]:
    """Yield each value of `field`, in the order of the rows, with its rows.

    >>> [name for name, _ in groups_by([{"kind": "b"}, {"kind": "a"}, {"kind": "b"}], "kind")]
    ['b', 'a']
    """
    for value in dict.fromkeys(row[field] for row in rows):
        yield value, [row for row in rows if row[field] == value]


def rows_of(rows: Rows, **fields: Any) -> list[Row]:
    """Return the rows with these values in their fields; a row without such a field is none of them.

    >>> rows_of([{"set": "a"}, {"set": "b"}, {}], set="b")
    [{'set': 'b'}]
    """
    return list(filter(row_has(**fields), rows))


def row_has(**fields: Any) -> Callable[[Row], bool]:
    """Return what tells whether a row has these values in its fields."""
    return lambda row: all(row.get(field) == value for field, value in fields.items())
