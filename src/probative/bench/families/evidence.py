"""The metrics of methods that choose sentences: precision, recall, F1, all gold found, exact match and cost.

Rows have `indexes`, the chosen sentences in order (None: the method gave nothing, and has missed), and
`gold`, the gold sets; a row without gold is in no figure. Precision, recall and F1 count sentences over all
claims; of several gold sets the one that fits best counts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

from probative.bench.metrics import best_gold, f1_interval, overlap, set_f1
from probative.bench.report import Cell
from probative.bench.rows import Row, Rows
from probative.bench.tables import Metric, Metrics, ratio_cell

# The labels of claims that their text supports: the method assumes that a claim is supported.
TRUE = {"True", "SUPPORTS", "SUPPORTED", "supported"}

# Multiply-adds for a token: the weights of the layers, without attention between tokens and the output layer.
LANGUAGE_MODEL = 30 * (2 * 576 * 576 + 2 * 576 * 192 + 3 * 576 * 1536)  # SmolLM2-135M
CROSS_ENCODER = 6 * (4 * 384 * 384 + 2 * 384 * 1536)  # MiniLM: the policy and the encoder

Top = int | str
"""How many sentences count: a number, or "gold" for as many as the smallest gold set has."""
Chosen = tuple[set[int], frozenset[int]]
"""Chosen sentences, and the gold set that fits them best."""
Keep = Callable[[Row], Any]


def chosen_and_gold(indexes: Sequence[int], gold_sets: Collection[Collection[int]], k: Top) -> Chosen:
    """Return the first k chosen sentences, and the gold set that fits them best.

    >>> chosen_and_gold([4, 0, 2], [[0, 2], [4]], "gold")
    ({4}, frozenset({4}))
    """
    gold = list(map(frozenset, gold_sets))
    chosen = set(indexes[: min(map(len, gold)) if k == "gold" else int(k)])
    return chosen, best_gold(chosen, gold)


def pairs(rows: Rows, k: Top, keep: Keep = lambda row: True) -> list[Chosen]:
    """Return what was chosen for each claim with gold, and the gold set that fits best."""
    return [
        chosen_and_gold(row["indexes"] or (), row["gold"], k) for row in rows if row["gold"] and keep(row)
    ]


def claim_f1(k: Top) -> Callable[[Row], float | None]:
    """Return the F1 of a row, between 0 and 1; None without gold.

    >>> claim_f1("gold")({"gold": [[0, 2]], "indexes": [0, 1]})
    0.5
    """
    return lambda row: next((set_f1(*pair) for pair in pairs([row], k)), None)


def overlap_metrics(k: Top, keep: Keep = lambda row: True) -> Metrics:
    """Return precision, recall and F1 (with its interval) in percent."""

    def metric(figure: str, rows: Rows) -> Cell:
        chosen = pairs(rows, k, keep)
        if not chosen:
            return Cell(value=None, n=0)
        interval = f1_interval(chosen)._asdict() if figure == "f1" else {}
        return Cell(value=getattr(overlap(chosen), figure), n=len(chosen), **interval)

    names = {"precision": "precision", "recall": "recall", "F1": "f1"}
    return {name: partial(metric, figure) for name, figure in names.items()}


def exact_match(k: Top, keep: Keep = lambda row: True) -> Metric:
    """Return the metric of the share of claims whose sentences are exactly a gold set."""

    def metric(rows: Rows) -> Cell:
        compared = pairs(rows, k, keep)
        return ratio_cell(sum(chosen == gold for chosen, gold in compared), len(compared))

    return metric


def evidence_metrics(k: Top) -> Metrics:
    """Return the metrics at one k, of rows that also have `label`, `tokens` and `multiply_adds`."""

    def f1_true(rows: Rows) -> Cell:
        true = pairs(rows, k, lambda row: row["label"] in TRUE)
        return Cell(value=overlap(true).f1, n=len(rows)) if true else Cell(value=None, n=0)

    def all_gold(rows: Rows) -> Cell:
        complete = (
            any(set(gold) <= chosen for gold in row["gold"])
            for row, (chosen, _) in zip(rows, pairs(rows, k), strict=True)
        )
        return ratio_cell(sum(complete), len(rows))

    def cost(field: str, unit: float, rows: Rows) -> Cell:
        spent = sum(row[field] for row in rows if row["indexes"] is not None)
        return Cell(value=spent / len(rows) / unit if rows else None, n=len(rows))

    return {
        **overlap_metrics(k),
        "F1, true claims": f1_true,
        "all gold": all_gold,
        "exact match": exact_match(k),
        "tokens": partial(cost, "tokens", 1.0),
        "G multiply-adds": partial(cost, "multiply_adds", 1e9),
    }
