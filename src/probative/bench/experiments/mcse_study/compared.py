"""Paired tests of McsE against the other methods, over the F1 of each claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from probative.bench.experiments.mcse_study.figures import Top, methods_of, pairs
from probative.bench.experiments.mcse_study.published import MCSE
from probative.bench.findings import difference_finding
from probative.bench.metrics import set_f1
from probative.bench.report import Table
from probative.bench.rows import Row
from probative.bench.significance import Pair, first_against, paired_table

NOTE = "Differences are those of the mean F1 of a claim; the tables above have F1 over all sentences."


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
    return {kind: ([row for row in rows if row["kind"] == kind], "gold") for kind in kinds}
