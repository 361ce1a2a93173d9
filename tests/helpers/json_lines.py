"""Files of JSON lines, written and read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def write_lines(path: Path, *lines: object) -> Path:
    """Write one line for each value; a string is a line as it stands."""
    written = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text("".join(f"{line}\n" for line in written), encoding="utf-8")
    return path


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Return the values of the lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
