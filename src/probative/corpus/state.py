"""What an index has: how many documents and passages, and how many of them have vectors."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Self

from probative.corpus.index.catalog import Catalog
from probative.corpus.index.index_folder import IndexFolder
from probative.corpus.index.index_label import read_label
from probative.corpus.stores.address import EMBEDDED, read_store_label
from probative.types import Value


class CorpusState(Value):
    """The content of an index at one moment.

    `read_all` is false until all documents of the folder were read once. `vectors` is the encoder of the
    vectors, or None; passages without a vector are found by their words alone. `vectors_growing` says
    whether this corpus is writing vectors in the background.
    """

    index: str
    folder: str
    version: str
    store: str = EMBEDDED
    read_all: bool
    documents: int
    passages: int
    unread: int
    languages: tuple[str, ...] = ()
    vectors: str | None = None
    with_vectors: int = 0
    vectors_growing: bool = False

    @classmethod
    def of(cls, index: Path) -> Self:
        """Return the state of an index; nothing is changed. Raises `StoreError` if it cannot be read."""
        folder = IndexFolder(index)
        label, store, vectors = folder.label(), read_store_label(index), read_label(folder.vectors)
        with closing(folder.open_catalog()) as catalog:
            documents, passages = catalog.counts()
            return cls(
                index=str(index),
                folder=label.folder,
                version=label.version,
                store=EMBEDDED if store is None else str(store.address),
                read_all=catalog.has_read_all(),
                documents=documents,
                passages=passages,
                unread=len(catalog.unread()),
                languages=catalog.languages(),
                vectors=None if vectors is None else vectors.encoder,
                with_vectors=0 if vectors is None else catalog.passages_before(vectors.end),
            )


def vector_notes(folder: IndexFolder, catalog: Catalog, encoder: str, *, growing: bool) -> tuple[str, ...]:
    """Return what a user must know about the vectors that `encoder` searches."""
    label = read_label(folder.vectors)
    if label is not None and label.encoder != encoder and not growing:
        return (
            f"the vectors of the index were made by another encoder ({label.encoder}): only words are "
            "searched until it is indexed again",
        )
    end = 0 if label is None or label.encoder != encoder else label.end
    if end >= catalog.next_number():
        return ()
    with_vectors, passages = catalog.passages_before(end), catalog.counts()[1]
    if with_vectors == passages:
        return ()
    rest = "they are being made" if growing else "probative index makes the others"
    return (
        f"{with_vectors:,} of {passages:,} passages have vectors, the others are found by their words alone: "
        f"{rest}",
    )
