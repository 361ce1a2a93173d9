"""A graph out of a file of triples: read once, in memory that grows with the graph and not with the lines.

Identifiers are numbered as they come, three numbers an edge. Names are made afterwards, once an identifier.
"""

from __future__ import annotations

import gzip
import time
import zlib
from array import array
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path

import numpy as np

from probative.errors import InputError
from probative.graph.edges import Edges, Ints, build_edges
from probative.graph.formats.columns import PARTS, Columns, wanted
from probative.graph.formats.sources import Source, source_of
from probative.graph.identifiers import entity_name, read_names, relation_name
from probative.graph.name_table import NameTable
from probative.graph.report import ImportReport
from probative.text.cleaning import clean

Report = Callable[[str, float], None]
"""Called with what is being done and how much of it is done, 0 to 1."""

NamesFiles = str | Path | Iterable[str | Path]
_BETWEEN_REPORTS = 65_536
_EXPECTED = {
    "json": "a line is one JSON object with the three parts, or a list of three; or all is one array of them",
    "rdf": "say which notation it is: --format nt|nq|ttl|trig|n3|xml|jsonld",
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
    report: Report | None = None,
) -> tuple[Edges, NameTable, NameTable, ImportReport]:
    """The edges, entities and relations of a file, and a report of what was found in it."""
    started = time.perf_counter()
    if not path.exists():
        raise InputError(f"there is no file {path}")
    source = source_of(path, wanted(columns), separator=separator, encoding=encoding, file_format=file_format)
    given = read_names(names)
    tell = report or (lambda what, part: None)
    numbered = _Numbered()
    try:
        _read(source, numbered, tell)
    except (OSError, EOFError, UnicodeError, zlib.error) as error:
        raise InputError(f"{path} cannot be read: {error}", hint=_mend(error)) from None
    if not numbered.count:
        raise _nothing(source)
    tell("name the entities", 0.0)
    given = {**source.labels, **given}
    clean_names = (entity_name, relation_name) if tidy else (clean, clean)
    entities, entity_of, named = _named(
        numbered.entities, given, clean_names[0], merge=source.names_are_identifiers
    )
    relations, relation_of, also = _named(numbered.relations, given, clean_names[1], merge=True)
    merged = len(numbered.entities) - len(entities)
    tell("sort the edges", 0.0)
    heads, kinds, tails = numbered.columns(entity_of, relation_of)
    count = numbered.count
    notes = _notes(source, numbered, given)
    del numbered
    edges = build_edges(heads, kinds, tails, entities=len(entities), relations=len(relations))
    del heads, kinds, tails
    tell("index the names", 0.0)
    entity_names, relation_names = NameTable.of(entities), NameTable.of(relations)
    tell("index the names", 1.0)
    return (
        edges,
        entity_names,
        relation_names,
        ImportReport(
            source=path.name,
            format=source.format,
            lines=count + source.faults.count,
            edges=edges.count,
            entities=len(entity_names),
            relations=len(relation_names),
            duplicates=count - edges.count,
            self_loops=edges.self_loops,
            merged=merged,
            named=named + also,
            malformed=source.faults.count,
            examples=tuple(source.faults.first),
            notes=notes,
            seconds=round(time.perf_counter() - started, 3),
        ),
    )


class _Numbered:
    """Identifiers by number, and the edges in these numbers."""

    def __init__(self) -> None:
        self.entities: dict[str, int] = {}
        self.relations: dict[str, int] = {}
        self.rows = array("i")
        self.first_line: int | None = None

    @property
    def count(self) -> int:
        return len(self.rows) // 3

    def columns(self, entity_of: Ints, relation_of: Ints) -> tuple[Ints, Ints, Ints]:
        """Heads, relations and tails, each renumbered."""
        rows = np.frombuffer(self.rows, dtype=np.int32).reshape(-1, 3)
        return entity_of[rows[:, 0]], relation_of[rows[:, 1]], entity_of[rows[:, 2]]


def _read(source: Source, numbered: _Numbered, tell: Report) -> None:
    entities, relations, rows = numbered.entities, numbered.relations, numbered.rows
    entity, relation_number, add = entities.get, relations.get, rows.append
    faults, what = source.faults, f"read {source.path.name}"
    for count, (line, head, relation, tail) in enumerate(source.rows()):
        h, r, t = entity(head), relation_number(relation), entity(tail)
        if h is None or r is None or t is None:
            # Only what is new can be wrong: bytes of another encoding, which came as lone surrogates.
            if not (_encodable(head) and _encodable(relation) and _encodable(tail)):
                faults.add(line, f"is not {source.encoding}")
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
            tell(what, source.place())
    tell(what, 1.0)


def _mend(error: Exception) -> str:
    """What to do about a file that cannot be read to its end."""
    if isinstance(error, gzip.BadGzipFile) and "Not a gzipped" in str(error):
        return "it is not compressed with gzip: rename it without .gz"
    if isinstance(error, EOFError | zlib.error | gzip.BadGzipFile):
        return "it is cut off or damaged: fetch or pack it again"
    if isinstance(error, UnicodeError):
        return "give its --encoding"
    return ""


def _notes(source: Source, numbered: _Numbered, given: dict[str, str]) -> tuple[str, ...]:
    """What looks odd, and was left as it is: a first line that is probably a header, as nothing in it occurs
    again, while the relations of the other lines do.
    """
    if source.begins is None or numbered.first_line != source.begins:
        return ()
    rows = np.frombuffer(numbered.rows, dtype=np.int32).reshape(-1, 3)
    (head, relation, tail), others = rows[0], rows[1:]
    names = [next(iter(numbered.entities)), next(iter(numbered.relations))]
    if head == tail or len(others) < 2 * (len(numbered.relations) - 1) or len(others) < 2:
        return ()
    if (others[:, 1] == relation).any() or np.isin(others[:, [0, 2]], (head, tail)).any():
        return ()
    names.append(next(islice(numbered.entities, 1, None)))
    if any(name in given for name in names):
        return ()
    shown = [clean(name)[:40] for name in names]
    hint = ",".join(f"{part}={name}" for part, name in zip(PARTS, shown, strict=True))
    return (
        f"line {source.begins:,} ({', '.join(shown)}) is probably a header, as nothing in it occurs again; "
        f"it was read as an edge. If it is one: --columns {hint}",
    )


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _nothing(source: Source) -> InputError:
    """Why no line could be used, as far as can be told."""
    bad = source.faults
    if not bad.count:
        return InputError(f"{source.path} has no edges", hint="a graph needs at least one triple")
    seen = "; ".join(f"line {one.line} {one.why}" for one in bad.first[:3])
    if all("is not" in one.why for one in bad.first):
        hint = f"it is probably not {source.encoding}: give its --encoding, such as latin-1"
    elif source.format == "text":
        hint = "the separator or the columns are probably others: see --separator and --columns"
    else:
        hint = _EXPECTED.get(source.format, f"is it {source.format} at all?")
    return InputError(f"none of the {bad.count:,} lines of {source.path} can be used: {seen}", hint=hint)


def _named(
    identifiers: dict[str, int], given: dict[str, str], made: Callable[[str], str], *, merge: bool
) -> tuple[list[str], Ints, int]:
    """Names for identifiers; the number of each identifier's name; how many names were given.

    With `merge`, identifiers of which the same name is made are one thing. Those that were given the same
    name stay apart: somebody says that they are two.
    """
    names: list[str] = []
    made_before: dict[str, int] = {}
    number_of = np.empty(len(identifiers), dtype=np.int32)
    known = 0
    for at, identifier in enumerate(identifiers):
        name = given.get(identifier)
        if name is not None:
            known += 1
            number_of[at] = len(names)
            names.append(name)
            continue
        name = made(identifier) or "?"
        number_of[at] = made_before.setdefault(name, len(names)) if merge else len(names)
        if number_of[at] == len(names):
            names.append(name)
    return names, number_of, known
