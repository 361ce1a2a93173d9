"""The vectors of an index: one row of 16-bit numbers for each passage number, in files that only grow.

A row is written once; the label, which is replaced in one step, says how many rows are complete. So a process
that is killed while it writes leaves the old rows, and searching never waits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from probative.corpus.index.vectors_label import LABEL, VectorsLabel, read_label
from probative.errors import StoreError
from probative.graph.nearest import EntityIndex, best, codes_of

# Of more passages than this that filters take, the nearest of all are filtered instead.
_MAX_FILTERED = 200_000


class PassageVectors:
    """The vectors in a folder as they were when it was opened."""

    def __init__(self, folder: Path, label: VectorsLabel) -> None:
        self._folder = folder
        self.label = label

    @classmethod
    def open(cls, folder: Path) -> Self | None:
        """Return the vectors in a folder, or None if there are none that can be used."""
        label = read_label(folder)
        if label is None:
            return None
        try:
            size = (folder / "rows.f16").stat().st_size
            codes = (folder / "rows.codes").stat().st_size
        except OSError:
            return None
        made = cls(folder, label)
        if size < label.rows * label.dimensions * 2 or codes < label.rows * made._width * 8:
            return None
        return made

    @classmethod
    def create(cls, folder: Path, encoder: str, dimensions: int) -> Self:
        """Return vectors without rows; what another encoder made is removed."""
        with _write_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
            for name in (LABEL, "rows.f16", "rows.codes"):
                (folder / name).unlink(missing_ok=True)
            for name in ("rows.f16", "rows.codes"):
                (folder / name).touch()
        return cls(folder, VectorsLabel(encoder=encoder, dimensions=dimensions, rows=0))

    def __len__(self) -> int:
        return self.label.rows

    def extended(self, vectors: NDArray[np.float32]) -> Self:
        """Write the vectors of the next passages, and return all of them."""
        rows = np.asarray(vectors, dtype=np.float16)
        with _write_errors(self._folder):
            self._write("rows.f16", self.label.rows * self.label.dimensions * 2, rows)
            self._write("rows.codes", self.label.rows * self._width * 8, codes_of(rows).T)
            label = self.label.model_copy(update={"rows": self.label.rows + len(rows)})
            new = self._folder / f".{LABEL}"
            new.write_text(label.to_json(), encoding="utf-8")
            new.replace(self._folder / LABEL)
        return type(self)(self._folder, label)

    def nearest(
        self, vector: NDArray[np.float32], n: int, ranges: Sequence[tuple[int, int]] | None = None
    ) -> list[int]:
        """Return the numbers of the `n` nearest passages; with `ranges` of (first, count), only of these."""
        if not self.label.rows or not vector.any():
            return []
        if ranges is None:
            return [number for number, cosine in self._index.nearest(vector, n)[0] if cosine > 0]
        numbers = self._within(ranges)
        if len(numbers) > _MAX_FILTERED:
            allowed = set(numbers.tolist())
            near = self._index.nearest(vector, 20 * n)[0]
            return [number for number, cosine in near if number in allowed and cosine > 0][:n]
        cosines = self._index.take(numbers) @ vector
        return [int(numbers[row]) for row, cosine in best(cosines, n) if cosine > 0]

    def _within(self, ranges: Sequence[tuple[int, int]]) -> NDArray[np.int64]:
        parts = [np.arange(first, min(first + count, self.label.rows)) for first, count in ranges]
        return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)

    @property
    def _width(self) -> int:
        return -(-self.label.dimensions // 64)

    @cached_property
    def _index(self) -> EntityIndex:
        rows, dimensions = self.label.rows, self.label.dimensions
        vectors = np.memmap(self._folder / "rows.f16", dtype=np.float16, mode="r", shape=(rows, dimensions))
        codes = np.fromfile(self._folder / "rows.codes", dtype=np.uint64, count=rows * self._width)
        return EntityIndex(vectors.view(np.ndarray), np.ascontiguousarray(codes.reshape(rows, self._width).T))

    def _write(self, name: str, offset: int, values: NDArray[np.float16] | NDArray[np.uint64]) -> None:
        with (self._folder / name).open("r+b") as file:
            file.truncate(offset)  # what a process wrote that was killed before it replaced the label
            file.seek(offset)
            file.write(np.ascontiguousarray(values).tobytes())


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
