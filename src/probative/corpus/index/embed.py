"""The second stage of indexing: a vector for each passage that has none yet, at once or in a thread.

Words answer before it and while it runs. Vectors are written in blocks, so this may be stopped or killed at
any moment, and the next run goes on.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from probative.corpus.documents.document import Facts
from probative.corpus.index.catalog import Catalog
from probative.corpus.index.index_folder import IndexFolder, Progress
from probative.corpus.index.index_job import EncodeTask, in_order
from probative.corpus.stores.records import DocumentFacts, PassageStore, from_record
from probative.corpus.stores.store import open_store
from probative.errors import InUseError, ProbativeError, StoreError, WorkerError
from probative.models.encoder import Encoder
from probative.runners.contract import Pool

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from probative.corpus.index.passage_vectors import PassageVectors

# The passages whose vectors are written at a time: what a killed process loses.
BLOCK = 4_096
# The passages that are encoded at a time: after each part, the work can be stopped.
PART = 256
# Seconds for which another process that writes the vectors is waited for before looking again.
_WAIT_SECONDS = 0.5
_NOBODY = DocumentFacts(0, "", Facts("en", None, None, {}))


def missing_vectors(folder: IndexFolder, catalog: Catalog, encoder: Encoder) -> int:
    """Return for how many passages there is no vector of this encoder yet."""
    vectors = _usable(folder, encoder)
    return max(0, catalog.end_of_written() - (0 if vectors is None else vectors.label.end))


def embed_passages(
    folder: IndexFolder,
    encoder: Encoder,
    *,
    progress: Progress | None = None,
    stop: threading.Event | None = None,
    pool: Pool | None = None,
) -> None:
    """Write the vectors of all passages that have none; those of another encoder are made anew.

    It ends early when `stop` is set. While another process writes vectors, this one waits, and then writes
    those that are still missing. The workers of a `pool` encode, if there is one.
    """
    encoding = _Encoding(encoder, stop or threading.Event(), pool)
    with closing(folder.open_catalog()) as catalog:
        while (missing := missing_vectors(folder, catalog, encoder)) and not encoding.stop.is_set():
            try:
                with (
                    folder.locked(vectors=True, wait=_WAIT_SECONDS),
                    closing(open_store(folder.path)) as words,
                ):
                    _write(folder, catalog, words, encoding, progress)
            except InUseError:
                if progress is not None:
                    end = catalog.end_of_written()
                    progress(end - missing, end, "vectors")


def _usable(folder: IndexFolder, encoder: Encoder) -> PassageVectors | None:
    """Return the vectors of this encoder, if there are any that are not damaged."""
    from probative.corpus.index.passage_vectors import PassageVectors

    try:
        vectors = PassageVectors.open(folder.vectors)
    except StoreError:  # they are made again
        return None
    return None if vectors is None or vectors.label.encoder != encoder.fingerprint else vectors


@dataclass(frozen=True)
class _Encoding:
    """Turns texts into vectors: here until `stop` is set, or in the workers of a pool."""

    encoder: Encoder
    stop: threading.Event
    pool: Pool | None

    def rows(self, parts: Sequence[list[str]]) -> Iterator[NDArray[np.float32]]:
        """Yield the vectors of each part, in order; without those after a stop."""
        if self.pool is None:
            yield from map(self.encoder.encode, takewhile(lambda _: not self.stop.is_set(), parts))
            return
        tasks = [EncodeTask(part, self.encoder.fingerprint) for part in parts]
        for part, rows in zip(parts, in_order(self.pool, tasks), strict=True):
            # Texts that end a worker are encoded here: no passage is left out.
            yield self.encoder.encode(part) if isinstance(rows, WorkerError) else rows


def _write(
    folder: IndexFolder, catalog: Catalog, words: PassageStore, encoding: _Encoding, progress: Progress | None
) -> None:
    """Write blocks of vectors until all passages have one."""
    from probative.corpus.index.passage_vectors import PassageVectors

    encoder = encoding.encoder
    vectors = _usable(folder, encoder)
    if vectors is None:
        vectors = PassageVectors.create(folder.vectors, encoder.fingerprint, encoder.dimensions)
    vectors = vectors.compacted(vectors.rows_of(catalog.live_ranges()))
    # Read the end first: what is before it is in the words that are opened after it.
    while (first := vectors.label.end) < (end := catalog.end_of_written()) and not encoding.stop.is_set():
        words.reload()
        vectors = vectors.extended(*_block(words, encoding, first, min(first + BLOCK, end)))
        if progress is not None:
            progress(vectors.label.end, end, "vectors")


def _block(
    words: PassageStore, encoding: _Encoding, first: int, end: int
) -> tuple[NDArray[np.float32], NDArray[np.int64], int]:
    """Return the vectors and the numbers of the passages from `first` on, and the number after the last one:
    `end`, or a lower one if the work was stopped. A passage that is gone has no row.
    """
    import numpy as np

    hits = sorted(words.between(first, end), key=lambda hit: hit.number)
    texts = [from_record(words.record(hit), _NOBODY).whole for hit in hits]
    parts = [texts[start : start + PART] for start in range(0, len(texts), PART)]
    rows = np.concatenate([np.zeros((0, encoding.encoder.dimensions), np.float32), *encoding.rows(parts)])
    numbers = np.array([hit.number for hit in hits[: len(rows)]], dtype=np.int64)
    return rows, numbers, end if len(rows) == len(hits) else hits[len(rows)].number


class BackgroundVectors:
    """A thread that writes vectors until every passage has one.

    It stops when this object is closed or forgotten, and when the process ends. What was written stays.
    """

    def __init__(self, folder: IndexFolder, encoder: Encoder, progress: Progress | None = None) -> None:
        stop = threading.Event()
        self._errors: list[Exception] = []
        # The thread does not hold this object, so that one that nobody closes ends, too.
        self._thread = threading.Thread(
            target=_run,
            args=(folder, encoder, progress, stop, self._errors),
            name="probative vectors",
            daemon=True,
        )
        # A thread inside native code when the interpreter ends would end the process with an error.
        self._end = weakref.finalize(self, _end, stop, self._thread)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive()

    @property
    def error(self) -> Exception | None:
        """What ended the thread before all vectors were written."""
        return self._errors[0] if self._errors else None

    def wait(self, seconds: float | None = None) -> None:
        """Wait until all vectors are written, or at most `seconds`."""
        self._thread.join(seconds)

    def close(self) -> None:
        """Stop after the passages that are being encoded."""
        self._end()


def _run(
    folder: IndexFolder,
    encoder: Encoder,
    progress: Progress | None,
    stop: threading.Event,
    errors: list[Exception],
) -> None:
    try:
        embed_passages(folder, encoder, progress=progress, stop=stop)
    except (ProbativeError, OSError) as error:  # the words still answer; the notes of the corpus have it
        errors.append(error)


def _end(stop: threading.Event, thread: threading.Thread) -> None:
    stop.set()
    if thread is not threading.current_thread():  # where the garbage collector runs in that thread
        thread.join()
