"""TruthfulQA in its published format: a CSV file of questions, each with its best answer."""

from __future__ import annotations

import csv
from pathlib import Path

from probative.errors import InputError
from probative.types import Value

FILE = "truthfulqa/TruthfulQA.csv"


class TruthfulQuestion(Value):
    """A question and its best answer; `id` is its line in the file."""

    id: str
    question: str
    best: str


def read_truthfulqa(data: Path) -> list[TruthfulQuestion]:
    """Return all questions; raises `InputError` for a file without the published columns."""
    with (data / FILE).open(encoding="utf-8-sig", newline="") as lines:
        rows = csv.DictReader(lines)
        missing = {"Question", "Best Answer"} - set(rows.fieldnames or ())
        if missing:
            raise InputError(
                f"{FILE} has no column {min(missing)!r}",
                hint="take TruthfulQA.csv as published: its columns are Question, Best Answer and others",
            )
        return [
            TruthfulQuestion(
                id=str(number),
                question=" ".join(row["Question"].split()),
                best=" ".join(row["Best Answer"].split()),
            )
            for number, row in enumerate(rows, 1)
            if row["Question"] and row["Best Answer"]
        ]
