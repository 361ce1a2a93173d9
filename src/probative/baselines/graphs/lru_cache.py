"""What is the same for every question on a graph, kept for the next one: a few values, the oldest dropped."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

Kind = TypeVar("Kind")


class LRUCache(Generic[Kind]):
    """The last few values by key; safe to use from several threads.

    >>> kept = LRUCache[str](2)
    >>> kept.put("a", "one"), kept.put("b", "two"), kept.get("a"), kept.put("c", "three")
    (None, None, 'one', None)
    >>> kept.get("a"), kept.get("b")
    ('one', None)
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[Hashable, Kind] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Kind | None:
        """The value of a key, if it is still there."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def put(self, key: Hashable, value: Kind) -> None:
        """Keep a value; the one that was not looked at for longest goes."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._most:
                self._values.popitem(last=False)
