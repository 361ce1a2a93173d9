"""Notice when files change: by their sizes and times, which tells it on every kind of disk."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from probative.corpus.documents.files import find_files, is_index, local_path
from probative.corpus.index.index_folder import IndexFolder
from probative.errors import InputError, ProbativeError, StoreError
from probative.settings import Settings
from probative.text.labels import counted

INTERVAL = 0.25
"""Seconds between two looks. A large folder, in which a look takes long, is looked at less often."""
_REST = 10
_CLOSING_SECONDS = 10.0


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


def settled(
    state: Callable[[], Hashable],
    before: Hashable,
    interval: float = INTERVAL,
    *,
    ended: threading.Event | None = None,
) -> Hashable:
    """Wait until a state is another than `before`, and stays as it is for a moment; return it.

    So a file that is half written is not read, and one that an editor replaces is there again. Once `ended`
    is set, `before` is returned.

    >>> states = iter(["old", "half", "new", "new"])
    >>> settled(lambda: next(states), "old", interval=0)
    'new'
    """
    last, ended = before, ended or threading.Event()
    while True:
        started = time.monotonic()
        now = state()
        if now == last and now != before:
            return now
        last = now
        if ended.wait(max(interval, _REST * (time.monotonic() - started)) if interval else 0):
            return before


@contextmanager
def following(folders: Mapping[str, Path], settings: Settings, tell: Callable[[str], None]) -> Iterator[None]:
    """Keep the indexes of folders up to date inside the `with` block; `tell` hears what was read and what
    went wrong. Who has opened one of these corpora searches the new documents.
    """
    ended = threading.Event()
    threads = [
        threading.Thread(
            target=_follow, args=(name, folder, state_of(folder), settings, tell, ended), daemon=True
        )
        for name, folder in folders.items()
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        for thread in threads:
            thread.join(_CLOSING_SECONDS)


def _follow(
    name: str,
    folder: Path,
    now: Hashable,
    settings: Settings,
    tell: Callable[[str], None],
    ended: threading.Event,
) -> None:
    from probative.corpus.indexing import index_folder

    while (new := settled(partial(state_of, folder), now, ended=ended)) != now:
        now = new
        try:
            summary = index_folder(folder, settings=settings)
        except (ProbativeError, OSError) as error:  # the next change tries again
            tell(f"{name}: {error}")
        else:
            unread = f", {len(summary.unread):,} cannot be read" if summary.unread else ""
            tell(
                f"{name}: {summary.added:,} added, {summary.changed:,} changed, {summary.removed:,} removed"
                f"{unread}; {counted(summary.documents, 'document')}"
            )
