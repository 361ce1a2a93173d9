"""What a store of passages does. `WordIndex`, in the folder of the index, is the one without a server.

The documents stay in the catalog of the index, which decides what is live. So a store needs no transactions:
passages whose document is not live are never shown, and the next update removes them.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any, Protocol

from probative.corpus.documents.files import WORDS
from probative.corpus.documents.passages import CorpusPassage
from probative.corpus.stores.labels import (
    EMBEDDED,
    STORES,
    StoreAddress,
    StoreLabel,
    read_store_label,
    write_store_label,
)
from probative.corpus.stores.records import LiveDocuments
from probative.corpus.stores.word_index import WordHit, WordIndex
from probative.errors import StoreError


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


def open_store(index: Path, store: str | None = None) -> PassageStore:
    """Return the store of an index; raises `StoreError` if it is another one than `store` names."""
    label = read_store_label(index)
    if store is not None:
        wanted, own = StoreAddress.parse(store), None if label is None else label.address
        if wanted != own:
            raise StoreError(
                f"the passages of the index {index} are in the store {own or EMBEDDED}, not in "
                f"{wanted or EMBEDDED}",
                hint="leave out --store, name another index with --out, or replace it with --rebuild",
            )
    if label is None:
        return WordIndex(index / WORDS)
    opened: PassageStore = _reach(label)
    return opened


def new_store(index: Path, store: str | None, clear: Callable[[], None]) -> PassageStore:
    """Return a new store: the one that `store` names, or the one that the index had. `clear` empties it.

    The new store is reached first. If it is down, the old index stays as it is.
    """
    old: StoreLabel | None = None
    with suppress(StoreError):  # damaged: that is why a new one is made
        old = read_store_label(index)
    address = (old and old.address) if store is None else StoreAddress.parse(store)
    made: PassageStore
    if address is None:
        clear()
        write_store_label(index, None)
        made = WordIndex(index / WORDS, create=True)
    else:
        collection = f"probative_{uuid.uuid4().hex[:16]}"
        label = StoreLabel(kind=address.kind, place=address.place, collection=collection)
        made = _reach(label, create=True)
        clear()
        write_store_label(index, label)
    if old is not None:
        with suppress(StoreError):  # a store that is down keeps passages that no index leads to
            left = _reach(old)
            left.drop()
            left.close()
    return made


def _reach(label: StoreLabel, *, create: bool = False) -> Any:
    return STORES.load(label.kind)(label.place, label.collection, create=create)
