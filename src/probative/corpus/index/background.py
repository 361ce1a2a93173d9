"""Write the vectors that an index lacks in a thread, while its words answer."""

from __future__ import annotations

import threading
import weakref
from dataclasses import dataclass

from probative.corpus.index.embed import embed_passages
from probative.corpus.index.index_folder import IndexFolder
from probative.corpus.index.summary import Progress
from probative.errors import ProbativeError
from probative.models.encoder import Encoder


@dataclass
class _Outcome:
    error: Exception | None = None


class BackgroundVectors:
    """A thread that writes vectors until every passage has one.

    It stops when this object is closed or forgotten, and when the process ends. What was written stays.
    """

    def __init__(self, folder: IndexFolder, encoder: Encoder, progress: Progress | None = None) -> None:
        stop = threading.Event()
        self._outcome = _Outcome()
        # The thread does not hold this object, so that one that nobody closes ends, too.
        self._thread = threading.Thread(
            target=_run,
            args=(folder, encoder, progress, stop, self._outcome),
            name="probative vectors",
            daemon=True,
        )
        # A thread inside native code when the interpreter ends would end the process with an error.
        self._end = weakref.finalize(self, _end, stop, self._thread)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """Whether vectors are being written."""
        return self._thread.is_alive()

    @property
    def error(self) -> Exception | None:
        """What ended the thread before all vectors were written."""
        return self._outcome.error

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
    outcome: _Outcome,
) -> None:
    try:
        embed_passages(folder, encoder, progress=progress, stop=stop)
    except (ProbativeError, OSError) as error:  # the words still answer; the notes of the corpus have it
        outcome.error = error


def _end(stop: threading.Event, thread: threading.Thread) -> None:
    stop.set()
    if thread is not threading.current_thread():  # where the garbage collector runs in that thread
        thread.join()
