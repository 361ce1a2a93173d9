"""Figures of the study: precision, recall, F1 and exact match of chosen sentences with intervals, and paired
tests over the F1 of each claim.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Literal

from probative.bench.evidence_figures import Chosen, chosen_and_gold
from probative.bench.findings import counted, difference_finding, joined
from probative.bench.metrics import f1_interval, overlap, set_f1
from probative.bench.published import Triple
from probative.bench.report import Cell, Table, TableRow
from probative.bench.rows import Row, finished_rows
from probative.bench.statistics import Pair, first_against, paired_table
from probative.bench.tables import ratio_cell, rows_of

MCSE, GTE = "McsE", "GTE-large"
BESIDE = (
    "Published beside `embedding` is MPNet-base, or GTE-large where the encoder is GTE; beside `LLM picks` "
    "Gemma-Retriever and beside `LLM reranks` "
    "Gemma-Reranker (Gemma-7b-it); RankGPT is GPT-3.5-turbo and McsE Gemma-2b-it there."
)

Top = int | Literal["gold"]
"""How many sentences count: a number, or as many as the smallest gold set has."""

NOTE = "Differences are those of the mean F1 of a claim; the tables above have F1 over all sentences."


def pairs(rows: Iterable[Row], method: str, top: Top) -> list[Chosen]:
    """Return the sentences that a method chose for each annotated claim, and the gold set that fits best.

    A claim for which the method gave nothing counts as missed. Claims without gold are left out.

    >>> row = {"gold": [[0, 2], [4]], "chosen": {"BM25": [4, 0, 2]}}
    >>> pairs([row], "BM25", 1), pairs([row], "BM25", "gold")
    ([({4}, frozenset({4}))], [({4}, frozenset({4}))])
    """
    return [
        chosen_and_gold(row["chosen"][method], row["gold"], top)
        for row in rows
        if row["gold"] and method in row["chosen"]
    ]


def overlap_cells(
    rows: Iterable[Row], method: str, top: Top, published: Sequence[float] | None = None
) -> list[Cell]:
    """Return precision, recall and F1 (with its interval) in percent."""
    own, figures = pairs(rows, method, top), published or (None, None, None)
    if not own:
        return [Cell(value=None, n=0, published=figure) for figure in figures]
    low, high = f1_interval(own)
    *others, f1 = (
        Cell(value=value, n=len(own), published=figure)
        for value, figure in zip(overlap(own), figures, strict=True)
    )
    return [*others, Cell(**{**f1.to_dict(), "low": low, "high": high})]


def top_table(
    rows: Sequence[Row], title: str, tops: Sequence[int], published: Mapping[str, Sequence[Triple]], note: str
) -> Table:
    """Return precision, recall and F1 of each method for several numbers of sentences, side by side."""
    lines = []
    for method in methods_of(rows):
        figures = published.get(published_name(method, rows), (None,) * len(tops))
        cells = [overlap_cells(rows, method, top, own) for top, own in zip(tops, figures, strict=True)]
        lines.append(TableRow(name=method, cells=tuple(chain.from_iterable(cells))))
    columns = tuple(f"top {top} {figure}" for top in tops for figure in ("precision", "recall", "F1"))
    return Table(title=title, corner="method", columns=columns, rows=tuple(lines), note=note)


def exact_cell(rows: Iterable[Row], method: str, top: Top, published: float | None = None) -> Cell:
    """Return the share of claims whose sentences are exactly a gold set, in percent with its interval."""
    own = pairs(rows, method, top)
    return ratio_cell(sum(chosen == gold for chosen, gold in own), len(own), published)


def published_name(method: str, rows: Sequence[Row]) -> str:
    """Return the name under which the paper has a method: embeddings by GTE have their own figures.

    >>> published_name("embedding", [{"encoder": "hf:thenlper/gte-large"}]), published_name("BM25", [])
    ('GTE-large', 'BM25')
    """
    by_gte = any("gte" in str(row.get("encoder")).lower() for row in rows)
    return GTE if method == "embedding" and by_gte else method


def mean_calls(rows: Iterable[Row], method: str) -> Cell:
    """Return the mean number of calls of a method for a claim, also those answered from the cache."""
    counts = [row["calls"][method] for row in rows if method in row.get("calls", {})]
    return Cell(value=sum(counts) / len(counts), n=len(counts)) if counts else Cell(value=None, n=0)


def methods_of(rows: Iterable[Row]) -> list[str]:
    """Return the methods of all rows, in their order."""
    return list(dict.fromkeys(method for row in rows for method in row["chosen"]))


def failure_notes(rows: Sequence[Row]) -> tuple[str, ...]:
    """Return sentences on claims that ended with an error, and on methods that gave nothing."""
    notes, good = [], finished_rows(rows)
    if errors := len(rows) - len(good):
        notes.append(f"{errors} of {counted(len(rows), 'claim')} ended with an error, and are in no figure.")
    counts = Counter(method for row in good for method in row.get("failed", {}))
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


def claim_f1(rows: Sequence[Row], method: str, top: Top) -> dict[str, float]:
    """Return the F1 of a method for each annotated claim, between 0 and 1.

    >>> claim_f1([{"id": "a", "gold": [[0, 2]], "chosen": {"BM25": [0, 1]}}], "BM25", "gold")
    {'a': 0.5}
    """
    scored = ((row, pairs([row], method, top)) for row in rows)
    return {str(row["id"]): set_f1(*own[0]) for row, own in scored if own}


def compared_f1(
    groups: Mapping[str, tuple[Sequence[Row], Top]], pairings: Sequence[Pair] | None = None
) -> tuple[Table, ...]:
    """Return paired tests in a table with two columns for each group of claims; by default McsE against every
    other method. Nothing if there is nothing to compare.
    """
    methods = dict.fromkeys(method for rows, _ in groups.values() for method in methods_of(rows))
    return paired_table(
        "Paired tests, F1 of a claim",
        first_against(MCSE, methods) if pairings is None else pairings,
        {
            name: {method: claim_f1(rows, method, top) for method in methods}
            for name, (rows, top) in groups.items()
        },
        NOTE,
    )


def f1_finding(tests: Sequence[Table]) -> str:
    """Return a sentence on which differences in F1 are larger than chance."""
    return difference_finding(tests, "F1", "claim")


def by_kind(rows: Sequence[Row], kinds: Sequence[str]) -> dict[str, tuple[Sequence[Row], Top]]:
    """Return groups by kind of claims, with as many sentences as the smallest gold set has."""
    return {kind: (rows_of(rows, kind=kind), "gold") for kind in kinds}
