"""A queue of runs without a server, whose runs do what a test says."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from probative.server.base.options import Limits
from probative.server.runs.live import LiveRun
from probative.server.runs.manager import RunManager
from probative.server.runs.store import RunStore
from probative.types import Value


class Said(Value):
    """A result."""

    verdict: str = "supported"


@contextmanager
def managed(
    folder: Path, execute: Callable[[LiveRun], Value], **limits: Any
) -> Iterator[tuple[RunManager, RunStore]]:
    store = RunStore(folder / "runs.sqlite")
    manager = RunManager(store, execute, Limits(**{"runs_at_once": 1, **limits})).start()
    try:
        yield manager, store
    finally:
        manager.close()
        store.close()


def ended(live: LiveRun | None) -> LiveRun:
    assert live is not None
    end = time.monotonic() + 120
    while live.log.ended is None:
        assert time.monotonic() < end, "the run did not end"
        time.sleep(0.01)
    return live
