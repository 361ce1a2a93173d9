"""What an update of an index did, and what the index has now."""

from __future__ import annotations

from collections.abc import Callable

from probative.corpus.duplicates import Duplicate
from probative.corpus.folder import Unread
from probative.types import Value

Progress = Callable[[int, int, str], None]
"""Called with the number done, that of all, and the source that is read next, or "vectors"."""


class Noted(Value):
    """A document with something that its reader must know, such as a guessed encoding."""

    source: str
    notes: tuple[str, ...]


class IndexSummary(Value):
    """The counts of an update and of the index after it.

    `unread` names every file that could not be read, with the reason; `duplicates` are documents that are
    nearly the same as another (both are in the index); `vectors` is the encoder of the vectors, or None, and
    `with_vectors` the number of passages that have one.
    """

    index: str
    folder: str
    documents: int
    passages: int
    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    unread: tuple[Unread, ...] = ()
    duplicates: tuple[Duplicate, ...] = ()
    noted: tuple[Noted, ...] = ()
    vectors: str | None = None
    with_vectors: int = 0
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
