"""The second stage of indexing: a vector for each passage that has none yet."""

from __future__ import annotations

from collections.abc import Callable

from probative.corpus.index.catalog import Catalog
from probative.corpus.index.index_folder import IndexFolder
from probative.corpus.index.record import DocumentFacts, from_record
from probative.corpus.stores.store import PassageStore
from probative.models.encoder import Encoder

# The passages that are encoded and written at a time: what a stop can lose.
BLOCK = 4_096


def embed_passages(
    folder: IndexFolder,
    catalog: Catalog,
    words: PassageStore,
    encoder: Encoder,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Write the vectors of all passages that have none; those of another encoder are made anew."""
    import numpy as np

    from probative.corpus.index.passage_vectors import PassageVectors

    vectors = PassageVectors.open(folder.vectors)
    if vectors is None or vectors.label.encoder != encoder.fingerprint:
        vectors = PassageVectors.create(folder.vectors, encoder.fingerprint, encoder.dimensions)
    words.reload()
    end = catalog.next_number()
    nobody = DocumentFacts(id=0, source="")
    while len(vectors) < end:
        first, stop = len(vectors), min(len(vectors) + BLOCK, end)
        hits = words.between(first, stop)
        texts = [from_record(words.record(hit), nobody).whole for hit in hits]
        block = np.zeros((stop - first, encoder.dimensions), dtype=np.float32)
        if hits:
            block[[hit.number - first for hit in hits]] = encoder.encode(texts)
        vectors = vectors.extended(block)
        if progress is not None:
            progress(stop, end)
