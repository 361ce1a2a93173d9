"""What the two verdict models give together, by the logits that `measure` kept for each: the small one
decides where its two most probable verdicts are far enough apart, the large one the rest.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from probative.verdict.cascade import margin
from probative.verdict.judgement import shipped_calibration
from training.large.arrays import Arrays
from training.large.figures import CLAIMS, SPANISH, claim_figures, read_at, set_figures
from training.verdict.calibrate import apply, readings_of

LIMITS = (0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.01)
Key = tuple[str, int]


class Judged(NamedTuple):
    """What a model says about some claims, by source and number: their labels, and calibrated chances."""

    labels: dict[Key, int]
    chances: dict[Key, NDArray[np.float64]]


def read(model: str, measured: Path, kept: Path, words: int) -> Judged:
    """Return the verdicts of a model with the curves that it ships with."""
    arrays = Arrays.load(measured)
    with np.load(kept) as stored:
        claims, logits = stored["claims"], stored["logits"].astype(np.float64)
    here = read_at(arrays, claims, words)
    chances = apply(shipped_calibration(model), readings_of(logits[here]))
    seen: Counter[str] = Counter()
    judged = Judged({}, {})
    for number, each in zip(claims[here], chances, strict=True):
        fact = arrays.facts[number]
        key = (fact["source"], seen[fact["source"]])
        seen[fact["source"]] += 1
        judged.labels[key], judged.chances[key] = fact["label"], each
    return judged


def table(small: Judged, large: Judged) -> list[dict[str, Any]]:
    """Return for each limit the share that reaches the large model and what all verdicts are worth: the mean
    of the public English sets, and the claims of each part of our own documents.
    """
    keys = [key for key, label in small.labels.items() if large.labels.get(key) == label]
    labels = np.array([small.labels[key] for key in keys])
    sources = np.array([source for source, _ in keys])
    own = np.char.endswith(sources, CLAIMS)
    first, second = (np.array([judged.chances[key] for key in keys]) for judged in (small, large))
    apart = np.array([margin(row) for row in first])
    rows = []
    for limit in LIMITS:
        asked = apart < limit
        chances = np.where(asked[:, None], second, first)
        public = [source for source in np.unique(sources[~own]) if source != SPANISH]
        sets = [set_figures(labels[sources == one], chances[sources == one])["balanced"] for one in public]
        row: dict[str, Any] = {
            "limit": limit,
            "public": {"share": float(asked[np.isin(sources, public)].mean()), "value": float(np.mean(sets))},
        }
        for source in np.unique(sources[own]):
            here = sources == source
            figures = claim_figures(labels[here], chances[here], ["claim"] * int(here.sum()))
            row[str(source)] = {
                "share": float(asked[here].mean()),
                "value": figures["right"],
                "wrong": figures["wrong_and_supported"],
            }
        rows.append(row)
    return rows


def cells(rows: list[dict[str, Any]]) -> list[list[str]]:
    """Return the table in words: the share at the large model, the figure, and how much of the gain stays."""
    names = [name for name in rows[0] if name != "limit"]

    def cell(row: dict[str, Any], name: str) -> str:
        low, high, value = (each[name]["value"] for each in (rows[0], rows[-1], row))
        wrong = f", {row[name]['wrong']:.1f} wrong and supported" if "wrong" in row[name] else ""
        return f"{row[name]['share']:.0%}: {value:.1f}{wrong}; {(value - low) / (high - low):.0%} of the gain"

    header = ["limit", *(name.removesuffix(CLAIMS) for name in names)]
    return [header, *([f"{row['limit']:.2f}", *(cell(row, name) for name in names)] for row in rows)]
