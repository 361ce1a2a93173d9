"""The corpora and graphs that an operator registered: requests name them, and never a path."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self, TypeVar

from probative.corpus.corpus import Corpus
from probative.corpus.documents.files import Unread
from probative.errors import InputError
from probative.graph.graph import Graph
from probative.server.base.errors import NotThereError
from probative.settings import Settings
from probative.types import Value
from probative.verbs.reason import as_graph

Part = TypeVar("Part")

# A folder of photographs would make the list longer than everything else.
MAX_UNREAD = 100
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


class CorpusEntry(Value):
    """A registered corpus. `unread` are the first files that could not be read; a note counts them all."""

    name: str
    documents: int
    passages: int
    unread: tuple[Unread, ...] = ()
    notes: tuple[str, ...] = ()


class GraphEntry(Value):
    """A registered graph."""

    name: str
    entities: int
    triples: int


class CatalogInfo(Value):
    """What is registered."""

    corpora: tuple[CorpusEntry, ...] = ()
    graphs: tuple[GraphEntry, ...] = ()


class Catalog:
    """Opened corpora and graphs by name. It may be shared between threads; close it at the end. A corpus that
    was renamed is found by its earlier names too.

    >>> with Catalog({}, {"ferries": [("Heron", "sails to", "Molde")]}) as catalog:
    ...     catalog.graph("ferries").entity_count, catalog.describe().graphs[0].triples
    (2, 1)
    """

    def __init__(self, corpora: Mapping[str, Corpus] | None = None, graphs: Mapping[str, Any] | None = None):
        self._corpora = dict(corpora or {})
        self._graphs: dict[str, Graph] = {}
        self._earlier: dict[str, str] = {}
        for name in (*self._corpora, *(graphs or {})):
            checked_name(name)
        for name, graph in (graphs or {}).items():
            self._graphs[name] = as_graph(graph)

    @classmethod
    def open(
        cls,
        corpora: Mapping[str, str | Path],
        graphs: Mapping[str, str | Path],
        *,
        settings: Settings | None = None,
        progress: Callable[..., None] | None = None,
    ) -> Self:
        """Open the corpora (folders are indexed, or brought up to date) and the graphs; raises `InputError`
        if a name or a path cannot be used.
        """
        with ExitStack() as opened:
            for name in (*corpora, *graphs):
                checked_name(name)
            ready = {
                name: opened.enter_context(Corpus.open(path, settings=settings, progress=progress))
                for name, path in corpora.items()
            }
            catalog = cls(ready, graphs)
            opened.pop_all()
            return catalog

    def corpus(self, name: str) -> Corpus:
        """Return the corpus of this name; raises `NotThereError`."""
        corpora = self._corpora
        return _named(corpora, name if name in corpora else self._earlier.get(name, name), "corpus")

    def add_corpus(self, name: str, corpus: Corpus, earlier: Sequence[str] = ()) -> None:
        """Add an opened corpus, which may have had `earlier` names. Others may read meanwhile."""
        self._corpora = {**self._corpora, checked_name(name): corpus}
        self._earlier = {**self._earlier, **dict.fromkeys(earlier, name)}

    def remove_corpus(self, name: str) -> None:
        """Remove a corpus; it stays open."""
        self._corpora = {other: corpus for other, corpus in self._corpora.items() if other != name}
        self._earlier = {old: new for old, new in self._earlier.items() if new != name}

    def graph(self, name: str) -> Graph:
        """Return the graph of this name; raises `NotThereError`."""
        return _named(self._graphs, name, "graph")

    @property
    def corpora(self) -> tuple[str, ...]:
        """The names of the corpora."""
        return tuple(self._corpora)

    @property
    def graphs(self) -> tuple[str, ...]:
        """The names of the graphs."""
        return tuple(self._graphs)

    def describe(self) -> CatalogInfo:
        """Return what is registered, with its size."""
        return CatalogInfo(
            corpora=tuple(
                CorpusEntry(
                    name=name,
                    documents=corpus.documents,
                    passages=len(corpus),
                    unread=corpus.unread[:MAX_UNREAD],
                    notes=corpus.notes,
                )
                for name, corpus in self._corpora.items()
            ),
            graphs=tuple(
                GraphEntry(name=name, entities=graph.entity_count, triples=graph.edge_count)
                for name, graph in self._graphs.items()
            ),
        )

    def close(self) -> None:
        """Close the corpora."""
        for corpus in self._corpora.values():
            corpus.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def checked_name(name: str) -> str:
    """Return a name that may stand in an address; raises `InputError`.

    >>> checked_name("minutes-2025")
    'minutes-2025'
    """
    if not NAME.fullmatch(name):
        raise InputError(
            f"{name!r} cannot be the name of a corpus or a graph",
            hint="use up to 64 letters, digits, '-', '_' and '.', and begin with a letter or a digit",
        )
    return name


def _named(parts: Mapping[str, Part], name: str, kind: str) -> Part:
    if name not in parts:
        names = ", ".join(parts) or "none is registered"
        raise NotThereError(f"there is no {kind} called {name!r}", hint=f"registered: {names}")
    return parts[name]
