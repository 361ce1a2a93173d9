"""The vectors of a graph's entities on disk: made once, in parts, and taken up again where it stopped.

A part that is finished is noted before the next begins. The file has its name only when it is whole.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from filelock import FileLock
from numpy.typing import NDArray

from probative.errors import StoreError
from probative.graph.nearest import EXACT_BELOW, EntityIndex, codes_of
from probative.types import Value

if TYPE_CHECKING:
    from probative.graph.name_table import NameTable

Encode = Callable[[list[str]], NDArray[np.float32]]
# Names encoded between two notes: a few seconds of the embedded encoder.
PART = 4_096
# On so many entities the recall of the two passes is measured.
_SAMPLE = 50


class VectorsMeta(Value):
    """What stored vectors were made with."""

    encoder: str
    entities: int
    dimensions: int
    recall: float | None = None
    """Of the three nearest other entities of a sample, the share that the search in two passes finds."""


class StoredVectors:
    """The files of one graph's vectors by one encoder; `stem` is their place without a suffix."""

    def __init__(self, stem: Path, encoder: str, dimensions: int) -> None:
        self._vectors = stem.with_name(f"{stem.name}.npy")
        self._codes = stem.with_name(f"{stem.name}.codes.npy")
        self._meta = stem.with_name(f"{stem.name}.json")
        self._part = stem.with_name(f"{stem.name}.part.npy")
        self._note = stem.with_name(f"{stem.name}.part.json")
        self._lock = stem.with_name(f"{stem.name}.lock")
        self._encoder = encoder
        self._dimensions = dimensions

    def index(
        self, names: NameTable, encode: Encode, progress: Callable[[int, int], None] | None = None
    ) -> EntityIndex:
        """The index of these names; what is not stored yet is encoded first."""
        try:
            found = self.find(len(names))
            if found is None:
                self._vectors.parent.mkdir(parents=True, exist_ok=True)
                with FileLock(self._lock):
                    found = self.find(len(names))  # another process may have been faster
                    if found is None:
                        self._make(names, encode, progress)
                        found = self.find(len(names))
            if found is None:
                raise StoreError(f"{self._vectors} was written, but cannot be read", hint="check the disk")
            return found
        except OSError as error:
            raise StoreError(
                f"the vectors cannot be written to {self._vectors.parent}: {error.strerror or error}",
                hint=f"free {len(names) * self._dimensions * 2 / 1e6:,.0f} MB, or set PROBATIVE_HOME to "
                "another folder",
            ) from None

    def find(self, entities: int) -> EntityIndex | None:
        """The stored vectors, if they are there, whole, and of as many entities."""
        shape = (entities, self._dimensions)
        try:
            meta = VectorsMeta.model_validate_json(self._meta.read_text(encoding="utf-8"))
            vectors = np.load(self._vectors, mmap_mode="r", allow_pickle=False)
            codes = np.load(self._codes, allow_pickle=False) if entities >= EXACT_BELOW else None
        except (OSError, ValueError, EOFError):
            return None
        if (meta.encoder, vectors.shape, vectors.dtype) != (self._encoder, shape, np.dtype(np.float16)):
            return None
        if codes is not None and (codes.shape[1], codes.dtype) != (entities, np.dtype(np.uint64)):
            return None
        return EntityIndex(vectors.view(np.ndarray), codes, recall=meta.recall)

    def _make(self, names: NameTable, encode: Encode, progress: Callable[[int, int], None] | None) -> None:
        vectors, done = self._taken_up(len(names))
        first = names.first_occurrences()
        tell = progress or (lambda done, total: None)
        for start in range(done, len(names), PART):
            tell(start, len(names))
            stop = min(start + PART, len(names))
            own = [number for number in range(start, stop) if first[number] == number]
            if own:
                vectors[own] = encode([names[number] for number in own])
            repeated = np.flatnonzero(first[start:stop] != np.arange(start, stop)) + start
            vectors[repeated] = vectors[first[repeated]]
            vectors.flush()
            self._note.write_text(str(stop), encoding="utf-8")
        tell(len(names), len(names))
        recall = None
        if len(names) >= EXACT_BELOW:
            codes = codes_of(vectors)
            recall = measured_recall(EntityIndex(vectors, codes))
            beside = self._codes.with_name(f".{self._codes.name}")
            np.save(beside, codes)
            beside.replace(self._codes)
        meta = VectorsMeta(
            encoder=self._encoder, entities=len(names), dimensions=self._dimensions, recall=recall
        )
        del vectors
        self._part.replace(self._vectors)
        self._meta.write_text(meta.to_json() + "\n", encoding="utf-8")
        self._note.unlink(missing_ok=True)

    def _taken_up(self, entities: int) -> tuple[Any, int]:
        """What an earlier try has left, and how far it came; a new file if there is nothing to go on with."""
        shape = (entities, self._dimensions)
        try:
            done = int(self._note.read_text(encoding="utf-8"))
            part = np.lib.format.open_memmap(self._part, mode="r+")
            if (part.shape, part.dtype) == (shape, np.dtype(np.float16)) and 0 <= done <= entities:
                return part, done
        except (OSError, ValueError):
            pass
        self._note.unlink(missing_ok=True)
        return np.lib.format.open_memmap(self._part, mode="w+", dtype=np.float16, shape=shape), 0


def measured_recall(index: EntityIndex, n: int = 3, sample: int = _SAMPLE) -> float:
    """Of the `n` nearest others of some entities, the share that the search in two passes finds."""
    chosen = np.linspace(0, len(index) - 1, sample).astype(np.int64)
    vectors = index.vectors(chosen.tolist())
    found, true = index.nearest(vectors, n + 1), index.exactly(vectors, n + 1)
    shares = [
        len({entity for entity, _ in some} & {entity for entity, _ in all_})
        for some, all_ in zip(found, true, strict=True)
    ]
    return round((sum(shares) - sample) / (n * sample), 4)


def stored_vectors(folder: Path, start: str = "vectors") -> list[VectorsMeta]:
    """What the entities of a graph are embedded with, from a folder with files that start so."""
    found = []
    for file in sorted(folder.glob(f"{start}-*.json")):
        if not file.name.endswith(".part.json"):
            with suppress(OSError, ValueError):
                found.append(VectorsMeta.model_validate_json(file.read_text(encoding="utf-8")))
    return found
