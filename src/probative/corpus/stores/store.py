"""What a store of passages does. `WordIndex`, in the folder of the index, is the one without a server.

The documents stay in the catalog of the index, which decides what is live. So a store needs no transactions:
passages whose document is not live are never shown, and the next update removes them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from probative.corpus.index.record import LiveDocuments
from probative.corpus.index.word_index import WordHit
from probative.corpus.passages import CorpusPassage


class PassageWriter(Protocol):
    """Adds and removes passages."""

    def add(self, passages: Iterable[CorpusPassage], first: int, document: int) -> None:
        """Add the passages of a document; they are numbered from `first` on."""

    def remove(self, documents: Collection[int]) -> None:
        """Remove the passages of these documents."""

    def commit(self) -> None:
        """Return when everything since the last commit is stored."""


class PassageStore(Protocol):
    """Finds passages by their words. `number` identifies a passage, `document` its document.

    All methods raise `StoreError` if the store cannot be reached, read or written.
    """

    def __len__(self) -> int: ...

    def reload(self) -> None:
        """Search what was committed last."""

    def writing(self) -> AbstractContextManager[PassageWriter]:
        """Yield the writer; there can be one at a time."""

    def search(
        self, query: str, n: int, languages: Iterable[str], documents: Collection[int] | None = None
    ) -> list[WordHit]:
        """Return the passages with the `n` best BM25 scores, of these documents if they are given."""

    def at(self, numbers: Sequence[int]) -> list[WordHit]:
        """Return the passages with these numbers that are still there, in any order."""

    def between(self, first: int, end: int) -> list[WordHit]:
        """Return the passages with numbers from `first` up to, but without, `end`."""

    def compact(self, writer: Any, live: LiveDocuments) -> bool:
        """Remove what stays of passages that are gone, if it is much; return whether that was done."""

    def record(self, hit: WordHit) -> bytes:
        """Return the stored record of a passage."""

    def close(self) -> None:
        """Close the connection or the files."""
