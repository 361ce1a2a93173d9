"""The catalogue of data sets: their files, formats, checksums, licences and where to get them; and the check
of their files: there, whole, and of the right form.

The sets are listed in `sets.toml`; `probative bench data` lists, gets and checks them. A checksum is that of
the file our kept reports were made with. The published file has more rows than a sample and another checksum;
both are read, and the manifest of a run says which one it was.
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
    "json",
    "rows",
    "lines",
    "lines.gz",
    "csv",
    "tsv",
    "any",
    "folder",
    "folder.json",
    "folder.xml",
    "folder.any",
]


class DataFile(Value):
    """A file of a data set below the data folder; `fields` are those that each row must have.

    `rows` are a JSON list or JSON lines. A `folder` has text files, or all of one kind,
    or files of any kind; `pattern` says which. `url` is the published file or an archive with it; its name
    there is `published_as` (of a folder with a slash), by default the name in `url` or `path`. `published` is
    its checksum where our kept reports were made with another file.
    """

    path: str
    format: Format
    fields: tuple[str, ...] = ()
    sha256: str = ""
    published: str = ""
    pattern: str = "*"
    url: str = ""
    published_as: str = ""

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder."""
        return self.format.startswith("folder")


class DataSet(Value):
    """A published data set: its files, its licence and where to get it.

    `questions` names a function ("module:function") that takes the data folder and yields the questions
    (`probative.bench.data.questions.Question`), for the leaderboard. `steps` say how to get a set that cannot
    be downloaded. `made_by` names a function that makes the files from the published ones, `raw`.
    """

    name: str
    title: str
    files: tuple[DataFile, ...]
    source: str
    licence: str
    size: str = ""
    questions: str = ""
    steps: str = ""
    raw: tuple[DataFile, ...] = ()
    made_by: str = ""

    @property
    def how(self) -> str:
        """How to get the set."""
        downloaded = all(file.url for file in self.raw or self.files)
        return self.steps or (f"probative bench data get {self.name}" if downloaded else f"see {self.source}")

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
    return {file.path: check_file(data, data_set, file) for data_set in sets for file in data_set.files}


class ListedData(Value):
    """A data set as it is listed: `how` says how to get it, `size` is about that of its download, or of the
    part that is read.
    """

    name: str
    title: str
    files: tuple[str, ...]
    source: str
    licence: str
    size: str
    how: str


class ListedSets(Value):
    """Data sets as they are listed."""

    sets: tuple[ListedData, ...]


def list_sets(names: Iterable[str] = ()) -> ListedSets:
    """Return data sets as they are listed; without names all, plug-ins included.

    >>> [listed.how for listed in list_sets(["wice"]).sets]
    ['probative bench data get wice']
    """
    return ListedSets(sets=tuple(map(_listed, map(find_set, names or PLUGINS.names()))))


def _listed(data_set: DataSet) -> ListedData:
    fields = data_set.model_dump(include={"name", "title", "source", "licence", "size"})
    return ListedData(**fields, how=data_set.how, files=tuple(file.path for file in data_set.files))


State = Literal["kept", "published", "other", "missing", "wrong"]
"""A file: that of our kept reports, the published one, another of the right form, missing, or unusable."""


class FileCheck(Value):
    """What a file of a set is; `problem` says what is wrong with it."""

    path: str
    state: State
    sha256: str = ""
    problem: str = ""


class SetCheck(Value):
    """The files of a set, how to get what is missing, and what its making left out (`note`)."""

    name: str
    how: str
    files: tuple[FileCheck, ...]
    note: str = ""

    @property
    def usable(self) -> bool:
        """Whether a study can read the set."""
        return all(file.sha256 for file in self.files)


class DataCheck(Value):
    """What the files of some sets in a data folder are."""

    data: str
    sets: tuple[SetCheck, ...]


def inspect_set(data: Path, data_set: DataSet) -> SetCheck:
    """Return what each file of a set is; raises no error for one that is missing or wrong."""
    files = tuple(_inspect(data, data_set, file) for file in data_set.files)
    return SetCheck(name=data_set.name, how=data_set.how, files=files)


def _inspect(data: Path, data_set: DataSet, file: DataFile) -> FileCheck:
    if not (data / file.path).exists():
        return FileCheck(path=file.path, state="missing")
    try:
        sha256 = check_file(data, data_set, file)
    except InputError as error:
        return FileCheck(path=file.path, state="wrong", problem=error.what)
    states: dict[str, State] = {file.published: "published", file.sha256: "kept"}
    return FileCheck(path=file.path, state=states.get(sha256, "other"), sha256=sha256)


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
    "any": _Form("a file", Path.stat),  # nothing to check
    "folder.any": _Form("a file", Path.stat),
    "folder": _Form("UTF-8 text", lambda path: path.read_text(encoding="utf-8")),
    "folder.json": _Form("JSON", read_json),
    "folder.xml": _Form("XML", ElementTree.parse),
}


def check_file(data: Path, data_set: DataSet, file: DataFile) -> str:
    """Check a file or a folder; returns the checksum of its bytes, or of the names and bytes of its files.

    Raises `InputError` for one that is missing, was cut off or has another form.
    """
    path, form = data / file.path, _FORMS[file.format]
    hint = f"get {data_set.title} from {data_set.source} and put it at {path}; or {data_set.how}"
    if not path.exists():
        raise InputError(f"{data_set.name} needs the file {path}, which does not exist", hint=hint)
    if not file.is_folder:
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
