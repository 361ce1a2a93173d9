"""The veracity of a graph on disk: fitted once, then read. It is written completely or not at all."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from filelock import FileLock

from probative.errors import StoreError
from probative.graph.veracity.calibration import Calibration
from probative.graph.veracity.model import Veracity
from probative.graph.veracity.scorer import Parameters
from probative.types import Value

if TYPE_CHECKING:
    from probative.graph.graph import Graph
    from probative.graph.nearest import EntityIndex

# Raised when a change of the training makes stored scorers out of date.
FORMAT = 3
Progress = Callable[[int, int], None]


class _Record(Value):
    """What a stored veracity belongs to: the fingerprints of graph and encoder, and its calibrations."""

    format: int
    graph: str
    encoder: str
    members: int
    known: Calibration
    unseen: Calibration


class StoredVeracity:
    """The file of one graph's veracity by one encoder; `graph` and `encoder` are fingerprints."""

    def __init__(self, file: Path, graph: str, encoder: str) -> None:
        self._file, self._graph, self._encoder = file, graph, encoder

    def open(self, graph: Graph, index: EntityIndex, progress: Progress | None = None) -> Veracity:
        """Return the stored veracity; fit and store it first if there is none, or if it is damaged or of
        another graph.
        """
        from probative.graph.veracity.fit import fit_veracity

        veracity = self._read()
        if veracity is not None:
            return veracity
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with FileLock(self._file.with_name(f"{self._file.name}.lock")):
                veracity = self._read()  # another process may have made it meanwhile
                if veracity is None:
                    veracity = fit_veracity(graph.edges, index.take, progress)
                    self._write(veracity)
                return veracity
        except OSError as error:
            raise StoreError(
                f"the veracity of the graph cannot be written to {self._file.parent}: "
                f"{error.strerror or error}",
                hint="free some disk space, or set PROBATIVE_HOME to another folder",
            ) from None

    def _read(self) -> Veracity | None:
        with suppress(OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            with np.load(self._file, allow_pickle=False) as stored:
                record = _Record.model_validate_json(str(stored["record"]))
                if (record.format, record.graph, record.encoder) != (FORMAT, self._graph, self._encoder):
                    return None
                names = Parameters.__dataclass_fields__
                members = [
                    Parameters(**{name: stored[f"{name}-{number}"] for name in names})
                    for number in range(record.members)
                ]
            return Veracity(tuple(members), record.known, record.unseen)
        return None

    def _write(self, veracity: Veracity) -> None:
        record = _Record(
            format=FORMAT,
            graph=self._graph,
            encoder=self._encoder,
            members=len(veracity.members),
            known=veracity.known,
            unseen=veracity.unseen,
        )
        arrays = {
            f"{name}-{number}": array
            for number, member in enumerate(veracity.members)
            for name, array in member.arrays().items()
        }
        new = self._file.with_name(f".{self._file.name}")
        with new.open("wb") as opened:
            np.savez(opened, record=np.array(record.to_json()), **arrays)  # type: ignore[arg-type]
        new.replace(self._file)
