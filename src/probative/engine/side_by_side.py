"""Several searches as one: what they ask in a round becomes one ask for each verb.

For a method that has independent parts, each of which is a search. (`runner` does the same for the cases of
a caller, and counts the cost of each.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from probative.engine.search import Ask, Result, Search
from probative.errors import InputError


def side_by_side(
    searches: Iterable[Search[Result]],
    *,
    max_active: int | None = None,
    finished: Callable[[int], None] | None = None,
) -> Search[list[Result]]:
    """Run searches, at most `max_active` at a time, and return their results in order.

    `finished` is called with the number of searches that have ended, after each one. An error of one search
    ends all of them.
    """
    if max_active is not None and max_active < 1:
        raise InputError(f"max_active must be at least 1, got {max_active}")
    waiting = enumerate(searches)
    results: dict[int, Result] = {}
    active: list[tuple[int, Search[Result], Ask]] = []

    def advance(index: int, search: Search[Result], reply: Any) -> None:
        """Resume a search up to its next ask, or keep its result."""
        try:
            active.append((index, search, search.send(reply)))
        except StopIteration as stopped:
            results[index] = stopped.value
            if finished is not None:
                finished(len(results))

    while True:
        while max_active is None or len(active) < max_active:
            entry = next(waiting, None)
            if entry is None:
                break
            advance(*entry, None)
        if not active:
            return [results[index] for index in range(len(results))]
        round_of, active = active, []
        replies: dict[int, list[Any]] = {}
        for group in _groups(round_of):
            outcomes = yield group[0][2]._replace(items=[item for _, _, ask in group for item in ask.items])
            start = 0
            for index, _, ask in group:
                replies[index] = outcomes[start : start + len(ask.items)]
                start += len(ask.items)
        for index, search, _ in round_of:
            advance(index, search, replies[index])


def _groups(active: list[tuple[int, Search[Result], Ask]]) -> list[list[tuple[int, Search[Result], Ask]]]:
    """Return the active searches by what they ask: the same verb, model and step."""
    groups: dict[tuple[Any, ...], list[tuple[int, Search[Result], Ask]]] = {}
    for entry in active:
        ask = entry[2]
        groups.setdefault((ask.verb, ask.by, ask.step, ask.allow_empty), []).append(entry)
    return list(groups.values())
