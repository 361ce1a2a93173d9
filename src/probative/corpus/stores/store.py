"""Open the store of an index: `WordIndex` in its folder, or a server."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from probative.corpus.documents.files import WORDS
from probative.corpus.stores.labels import (
    EMBEDDED,
    STORES,
    StoreAddress,
    StoreLabel,
    read_store_label,
    write_store_label,
)
from probative.corpus.stores.records import PassageStore
from probative.corpus.stores.word_index import WordIndex
from probative.errors import StoreError


def open_store(index: Path, store: str | None = None) -> PassageStore:
    """Return the store of an index; raises `StoreError` if it is another one than `store` names."""
    label = read_store_label(index)
    if store is not None:
        named, address = StoreAddress.parse(store), None if label is None else label.address
        if named != address:
            raise StoreError(
                f"the passages of the index {index} are in the store {address or EMBEDDED}, not in "
                f"{named or EMBEDDED}",
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
