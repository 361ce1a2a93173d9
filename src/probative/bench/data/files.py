"""Reading JSON files and JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def read_json(file: Path) -> Any:
    """Return the content of a JSON file."""
    return json.loads(file.read_text(encoding="utf-8"))


def read_lines(file: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a file of JSON lines; empty lines are skipped."""
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def read_rows(file: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a file that is a JSON list or JSON lines: some sets come in both forms."""
    with file.open(encoding="utf-8") as lines:
        is_list = lines.read(1) == "["
    yield from read_json(file) if is_list else read_lines(file)
