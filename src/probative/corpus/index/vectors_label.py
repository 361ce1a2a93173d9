"""What the vectors of an index say about themselves."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from probative.corpus.index.index_label import rebuild_hint
from probative.errors import StoreError
from probative.types import Value

LABEL = "label.json"


class VectorsLabel(Value):
    """Which encoder made the vectors, and how many there are.

    Every passage with a number below `end` has a row, or is gone. The files of the rows are those of a
    `generation`; `checksums` are the CRC-32 of each.
    """

    encoder: str
    dimensions: int
    rows: int = 0
    end: int = 0
    generation: int = 0
    checksums: tuple[int, int, int] = (0, 0, 0)


def read_label(folder: Path) -> VectorsLabel | None:
    """Return the label of the vectors in a folder, None if there are none; raises `StoreError`."""
    file = folder / LABEL
    try:
        return VectorsLabel.model_validate_json(file.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        what = error.strerror if isinstance(error, OSError) else "it is no label of vectors"
        raise StoreError(
            f"the vectors of the index cannot be used: {file}: {what}",
            hint=rebuild_hint(folder.parent),
        ) from error
