"""Which rows are trained on, in which order, and their tensors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.large.arrays import CITED, REPLY, Arrays, Numbers
from training.large.options import Options

# The source of rows over documents of our own starts with this.
OWN = "bundle_"
# Rows are sorted by length among so many batches, so that little is padded and much stays random.
_SORTED_BATCHES = 50


def choose_rows(arrays: Arrays, options: Options) -> Numbers:
    """Return rows with so many tokens in random order, a share of the tokens over documents of our own, and
    a share of claims. Claims without a label are left out where no teacher counts.

    A row comes again only after all others of its kind.
    """
    rng = np.random.default_rng(options.seed)
    own = np.array([source.startswith(OWN) for source in arrays.values("source")])
    judged = arrays.values("task") == "verdict"
    usable = arrays.labelled | ~np.isnan(arrays.taught[:, 0]) if options.taught else arrays.labelled
    lengths = arrays.lengths
    chosen: list[Numbers] = []
    kinds = [(own, options.share), (~own, 1 - options.share)]
    if options.claims:
        parts = [(judged, options.claims), (~judged, 1 - options.claims)]
        kinds = [(one & two, share * part) for one, share in kinds for two, part in parts]
    for kind, share in kinds:
        rows, budget = np.flatnonzero(kind & usable), share * options.tokens
        while budget > 0 and len(rows):
            order = rng.permutation(rows)
            count = int(np.searchsorted(np.cumsum(lengths[order]), budget)) + 1
            chosen.append(order[:count])
            budget -= int(lengths[order[:count]].sum())
    return rng.permutation(np.concatenate(chosen))


def plan_batches(lengths: Numbers, numbers: Numbers, tokens: int, seed: int) -> list[Numbers]:
    """Return the numbers in batches of about equal length, each of at most `tokens` tokens with padding."""
    rng = np.random.default_rng(seed)
    block = max(1, _SORTED_BATCHES * tokens // max(1, int(lengths[numbers].mean())))
    batches: list[Numbers] = []
    for start in range(0, len(numbers), block):
        part = numbers[start : start + block]
        sorted_batches = list(in_order(lengths, part, tokens))
        batches += [sorted_batches[index] for index in rng.permutation(len(sorted_batches))]
    return batches


def in_order(lengths: Numbers, numbers: Numbers, tokens: int) -> Iterator[Numbers]:
    """Yield the numbers by length in batches of at most `tokens` tokens with padding."""
    part = numbers[np.argsort(lengths[numbers], kind="stable")]
    batch: list[int] = []
    for number in part:
        if batch and (len(batch) + 1) * lengths[number] > tokens:
            yield np.array(batch)
            batch = []
        batch.append(int(number))
    if batch:
        yield np.array(batch)


@dataclass(frozen=True)
class Batch:
    """Padded ids, and of every token of a reply its row, its column and its weight.

    `either` marks tokens in whose place any word for "not supported" is right. `taught` has what the teacher
    gives the three verdicts in the place of a token, times how much it counts; zeros where it says nothing.
    """

    ids: Tensor
    rows: Tensor
    columns: Tensor
    weights: Tensor
    either: Tensor
    taught: Tensor


def make_batch(arrays: Arrays, numbers: Numbers, options: Options, device: torch.device) -> Batch:
    """Return a batch in which each row counts the same: the mean over its reply, plus `options.cited` times
    the mean over the numbers that it cites.

    Where the teacher judged a row, its verdict counts `options.taught`, and that of the label the rest; all
    of it where there is no label.
    """
    width = int(arrays.lengths[numbers].max())
    ids = np.zeros((len(numbers), -(-width // 8) * 8), np.int64)
    rows: list[NDArray[Any]] = []
    columns: list[NDArray[Any]] = []
    weights: list[NDArray[Any]] = []
    either: list[NDArray[Any]] = []
    taught: list[NDArray[Any]] = []
    for row, number in enumerate(numbers):
        roles = arrays.roles(number)
        ids[row, : len(roles)] = arrays.ids(number)
        places = np.flatnonzero(roles >= REPLY)
        is_cited = roles[places] == CITED
        shares = np.where(is_cited, options.cited / max(1, is_cited.sum()), 1 / max(1, (~is_cited).sum()))
        shares /= len(numbers)
        given = np.zeros((len(places), 3))
        if options.taught and not np.isnan(arrays.taught[number, 0]):
            part = options.taught if arrays.labelled[number] else 1.0
            given[0] = part * shares[0] * arrays.taught[number]
            shares = shares * arrays.labelled[number]
            shares[0] *= 1 - part
        rows.append(np.full(len(places), row))
        columns.append(places)
        weights.append(shares)
        either.append((np.arange(len(places)) == 0) & arrays.either[number])
        taught.append(given)

    def sent(values: NDArray[Any]) -> Tensor:
        here = torch.from_numpy(values)
        return here.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else here

    joined = (np.concatenate(parts) for parts in (rows, columns, weights, either, taught))
    return Batch(sent(ids), *(sent(values) for values in joined))
