"""The figures of a method that chooses sentences: precision, recall, F1, all gold found and cost."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from probative.bench.metrics import best_gold, f1_interval, overlap
from probative.bench.report import Cell
from probative.bench.rows import Row
from probative.bench.tables import Metric, Rows, ratio_cell

# The labels of claims that their text supports: the method assumes that a claim is supported.
TRUE = {"True", "SUPPORTS", "SUPPORTED", "supported"}

# Multiply-adds for a token: the weights of the layers, without attention between tokens and the output layer.
LANGUAGE_MODEL = 30 * (2 * 576 * 576 + 2 * 576 * 192 + 3 * 576 * 1536)  # SmolLM2-135M
CROSS_ENCODER = 6 * (4 * 384 * 384 + 2 * 384 * 1536)  # MiniLM: the policy and the encoder

Chosen = tuple[set[int], frozenset[int]]
"""Chosen sentences, and the gold set that fits them best."""


def chosen_and_gold(indexes: Sequence[int], gold_sets: Collection[Collection[int]], k: int | str) -> Chosen:
    """Return the first k chosen sentences, and the gold set that fits them best; a k of "gold" is the size of
    the smallest gold set.

    >>> chosen_and_gold([4, 0, 2], [[0, 2], [4]], "gold")
    ({4}, frozenset({4}))
    """
    gold = [frozenset(own) for own in gold_sets]
    chosen = set(indexes[: min(map(len, gold)) if k == "gold" else int(k)])
    return chosen, best_gold(chosen, gold)


def evidence_metrics(k: int | str) -> dict[str, Metric]:
    """Return the metrics at one k, of rows with `indexes`, `gold`, `label`, `tokens` and `multiply_adds`. A
    claim without a result (`indexes` is None) counts as missed.
    """

    def pair(row: Row) -> Chosen:
        return chosen_and_gold(row["indexes"] or (), row["gold"], k)

    def micro(place: int) -> Metric:
        return lambda rows: Cell(value=overlap([pair(row) for row in rows])[place], n=len(rows))

    def f1(rows: Rows) -> Cell:
        pairs = [pair(row) for row in rows]
        return Cell(value=overlap(pairs).f1, **f1_interval(pairs)._asdict(), n=len(rows))

    def f1_true(rows: Rows) -> Cell:
        true = [pair(row) for row in rows if row["label"] in TRUE]
        return Cell(value=overlap(true).f1, n=len(rows)) if true else Cell(value=None, n=0)

    def all_gold(rows: Rows) -> Cell:
        return ratio_cell(
            sum(any(set(own) <= pair(row)[0] for own in row["gold"]) for row in rows), len(rows)
        )

    def exact(rows: Rows) -> Cell:
        return ratio_cell(sum(chosen == gold for chosen, gold in map(pair, rows)), len(rows))

    def cost(field: str, unit: float = 1.0) -> Metric:
        def metric(rows: Rows) -> Cell:
            spent = sum(row[field] for row in rows if row["indexes"] is not None)
            return Cell(value=spent / len(rows) / unit, n=len(rows))

        return metric

    return {
        "precision": micro(0),
        "recall": micro(1),
        "F1": f1,
        "F1, true claims": f1_true,
        "all gold": all_gold,
        "exact match": exact,
        "tokens": cost("tokens"),
        "G multiply-adds": cost("multiply_adds", 1e9),
    }
