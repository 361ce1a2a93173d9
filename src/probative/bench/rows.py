"""Rows of an experiment as JSON lines: written while it runs, read back to print tables without asking a
model.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

Row = dict[str, Any]
"""The result of one method for one case: a line of the file that an experiment writes."""


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
    return [row for row in rows if "error" not in row]


def failed_count(rows: Iterable[Row]) -> int:
    """Return how many cases failed."""
    return sum("error" in row for row in rows)


FAILED = "failed"
"""The column of a table with the number of cases that failed."""


def append_rows(file: Path | None, rows: Iterable[Row]) -> None:
    """Append rows to a file; without a file, do nothing."""
    if file is not None:
        with file.open("a", encoding="utf-8") as stream:
            for row in rows:
                stream.write(json.dumps(row, ensure_ascii=False) + "\n")


def read_rows(files: Iterable[Path], key: Sequence[str]) -> list[Row]:
    """Return the rows of several files, the last one of each key; a line that was cut off is left out.

    `key` names the fields that identify a row, for example the set, the method and the id of the case.
    """
    rows: dict[tuple[Any, ...], Row] = {}
    for file in files:
        for line in file.read_text(encoding="utf-8").split("\n"):
            try:
                row = json.loads(line)
            except ValueError:
                continue
            rows[tuple(row.get(field) for field in key)] = row
    return list(rows.values())


def print_header(columns: Sequence[str]) -> None:
    """Print the head of a Markdown table."""
    print(f"| {' | '.join(columns)} |\n" + "| --- " * len(columns) + "|", flush=True)


def print_cells(cells: Sequence[str]) -> None:
    """Print one row of a Markdown table."""
    print(f"| {' | '.join(cells)} |", flush=True)
