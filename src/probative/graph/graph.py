"""A knowledge graph, small or huge: what is in it, and what leads from where to where."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from probative.errors import InputError
from probative.graph.arguments import check_numbers, check_path, check_text, check_whole_number, shown
from probative.text.cleaning import clean
from probative.types import Triple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from probative.graph.edges import Edges
    from probative.graph.formats.columns import Columns
    from probative.graph.importing import NamesFiles, Report
    from probative.graph.name_table import NameTable
    from probative.graph.name_words import NameWords
    from probative.graph.paths import Paths
    from probative.graph.report import ImportReport


class Graph:
    """A graph of triples: entities and relations by number, with names for people.

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
        self._given_words = words
        self._given_fingerprint = fingerprint
        self.report = report
        """What its import look_up, if it came from a file."""
        self.folder = folder
        """Where it is stored, if it is."""

    @classmethod
    def from_triples(cls, triples: Iterable[Sequence[str] | Mapping[str, str] | Triple]) -> Graph:
        """The graph of these triples: (head, relation, tail), or mappings with these keys.

        Entities are numbered in the order in which they come. Their names are put on one line and lose
        control characters, and stay as they are in everything else.
        """
        import numpy as np

        from probative.graph.edges import build_edges
        from probative.graph.name_table import NameTable

        entities: dict[str, int] = {}
        relations: dict[str, int] = {}
        numbers: list[int] = []
        try:
            listed = enumerate(triples)
        except TypeError:
            raise InputError(f"triples are a list of (head, relation, tail), not {shown(triples)}") from None
        for at, triple in listed:
            head, relation, tail = _parts(triple, at)
            numbers.append(entities.setdefault(head, len(entities)))
            numbers.append(relations.setdefault(relation, len(relations)))
            numbers.append(entities.setdefault(tail, len(entities)))
        if not numbers:
            raise InputError("a graph without edges", hint="give at least one (head, relation, tail)")
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
        progress: Report | None = None,
    ) -> Graph:
        """The graph in a folder that `save` made, or in a file of triples.

        A file is TSV, CSV, JSON lines, RDF or Parquet, perhaps compressed with gzip, and the options are for
        files. `columns` is their order, `"relation,head,tail"`, or their names in the header,
        `"head=subject,relation=predicate,tail=object"`. `names` are files that give an identifier's name
        after a tab. With `tidy`, `hot_dog` becomes `hot dog` and `AtLocation` `at location`. `report` of the
        graph says what was found; lines that cannot be used are counted there.
        """
        path = check_path(path, "a graph")
        if path.is_dir():
            if columns is not None or names is not None:
                raise InputError(f"{path} is a graph already: columns and names are for files of triples")
            from probative.graph.store import load

            stored = load(path)
            return cls(
                stored.edges,
                stored.entities,
                stored.relations,
                words=stored.words,
                fingerprint=stored.fingerprint,
                report=stored.report,
                folder=path,
            )
        from probative.graph.importing import read_graph

        edges, entities, relations, found = read_graph(
            path,
            columns=columns,
            names=names,
            tidy=tidy,
            separator=separator,
            encoding=encoding,
            file_format=file_format,
            report=progress,
        )
        return cls(edges, entities, relations, report=found)

    def save(self, folder: str | Path) -> None:
        """Store the graph in a folder, whole or not at all; `Graph.open` opens it at once."""
        from probative.graph.store import GraphParts, save

        place = check_path(folder, "the folder of a graph")
        parts = GraphParts(
            self._edges, self._entities, self._relations, self._words, self.fingerprint, self.report
        )
        save(parts, place)
        self.folder = place

    @property
    def entities(self) -> Sequence[str]:
        """The entities' names by number, each decoded when it is asked for."""
        return self._entities

    @property
    def names(self) -> NameTable:
        """The entities' names with what finds them."""
        return self._entities

    @property
    def edges(self) -> Edges:
        """The edges as arrays."""
        return self._edges

    @property
    def relations(self) -> Sequence[str]:
        """The relations' names by number."""
        return self._relations

    @property
    def entity_count(self) -> int:
        """How many entities there are."""
        return len(self._entities)

    @property
    def relation_count(self) -> int:
        """How many kinds of relation there are."""
        return len(self._relations)

    @property
    def edge_count(self) -> int:
        """How many edges there are."""
        return self._edges.count

    @cached_property
    def fingerprint(self) -> str:
        """Names the content: the same triples in the same order have the same."""
        if self._given_fingerprint is not None:
            return self._given_fingerprint
        digest = hashlib.sha256()
        edges, names = self._edges, (self._entities, self._relations)
        for array in (edges.out_start, edges.out_relation, edges.out_tail):
            digest.update(array.data)
        for some in names:
            digest.update(some.starts.data)
            digest.update(some.text.data)
        return digest.hexdigest()[:32]

    def find(self, name: str) -> int | None:
        """The entity of this name, whatever its case, spaces and underscores.

        Of several, one that is spelt as asked is meant, then one that differs in spaces and underscores only,
        and of such that are alike in this the one with the most edges.
        """
        found = self._entities.find_all(check_text(name, "a name"))
        if len(found) < 2:
            return found[0] if found else None
        from probative.graph.name_table import spelling_match

        edges, names = self._edges, self._entities
        return max(found, key=lambda at: (spelling_match(names[at], name), edges.degree_of(at), -at))

    def search(self, text: str, n: int) -> list[int]:
        """The `n` entities whose names share most words with a text, best first."""
        return self._words.search(check_text(text, "what to search for"), check_whole_number(n, "n"))

    @cached_property
    def _words(self) -> NameWords:
        from probative.graph.name_words import NameWords

        return NameWords.of(self._entities) if self._given_words is None else self._given_words

    def out_edges(self, entity: int) -> NDArray[np.int32]:
        """The edges whose head this is: rows (head, relation, tail), sorted."""
        return self._edges.out_of(*self._checked((entity,)))

    def in_edges(self, entity: int) -> NDArray[np.int32]:
        """The edges whose tail this is: rows (head, relation, tail), sorted."""
        return self._edges.into(*self._checked((entity,)))

    def edges_between(self, group: Sequence[int], other: Sequence[int]) -> NDArray[np.int32]:
        """The edges from an entity of `group` to one of `other`: rows (head, relation, tail), sorted."""
        return self._edges.between(self._checked(group), self._checked(other))

    def paths_between(self, group: Sequence[int], other: Sequence[int], most: int | None = None) -> Paths:
        """The paths of two edges from an entity of `group` to one of `other` through one of neither.

        Rows are (head, relation, between, relation, tail), sorted. With `most`, only so many are given, those
        through the least connected entities; `total` says how many there are.
        """
        from probative.graph.paths import paths_between

        if most is not None and check_whole_number(most, "most") < 0:
            raise InputError(f"most is a number of paths, not {most}")
        return paths_between(self._edges, self._checked(group), self._checked(other), most)

    def triple(self, row: Sequence[int]) -> Triple:
        """An edge in names."""
        try:
            head, relation, tail = row
        except (TypeError, ValueError):
            raise InputError(f"an edge is a row of three numbers, not {shown(row)}") from None
        head, tail = self._checked((head, tail))
        (relation,) = check_numbers(self.relation_count, (relation,), "relations")
        return Triple(
            head=self._entities[head], relation=self._relations[relation], tail=self._entities[tail]
        )

    def _checked(self, entities: Iterable[int]) -> list[int]:
        return check_numbers(self.entity_count, entities)


def _parts(triple: Any, at: int) -> tuple[str, str, str]:
    """Head, relation and tail of one of the triples that were given, the one at this place."""
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
            f"triples[{at}] is no head, relation and tail, three strings: {shown(triple)}",
            hint="give a list of (head, relation, tail)",
        )
    try:
        head, relation, tail = (_cleaned(part) for part in parts)
    except InputError as error:
        raise InputError(f"triples[{at}]: {error.what}") from None
    if not (head and relation and tail):
        raise InputError(
            f"a part of triples[{at}] is empty: {shown(triple)}", hint="give head, relation and tail a name"
        )
    return head, relation, tail


def _cleaned(name: str) -> str:
    # What can be printed needs no cleaning, which takes three times as long.
    return " ".join(name.split()) if name.isprintable() else clean(name)
