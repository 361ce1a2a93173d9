"""Figures of the verdict model from the logits of windows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.verdict.arrays import Arrays
from training.verdict.batches import Numbers

Logits = NDArray[np.float32]


def quick_figures(arrays: Arrays, numbers: Numbers, said: Logits, decided: Logits) -> dict[str, float]:
    """Return the balanced accuracy by source, and how often the likeliest letter is right."""
    figures: dict[str, float] = {}
    for index, name in enumerate(arrays.sources):
        own = numbers[arrays.source[numbers] == index]
        if len(own) >= 20:
            figures[f"balanced {name}"] = balanced(said[own], arrays.label[own])
    counts = arrays.sentences[numbers]
    known = numbers[(arrays.gold[numbers] > 0) & (counts > 1)]
    if len(known):
        inside = np.arange(decided.shape[1])[None, :] < arrays.sentences[known][:, None]
        best = np.where(inside, decided[known], -np.inf).argmax(1)
        figures["deciding sentence"] = float(np.mean((arrays.gold[known] >> best.astype(np.uint32)) & 1))
    figures["mean"] = float(
        np.mean([value for name, value in figures.items() if name.startswith("balanced")])
    )
    return figures


def balanced(said: Logits, labels: NDArray[np.int8]) -> float:
    """Return the balanced accuracy of supported against the rest.

    >>> balanced(np.array([[2.0, 0, 0], [0, 2, 0]]), np.array([0, 2]))
    1.0
    """
    supported = _softmax(said)[:, 0] >= 0.5
    right = labels == 0
    shares = [float(np.mean(supported[right])) if right.any() else None]
    shares.append(float(np.mean(~supported[~right])) if (~right).any() else None)
    return float(np.mean([share for share in shares if share is not None]))


def _softmax(logits: Logits) -> Logits:
    values = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(values / values.sum(1, keepdims=True))


def print_report(data: Path, arrays: Arrays, logits: Path) -> None:
    """Print the figures of the evaluation sets."""
    with np.load(logits) as stored:
        said = stored["said"].astype(np.float32)
    reported = int(arrays.facts["reported"])
    names, values = [], []
    for index, name in enumerate(arrays.sources):
        own = (arrays.source == index) & (arrays.row < reported) & (arrays.kind == 0) & (arrays.piece == -1)
        if own.any():
            names.append(name)
            values.append(balanced(said[own], arrays.label[own]))
            print(f"{name}: {values[-1]:.3f}")
    print(f"mean: {np.mean(values):.3f}")
