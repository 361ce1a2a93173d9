"""The curves that make probabilities of the large model's verdicts, by the logits that `measure` kept.

Figures of one half of the evaluation rows use curves that were fitted on the other half, and the other way
round; the curves that are shipped are fitted on both. In the public sets what is supported counts as much as
all the rest, while of the claims that users make fewer are true: `against` says how often the rest counts.
With `own`, claims over our own documents (not those of a report part) shape the curves as well.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.large.arrays import Arrays
from training.large.figures import CLAIMS, SPANISH, WORDS, claim_figures, read_at, set_figures
from training.verdict.calibrate import apply, balanced_weights, calibration_error, fit, readings_of


def calibrate(
    arrays: Arrays, file: Path, words: int = WORDS, own_share: float = 0.0, against: float = 1.0
) -> dict[str, Any]:
    """Return the curves, and the figures of each set by the curves of the other half. Our own claims count
    `own_share` as much as all public ones.
    """
    with np.load(file) as measured:
        claims, logits = measured["claims"], measured["logits"].astype(np.float64)
    here = read_at(arrays, claims, words)
    claims, logits = claims[here], logits[here]
    facts = [arrays.facts[number] for number in claims]
    labels = np.array([fact["label"] for fact in facts])
    sources = np.array([fact["source"] for fact in facts])
    three_way = np.array([not fact.get("binary") for fact in facts])
    half = np.array([hashlib.sha256(arrays.ids(number).tobytes()).digest()[0] % 2 for number in claims])
    readings = readings_of(logits)
    own = np.char.endswith(sources.astype(str), CLAIMS)
    english = ~own & (sources != SPANISH)

    open_claims = own & (np.char.find(sources.astype(str), "report") < 0)

    def fitted(among: NDArray[np.bool_]) -> Any:
        weights = np.zeros(len(labels))
        for rows, share in ((among & english, 1.0), (among & open_claims, own_share)):
            if share and rows.any():
                balanced = balanced_weights(list(sources[rows]), labels[rows])
                weights[rows] = balanced * share * np.count_nonzero(among & english) / len(balanced)
        weights[labels != 0] *= against
        rows = weights > 0
        return fit(readings[rows], labels[rows], three_way[rows], weights[rows])

    chances = np.zeros((len(labels), 3))
    for number in (0, 1):
        chances[half == number] = apply(fitted(half != number), readings[half == number])
    sets = {
        str(source): set_figures(labels[sources == source], chances[sources == source])
        for source in dict.fromkeys(sources[~own])
    }
    halves = [english & (half == number) for number in (0, 1)]
    return {
        "curves": fitted(np.ones(len(labels), bool)).to_dict(),
        "fitted_on": "verdict/eval.jsonl.gz, English sets, each counting the same"
        + (f"; claims of ours count {own_share:g} as much" if own_share else "")
        + (f"; what is not supported counts {against:g} times" if against != 1 else "")
        + "; figures are cross-fitted",
        "mean_balanced": float(
            np.mean([value["balanced"] for name, value in sets.items() if name != SPANISH])
        ),
        "calibration_error": [calibration_error(chances[rows, 0], labels[rows] == 0) for rows in halves],
        "verdict": sets,
        **{
            str(source): claim_figures(
                labels[sources == source],
                chances[sources == source],
                [fact["kind"] for fact in facts if fact["source"] == source],
            )
            for source in dict.fromkeys(sources[own])
        },
    }
