"""A file of triples, the table of formats, and the report of an import.

Each format has a reader that is imported when it is needed.
"""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, cast

from probative.errors import InputError
from probative.graph.formats.arguments import check_text
from probative.graph.formats.columns import ColumnChoice
from probative.registry import Registry
from probative.types import Value

Row = tuple[int, str, str, str]
"""The number of a line, and its head, relation and tail."""

Reader = Callable[["Source"], Iterator[Row]]
TEXT, JSON, RDF, PARQUET = "text", "json", "rdf", "parquet"
_READERS = Registry(
    "format",
    {
        TEXT: "probative.graph.formats.tables:read_table",
        JSON: "probative.graph.formats.json_lines:read_json_lines",
        RDF: "probative.graph.formats.rdf:read_rdf",
        PARQUET: "probative.graph.formats.tables:read_parquet",
    },
)
_BY_SUFFIX = {
    **dict.fromkeys((".tsv", ".txt", ".csv", ".tab"), TEXT),
    **dict.fromkeys((".jsonl", ".ndjson", ".json"), JSON),
    **dict.fromkeys((".nt", ".nq", ".ttl", ".trig", ".n3", ".rdf", ".owl", ".xml", ".jsonld"), RDF),
    **dict.fromkeys((".parquet", ".pq"), PARQUET),
}


# The number of malformed lines that are kept; the others are only counted.
MAX_EXAMPLES = 5


class BadLine(Value):
    """A malformed line: its number in the file, and what is wrong with it."""

    line: int
    why: str


class ImportReport(Value):
    """The report of an import. Self-loops are kept as edges, but never become paths."""

    source: str
    format: str
    lines: int
    edges: int
    entities: int
    relations: int
    duplicates: int
    self_loops: int
    merged: int
    """Entities that were merged because only their spelling differs (`hot_dog`, `hot dog`)."""
    named: int
    """Entities and relations whose names come from a names file or from labels."""
    malformed: int
    examples: tuple[BadLine, ...]
    seconds: float
    notes: tuple[str, ...] = ()
    """What looks wrong but was not changed, such as a first line that is probably a header."""

    @property
    def unused(self) -> str | None:
        """A message with the number of unused lines and the first of them; None if all were used."""
        if not self.malformed:
            return None
        first = f"; the first: line {self.examples[0].line:,} {self.examples[0].why}" if self.examples else ""
        return f"{self.malformed:,} of {self.lines:,} lines of {self.source} could not be used{first}"


class MalformedLines:
    """A collector of malformed lines: all are counted, the first few are kept.

    >>> malformed = MalformedLines()
    >>> malformed.add(3, "has 2 columns")
    >>> malformed.count, malformed.first[0].line
    (1, 3)
    """

    def __init__(self) -> None:
        self.count = 0
        self.first: list[BadLine] = []

    def add(self, line: int, why: str) -> None:
        """Add a line that cannot be used."""
        self.count += 1
        if len(self.first) < MAX_EXAMPLES:
            self.first.append(BadLine(line=line, why=why))


@dataclass
class Source:
    """A file that is being read: its format and options, the progress, and the malformed lines so far."""

    path: Path
    format: str
    suffix: str
    columns: ColumnChoice
    separator: str | None = None
    encoding: str = "utf-8"
    malformed: MalformedLines = field(default_factory=MalformedLines)
    labels: dict[str, str] = field(default_factory=dict)
    """The names of identifiers in the file itself (RDF labels)."""
    first_line: int | None = None
    """The number of the first line of a table without a header, if known."""
    progress: Callable[[], float] = lambda: 0.0
    """Return the share of the file that has been read, 0 to 1."""

    @property
    def names_are_identifiers(self) -> bool:
        """Whether entities with the same name are one entity: not for RDF, which has IRIs."""
        return self.format != RDF

    def rows(self) -> Iterator[Row]:
        """Read the triples, in the order of the file."""
        read: Reader = _READERS.load(self.format)
        return read(self)

    @contextmanager
    def bytes(self) -> Iterator[BinaryIO]:
        """Open the file as bytes, decompressed if its name ends in .gz."""
        with self.path.open("rb") as raw:
            if raw.seekable():  # a pipe has no size
                size = max(1, self.path.stat().st_size)
                self.progress = lambda: min(1.0, raw.tell() / size)
            if self.path.suffix.lower() == ".gz":
                with gzip.GzipFile(fileobj=raw) as unpacked:
                    yield cast(BinaryIO, unpacked)
            else:
                yield raw

    @contextmanager
    def text(self) -> Iterator[io.TextIOWrapper]:
        """Open the file as text. Bytes that are invalid in the encoding become lone surrogates, so that the
        import can report their line.
        """
        with self.bytes() as raw:
            encoding = "utf-8-sig" if self.encoding.lower().replace("_", "-") == "utf-8" else self.encoding
            try:
                lines = io.TextIOWrapper(raw, encoding, errors="surrogateescape", newline=None)
            except (LookupError, ValueError):
                raise InputError(
                    f"unknown encoding {self.encoding!r}", hint="give one such as utf-8 or latin-1"
                ) from None
            yield lines


def source_of(
    path: Path, columns: ColumnChoice, *, separator: str | None, encoding: str, file_format: str | None
) -> Source:
    """Return the source for a file. Its format is `file_format`, a format or a suffix, or follows from the
    suffix of the file.

    >>> source = source_of(
    ...     Path("facts.nt.gz"), ColumnChoice(), separator=None, encoding="utf-8", file_format=None
    ... )
    >>> source.format
    'rdf'
    """
    if file_format is not None:
        check_text(file_format, "the format")
    if separator is not None and not check_text(separator, "the separator"):
        raise InputError("the separator is empty", hint="leave it out to detect it")
    check_text(encoding, "the encoding")
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] == ".gz":
        suffixes.pop()
    suffix = suffixes[-1] if suffixes else ""
    chosen = file_format or _BY_SUFFIX.get(suffix)
    if file_format is not None and file_format not in _READERS and f".{file_format}" in _BY_SUFFIX:
        suffix = f".{file_format}"
        chosen = _BY_SUFFIX[suffix]
    if chosen is None or chosen not in _READERS:
        raise InputError(
            f"unknown format {file_format!r}" if file_format else f"the format of {path.name} is unknown",
            hint=f"name it: --format {'|'.join(_READERS.names())}; known suffixes, each also with .gz: "
            f"{', '.join(_BY_SUFFIX)}",
        )
    return Source(path, chosen, suffix, columns, separator, encoding)
