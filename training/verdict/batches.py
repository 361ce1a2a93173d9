"""Which examples each step sees, drawn up front from a seed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from training.verdict.arrays import Arrays

Numbers = NDArray[np.int64]
# How often an epoch shows the examples of a source; documents are few, and what the model is weakest at.
REPEATS = {
    "scifact_abs_train": 6.0,
    "scifact_rationale_train": 3.0,
    "factcg_cg2c_doc": 4.0,
    "checkcovid_train": 3.0,
    "rte_train_dev": 1.5,
    "fool_me_twice": 1.5,
    "multirc": 1.5,
    "feverous": 1.5,
    "vitaminc_real_trainpages": 1.3,
    "fever_symmetric_dev": 4.0,
    "fever_train_nei_paired": 0.6,
    "snli_devtest": 0.6,
    "sick_nl_train": 0.5,
    "sick_br_train": 0.5,
}
# Examples that are put in order of length together.
BLOCK = 16384


def epoch(arrays: Arrays, tokens: int, rng: np.random.Generator) -> list[Numbers]:
    """Return the batches of one epoch in random order, each of at most `tokens` tokens with padding."""
    numbers = np.flatnonzero(~arrays.validation)
    repeats = np.array([REPEATS.get(name, 1.0) for name in arrays.sources])[arrays.source[numbers]]
    times = np.floor(repeats + rng.random(len(numbers))).astype(int)
    drawn = rng.permutation(np.repeat(numbers, times))
    batches: list[Numbers] = []
    for start in range(0, len(drawn), BLOCK):
        batches += by_length(drawn[start : start + BLOCK], arrays, tokens)
    order = rng.permutation(len(batches))
    return [batches[index] for index in order]


def by_length(numbers: Numbers, arrays: Arrays, tokens: int) -> list[Numbers]:
    """Return batches of examples of similar length."""
    ordered = numbers[np.argsort(arrays.lengths[numbers], kind="stable")]
    batches: list[Numbers] = []
    batch: list[int] = []
    for number in ordered:
        if batch and (len(batch) + 1) * (int(arrays.lengths[number]) + 1) > tokens:
            batches.append(np.array(batch, dtype=np.int64))
            batch = []
        batch.append(int(number))
    if batch:
        batches.append(np.array(batch, dtype=np.int64))
    return batches
