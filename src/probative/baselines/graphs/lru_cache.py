"""A small cache of results that are the same for every question on a graph."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

Item = TypeVar("Item")


class LRUCache(Generic[Item]):
    """The most recently used values by key; safe to use from several threads.

    >>> cache = LRUCache[str](2)
    >>> cache.put("a", "one"), cache.put("b", "two"), cache.get("a"), cache.put("c", "three")
    (None, None, 'one', None)
    >>> cache.get("a"), cache.get("b")
    ('one', None)
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: OrderedDict[Hashable, Item] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Item | None:
        """Return the value of a key, or None."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def put(self, key: Hashable, value: Item) -> None:
        """Keep a value; the least recently used one is dropped."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._size:
                self._values.popitem(last=False)
