"""The figures of a method that chooses sentences: F1, all gold found, cost, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from probative.bench.data.evidence import Example
from probative.bench.metrics import Interval, best_gold, f1_interval, overlap, wilson_interval

# The labels of claims that their text supports: the method assumes that a claim is supported.
TRUE = {"True", "SUPPORTS", "SUPPORTED", "supported"}

# Multiply-adds for a token: the weights of the layers, without attention between tokens and the output layer.
LANGUAGE_MODEL = 30 * (2 * 576 * 576 + 2 * 576 * 192 + 3 * 576 * 1536)  # SmolLM2-135M
CROSS_ENCODER = 6 * (4 * 384 * 384 + 2 * 384 * 1536)  # MiniLM: the policy and the encoder


@dataclass(frozen=True)
class Chosen:
    """The sentences chosen for a claim, the tokens read for it, and the multiply-adds of that."""

    indexes: tuple[int, ...]
    tokens: int
    multiply_adds: float = 0.0


@dataclass(frozen=True)
class Figures:
    """The figures of a method on a set at one k, in percent. Intervals are 95%: bootstrap for F1, Wilson's
    for shares.
    """

    precision: float
    recall: float
    f1: float
    f1_interval: Interval
    f1_true: float
    all_gold: float
    all_gold_interval: Interval
    exact: float
    exact_interval: Interval
    tokens: float
    multiply_adds: float
    claims: int
    true_claims: int
    failed: int


def figures(examples: Sequence[Example], chosen: Mapping[int, Chosen], k: int | str) -> Figures:
    """Return the figures at one k; a claim without a result counts as missed.

    `chosen` has the result of each example by its index. `k` is a number, or "gold" for the size of the
    smallest gold set of each claim.
    """
    pairs = []
    for index, example in enumerate(examples):
        n = example.gold_size if k == "gold" else int(k)
        indexes = set(chosen[index].indexes[:n]) if index in chosen else set()
        pairs.append((indexes, best_gold(indexes, example.gold)))
    micro = overlap(pairs)
    true = [pair for pair, example in zip(pairs, examples, strict=True) if example.label in TRUE]
    count = len(examples)
    exact = sum(indexes == gold for indexes, gold in pairs)
    whole = sum(
        any(gold <= indexes for gold in example.gold)
        for (indexes, _), example in zip(pairs, examples, strict=True)
    )
    return Figures(
        precision=micro.precision,
        recall=micro.recall,
        f1=micro.f1,
        f1_interval=f1_interval(pairs),
        f1_true=overlap(true).f1,
        all_gold=100 * whole / count,
        all_gold_interval=wilson_interval(whole, count),
        exact=100 * exact / count,
        exact_interval=wilson_interval(exact, count),
        tokens=sum(result.tokens for result in chosen.values()) / count,
        multiply_adds=sum(result.multiply_adds for result in chosen.values()) / count,
        claims=count,
        true_claims=len(true),
        failed=count - len(chosen),
    )
