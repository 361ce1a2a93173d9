"""Files of triples, each format opened in the same way."""

from __future__ import annotations

import gzip
import importlib
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, cast

from probative.errors import InputError
from probative.graph.arguments import check_text
from probative.graph.formats.columns import ColumnChoice
from probative.graph.report import Faults

Row = tuple[int, str, str, str]
"""The number of a line, and the head, relation and tail that it states."""

Reader = Callable[["Source"], Iterator[Row]]
TEXT, JSON, RDF, PARQUET = "text", "json", "rdf", "parquet"
_READERS = {
    TEXT: "probative.graph.formats.tables:read_table",
    JSON: "probative.graph.formats.json_lines:read_json_lines",
    RDF: "probative.graph.formats.rdf:read_rdf",
    PARQUET: "probative.graph.formats.parquet:read_parquet",
}
_BY_SUFFIX = {
    **dict.fromkeys((".tsv", ".txt", ".csv", ".tab"), TEXT),
    **dict.fromkeys((".jsonl", ".ndjson", ".json"), JSON),
    **dict.fromkeys((".nt", ".nq", ".ttl", ".trig", ".n3", ".rdf", ".owl", ".xml", ".jsonld"), RDF),
    **dict.fromkeys((".parquet", ".pq"), PARQUET),
}


@dataclass
class Source:
    """A file that is being read: how, how far, and what was wrong so far."""

    path: Path
    format: str
    suffix: str
    columns: ColumnChoice
    separator: str | None = None
    encoding: str = "utf-8"
    faults: Faults = field(default_factory=Faults)
    labels: dict[str, str] = field(default_factory=dict)
    """Names that the file itself gives to its identifiers (RDF labels)."""
    begins: int | None = None
    """The number of the first line of a table that has no header, as far as is known."""
    place: Callable[[], float] = lambda: 0.0
    """How much of the file has been read, 0 to 1."""

    @property
    def names_are_identifiers(self) -> bool:
        """Whether two entities of one name are one: so in tables, not where things have IRIs."""
        return self.format != RDF

    def rows(self) -> Iterator[Row]:
        """The triples, in the order of the file."""
        module, _, function = _READERS[self.format].partition(":")
        read: Reader = getattr(importlib.import_module(module), function)
        return read(self)

    @contextmanager
    def bytes(self) -> Iterator[BinaryIO]:
        """The file's bytes, unpacked if it is compressed."""
        with self.path.open("rb") as raw:
            if raw.seekable():  # a pipe is not, and cannot say how much is left
                size = max(1, self.path.stat().st_size)
                self.place = lambda: min(1.0, raw.tell() / size)
            if self.path.suffix.lower() == ".gz":
                with gzip.GzipFile(fileobj=raw) as unpacked:
                    yield cast(BinaryIO, unpacked)
            else:
                yield raw

    @contextmanager
    def text(self) -> Iterator[io.TextIOWrapper]:
        """The file's lines. Bytes that are none of the encoding come through as lone surrogates, so that the
        line they stand in can be named.
        """
        with self.bytes() as raw:
            encoding = "utf-8-sig" if self.encoding.lower().replace("_", "-") == "utf-8" else self.encoding
            try:
                lines = io.TextIOWrapper(raw, encoding, errors="surrogateescape", newline=None)
            except (LookupError, ValueError):
                raise InputError(f"there is no encoding called {self.encoding!r}") from None
            yield lines


def source_of(
    path: Path, columns: ColumnChoice, *, separator: str | None, encoding: str, file_format: str | None
) -> Source:
    """A file of triples by its format: the one that is named, as a format or as a suffix, or that of its own
    suffix.

    >>> source_of(Path("facts.nt.gz"), ColumnChoice(), separator=None, encoding="utf-8", file_format=None).format
    'rdf'
    """
    if file_format is not None:
        check_text(file_format, "a format")
    if separator is not None and not check_text(separator, "a separator"):
        raise InputError("a separator is at least one character", hint="leave it out, and it is found")
    check_text(encoding, "an encoding")
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] == ".gz":
        suffixes.pop()
    suffix = suffixes[-1] if suffixes else ""
    chosen = file_format or _BY_SUFFIX.get(suffix)
    if file_format not in _READERS and f".{file_format}" in _BY_SUFFIX:
        suffix = f".{file_format}"
        chosen = _BY_SUFFIX[suffix]
    if chosen is None or chosen not in _READERS:
        raise InputError(
            f"there is no format {file_format!r}"
            if file_format
            else f"the format of {path.name} is not known",
            hint=f"name it: --format {'|'.join(_READERS)}; known are {', '.join(_BY_SUFFIX)}, each also .gz",
        )
    return Source(path, chosen, suffix, columns, separator, encoding)
