"""Open the store of an index, or make a new one."""

from __future__ import annotations

import uuid
from contextlib import suppress

from probative.corpus.index.index_folder import IndexFolder
from probative.corpus.index.word_index import WordIndex
from probative.corpus.stores.address import (
    EMBEDDED,
    STORES,
    StoreAddress,
    StoreLabel,
    read_store_label,
    write_store_label,
)
from probative.corpus.stores.store import PassageStore
from probative.errors import StoreError


def open_store(folder: IndexFolder, store: str | None = None) -> PassageStore:
    """Return the store of an index; raises `StoreError` if it is another one than `store` names."""
    label = read_store_label(folder.path)
    if store is not None:
        wanted, own = StoreAddress.parse(store), None if label is None else label.address
        if wanted != own:
            raise StoreError(
                f"the passages of the index {folder.path} are in the store {own or EMBEDDED}, not in "
                f"{wanted or EMBEDDED}",
                hint="leave out --store, name another index with --out, or replace it with --rebuild",
            )
    if label is None:
        return WordIndex(folder.words)
    opened: PassageStore = STORES.load(label.kind)(label.place, label.collection)
    return opened


def new_store(folder: IndexFolder, store: str | None = None) -> PassageStore:
    """Remove what an index has, and return a new store: the one that `store` names, or the one it had.

    The new store is reached first. If it is down, the old index stays as it is.
    """
    old = _old_label(folder)
    address = (old and old.address) if store is None else StoreAddress.parse(store)
    if address is None:
        folder.clear()
        write_store_label(folder.path, None)
        made: PassageStore = WordIndex(folder.words, create=True)
    else:
        collection = f"probative_{uuid.uuid4().hex[:16]}"
        made = STORES.load(address.kind)(address.place, collection, create=True)
        folder.clear()
        label = StoreLabel(kind=address.kind, place=address.place, collection=collection)
        write_store_label(folder.path, label)
    if old is not None:
        _drop(old)
    return made


def _old_label(folder: IndexFolder) -> StoreLabel | None:
    try:
        return read_store_label(folder.path)
    except StoreError:  # damaged: that is why a new one is made
        return None


def _drop(label: StoreLabel) -> None:
    """Remove passages that no index leads to; a store that is down keeps them."""
    with suppress(StoreError):
        store = STORES.load(label.kind)(label.place, label.collection)
        store.drop()
        store.close()
