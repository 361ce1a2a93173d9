"""What the vectors of an index say about themselves."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from probative.types import Value

LABEL = "label.json"


class VectorsLabel(Value):
    """Which encoder made the vectors, and how many there are."""

    encoder: str
    dimensions: int
    rows: int


def read_label(folder: Path) -> VectorsLabel | None:
    """Return the label of the vectors in a folder, or None if there are none."""
    try:
        return VectorsLabel.model_validate_json((folder / LABEL).read_text(encoding="utf-8"))
    except (OSError, ValidationError):
        return None
