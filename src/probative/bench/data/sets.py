"""The catalogue of data sets: their files, formats, checksums, licences and where to get them.

The sets are listed in `sets.toml`. A checksum is that of the file our kept reports were made with. The
published file has more rows than a sample and another checksum; both are read, and the manifest of a run says
which one it was.
"""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path
from typing import Literal

from probative.errors import InputError
from probative.registry import Registry
from probative.types import Value

Format = Literal[
    "json", "rows", "lines", "lines.gz", "csv", "tsv", "folder", "folder.json", "folder.xml", "folder.any"
]


class DataFile(Value):
    """A file of a data set below the data folder; `fields` are those that each row must have.

    `rows` are a JSON list or JSON lines. A `folder` has text files, or all of one kind,
    or files of any kind; `pattern` says which.
    """

    path: str
    format: Format
    fields: tuple[str, ...] = ()
    sha256: str = ""
    pattern: str = "*"


class DataSet(Value):
    """A published data set: its files, its licence and where to get it.

    `questions` names a function ("module:function") that takes the data folder and yields the questions
    (`probative.bench.data.multihop.Question`), for the leaderboard.
    """

    name: str
    title: str
    files: tuple[DataFile, ...]
    source: str
    licence: str
    questions: str = ""

    def is_in(self, data: Path) -> bool:
        """Return whether all files of the set are in a data folder."""
        return all((data / file.path).exists() for file in self.files)


def _read_catalogue() -> dict[str, DataSet]:
    text = resources.files("probative.bench.data").joinpath("sets.toml").read_text(encoding="utf-8")
    return {name: DataSet(name=name, **fields) for name, fields in tomllib.loads(text).items()}


CATALOGUE = _read_catalogue()
"""The data sets that the package knows."""
PLUGINS = Registry("data set", {}, group="probative.data_sets", others=tuple(CATALOGUE))
"""Data sets of other packages: an entry point names a `DataSet`."""


def find_set(name: str) -> DataSet:
    """Return the data set of this name; raises `InputError` if there is none.

    >>> find_set("wice").licence
    'ODC-BY, CC BY-SA'
    """
    if name in CATALOGUE:
        return CATALOGUE[name]
    found = PLUGINS.load(name)
    if not isinstance(found, DataSet):
        raise InputError(
            f"{name} is not a data set but {type(found).__name__}",
            hint="its entry point must name a probative.bench.data.sets.DataSet",
        )
    return found
