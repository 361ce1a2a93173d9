"""A knowledge graph, small or huge: its entities, relations, edges and paths."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from probative.errors import InputError
from probative.graph.formats.arguments import (
    check_numbers,
    check_path,
    check_text,
    check_whole_number,
    short_repr,
)
from probative.text.words import clean
from probative.types import Triple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from probative.graph.edges import Edges
    from probative.graph.formats.columns import Columns
    from probative.graph.formats.sources import ImportReport
    from probative.graph.importing import ImportProgress, NamesFiles
    from probative.graph.name_table import NameTable, NameWords
    from probative.graph.paths import Paths


class Graph:
    """A graph of triples. Entities and relations have numbers, and names for people.

    >>> graph = Graph.from_triples([("ferry", "part of", "fleet"), ("fleet", "owned by", "Sund Line")])
    >>> graph.entity_count, graph.relation_count, graph.edge_count
    (3, 2, 2)
    >>> ferry, line = graph.find("Ferry"), graph.find("sund_line")
    >>> [str(graph.triple(row)) for row in graph.out_edges(ferry)]
    ['(ferry, part of, fleet)']
    >>> [[graph.entities[row[0]], graph.entities[row[2]], graph.entities[row[4]]]
    ...  for row in graph.paths_between([ferry], [line]).rows]
    [['ferry', 'fleet', 'Sund Line']]
    """

    def __init__(
        self,
        edges: Edges,
        entities: NameTable,
        relations: NameTable,
        *,
        words: NameWords | None = None,
        fingerprint: str | None = None,
        report: ImportReport | None = None,
        folder: Path | None = None,
    ) -> None:
        self._edges = edges
        self._entities = entities
        self._relations = relations
        self._stored_words = words
        self._stored_fingerprint = fingerprint
        self.report = report
        """The report of the import, if the graph came from a file."""
        self.folder = folder
        """The folder in which the graph is stored, if it is."""

    @classmethod
    def from_triples(cls, triples: Iterable[Sequence[str] | Mapping[str, str] | Triple]) -> Graph:
        """Build a graph from triples: (head, relation, tail), or mappings with these keys.

        Entities are numbered in the order of their first occurrence. In names, control characters are removed
        and runs of white space become one space; nothing else is changed.
        """
        import numpy as np

        from probative.graph.edges import build_edges
        from probative.graph.name_table import NameTable

        entities: dict[str, int] = {}
        relations: dict[str, int] = {}
        numbers: list[int] = []
        try:
            numbered = enumerate(triples)
        except TypeError:
            raise InputError(
                f"triples must be a list of (head, relation, tail), got {short_repr(triples)}"
            ) from None
        for index, triple in numbered:
            head, relation, tail = _parts(triple, index)
            numbers.append(entities.setdefault(head, len(entities)))
            numbers.append(relations.setdefault(relation, len(relations)))
            numbers.append(entities.setdefault(tail, len(entities)))
        if not numbers:
            raise InputError(
                "a graph needs at least one edge", hint="give at least one (head, relation, tail)"
            )
        heads, kinds, tails = np.array(numbers, dtype=np.int32).reshape(-1, 3).T
        edges = build_edges(heads, kinds, tails, entities=len(entities), relations=len(relations))
        return cls(edges, NameTable.of(entities), NameTable.of(relations))

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        columns: Columns | None = None,
        names: NamesFiles | None = None,
        tidy: bool = True,
        separator: str | None = None,
        encoding: str = "utf-8",
        file_format: str | None = None,
        progress: ImportProgress | None = None,
    ) -> Graph:
        """Open the graph in a folder that `save` made, or read a file of triples.

        The options are for files: TSV, CSV, JSON lines, RDF or Parquet, perhaps compressed with gzip.
        `columns` is the order of the columns, `"relation,head,tail"`, or their names in the header,
        `"head=subject,relation=predicate,tail=object"`. `names` are files with lines of identifier, tab,
        name. With `tidy`, `hot_dog` becomes `hot dog` and `AtLocation` becomes `at location`. The `report` of
        the graph describes the import and counts the lines that cannot be used.
        """
        path = check_path(path, "the graph")
        if path.is_dir():
            if columns is not None or names is not None:
                raise InputError(
                    f"{path} is a stored graph: columns and names are for files of triples",
                    hint="leave them out, or give a file of triples",
                )
            return cls._load(path)
        from probative.graph.importing import read_graph

        edges, entities, relations, report = read_graph(
            path,
            columns=columns,
            names=names,
            tidy=tidy,
            separator=separator,
            encoding=encoding,
            file_format=file_format,
            progress=progress,
        )
        return cls(edges, entities, relations, report=report)

    @classmethod
    def _load(cls, folder: Path) -> Graph:
        from probative.graph.store import load

        stored = load(folder)
        return cls(
            stored.edges,
            stored.entities,
            stored.relations,
            words=stored.words,
            fingerprint=stored.fingerprint,
            report=stored.report,
            folder=folder,
        )

    def save(self, folder: str | Path) -> None:
        """Store the graph in a folder, completely or not at all; `Graph.open` then opens it at once."""
        from probative.graph.save import save
        from probative.graph.store import GraphParts

        path = check_path(folder, "the folder of the graph")
        parts = GraphParts(
            self._edges, self._entities, self._relations, self._words, self.fingerprint, self.report
        )
        save(parts, path)
        self.folder = path

    @property
    def unused_lines(self) -> str | None:
        """A message about the lines of the file that could not be used. None if all were used, or if the
        graph is stored: its import has reported them.
        """
        return self.report.unused if self.report is not None and self.folder is None else None

    @property
    def entities(self) -> Sequence[str]:
        """The names of the entities by number, each decoded when it is read."""
        return self._entities

    @property
    def names(self) -> NameTable:
        """The names of the entities with their look-up table."""
        return self._entities

    @property
    def edges(self) -> Edges:
        """The edges as arrays."""
        return self._edges

    @property
    def relations(self) -> Sequence[str]:
        """The names of the relations by number."""
        return self._relations

    @property
    def entity_count(self) -> int:
        """The number of entities."""
        return len(self._entities)

    @property
    def relation_count(self) -> int:
        """The number of distinct relations."""
        return len(self._relations)

    @property
    def edge_count(self) -> int:
        """The number of edges."""
        return self._edges.count

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the content: equal for the same triples in the same order."""
        if self._stored_fingerprint is not None:
            return self._stored_fingerprint
        digest = hashlib.sha256()
        edges = self._edges
        for array in (edges.out_start, edges.out_relation, edges.out_tail):
            digest.update(array.data)
        for table in (self._entities, self._relations):
            digest.update(table.starts.data)
            digest.update(table.text.data)
        return digest.hexdigest()[:32]

    def find(self, name: str) -> int | None:
        """Return the number of the entity with this name, or None; case, spaces and underscores are ignored.

        If several match, the same spelling is preferred, then a spelling that differs in spaces and
        underscores only, then the entity with the most edges.
        """
        matches = self._entities.find_all(check_text(name, "the name"))
        if len(matches) < 2:
            return matches[0] if matches else None
        from probative.graph.name_table import spelling_match

        edges, names = self._edges, self._entities
        return max(
            matches,
            key=lambda entity: (spelling_match(names[entity], name), edges.degree_of(entity), -entity),
        )

    def search(self, text: str, n: int) -> list[int]:
        """Return the `n` entities whose names share the most words with a text, best first."""
        return self._words.search(check_text(text, "the text to search for"), check_whole_number(n, "n"))

    @cached_property
    def _words(self) -> NameWords:
        from probative.graph.name_table import NameWords

        return NameWords.of(self._entities) if self._stored_words is None else self._stored_words

    def out_edges(self, entity: int) -> NDArray[np.int32]:
        """Return the edges whose head is `entity`: rows (head, relation, tail), sorted."""
        return self._edges.out_of(*self._checked((entity,)))

    def in_edges(self, entity: int) -> NDArray[np.int32]:
        """Return the edges whose tail is `entity`: rows (head, relation, tail), sorted."""
        return self._edges.into(*self._checked((entity,)))

    def edges_between(self, group: Sequence[int], other: Sequence[int]) -> NDArray[np.int32]:
        """Return the edges from `group` to `other`: rows (head, relation, tail), sorted."""
        return self._edges.between(self._checked(group), self._checked(other))

    def paths_between(
        self,
        group: Sequence[int],
        other: Sequence[int],
        limit: int | None = None,
        *,
        through_members: bool = False,
    ) -> Paths:
        """Return the paths of two edges from `group` to `other` through an entity of neither group; with
        `through_members`, through any entity.

        Rows are (head, relation, middle, relation, tail), sorted. With `limit`, at most that many paths are
        returned, through the least connected entities first; `total` is the number of all paths.
        """
        from probative.graph.paths import paths_between

        if limit is not None and check_whole_number(limit, "limit") < 0:
            raise InputError(f"limit must be at least 0, got {limit}")
        ends = self._checked(group), self._checked(other)
        return paths_between(self._edges, *ends, limit, through_members=through_members)

    def triple(self, row: Sequence[int]) -> Triple:
        """Return the edge of a row (head, relation, tail) as a triple of names."""
        try:
            head, relation, tail = row
        except (TypeError, ValueError):
            raise InputError(f"row must be three numbers, got {short_repr(row)}") from None
        head, tail = self._checked((head, tail))
        (relation,) = check_numbers(self.relation_count, (relation,), "relations")
        return Triple(
            head=self._entities[head], relation=self._relations[relation], tail=self._entities[tail]
        )

    def _checked(self, entities: Iterable[int]) -> list[int]:
        return check_numbers(self.entity_count, entities)


def _parts(triple: Any, index: int) -> tuple[str, str, str]:
    """Return head, relation and tail of `triples[index]`."""
    parts = triple
    if isinstance(triple, Triple):
        parts = (triple.head, triple.relation, triple.tail)
    elif isinstance(triple, Mapping):
        parts = tuple(triple.get(part) for part in ("head", "relation", "tail"))
    if (
        not isinstance(parts, tuple | list)
        or len(parts) != 3
        or not all(isinstance(part, str) for part in parts)
    ):
        raise InputError(
            f"triples[{index}] must be three strings, head, relation and tail, got {short_repr(triple)}",
            hint="give a list of (head, relation, tail)",
        )
    try:
        head, relation, tail = (_cleaned(part) for part in parts)
    except InputError as error:
        raise InputError(f"triples[{index}]: {error.what}") from None
    if not (head and relation and tail):
        raise InputError(
            f"a part of triples[{index}] is empty: {short_repr(triple)}",
            hint="give head, relation and tail a name",
        )
    return head, relation, tail


def _cleaned(name: str) -> str:
    # Printable text needs no cleaning, which takes three times as long.
    return " ".join(name.split()) if name.isprintable() else clean(name)
