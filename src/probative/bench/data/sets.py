"""The catalogue of data sets: their files, formats, checksums, licences and where to get them; and the check
of their files before a run: there, whole, and of the right form.

The sets are listed in `sets.toml`. A checksum is that of the file our kept reports were made with. The
published file has more rows than a sample and another checksum; both are read, and the manifest of a run says
which one it was.
"""

from __future__ import annotations

import csv
import hashlib
import tomllib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any, Literal, NamedTuple
from xml.etree import ElementTree

from probative.bench.data.files import read_csv, read_json, read_lines, read_rows, read_tsv
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
    (`probative.bench.data.questions.Question`), for the leaderboard.
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
    data_set = PLUGINS.load(name)
    if not isinstance(data_set, DataSet):
        raise InputError(
            f"{name} is not a data set but {type(data_set).__name__}",
            hint="its entry point must name a probative.bench.data.sets.DataSet",
        )
    return data_set


def check_sets(data: Path, names: Iterable[str]) -> dict[str, str]:
    """Return the checksum of each file of some data sets.

    Raises `InputError` for a missing file, one that was cut off, and one of another form; the hint says where
    to get it.
    """
    if not data.is_dir():
        raise InputError(
            f"there is no data folder {data}", hint="name it with --data DIR or the variable PROBATIVE_DATA"
        )
    sets = map(find_set, names)
    return {file.path: _checksum(data, data_set, file) for data_set in sets for file in data_set.files}


def is_kept_version(path: str, sha256: str, names: Iterable[str]) -> bool | None:
    """Return whether a file is the one our kept reports were made with; None if its checksum is not kept."""
    checksums = {file.path: file.sha256 for name in names for file in find_set(name).files}
    return checksums[path] == sha256 if checksums.get(path) else None


class _Form(NamedTuple):
    """How a format is called, and its reader, which raises an error for a file of another form."""

    name: str
    read: Callable[[Path], Any]


def _json_rows(path: Path) -> list[Any]:
    content = read_json(path)
    rows = list(content.values()) if isinstance(content, dict) else content
    if not isinstance(rows, list):
        raise ValueError("neither a list nor an object")
    return rows


_FORMS: dict[Format, _Form] = {
    "json": _Form("JSON", _json_rows),
    "rows": _Form("a JSON list or a file of JSON lines", read_rows),
    "lines": _Form("a file of JSON lines", read_lines),
    "lines.gz": _Form("a gzip file of JSON lines", read_lines),
    "csv": _Form("a CSV file", read_csv),
    "tsv": _Form("a table with tabs", read_tsv),
    "folder.any": _Form("a file", Path.stat),  # nothing to check
    "folder": _Form("UTF-8 text", lambda path: path.read_text(encoding="utf-8")),
    "folder.json": _Form("JSON", read_json),
    "folder.xml": _Form("XML", ElementTree.parse),
}


def _checksum(data: Path, data_set: DataSet, file: DataFile) -> str:
    """Check a file or a folder; returns the checksum of its bytes, or of the names and bytes of its files."""
    path, form = data / file.path, _FORMS[file.format]
    hint = f"get {data_set.title} from {data_set.source} and put it at {path}"
    if not path.exists():
        raise InputError(f"{data_set.name} needs the file {path}, which does not exist", hint=hint)
    if not file.format.startswith("folder"):
        with _whole(path, form, hint):
            _check_rows(path, data_set, file, hint)
        return hashlib.sha256(path.read_bytes()).hexdigest()
    parts = sorted(part for part in path.glob(file.pattern) if part.is_file()) if path.is_dir() else []
    if not parts:
        raise InputError(f"{path} is not a folder with files", hint=hint)
    checksum = hashlib.sha256()
    for part in parts:
        with _whole(part, form, hint):
            form.read(part)
        sha256 = hashlib.sha256(part.read_bytes()).hexdigest()
        checksum.update(f"{part.relative_to(path).as_posix()} {sha256}\n".encode())
    return checksum.hexdigest()


def _check_rows(path: Path, data_set: DataSet, file: DataFile, hint: str) -> None:
    number = 0
    for number, row in enumerate(_FORMS[file.format].read(path), 1):
        if missing := [name for name in file.fields if name not in row]:
            where = "its first row" if number == 1 else f"row {number:,}"
            raise InputError(
                f"{path} is not a file of {data_set.name}: {where} has no {', '.join(missing)}", hint=hint
            )
    if not number:
        raise InputError(f"{path} has no rows", hint=hint)


@contextmanager
def _whole(file: Path, form: _Form, hint: str) -> Iterator[None]:
    """Turn the error of a reader into an `InputError` that names the file."""
    try:
        yield
    except InputError:
        raise
    except (EOFError, ValueError, csv.Error, OSError, ElementTree.ParseError) as error:
        raise InputError(f"{file} is truncated or is not {form.name}: {error}", hint=hint) from None
