"""What is counted of the sentences that a method chose: F1, all gold found, and how sure the figures are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from probative.bench.data.evidence import Example

# The labels of claims that their text supports: those for which the method is meant.
TRUE = {"True", "SUPPORTS", "SUPPORTED", "supported"}
# Samples drawn for an interval.
DRAWN = 1000

# Multiply-adds for a token: the weights of the layers, without attention between tokens and the output layer.
LANGUAGE_MODEL = 30 * (2 * 576 * 576 + 2 * 576 * 192 + 3 * 576 * 1536)  # SmolLM2-135M
CROSS_ENCODER = 6 * (4 * 384 * 384 + 2 * 384 * 1536)  # MiniLM: the policy and the encoder

Range = tuple[float, float]


@dataclass
class Chosen:
    """The sentences a claim was given, the tokens read for it, and the multiply-adds of that."""

    indexes: tuple[int, ...]
    tokens: int
    multiply_adds: float = 0.0


@dataclass
class Figures:
    """How a row did. Ranges hold 95 of 100: of F1 by drawing claims anew, of shares as Wilson's."""

    precision: float
    recall: float
    f1: float
    f1_range: Range
    f1_true: float
    all_gold: float
    all_gold_range: Range
    exact: float
    tokens: float
    multiply_adds: float
    seconds: float
    claims: int
    failed: int


def figures(examples: Sequence[Example], found: dict[int, Chosen], k: int | str, seconds: float) -> Figures:
    """The figures of one row at one k; a claim for which the method gave nothing counts as all missed."""
    sets = []
    for number, example in enumerate(examples):
        most = example.gold_size if k == "gold" else int(k)
        chosen = set(found[number].indexes[:most]) if number in found else set()
        gold = max(
            example.gold, key=lambda one: (len(one & chosen) / max(1, len(one) + len(chosen)), -len(one))
        )
        sets.append((chosen, gold))
    precision, recall, f1 = overlap(sets)
    true = [pair for pair, example in zip(sets, examples, strict=True) if example.label in TRUE]
    count = len(examples)
    whole = sum(
        any(one <= chosen for one in example.gold)
        for (chosen, _), example in zip(sets, examples, strict=True)
    )
    return Figures(
        precision=precision,
        recall=recall,
        f1=f1,
        f1_range=f1_range(sets),
        f1_true=overlap(true)[2],
        all_gold=100 * whole / count,
        all_gold_range=wilson(whole, count),
        exact=100 * sum(chosen == gold for chosen, gold in sets) / count,
        tokens=sum(one.tokens for one in found.values()) / count,
        multiply_adds=sum(one.multiply_adds for one in found.values()) / count,
        seconds=seconds / count,
        claims=count,
        failed=count - len(found),
    )


def overlap(sets: Sequence[tuple[set[int], frozenset[int]]]) -> tuple[float, float, float]:
    """Precision, recall and F1 of chosen sentences against gold ones, over all claims."""
    hits = sum(len(chosen & gold) for chosen, gold in sets)
    taken, wanted = sum(len(chosen) for chosen, _ in sets), sum(len(gold) for _, gold in sets)
    return 100 * hits / max(1, taken), 100 * hits / max(1, wanted), 200 * hits / max(1, taken + wanted)


def f1_range(sets: Sequence[tuple[set[int], frozenset[int]]]) -> Range:
    """The middle 95 of 100 values of F1 over claims drawn anew, with the same luck for every row."""
    counts = np.array([(len(chosen & gold), len(chosen) + len(gold)) for chosen, gold in sets])
    drawn = np.random.default_rng(0).integers(0, len(counts), size=(DRAWN, len(counts)))
    hits, sizes = counts[drawn].sum(axis=1).T
    low, high = np.percentile(200 * hits / np.maximum(1, sizes), [2.5, 97.5])
    return float(low), float(high)


def wilson(hits: int, count: int, z: float = 1.96) -> Range:
    """Wilson's interval of a share, in percent.

    >>> [round(value, 1) for value in wilson(5, 10)]
    [23.7, 76.3]
    """
    share, square = hits / count, z * z
    middle = (share + square / (2 * count)) / (1 + square / count)
    half = z * math.sqrt(share * (1 - share) / count + square / (4 * count * count)) / (1 + square / count)
    return 100 * max(0.0, middle - half), 100 * min(1.0, middle + half)


def auroc(high: Sequence[float], low: Sequence[float]) -> float:
    """How often one of the first is above one of the second; half for equals.

    >>> auroc([0.9, 0.4], [0.1, 0.4])
    0.875
    """
    a, b = np.array(high)[:, None], np.array(low)[None]
    return float((a > b).mean() + 0.5 * (a == b).mean())


def auroc_range(high: Sequence[float], low: Sequence[float]) -> Range:
    """The middle 95 of 100 values over both kinds drawn anew."""
    random = np.random.default_rng(0)
    values = [
        auroc(random.choice(high, size=len(high)).tolist(), random.choice(low, size=len(low)).tolist())
        for _ in range(DRAWN)
    ]
    first, last = np.percentile(values, [2.5, 97.5])
    return float(first), float(last)
