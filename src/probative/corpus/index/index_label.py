"""What an index folder and its vectors say about themselves, and how to make the index again."""

from __future__ import annotations

import shlex
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from probative.corpus.folder import INDEX_LABEL, matches
from probative.errors import StoreError
from probative.types import Value


class IndexLabel(Value):
    """What an index folder says about itself: its format, who made it, and the folder it was made from.

    `include`, `exclude` and `hidden` are the filters that chose the files; `dates` are those that the user
    set, each with the pattern of its sources.
    """

    format: int
    version: str
    folder: str
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    hidden: bool = False
    dates: tuple[tuple[str, str], ...] = ()

    def date_of(self, source: str) -> str | None:
        """Return the date that the user set for a source: that of the last pattern it fits."""
        dates = [date for pattern, date in self.dates if matches(source, pattern)]
        return dates[-1] or None if dates else None


def rebuild_hint(index: Path, folder: str = "") -> str:
    """Return how to make an index again, from the folder in its label if that can be read."""
    if not folder:
        with suppress(OSError, ValidationError):
            folder = IndexLabel.model_validate_json((index / INDEX_LABEL).read_bytes()).folder
    source = shlex.quote(folder) if folder else "FOLDER"
    return f"make it again: probative index {source} --out {shlex.quote(str(index))} --rebuild"


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
