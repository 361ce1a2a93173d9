"""The vectors of a graph's entities on disk: encoded once, in small parts, and checked on opening.

After each part the vectors are flushed and the progress is recorded with the checksum of all rows so far, so
a process that is killed every few seconds still makes progress. The record in `.json` is written last:
vectors without it are incomplete.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from filelock import FileLock
from numpy.typing import NDArray

from probative.errors import StoreError
from probative.graph.nearest import EXACT_BELOW, Codes, EntityIndex, codes_of
from probative.types import Value

if TYPE_CHECKING:
    from probative.graph.name_table import NameTable

Encode = Callable[[list[str]], NDArray[np.float32]]
Progress = Callable[[int, int], None]
# The most names in a part, and the seconds that a part should take: a slow encoder gets smaller parts.
PART_NAMES = 256
PART_SECONDS = 1.0
_FIRST_PART = 16
# The number of entities on which the recall of the two-pass search is measured.
_SAMPLE = 50


class VectorsMeta(Value):
    """A description of stored vectors."""

    encoder: str
    entities: int
    dimensions: int
    recall: float | None = None
    """The share of the true three nearest entities that the two-pass search finds, measured on a sample."""


class _Record(Value):
    """The record of complete vectors: what they are, the graph they belong to, and their checksums."""

    meta: VectorsMeta
    graph: str
    sha256: str
    codes_sha256: str | None


class _PartRecord(Value):
    """The record of incomplete vectors: how many rows are done, and their checksum."""

    graph: str
    done: int
    sha256: str


class StoredVectors:
    """The files of one graph's vectors by one encoder; `stem` is their path without a suffix.

    `graph` and `encoder` are fingerprints.
    """

    def __init__(self, stem: Path, graph: str, encoder: str, dimensions: int) -> None:
        self._vectors = stem.with_name(f"{stem.name}.npy")
        self._codes = stem.with_name(f"{stem.name}.codes.npy")
        self._record = stem.with_name(f"{stem.name}.json")
        self._part_record = stem.with_name(f"{stem.name}.part.json")
        self._lock = stem.with_name(f"{stem.name}.lock")
        self._graph = graph
        self._encoder = encoder
        self._dimensions = dimensions

    def index(self, names: NameTable, encode: Encode, progress: Progress | None = None) -> EntityIndex:
        """Return the index of these names; names without a stored vector are encoded first.

        Damaged vectors are made again, and the notes of the index say so.
        """
        notes: list[str] = []
        try:
            index = self._open(len(names), notes)
            if index is None:
                self._vectors.parent.mkdir(parents=True, exist_ok=True)
                with FileLock(self._lock):
                    notes.clear()
                    index = self._open(len(names), notes)  # another process may have made them meanwhile
                    if index is None:
                        self._make(names, encode, progress, notes)
                        index = self._open(len(names), notes)
            if index is None:
                raise StoreError(f"{self._vectors} was written, but cannot be read", hint="check the disk")
            return index
        except OSError as error:
            megabytes = len(names) * self._dimensions * 2 / 1e6
            raise StoreError(
                f"the vectors cannot be written to {self._vectors.parent}: {error.strerror or error}",
                hint=f"free {megabytes:,.0f} MB, or set PROBATIVE_HOME to another folder",
            ) from None

    def _open(self, entities: int, notes: list[str]) -> EntityIndex | None:
        """Return the stored vectors, or None if they are missing, damaged or of something else. Damage is
        added to `notes`.
        """
        try:
            record = _Record.model_validate_json(self._record.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError):
            notes.append(self._damaged())
            return None
        if (record.graph, record.meta.encoder) != (self._graph, self._encoder):
            return None
        try:
            vectors = np.load(self._vectors, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError, EOFError):
            vectors = np.empty(0)
        shape = (entities, self._dimensions)
        if (vectors.shape, vectors.dtype) != (shape, np.dtype(np.float16)) or (
            _sha256(vectors) != record.sha256
        ):
            notes.append(self._damaged())
            return None
        vectors = vectors.view(np.ndarray)
        codes = None if record.codes_sha256 is None else self._open_codes(vectors, record.codes_sha256, notes)
        return EntityIndex(vectors, codes, recall=record.meta.recall, notes=notes)

    def _damaged(self) -> str:
        return (
            f"the stored vectors of the graph's entities were damaged, and were made again: {self._vectors}"
        )

    def _open_codes(self, vectors: NDArray[np.float16], sha256: str, notes: list[str]) -> Codes:
        """Return the stored codes; damaged ones are computed again, which needs no encoder."""
        with suppress(OSError, ValueError, EOFError):
            codes: Codes = np.load(self._codes, allow_pickle=False)
            if _sha256(codes) == sha256:
                return codes
        notes.append(
            f"the stored codes of the graph's vectors were damaged, and were made again: {self._codes}"
        )
        codes = codes_of(vectors)
        with suppress(OSError):
            self._save_codes(codes)
        return codes

    def _make(self, names: NameTable, encode: Encode, progress: Progress | None, notes: list[str]) -> None:
        """Encode the names that have no vector yet, and write the record."""
        vectors, done, digest = self._resume(len(names), notes)
        first = names.first_occurrences()
        report = progress or (lambda done, total: None)
        size = _FIRST_PART
        while done < len(names):
            report(done, len(names))
            started = time.monotonic()
            stop = min(done + min(size, PART_NAMES), len(names))
            distinct = [number for number in range(done, stop) if first[number] == number]
            if distinct:
                vectors[distinct] = encode([names[number] for number in distinct])
            repeated = np.flatnonzero(first[done:stop] != np.arange(done, stop)) + done
            vectors[repeated] = vectors[first[repeated]]
            vectors.flush()
            digest.update(vectors[done:stop].data)
            done = stop
            part = _PartRecord(graph=self._graph, done=done, sha256=digest.hexdigest())
            _write(self._part_record, part.to_json())
            size = _next_size(size, time.monotonic() - started)
        report(len(names), len(names))
        recall = codes_sha256 = None
        if len(names) >= EXACT_BELOW:
            codes = codes_of(vectors)
            codes_sha256 = _sha256(codes)
            recall = measured_recall(EntityIndex(vectors, codes))
            self._save_codes(codes)
        meta = VectorsMeta(
            encoder=self._encoder, entities=len(names), dimensions=self._dimensions, recall=recall
        )
        record = _Record(meta=meta, graph=self._graph, sha256=digest.hexdigest(), codes_sha256=codes_sha256)
        _write(self._record, record.to_json() + "\n")
        self._part_record.unlink(missing_ok=True)

    def _resume(self, entities: int, notes: list[str]) -> tuple[Any, int, Any]:
        """Return the vectors of an earlier run, the number of finished rows and their digest; a new file if
        there is nothing to continue.
        """
        shape = (entities, self._dimensions)
        with suppress(OSError, ValueError):
            part = _PartRecord.model_validate_json(self._part_record.read_text(encoding="utf-8"))
            vectors = np.lib.format.open_memmap(self._vectors, mode="r+")
            if (
                (vectors.shape, vectors.dtype) == (shape, np.dtype(np.float16))
                and 0 <= part.done <= entities
                and part.graph == self._graph
            ):
                digest = hashlib.sha256(vectors[: part.done].data)
                if digest.hexdigest() == part.sha256:
                    return vectors, part.done, digest
                notes.append(f"the unfinished vectors were damaged, and were made again: {self._vectors}")
        # A process may still have the old file open: it is removed, never written over.
        for file in (self._record, self._part_record, self._vectors):
            file.unlink(missing_ok=True)
        vectors = np.lib.format.open_memmap(self._vectors, mode="w+", dtype=np.float16, shape=shape)
        return vectors, 0, hashlib.sha256()

    def _save_codes(self, codes: Codes) -> None:
        new = self._codes.with_name(f".{self._codes.name}")
        np.save(new, codes)
        new.replace(self._codes)


def _next_size(size: int, seconds: float) -> int:
    """Return the size of the next part: larger after a quick part, smaller after a slow one.

    >>> _next_size(64, 0.1), _next_size(64, 0.8), _next_size(64, 3.0), _next_size(1, 3.0)
    (128, 64, 32, 1)
    """
    if seconds < PART_SECONDS / 2:
        return min(2 * size, PART_NAMES)
    return max(1, size // 2) if seconds > PART_SECONDS else size


def _sha256(array: NDArray[Any]) -> str:
    return hashlib.sha256(np.ascontiguousarray(array).data).hexdigest()


def _write(file: Path, text: str) -> None:
    """Write a small file in one step."""
    new = file.with_name(f".{file.name}")
    new.write_text(text, encoding="utf-8")
    new.replace(file)


def measured_recall(index: EntityIndex) -> float:
    """Return the share of the true three nearest entities that the two-pass search finds, on a sample."""
    n = 3
    chosen = np.linspace(0, len(index) - 1, _SAMPLE).astype(np.int64)
    vectors = index.vectors(chosen.tolist())
    shared = [
        len({entity for entity, _ in quick} & {entity for entity, _ in exact})
        for quick, exact in zip(index.nearest(vectors, n + 1), index.exactly(vectors, n + 1), strict=True)
    ]
    return round((sum(shared) - _SAMPLE) / (n * _SAMPLE), 4)


def stored_vectors(folder: Path, graph: str, start: str = "vectors") -> list[VectorsMeta]:
    """Return what describes the complete vectors of a graph in a folder, where their file names start with
    `start`; `graph` is its fingerprint.
    """
    metas = []
    for file in sorted(folder.glob(f"{start}-*.json")):
        if not file.name.endswith(".part.json"):
            with suppress(OSError, ValueError):
                record = _Record.model_validate_json(file.read_text(encoding="utf-8"))
                if record.graph == graph:
                    metas.append(record.meta)
    return metas
