"""What the tests of indexing with workers send to other processes."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from letter_encoder import LetterEncoder
from numpy.typing import NDArray

from probative.corpus.index.index_job import EncodeTask, IndexJob
from probative.models.contract import Progress
from probative.runners.contract import Call, Place, Work


def die() -> None:
    """Kill this process."""
    os.kill(os.getpid(), signal.SIGKILL)


class DyingEncoder(LetterEncoder):
    """Kills its process at the first texts, unless the file `mark` exists."""

    def __init__(self, mark: Path) -> None:
        super().__init__()
        self._mark = mark

    def encode(self, texts: Sequence[str], *, progress: Progress | None = None) -> NDArray[np.float32]:
        if not self._mark.exists():
            self._mark.touch()
            die()
        return super().encode(texts)


@dataclass(frozen=True)
class OpenEncoder:
    """Opens the encoder in a worker; with `mark`, one that kills the worker once."""

    mark: Path | None = None

    def __call__(self) -> LetterEncoder:
        return LetterEncoder() if self.mark is None else DyingEncoder(self.mark)


@dataclass(frozen=True)
class DyingJob(IndexJob):
    """Kills the worker that reads a file called die.txt."""

    @contextmanager
    def open(self, call: Call, place: Place) -> Iterator[Work]:
        with super().open(call, place) as work:

            def run(task: Any) -> Any:
                if not isinstance(task, EncodeTask) and any(each.file.source == "die.txt" for each in task):
                    die()
                return work(task)

            yield run
