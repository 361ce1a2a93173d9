"""Notice when files change: by their sizes and times, which tells it on every kind of disk."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from contextlib import closing
from pathlib import Path

from probative.corpus.documents.files import find_files, is_index, local_path
from probative.corpus.index.index_folder import IndexFolder
from probative.errors import InputError, StoreError

INTERVAL = 0.25
"""Seconds between two looks. A large folder, in which a look takes long, is looked at less often."""
_REST = 10


def state_of(path: str | Path) -> Hashable:
    """Return a value that changes whenever a file, a file below a folder, or an index does; None if there is
    none.

    >>> state_of("no/such/file") is None
    True
    """
    place = local_path(path)
    try:
        if is_index(place):
            with closing(IndexFolder(place).open_catalog()) as catalog:
                return catalog.version()
        return tuple(find_files(place))
    except (InputError, StoreError, OSError):  # gone, perhaps while it was looked at
        return None


def settled(state: Callable[[], Hashable], before: Hashable, interval: float = INTERVAL) -> Hashable:
    """Wait until a state is another than `before`, and stays as it is for a moment; return it.

    So a file that is half written is not read, and one that an editor replaces is there again.

    >>> states = iter(["old", "half", "new", "new"])
    >>> settled(lambda: next(states), "old", interval=0)
    'new'
    """
    last = before
    while True:
        started = time.monotonic()
        now = state()
        if now == last and now != before:
            return now
        last = now
        time.sleep(max(interval, _REST * (time.monotonic() - started)) if interval else 0)
