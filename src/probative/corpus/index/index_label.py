"""What an index folder says about itself, and how to make it again."""

from __future__ import annotations

import shlex
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from probative.corpus.folder import INDEX_LABEL, matches
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
