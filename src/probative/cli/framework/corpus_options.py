"""The options of commands that search a corpus."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from probative.cli.framework.command import OptionGroup
from probative.errors import InputError

if TYPE_CHECKING:
    from probative.corpus.corpus import Corpus
    from probative.corpus.documents.files import SearchFilters
    from probative.settings import Settings

CORPUS = "Corpus"


@dataclass(frozen=True)
class CorpusOptions(OptionGroup):
    """A corpus, and which of its documents are searched."""

    corpus: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER-or-INDEX",
            help="Search these documents: a folder, which is indexed into the cache, or an index.",
            rich_help_panel=CORPUS,
        ),
    ] = None
    store: Annotated[
        str | None,
        typer.Option(
            metavar="STORE",
            help="Where the passages of a folder are: embedded (default) or milvus:URI.",
            rich_help_panel=CORPUS,
        ),
    ] = None
    only_source: Annotated[
        list[str] | None,
        typer.Option(
            "--source",
            metavar="GLOB",
            help="Search only documents with such names, e.g. 'minutes/*.pdf'. May be repeated.",
            rich_help_panel=CORPUS,
        ),
    ] = None
    since: Annotated[
        str | None,
        typer.Option(
            metavar="DATE",
            help="Search only documents from this year, month or day on.",
            rich_help_panel=CORPUS,
        ),
    ] = None
    until: Annotated[
        str | None,
        typer.Option(
            metavar="DATE",
            help="Search only documents up to this year, month or day.",
            rich_help_panel=CORPUS,
        ),
    ] = None
    language: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CODE",
            help="Search only documents in this language, e.g. en. May be repeated.",
            rich_help_panel=CORPUS,
        ),
    ] = None
    metadata: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="Search only documents with this metadata. May be repeated.",
            rich_help_panel=CORPUS,
        ),
    ] = None

    def filters(self) -> SearchFilters:
        """Return the filters; raises `InputError`."""
        from probative.corpus.documents.files import SearchFilters

        pairs = {}
        for pair in self.metadata or []:
            name, equals, value = (part.strip() for part in pair.partition("="))
            if not equals or not name:
                raise InputError(f"--metadata must be NAME=VALUE, got {pair!r}")
            pairs[name] = value
        return SearchFilters.of(
            sources=tuple(self.only_source or ()),
            since=self.since,
            until=self.until,
            languages=tuple(self.language or ()),
            metadata=pairs,
        )

    @contextmanager
    def open(self, settings: Settings, *, background: bool = False) -> Iterator[Corpus | None]:
        """Yield the corpus, or None if there is none; shows the progress of indexing.

        With `background`, many new vectors are written while the corpus is searched.
        """
        filters = self.filters()
        if self.corpus is None:
            if filters:
                raise InputError("filters need a corpus", hint="give it with --corpus FOLDER-or-INDEX")
            if self.store is not None:
                raise InputError("--store needs a corpus", hint="give it with --corpus FOLDER-or-INDEX")
            yield None
            return
        from probative.cli.views.progress import index_progress
        from probative.corpus.corpus import Corpus

        with index_progress() as progress:
            corpus = Corpus.open(
                self.corpus,
                filters=filters,
                background=background,
                store=self.store,
                settings=settings,
                progress=progress,
            )
        with corpus:
            yield corpus
