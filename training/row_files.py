"""Rows as JSON lines, written while they are collected and read back, and Markdown tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from probative.bench.rows import Row


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
