"""Cells of the tables: precision, recall, F1 and exact match of chosen sentences, with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from probative.bench.findings import counted, joined
from probative.bench.metrics import best_gold, f1_interval, overlap, wilson_interval
from probative.bench.report import Cell
from probative.bench.rows import Row

Top = int | Literal["gold"]
"""How many sentences count: a number, or as many as the smallest gold set has."""


def finished(rows: Iterable[Row]) -> list[Row]:
    """Return the rows without those that ended with an error."""
    return [row for row in rows if "error" not in row]


def pairs(rows: Iterable[Row], method: str, top: Top) -> list[tuple[set[int], frozenset[int]]]:
    """Return the sentences that a method chose for each annotated claim, and the gold set that fits best.

    A claim for which the method gave nothing counts as missed. Claims without gold are left out.

    >>> row = {"gold": [[0, 2], [4]], "chosen": {"BM25": [4, 0, 2]}}
    >>> pairs([row], "BM25", 1), pairs([row], "BM25", "gold")
    ([({4}, frozenset({4}))], [({4}, frozenset({4}))])
    """
    result = []
    for row in rows:
        gold = [frozenset(indexes) for indexes in row["gold"]]
        if not gold or method not in row["chosen"]:
            continue
        n = min(map(len, gold)) if top == "gold" else top
        chosen = set(row["chosen"][method][:n])
        result.append((chosen, best_gold(chosen, gold)))
    return result


def overlap_cells(
    rows: Iterable[Row], method: str, top: Top, published: Sequence[float] | None = None
) -> tuple[Cell, Cell, Cell]:
    """Return precision, recall and F1 (with its interval) in percent."""
    own = pairs(rows, method, top)
    precision, recall, f1 = published or (None, None, None)
    if not own:
        return tuple(Cell(value=None, n=0, published=figure) for figure in (precision, recall, f1))  # type: ignore[return-value]
    micro = overlap(own)
    low, high = f1_interval(own)
    n = len(own)
    return (
        Cell(value=micro.precision, n=n, published=precision),
        Cell(value=micro.recall, n=n, published=recall),
        Cell(value=micro.f1, low=low, high=high, n=n, published=f1),
    )


def exact_cell(rows: Iterable[Row], method: str, top: Top, published: float | None = None) -> Cell:
    """Return the share of claims whose sentences are exactly a gold set, in percent with its interval."""
    own = pairs(rows, method, top)
    if not own:
        return Cell(value=None, n=0, published=published)
    hits = sum(chosen == gold for chosen, gold in own)
    low, high = wilson_interval(hits, len(own))
    return Cell(value=100 * hits / len(own), low=low, high=high, n=len(own), published=published)


def mean_calls(rows: Iterable[Row], method: str) -> Cell:
    """Return the mean number of calls of a method for a claim, also those answered from the cache."""
    counts = [row["calls"][method] for row in rows if method in row.get("calls", {})]
    return Cell(value=sum(counts) / len(counts), n=len(counts)) if counts else Cell(value=None, n=0)


def methods_of(rows: Iterable[Row]) -> list[str]:
    """Return the methods of all rows, in their order."""
    return list(dict.fromkeys(method for row in rows for method in row["chosen"]))


def failure_notes(rows: Sequence[Row]) -> tuple[str, ...]:
    """Return sentences on claims that ended with an error, and on methods that gave nothing."""
    notes = []
    errors = [row for row in rows if "error" in row]
    if errors:
        notes.append(
            f"{len(errors)} of {counted(len(rows), 'claim')} ended with an error, and are in no figure."
        )
    good = finished(rows)
    counts: dict[str, int] = {}
    for row in good:
        for method in row.get("failed", {}):
            counts[method] = counts.get(method, 0) + 1
    notes += [
        f"{method} gave no usable output for {count} of {counted(len(good), 'claim')}: counted as missed."
        for method, count in counts.items()
    ]
    return tuple(notes)


def best_finding(rows: Sequence[Row], kind: str, top: Top) -> str | None:
    """Return which method has the highest F1 on a kind of claims, or None for fewer than two methods.

    >>> row = {"gold": [[0]], "chosen": {"A": [0], "B": [0], "C": [1]}}
    >>> best_finding([row], "FEVER", "gold")
    'FEVER, as many sentences as gold: A and B have the highest F1 (100.0, n = 1); the next has 0.0.'
    """
    scored = {method: overlap(own).f1 for method in methods_of(rows) if (own := pairs(rows, method, top))}
    if len(scored) < 2:
        return None
    high = max(scored.values())
    many_claims = len(pairs(rows, next(iter(scored)), top))
    best = [method for method in scored if scored[method] == high]
    lower = [value for value in scored.values() if value < high]
    many = "as many sentences as gold" if top == "gold" else f"top {top}"
    return (
        f"{kind}, {many}: {joined(best)} {'has' if len(best) == 1 else 'have'} the highest F1 "
        f"({high:.1f}, n = {many_claims}){f'; the next has {max(lower):.1f}' if lower else ''}."
    )
