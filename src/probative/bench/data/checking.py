"""Check the files of data sets before a run: there, whole, and of the right form."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from probative.bench.data.sets import DataFile, DataSet, find_set
from probative.errors import InputError


def check_sets(data: Path, names: Iterable[str]) -> dict[str, str]:
    """Return the checksum of each file of some data sets.

    Raises `InputError` for a missing file, one that was cut off, and one of another form; the hint says where
    to get it.
    """
    if not data.is_dir():
        raise InputError(
            f"there is no data folder {data}", hint="name it with --data DIR or the variable PROBATIVE_DATA"
        )
    checksums = {}
    for data_set in map(find_set, names):
        for file in data_set.files:
            checksums[file.path] = _checked(data, data_set, file)
    return checksums


def is_kept_version(path: str, sha256: str, names: Iterable[str]) -> bool | None:
    """Return whether a file is the one our kept reports were made with; None if its checksum is not kept."""
    known = {file.path: file.sha256 for name in names for file in find_set(name).files}
    return known[path] == sha256 if known.get(path) else None


def _checked(data: Path, data_set: DataSet, file: DataFile) -> str:
    path = data / file.path
    hint = f"get {data_set.title} from {data_set.source} and put it at {path}"
    if not path.exists():
        raise InputError(f"{data_set.name} needs the file {path}, which does not exist", hint=hint)
    if file.format.startswith("folder"):
        return _folder_checksum(path, file, hint)
    try:
        rows = _READERS[file.format](path)
    except (EOFError, ValueError, csv.Error, OSError) as error:
        raise InputError(
            f"{path} is truncated or is not {_SPELLED[file.format]}: {error}", hint=hint
        ) from None
    if not rows:
        raise InputError(f"{path} has no rows", hint=hint)
    for number, row in enumerate(rows, 1):
        missing = [name for name in file.fields if name not in row]
        if missing:
            where = "its first row" if number == 1 else f"row {number:,}"
            raise InputError(
                f"{path} is not a file of {data_set.name}: {where} has no {', '.join(missing)}", hint=hint
            )
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _folder_checksum(path: Path, file: DataFile, hint: str) -> str:
    """Return a checksum of the names and the contents of a folder's files.

    Thousands of small files take a few tenths of a second, so nothing is cached.
    """
    parts = sorted(part for part in path.glob(file.pattern) if part.is_file()) if path.is_dir() else []
    if not parts:
        raise InputError(f"{path} is not a folder with files", hint=hint)
    checksum = hashlib.sha256()
    for part in parts:
        content = part.read_bytes()
        try:
            _PARSERS[file.format](content)
        except (ValueError, ElementTree.ParseError) as error:
            raise InputError(
                f"{part} is truncated or is not {_SPELLED[file.format]}: {error}", hint=hint
            ) from None
        sha256 = hashlib.sha256(content).hexdigest()
        checksum.update(f"{part.relative_to(path).as_posix()} {sha256}\n".encode())
    return checksum.hexdigest()


def _json_rows(path: Path) -> list[Any]:
    content = json.loads(path.read_text(encoding="utf-8-sig"))
    rows = list(content.values()) if isinstance(content, dict) else content
    if not isinstance(rows, list):
        raise ValueError("neither a list nor an object")
    return rows


def _parsed_lines(lines: Iterable[str]) -> list[Any]:
    """Return the keys of each row of JSON lines; the values of a large file need not stay in memory."""
    rows = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
        if not isinstance(row, dict):
            raise ValueError(f"line {number} is not a JSON object")
        rows.append(tuple(map(sys.intern, row)))
    return rows


def _lines_rows(path: Path) -> list[Any]:
    with path.open(encoding="utf-8-sig") as lines:
        return _parsed_lines(lines)


def _either_rows(path: Path) -> list[Any]:
    with path.open(encoding="utf-8-sig") as lines:
        is_list = lines.read(1) == "["
    return _json_rows(path) if is_list else _lines_rows(path)


def _gzip_rows(path: Path) -> list[Any]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return _parsed_lines(lines)


def _csv_rows(path: Path) -> list[Any]:
    with path.open(encoding="utf-8-sig", newline="") as lines:
        rows = list(csv.DictReader(lines, strict=True))
    for number, row in enumerate(rows, 1):
        if None in row or None in row.values():
            raise ValueError(f"row {number} has another number of fields than the header")
    return rows


def _tsv_rows(path: Path) -> list[Any]:
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    for number, row in enumerate(rows, 1):
        if len(row) < 2:
            raise ValueError(f"line {number} has one column")
    return rows


_READERS: dict[str, Callable[[Path], list[Any]]] = {
    "json": _json_rows,
    "rows": _either_rows,
    "lines": _lines_rows,
    "lines.gz": _gzip_rows,
    "csv": _csv_rows,
    "tsv": _tsv_rows,
}
_PARSERS: dict[str, Callable[[bytes], Any]] = {
    "folder.any": len,  # nothing to check
    "folder": bytes.decode,
    "folder.json": json.loads,
    "folder.xml": ElementTree.fromstring,
}
_SPELLED = {
    "folder.any": "a file",
    "folder": "UTF-8 text",
    "folder.json": "JSON",
    "folder.xml": "XML",
    "json": "JSON",
    "rows": "a JSON list or a file of JSON lines",
    "lines": "a file of JSON lines",
    "lines.gz": "a gzip file of JSON lines",
    "csv": "a CSV file",
    "tsv": "a table with tabs",
}
