"""Worked examples for the prompt of `reason`, from a JSONL file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from probative.errors import InputError


def read_examples(file: Path | None) -> list[dict[str, Any]] | None:
    """Return the JSON objects of a file; an `InputError` names the line that is wrong."""
    if file is None:
        return None
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file} cannot be read: {error}") from None
    examples = [_object(file, number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not examples:
        raise InputError(f"{file} has no examples", hint="write one JSON object on each line")
    return examples


def _object(file: Path, number: int, line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file}, line {number} is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise InputError(f"{file}, line {number} is not a JSON object")
    return value
