"""Group token sequences by what they share at their beginning."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from probative.models.local import Sequel

# Below this many tokens, a pass of its own for the shared beginning costs more than it saves.
WORTHWHILE = 24


class Family(NamedTuple):
    """Sequences with the same first `shared` tokens, all before the part that is scored."""

    shared: int
    members: list[Sequel]


def families(sequels: list[Sequel]) -> Iterator[Family]:
    """Families of sequences; those that share too little with others come together in one, with nothing
    shared.

    In sorted order, sequences with a common beginning stand side by side. A sequence joins the
    family before it when that keeps most of what the family shares.

    >>> a, b = Sequel(0, [7] * 40 + [1, 2], 40), Sequel(1, [7] * 40 + [3], 40)
    >>> [(family.shared, len(family.members)) for family in families([a, b, Sequel(2, [5, 6], 1)])]
    [(39, 2), (0, 1)]
    """
    alone: list[Sequel] = []
    current: list[Sequel] = []
    shared = 0
    for sequel in sorted(sequels, key=lambda sequel: sequel.ids):
        if current:
            common = min(shared, _common(current[-1].ids, sequel.ids), sequel.start - 1)
            if common >= WORTHWHILE and common >= 0.6 * shared:
                current.append(sequel)
                shared = common
                continue
            yield from _finished(shared, current, alone)
        current, shared = [sequel], sequel.start - 1
    yield from _finished(shared, current, alone)
    if alone:
        yield Family(0, alone)


def _finished(shared: int, members: list[Sequel], alone: list[Sequel]) -> Iterator[Family]:
    if len(members) > 1:
        yield Family(shared, members)
    else:
        alone.extend(members)


def _common(one: list[int], other: list[int]) -> int:
    """How many first tokens two sequences share."""
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count
