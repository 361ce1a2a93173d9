"""The metrics of methods that choose sentences: precision, recall, F1, all gold found, exact match and cost.

Rows have `indexes`, the chosen sentences in order (None: the method gave nothing, and has missed), and
`gold`, the gold sets; a row without gold is in no figure. Precision, recall and F1 count sentences over all
claims; of several gold sets the one that fits best counts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from probative.bench.metrics import best_gold, f1_interval, mean, overlap, set_f1
from probative.bench.report import Cell
from probative.bench.rows import Row, Rows
from probative.bench.tables import Metric, Metrics, Results, column_cells, ratio_cell

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
    gold = [frozenset(own) for own in gold_sets]
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

    def micro(place: int) -> Metric:
        def metric(rows: Rows) -> Cell:
            own = pairs(rows, k, keep)
            if not own:
                return Cell(value=None, n=0)
            interval = f1_interval(own)._asdict() if place == 2 else {}
            return Cell(value=overlap(own)[place], n=len(own), **interval)

        return metric

    return {"precision": micro(0), "recall": micro(1), "F1": micro(2)}


def exact_match(k: Top, keep: Keep = lambda row: True) -> Metric:
    """Return the metric of the share of claims whose sentences are exactly a gold set."""

    def metric(rows: Rows) -> Cell:
        own = pairs(rows, k, keep)
        return ratio_cell(sum(chosen == gold for chosen, gold in own), len(own))

    return metric


def evidence_metrics(k: Top) -> Metrics:
    """Return the metrics at one k, of rows that also have `label`, `tokens` and `multiply_adds`."""

    def f1_true(rows: Rows) -> Cell:
        true = pairs(rows, k, lambda row: row["label"] in TRUE)
        return Cell(value=overlap(true).f1, n=len(rows)) if true else Cell(value=None, n=0)

    def all_gold(rows: Rows) -> Cell:
        found = (
            any(set(gold) <= chosen for gold in row["gold"])
            for row, (chosen, _) in zip(rows, pairs(rows, k), strict=True)
        )
        return ratio_cell(sum(found), len(rows))

    def cost(field: str, unit: float = 1.0) -> Metric:
        def metric(rows: Rows) -> Cell:
            if not rows:
                return Cell(value=None, n=0)
            spent = sum(row[field] for row in rows if row["indexes"] is not None)
            return Cell(value=spent / len(rows) / unit, n=len(rows))

        return metric

    return {
        **overlap_metrics(k),
        "F1, true claims": f1_true,
        "all gold": all_gold,
        "exact match": exact_match(k),
        "tokens": cost("tokens"),
        "G multiply-adds": cost("multiply_adds", 1e9),
    }


ANNOTATION = "annotation"
ALL_SENTENCES = 10**6


def mean_named(rows: Rows) -> str:
    """Return the mean number of sentences that a readable reply names."""
    named = [float(len(row["indexes"])) for row in rows if not row["failed"]]
    return f"{mean(named):.1f}" if named else "-"


def count_of(field: str) -> Metric:
    """Return the metric of how many rows have something in a field."""
    return lambda rows: f"{sum(bool(row[field]) for row in rows):,} of {len(rows):,}"


ANNOTATION_METRICS: dict[str, Metric] = {
    **overlap_metrics(ALL_SENTENCES),
    "EM": exact_match(ALL_SENTENCES),
    "sentences named": mean_named,
    "sentences of the text": lambda rows: f"{mean([float(row['sentences']) for row in rows]):.1f}",
    "replies that name none": count_of("none"),
    "unreadable replies": count_of("failed"),
}


def annotation_findings(results: Results) -> Iterator[str]:
    """Yield how well the named sentences agree with gold ones, and how many replies could not be read."""
    (table,) = results.tables
    lines = zip(column_cells(table, "precision", "recall", "F1"), table.rows, strict=True)
    for (title, (precision, recall, f1)), row in lines:
        agreement = "there is no gold to compare with"
        if f1.value is not None:
            agreement = (
                f"the named sentences have an F1 of {f1.value:.1f} against gold (precision "
                f"{precision.value:.1f}, recall {recall.value:.1f}, n = {f1.n})"
            )
        yield f"{title}: {agreement}; {row.cells[-1]} replies could not be read."
