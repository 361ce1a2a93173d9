"""A graph of ConceptNet's shape, made up: heavy-tailed degrees, hubs, names of one to three words."""

from __future__ import annotations

from pathlib import Path

import numpy as np

NODES = 844_158
EDGES = 2_085_099
RELATIONS = 40
_SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er", "ol")]


def names(count: int, rng: np.random.Generator) -> list[str]:
    """Return distinct names of one to three words, over a vocabulary in which few words are common."""
    vocabulary = np.array(_words(60_000, rng), dtype=object)
    found: dict[str, None] = {}
    while len(found) < count:
        lengths = rng.choice([1, 2, 3], size=count, p=[0.25, 0.5, 0.25])
        at = (rng.pareto(0.8, size=(count, 3)) * 20).astype(np.int64) % len(vocabulary)
        at[lengths == 1] = rng.integers(0, len(vocabulary), size=(int((lengths == 1).sum()), 3))
        for length, row in zip(lengths.tolist(), vocabulary[at].tolist(), strict=True):
            found["_".join(row[:length])] = None
    return list(found)[:count]


def _words(count: int, rng: np.random.Generator) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < count:
        for at, row in enumerate(rng.choice(_SYLLABLES, size=(count, 3)).tolist()):
            found["".join(row[: 2 + at % 2])] = None
    return list(found)[:count]


def write(path: Path, *, nodes: int = NODES, edges: int = EDGES, seed: int = 0) -> None:
    """Write such a graph as TSV (relation, head, tail), as ConceptNet's own files are. No edge occurs
    twice, and every node has one.
    """
    rng = np.random.default_rng(seed)
    named = names(nodes, rng)
    relations = [f"Relation{chr(65 + number // 26)}{chr(97 + number % 26)}" for number in range(RELATIONS)]
    shares = 1 / np.arange(1, RELATIONS + 1) ** 1.2
    keys = np.empty(0, dtype=np.int64)
    cover = rng.permutation(nodes)  # every node once, as head or as tail
    while len(keys) < edges:
        want = int((edges - len(keys)) * 1.2) + 1000
        heads, tails = _heavy(want, nodes, rng), _heavy(want, nodes, rng)
        if not len(keys):
            heads[: nodes // 2], tails[nodes // 2 : nodes] = cover[: nodes // 2], cover[nodes // 2 : nodes]
        kinds = rng.choice(RELATIONS, size=want, p=shares / shares.sum())
        new = (heads * RELATIONS + kinds) * nodes + tails
        _, first = np.unique(np.concatenate((keys, new)), return_index=True)
        keys = np.concatenate((keys, new))[np.sort(first)][:edges]
    left, tails = np.divmod(keys, nodes)
    heads, kinds = np.divmod(left, RELATIONS)
    with path.open("w", encoding="utf-8") as out:
        for start in range(0, edges, 100_000):
            part = slice(start, start + 100_000)
            rows = zip(kinds[part].tolist(), heads[part].tolist(), tails[part].tolist(), strict=True)
            out.writelines(f"{relations[r]}\t{named[h]}\t{named[t]}\n" for r, h, t in rows)


def _heavy(count: int, nodes: int, rng: np.random.Generator) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return nodes drawn so that the largest hubs get tens of thousands of a few million edges."""
    ranks = np.arange(1, nodes + 1, dtype=np.float64)
    weights = np.cumsum(1 / (ranks + 2) ** 0.86)
    drawn: np.ndarray[tuple[int], np.dtype[np.int64]] = np.searchsorted(
        weights, rng.random(count) * weights[-1]
    )
    return drawn
