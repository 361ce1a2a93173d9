"""The options of commands that search a corpus."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from probative.cli.framework.command import OptionGroup
from probative.errors import InputError

if TYPE_CHECKING:
    from probative.corpus.corpus import Corpus
    from probative.corpus.documents.files import SearchFilters
    from probative.settings import Settings

corpus_option = partial(typer.Option, rich_help_panel="Corpus")


@dataclass(frozen=True)
class CorpusOptions(OptionGroup):
    """A corpus, and which of its documents are searched."""

    corpus: Annotated[
        str | None,
        corpus_option(
            metavar="FOLDER-or-INDEX",
            help="Search these documents: a folder, which is indexed into the cache, or an index.",
        ),
    ] = None
    store: Annotated[
        str | None,
        corpus_option(
            metavar="STORE", help="Where the passages of a folder are: embedded (default) or milvus:URI."
        ),
    ] = None
    only_source: Annotated[
        list[str] | None,
        corpus_option(
            "--source",
            metavar="GLOB",
            help="Search only documents with such names, e.g. 'minutes/*.pdf'. May be repeated.",
        ),
    ] = None
    since: Annotated[
        str | None,
        corpus_option(metavar="DATE", help="Search only documents from this year, month or day on."),
    ] = None
    until: Annotated[
        str | None, corpus_option(metavar="DATE", help="Search only documents up to this year, month or day.")
    ] = None
    language: Annotated[
        list[str] | None,
        corpus_option(
            metavar="CODE", help="Search only documents in this language, e.g. en. May be repeated."
        ),
    ] = None
    metadata: Annotated[
        list[str] | None,
        corpus_option(
            metavar="NAME=VALUE", help="Search only documents with this metadata. May be repeated."
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
    def open(
        self, settings: Settings, *, background: bool = False, vectors: bool = True
    ) -> Iterator[Corpus | None]:
        """Yield the corpus, or None if there is none; shows the progress of indexing.

        With `background`, many new vectors are written while the corpus is searched; without `vectors`, only
        its words are.
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
                vectors=vectors,
                store=self.store,
                settings=settings,
                progress=progress,
            )
        with corpus:
            yield corpus
