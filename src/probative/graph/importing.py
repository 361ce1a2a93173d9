"""Import a graph from a file of triples, in memory that grows with the graph and not with the lines.

Identifiers are numbered in the order of their first occurrence, and an edge is three numbers. Names are made
afterwards, one for each identifier.
"""

from __future__ import annotations

import gzip
import time
import zlib
from array import array
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from probative.errors import InputError
from probative.graph.edges import Edges, Ints, build_edges
from probative.graph.formats.columns import PARTS, Columns, parse_columns
from probative.graph.formats.sources import ImportReport, Source, source_of
from probative.graph.identifiers import entity_name, read_names, relation_name
from probative.graph.name_table import NameTable
from probative.text.words import clean

ImportProgress = Callable[[str, float], None]
"""Called with the name of a step and the share of it that is done, 0 to 1."""

NamesFiles = str | Path | Iterable[str | Path]
_BETWEEN_REPORTS = 65_536
_EXPECTED = {
    "json": "write one object with the three parts or one list of three a line, or one array of such",
    "rdf": "name the notation: --format nt|nq|ttl|trig|n3|xml|jsonld",
}


def read_graph(
    path: Path,
    *,
    columns: Columns | None = None,
    names: NamesFiles | None = None,
    tidy: bool = True,
    separator: str | None = None,
    encoding: str = "utf-8",
    file_format: str | None = None,
    progress: ImportProgress | None = None,
) -> tuple[Edges, NameTable, NameTable, ImportReport]:
    """Read the edges, entities and relations of a file, with a report of the import."""
    started = time.perf_counter()
    if not path.exists():
        raise InputError(f"the file {path} does not exist", hint="check the path")
    source = source_of(
        path, parse_columns(columns), separator=separator, encoding=encoding, file_format=file_format
    )
    given_names = read_names(names)
    report = progress or (lambda step, share: None)
    numbered = _read(source, report)
    given_names = {**source.labels, **given_names}
    report("name the entities", 0.0)
    name_entity, name_relation = (entity_name, relation_name) if tidy else (clean, clean)
    entities = _named(numbered.entities, given_names, name_entity, merge=source.names_are_identifiers)
    relations = _named(numbered.relations, given_names, name_relation, merge=True)
    report("sort the edges", 0.0)
    count, identifiers = numbered.count, len(numbered.entities)
    notes = _header_note(source, numbered, given_names)
    columns_of_edges = numbered.columns(entities.number_of, relations.number_of)
    del numbered
    edges = build_edges(*columns_of_edges, entities=len(entities.names), relations=len(relations.names))
    del columns_of_edges
    report("index the names", 0.0)
    entity_names, relation_names = NameTable.of(entities.names), NameTable.of(relations.names)
    report("index the names", 1.0)
    summary = ImportReport(
        source=path.name,
        format=source.format,
        lines=count + source.malformed.count,
        edges=edges.count,
        entities=len(entity_names),
        relations=len(relation_names),
        duplicates=count - edges.count,
        self_loops=edges.self_loops,
        merged=identifiers - len(entity_names),
        named=entities.given + relations.given,
        malformed=source.malformed.count,
        examples=tuple(source.malformed.first),
        notes=notes,
        seconds=round(time.perf_counter() - started, 3),
    )
    return edges, entity_names, relation_names, summary


class _Numbered:
    """Identifiers by number, and the edges as rows of these numbers."""

    def __init__(self) -> None:
        self.entities: dict[str, int] = {}
        self.relations: dict[str, int] = {}
        self.rows = array("i")
        self.first_line: int | None = None

    @property
    def count(self) -> int:
        return len(self.rows) // 3

    def columns(self, entity_of: Ints, relation_of: Ints) -> tuple[Ints, Ints, Ints]:
        """Return heads, relations and tails, each renumbered."""
        rows = np.frombuffer(self.rows, dtype=np.int32).reshape(-1, 3)
        return entity_of[rows[:, 0]], relation_of[rows[:, 1]], entity_of[rows[:, 2]]


def _read(source: Source, report: ImportProgress) -> _Numbered:
    """Return all rows of a file; raises `InputError` if it cannot be read or has none."""
    numbered = _Numbered()
    try:
        _read_rows(source, numbered, report)
    except (OSError, EOFError, UnicodeError, zlib.error) as error:
        raise InputError(f"{source.path} cannot be read: {error}", hint=_hint(error)) from None
    if not numbered.count:
        raise _no_edges(source)
    return numbered


def _read_rows(source: Source, numbered: _Numbered, report: ImportProgress) -> None:
    """Read all rows of a file into `numbered`."""
    entities, relations, rows = numbered.entities, numbered.relations, numbered.rows
    entity, relation_number, add = entities.get, relations.get, rows.append
    malformed, step = source.malformed, f"read {source.path.name}"
    for count, (line, head, relation, tail) in enumerate(source.rows()):
        h, r, t = entity(head), relation_number(relation), entity(tail)
        if h is None or r is None or t is None:
            # Only a new identifier can be wrong: bytes of another encoding appear as lone surrogates.
            if not (_encodable(head) and _encodable(relation) and _encodable(tail)):
                malformed.add(line, f"is not {source.encoding}")
                continue
            h = entities.setdefault(head, len(entities))
            r = relations.setdefault(relation, len(relations))
            t = entities.setdefault(tail, len(entities))
            if not rows:
                numbered.first_line = line
        add(h)
        add(r)
        add(t)
        if count % _BETWEEN_REPORTS == 0:
            report(step, source.progress())
    report(step, 1.0)


def _hint(error: Exception) -> str:
    """Return what to do about a file that cannot be read to its end."""
    if isinstance(error, gzip.BadGzipFile) and "Not a gzipped" in str(error):
        return "it is not compressed with gzip: rename it without .gz"
    if isinstance(error, EOFError | zlib.error | gzip.BadGzipFile):
        return "it is incomplete or damaged: download or compress it again"
    if isinstance(error, UnicodeError):
        return "give its encoding: --encoding"
    return ""


def _header_note(source: Source, numbered: _Numbered, given_names: dict[str, str]) -> tuple[str, ...]:
    """Return a note if the first line is probably a header: nothing in it occurs again, but the relations of
    the other lines do.
    """
    if source.first_line is None or numbered.first_line != source.first_line:
        return ()
    rows = np.frombuffer(numbered.rows, dtype=np.int32).reshape(-1, 3)
    (head, relation, tail), others = rows[0], rows[1:]
    names = [next(iter(numbered.entities)), next(iter(numbered.relations))]
    if head == tail or len(others) < 2 * (len(numbered.relations) - 1) or len(others) < 2:
        return ()
    if (others[:, 1] == relation).any() or np.isin(others[:, [0, 2]], (head, tail)).any():
        return ()
    names.append(next(islice(numbered.entities, 1, None)))
    if any(name in given_names for name in names):
        return ()
    cells = [clean(name)[:40] for name in names]
    columns = ",".join(f"{part}={name}" for part, name in zip(PARTS, cells, strict=True))
    return (
        f"line {source.first_line:,} ({', '.join(cells)}) is probably a header, because nothing in it occurs "
        f"again; it was read as an edge. If it is a header, give --columns {columns}",
    )


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _no_edges(source: Source) -> InputError:
    """Return an error that says why no line could be used."""
    malformed = source.malformed
    if not malformed.count:
        return InputError(f"{source.path} has no edges", hint="a graph needs at least one triple")
    examples = "; ".join(f"line {bad.line} {bad.why}" for bad in malformed.first[:3])
    if all(bad.why == f"is not {source.encoding}" for bad in malformed.first):
        hint = f"it is probably not {source.encoding}: give its encoding, such as --encoding latin-1"
    elif source.format == "text":
        hint = "give the separator and the columns: --separator and --columns"
    else:
        hint = _EXPECTED.get(source.format, f"check that the file is {source.format}")
    return InputError(
        f"none of the {malformed.count:,} lines of {source.path} can be used: {examples}", hint=hint
    )


class _Named(NamedTuple):
    """Names, the number of each identifier's name, and how many names were given by the user or the file."""

    names: list[str]
    number_of: Ints
    given: int


def _named(
    identifiers: dict[str, int], given_names: dict[str, str], make_name: Callable[[str], str], *, merge: bool
) -> _Named:
    """Return a name for each identifier: the given one, or what `make_name` makes of it.

    With `merge`, identifiers for which `make_name` gives the same name become one entity. Identifiers with
    the same given name stay apart, because the user says that they are two.
    """
    names: list[str] = []
    number_of_made: dict[str, int] = {}
    number_of = np.empty(len(identifiers), dtype=np.int32)
    given = 0
    for index, identifier in enumerate(identifiers):
        name = given_names.get(identifier)
        if name is not None:
            given += 1
            number_of[index] = len(names)
            names.append(name)
            continue
        name = make_name(identifier) or "?"
        number_of[index] = number_of_made.setdefault(name, len(names)) if merge else len(names)
        if number_of[index] == len(names):
            names.append(name)
    return _Named(names, number_of, given)
