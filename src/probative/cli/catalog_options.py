"""The options of commands that serve registered corpora and graphs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from probative.cli.command import OptionGroup
from probative.errors import InputError

if TYPE_CHECKING:
    from probative.server.catalog import Catalog
    from probative.settings import Settings

DATA = "Documents and graphs"


@dataclass(frozen=True)
class CatalogOptions(OptionGroup):
    """The corpora and graphs that clients may name."""

    corpus: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=FOLDER-or-INDEX",
            help="Register documents under a name: a folder, which is indexed into the cache, or an index. "
            "May be repeated.",
            rich_help_panel=DATA,
        ),
    ] = None
    graph: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=FILE",
            help="Register a graph under a name: a file of triples, or an imported graph. May be repeated.",
            rich_help_panel=DATA,
        ),
    ] = None

    @contextmanager
    def open(self, settings: Settings) -> Iterator[Catalog]:
        """Yield the catalog; shows the progress of indexing."""
        from probative.cli.views.index import index_progress
        from probative.server.catalog import Catalog

        corpora, graphs = named_paths(self.corpus, "--corpus"), named_paths(self.graph, "--graph")
        with index_progress() as progress:
            catalog = Catalog.open(corpora, graphs, settings=settings, progress=progress)
        with catalog:
            yield catalog


def named_paths(given: Sequence[str] | None, option: str) -> dict[str, str]:
    """Return the paths of NAME=PATH options by name; raises `InputError`.

    >>> named_paths(["minutes=documents/minutes"], "--corpus")
    {'minutes': 'documents/minutes'}
    """
    paths: dict[str, str] = {}
    for pair in given or ():
        name, equals, path = pair.partition("=")
        if not equals or not name or not path:
            raise InputError(f"{option} must be NAME=PATH, got {pair!r}", hint=f"{option} minutes=documents")
        if name in paths:
            raise InputError(f"{option} registers {name!r} twice", hint="give each its own name")
        paths[name] = path
    return paths
