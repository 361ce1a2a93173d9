"""Split work into batches, and let Ctrl-C through while an engine computes one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def by_tokens(
    items: Iterable[Item], max_tokens: int, *, length: Callable[[Item], int]
) -> Iterator[list[Item]]:
    """Yield batches of consecutive items whose padded size (number × longest) is at most `max_tokens`.

    A longer item is a batch of its own.

    >>> list(by_tokens([3, 3, 2, 2, 9], 6, length=lambda item: item))
    [[3, 3], [2, 2], [9]]
    """
    batch: list[Item] = []
    longest = 0
    for item in items:
        longest = max(longest, length(item))
        if batch and longest * (len(batch) + 1) > max_tokens:
            yield batch
            batch, longest = [], length(item)
        batch.append(item)
    if batch:
        yield batch


def by_length(
    items: Iterable[tuple[int, list[int]]], *, size: int, spread: int
) -> Iterator[list[tuple[int, list[int]]]]:
    """Yield batches of at most `size` sequences whose lengths differ by at most `spread`.

    >>> [[key for key, _ in batch] for batch in by_length(
    ...     [(0, [1] * 9), (1, [1] * 2), (2, [1] * 3)], size=8, spread=2)]
    [[1, 2], [0]]
    """
    batch: list[tuple[int, list[int]]] = []
    for item in sorted(items, key=lambda item: len(item[1])):
        if batch and (len(batch) == size or len(item[1]) - len(batch[0][1]) > spread):
            yield batch
            batch = []
        batch.append(item)
    if batch:
        yield batch


def interruptible(call: Callable[[], Result]) -> Result:
    """Return what `call` returns; a `KeyboardInterrupt` does not wait for it.

    A native call gives Python no chance to handle a signal until it returns, and reading a text of 8,000
    tokens takes a minute. So the main thread has another one make the call and waits for it: waiting can be
    interrupted. The call itself goes on in the background until it is done.
    """
    if threading.current_thread() is not threading.main_thread():
        return call()  # signals reach the main thread only
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(call())
        except BaseException as error:
            errors.append(error)

    # A daemon: Python must be able to end although the call does not.
    worker = threading.Thread(target=run, name="probative-engine", daemon=True)
    worker.start()
    worker.join()
    if errors:
        raise errors[0]
    return results[0]
