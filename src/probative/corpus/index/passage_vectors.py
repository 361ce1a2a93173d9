"""The vectors of an index: one row of 16-bit numbers for each passage, in files that only grow.

A row is written once; the label, which is replaced in one step, says how many rows are complete. So a process
that is killed while it writes leaves the old rows, and searching never waits. Rows of passages that are gone
stay until `compacted` writes the others into new files.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from probative.corpus.stores.labels import (
    VECTORS_LABEL,
    VectorsLabel,
    read_vectors_label,
    rebuild_hint,
    write_label,
)
from probative.corpus.stores.records import with_ties
from probative.errors import StoreError
from probative.graph.nearest import EntityIndex, best, codes_of

STALE_SHARE = 0.25
"""Rows of passages that are gone, as a share of the others, beyond which they are removed."""
# Of fewer rows than this share that may be found, all cosines are computed.
_FEW = 1 / 8
_DIGITS = 5
_CHUNK = 2**24

Mask = NDArray[np.bool_]


class PassageVectors:
    """The vectors in a folder as they were when it was opened."""

    def __init__(self, folder: Path, label: VectorsLabel) -> None:
        self._folder = folder
        self.label = label

    @classmethod
    def open(cls, folder: Path, before: Self | None = None) -> Self | None:
        """Return the vectors in a folder, or None if there are none; raises `StoreError` for damaged files.

        What `before` was read from is not checked again.
        """
        label = read_vectors_label(folder)
        if label is None:
            return None
        made = cls(folder, label)
        checked = None if before is None else before.label
        if checked is not None and checked.generation == label.generation and checked.rows <= label.rows:
            with suppress(StoreError):  # all may have been made anew since
                made._check(checked)
                return made
        made._check(None)
        return made

    @classmethod
    def create(cls, folder: Path, encoder: str, dimensions: int, generation: int = 0) -> Self:
        """Return vectors without rows; what another encoder made is removed."""
        made = cls(folder, VectorsLabel(encoder=encoder, dimensions=dimensions, generation=generation))
        with _write_errors(folder):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not generation:
                for old in (folder / VECTORS_LABEL, *folder.glob("rows*")):
                    old.unlink(missing_ok=True)
            for file, _ in made._files:
                file.touch(mode=0o600)
        return made

    def __len__(self) -> int:
        return self.label.rows

    def extended(self, vectors: NDArray[np.float32], numbers: NDArray[np.int64], end: int) -> Self:
        """Write the vectors of the passages with these `numbers`, all below `end`; return all vectors."""
        label = self._append(vectors, numbers, end)
        with _write_errors(self._folder):
            write_label(self._folder / VECTORS_LABEL, label)
        return type(self)(self._folder, label)

    def compacted(self, live: Mask) -> Self:
        """Return the vectors without stale rows, in new files; as they are while there are few such rows."""
        if len(self) - live.sum() <= STALE_SHARE * live.sum():
            return self
        label, rows = self.label, np.flatnonzero(live)
        new = self.create(self._folder, label.encoder, label.dimensions, generation=label.generation + 1)
        for start in range(0, len(rows), _CHUNK // 1_024):
            part = rows[start : start + _CHUNK // 1_024]
            appended = new._append(self._index.take(part), self._numbers[part], label.end)
            new = type(self)(self._folder, appended)
        new = new.extended(self._index.take(rows[:0]), self._numbers[:0], self.label.end)
        for file, _ in self._files:
            with suppress(OSError):  # another process may have it open
                file.unlink()
        return new

    def rows_of(self, ranges: NDArray[np.int64]) -> Mask:
        """Return which rows belong to ranges of passage numbers: rows of (first, count)."""
        steps = np.zeros(len(self) + 1, dtype=np.int64)
        np.add.at(steps, np.searchsorted(self._numbers, ranges[:, 0]), 1)
        np.add.at(steps, np.searchsorted(self._numbers, ranges.sum(axis=1)), -1)
        return np.cumsum(steps[:-1]) > 0

    def nearest(self, vector: NDArray[np.float32], n: int, rows: Mask) -> list[tuple[int, float]]:
        """Return the numbers and cosines of the `n` nearest passages among `rows`, and of those that tie."""
        if not rows.any() or not vector.any():
            return []
        few = np.flatnonzero(rows) if rows.sum() < _FEW * len(rows) else None
        cosines = None if few is None else self._index.take(few) @ vector

        def search(k: int) -> list[tuple[int, float]]:
            if few is not None and cosines is not None:
                return _rounded((few[row], cosine) for row, cosine in best(cosines, k))
            depth = k
            while True:
                near = self._index.nearest(vector, depth)[0]
                taken = _rounded(pair for pair in near if rows[pair[0]])
                if len(taken) >= k or len(near) < depth:
                    return taken[:k]
                depth *= 4

        near = with_ties(search, n, lambda pair: pair[1])
        return [(int(self._numbers[row]), cosine) for row, cosine in near if cosine > 0]

    def _append(self, vectors: NDArray[np.float32], numbers: NDArray[np.int64], end: int) -> VectorsLabel:
        """Write rows after the others; return the label with which they count."""
        rows = np.asarray(vectors, dtype=np.float16)
        values = (rows, codes_of(rows).T, np.asarray(numbers, dtype=np.int64))
        checksums = []
        with _write_errors(self._folder):
            for (file, width), each, before in zip(self._files, values, self.label.checksums, strict=True):
                data = np.ascontiguousarray(each).tobytes()
                self._write(file, self.label.rows * width, data)
                checksums.append(zlib.crc32(data, before))
        update = {"rows": self.label.rows + len(rows), "end": end, "checksums": tuple(checksums)}
        return self.label.model_copy(update=update)

    def _write(self, file: Path, offset: int, data: bytes) -> None:
        with file.open("r+b") as stream:
            stream.truncate(offset)  # what a process wrote that was killed before it replaced the label
            stream.seek(offset)
            stream.write(data)

    def _check(self, checked: VectorsLabel | None) -> None:
        """Raise `StoreError` unless each file has its checksum; the rows of `checked` are not read again."""
        label = self.label
        for at, (file, width) in enumerate(self._files):
            checksum, missing = (checked.checksums[at] if checked else 0), label.rows * width
            try:
                with file.open("rb") as stream:
                    missing -= stream.seek((checked.rows if checked else 0) * width)
                    while missing and (data := stream.read(min(missing, _CHUNK))):
                        checksum = zlib.crc32(data, checksum)
                        missing -= len(data)
            except OSError as error:
                raise self._damage(file, error.strerror or str(error)) from error
            if missing or checksum != label.checksums[at]:
                raise self._damage(file, "it is incomplete" if missing else "its checksum is wrong")

    def _damage(self, file: Path, what: str) -> StoreError:
        hint = rebuild_hint(self._folder.parent)
        return StoreError(f"the vectors of the index are damaged: {file}: {what}", hint=hint)

    @property
    def _width(self) -> int:
        return -(-self.label.dimensions // 64)

    @property
    def _files(self) -> tuple[tuple[Path, int], ...]:
        """The files of the rows, their codes and their numbers, each with the bytes of a row."""
        stem = f"rows-{self.label.generation}" if self.label.generation else "rows"
        sizes = {"f16": self.label.dimensions * 2, "codes": self._width * 8, "numbers": 8}
        return tuple((self._folder / f"{stem}.{name}", size) for name, size in sizes.items())

    @cached_property
    def _numbers(self) -> NDArray[np.int64]:
        return np.fromfile(self._files[2][0], dtype=np.int64, count=self.label.rows)

    @cached_property
    def _index(self) -> EntityIndex:
        rows, dimensions = self.label.rows, self.label.dimensions
        (row_file, _), (code_file, _), _ = self._files
        # An empty file cannot be mapped.
        vectors: Any = (
            np.memmap(row_file, dtype=np.float16, mode="r", shape=(rows, dimensions)).view(np.ndarray)
            if rows
            else np.empty((0, dimensions), dtype=np.float16)
        )
        codes = np.fromfile(code_file, dtype=np.uint64, count=rows * self._width)
        return EntityIndex(vectors, np.ascontiguousarray(codes.reshape(rows, self._width).T))


def _rounded(pairs: Iterator[tuple[Any, float]]) -> list[tuple[int, float]]:
    """Return rows with cosines that do not depend on the order in which numbers were added up."""
    return [(int(row), round(float(cosine), _DIGITS)) for row, cosine in pairs]


@contextmanager
def _write_errors(folder: Path) -> Iterator[None]:
    """Raise `StoreError` for an error of the disk."""
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"the vectors cannot be written to {folder}: {error.strerror or error}",
            hint="free some space; the same command goes on where it stopped",
        ) from error
