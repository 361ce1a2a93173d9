"""Figures of the verdict model from the logits of windows.

The calibration of the figures of one half of the evaluation rows is fitted on the other half, and the other
way round; the halves follow from a hash of the claim. The calibration that is shipped is fitted on both.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probative.bench.data.claims import read_verdict_rows
from probative.bench.metrics import auroc, mean
from probative.bench.plots import plot_svg
from probative.bench.report import Plot, Series
from probative.text.words import words
from probative.verdict.calibration import Scores, reading
from training.verdict.arrays import Arrays
from training.verdict.batches import Numbers
from training.verdict.calibrate import apply, balanced_weights, fit, softmax
from training.verdict.example import LABELS, Judged
from training.verdict.published import as_judged

Logits = NDArray[np.float32]
OTHER_LANGUAGES = ("xnli_test_es",)
BINS = 10


def quick_figures(arrays: Arrays, numbers: Numbers, said: Logits, decided: Logits) -> dict[str, float]:
    """Return the balanced accuracy by source, and how often the likeliest letter is right."""
    figures: dict[str, float] = {}
    for index, name in enumerate(arrays.sources):
        own = numbers[arrays.source[numbers] == index]
        if len(own) >= 20:
            supported = softmax(said[own].astype(np.float64))[:, 0]
            figures[f"balanced {name}"] = balanced(supported, arrays.label[own] == 0)
    figures["mean"] = float(np.mean(list(figures.values())))
    figures["deciding sentence"] = deciding_accuracy(arrays, numbers, decided)
    return figures


def deciding_accuracy(arrays: Arrays, numbers: Numbers, decided: Logits) -> float:
    """Return how often the likeliest letter names a sentence that decides, among several sentences."""
    known = numbers[(arrays.gold[numbers] > 0) & (arrays.sentences[numbers] > 1)]
    inside = np.arange(decided.shape[1])[None, :] < arrays.sentences[known][:, None]
    best = np.where(inside, decided[known], -np.inf).argmax(1).astype(np.uint32)
    return float(np.mean((arrays.gold[known] >> best) & 1)) if len(known) else float("nan")


def balanced(supported: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """Return the balanced accuracy of supported against the rest, at one half.

    >>> balanced(np.array([0.9, 0.1]), np.array([True, False]))
    1.0
    """
    shares = [np.mean(supported[right] >= 0.5)] if right.any() else []
    shares += [np.mean(supported[~right] < 0.5)] if (~right).any() else []
    return float(np.mean(shares))


@dataclass(frozen=True)
class Table:
    """The evaluation rows, with the numbers that were read for them."""

    readings: NDArray[np.float64]
    labels: NDArray[np.int64]
    sets: list[str]
    three_way: NDArray[np.bool_]
    half: NDArray[np.int64]
    words: NDArray[np.float64]
    """The share of the claim's words in the evidence."""


def table(data: Path, arrays: Arrays, said: Logits) -> Table:
    """Return the evaluation rows with what was read for them."""
    judged = [as_judged(row) for row in read_verdict_rows(data)]
    whole: dict[int, Scores] = {}
    parts: dict[int, list[Scores]] = defaultdict(list)
    for number, chances in enumerate(softmax(said.astype(np.float64))):
        three = (float(chances[0]), float(chances[1]), float(chances[2]))
        row = int(arrays.row[number])
        if arrays.piece[number] == -1:
            whole[row] = three
        else:
            parts[row].append(three)
    sets = [row.source for row in judged]
    labels = np.array([LABELS.index(row.label) for row in judged])
    told_apart = {
        name
        for name in set(sets)
        if {row.label for row in judged if row.source == name} == set(LABELS)
        and not any(row.binary for row in judged if row.source == name)
    }
    return Table(
        np.array([reading(whole[index], parts[index]) for index in range(len(judged))]),
        labels,
        sets,
        np.isin(sets, list(told_apart)),
        np.array([hashlib.sha256(row.claim.encode()).digest()[0] % 2 for row in judged]),
        np.array([_coverage(row) for row in judged]),
    )


def _coverage(row: Judged) -> float:
    claimed = set(words(row.claim))
    stated = {word for sentence in row.evidence for word in words(sentence)}
    return len(claimed & stated) / max(1, len(claimed))


def cross_fitted(rows: Table) -> NDArray[np.float64]:
    """Return the probabilities of each row by the calibration fitted on the other half."""
    weights = balanced_weights(rows.sets, rows.labels)
    english = ~np.isin(rows.sets, OTHER_LANGUAGES)
    chances = np.zeros((len(rows.labels), 3))
    for half in (0, 1):
        other = (rows.half != half) & english
        curves = fit(rows.readings[other], rows.labels[other], rows.three_way[other], weights[other])
        chances[rows.half == half] = apply(curves, rows.readings[rows.half == half])
    return chances


def best_balanced(values: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """Return the balanced accuracy at the best of all thresholds: what words alone can reach at most."""
    return max(balanced(values - threshold + 0.5, right) for threshold in np.unique(values))


def calibration_error(supported: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """Return the expected calibration error of P(supported) in ten bins.

    >>> calibration_error(np.array([0.75, 0.75]), np.array([True, False]))
    0.25
    """
    bins = np.minimum((supported * BINS).astype(int), BINS - 1)
    gaps = [abs(float(np.sum(supported[bins == number] - right[bins == number]))) for number in range(BINS)]
    return sum(gaps) / max(1, len(right))


def report(data: Path, arrays: Arrays, logits: Path) -> dict[str, Any]:
    """Return the figures of every evaluation set, cross-fitted, with intervals; and the shipped curves."""
    with np.load(logits) as stored:
        said, decided = stored["said"].astype(np.float32), stored["decided"].astype(np.float32)
    rows = table(data, arrays, said)
    chances, right = cross_fitted(rows), rows.labels == 0
    names = list(dict.fromkeys(rows.sets))
    sets: dict[str, Any] = {}
    for name in names:
        own = np.array(rows.sets) == name
        sets[name] = {
            "rows": int(own.sum()),
            "balanced": balanced(chances[own, 0], right[own]),
            "interval": interval(chances[own, 0], right[own]),
            "auroc": auroc(chances[own & right, 0], chances[own & ~right, 0]),
            "three_way": float(np.mean(chances[own].argmax(1) == rows.labels[own])),
            "words": best_balanced(rows.words[own], right[own]),
        }
    english = ~np.isin(rows.sets, OTHER_LANGUAGES)
    weights = balanced_weights(rows.sets, rows.labels)
    curves = fit(rows.readings[english], rows.labels[english], rows.three_way[english], weights[english])
    numbers = np.flatnonzero(arrays.row < int(arrays.facts["reported"]))
    return {
        "sets": sets,
        "mean_english": mean([sets[name]["balanced"] for name in names if name not in OTHER_LANGUAGES]),
        "calibration_error": [
            calibration_error(chances[part, 0], right[part])
            for part in ((rows.half == 0) & english, (rows.half == 1) & english)
        ],
        "deciding_sentence": deciding_accuracy(arrays, numbers, decided),
        "reliability": reliability(chances[english, 0], right[english]),
        "curves": curves.to_dict(),
    }


def reliability(supported: NDArray[np.float64], right: NDArray[np.bool_]) -> list[tuple[float, float, int]]:
    """Return the mean probability, the share supported and the number of rows of each of ten bins."""
    bins = np.minimum((supported * BINS).astype(int), BINS - 1)
    return [
        (float(supported[bins == number].mean()), float(right[bins == number].mean()), int(count))
        for number in range(BINS)
        if (count := np.sum(bins == number))
    ]


def interval(
    supported: NDArray[np.float64], right: NDArray[np.bool_], draws: int = 500
) -> tuple[float, float]:
    """Return the 95% interval of the balanced accuracy, by drawing rows again."""
    rng = np.random.default_rng(1)
    values = []
    for _ in range(draws):
        drawn = rng.integers(0, len(right), len(right))
        values.append(balanced(supported[drawn], right[drawn]))
    low, high = np.quantile(values, (0.025, 0.975))
    return float(low), float(high)


def print_report(figures: dict[str, Any]) -> None:
    """Print the figures of the evaluation sets."""
    print("set, rows, balanced accuracy [95%], AUROC, three-way, words alone")
    for name, row in figures["sets"].items():
        low, high = row["interval"]
        print(
            f"{name:28} {row['rows']:5} {100 * row['balanced']:5.1f} [{100 * low:.1f}, {100 * high:.1f}] "
            f"{row['auroc']:.3f} {100 * row['three_way']:5.1f} {100 * row['words']:5.1f}"
        )
    print(f"mean of the English sets: {100 * figures['mean_english']:.1f}")
    first, second = figures["calibration_error"]
    print(f"calibration error of each half, fitted on the other: {first:.3f}, {second:.3f}")
    print(f"the likeliest deciding sentence is one: {100 * figures['deciding_sentence']:.1f}%")


def draw_reliability(figures: dict[str, Any], file: Path) -> None:
    """Draw the share of supported claims against the stated probability."""
    points = tuple((stated, share) for stated, share, _ in figures["reliability"])
    curve = Series(name="the verdict model, calibrated on the other half", points=points)
    axes = {"x": "stated probability of supported", "y": "share supported"}
    plot = Plot(title="", kind="reliability", **axes, series=(curve,))
    file.write_text(plot_svg(plot), encoding="utf-8")


def write_calibration(figures: dict[str, Any], logits: Path, file: Path) -> None:
    """Write the curves that are shipped, and what it was fitted on."""
    facts = {
        "curves": figures["curves"],
        "fitted_on": "verdict/eval.jsonl.gz, English sets, each counting the same; figures are cross-fitted",
        "logits_sha256": hashlib.sha256(logits.read_bytes()).hexdigest(),
    }
    file.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
