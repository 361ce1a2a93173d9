"""Compare the shipped policy, in 8 bits, with the trained one in float32."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from probative.models.embedded.encoder import EmbeddedPolicy
from probative.models.embedded.shipped import policy as policy_source
from probative.models.embedded.store import ready_weights
from training.policy.examples import Examples
from training.policy.groups import Group, Sampler
from training.policy.model import Policy, scores_of

Floats = NDArray[np.float64]


def compare(examples: Path, policy: Path, shipped: Path, n: int) -> dict[str, dict[str, float]]:
    """Return the agreement for `n` examples of each source, at the first step and after some gold.

    "pearson" is Pearson's correlation of all scores, "spearman" the mean over decisions of Spearman's, and
    "best" the share of decisions with the same best candidate.
    """
    data = Examples.load(examples)
    sampler = Sampler(data)
    exact = Policy.from_folder(policy).eval()
    with tempfile.TemporaryDirectory() as folder:
        embedded = EmbeddedPolicy(ready_weights(policy_source(shipped), Path(folder)))
        result, everything = {}, list[tuple[Floats, Floats]]()
        for at, name in enumerate(data.names.tolist()):
            numbers = np.flatnonzero(data.source == at)[:n].tolist()
            pairs = [_both(exact, embedded, group) for group in _decisions(sampler, numbers)]
            result[name] = _agreement(pairs)
            everything += pairs
        return {**result, "all": _agreement(everything)}


def _decisions(sampler: Sampler, numbers: Sequence[int]) -> list[Group]:
    data = sampler.examples
    groups = []
    for number in numbers:
        gold = np.flatnonzero(data.gold[data.places(number)]).tolist()
        groups += [sampler.state(number, gold[:taken]) for taken in range(min(2, len(gold)) + 1)]
    return groups


def _both(exact: Policy, embedded: EmbeddedPolicy, group: Group) -> tuple[Floats, Floats]:
    with torch.inference_mode():
        wanted = scores_of(exact, group.sequences, group.seconds, 2048).double().numpy()
    rows = [tuple(row.tolist()) for row in group.sequences]
    embedded_scores = embedded.scores(rows)
    return wanted, np.array([embedded_scores[row] for row in rows])


def _agreement(pairs: Sequence[tuple[Floats, Floats]]) -> dict[str, float]:
    wanted, embedded = (np.concatenate([pair[side] for pair in pairs]) for side in (0, 1))
    return {
        "decisions": float(len(pairs)),
        "pearson": float(np.corrcoef(wanted, embedded)[0, 1]),
        "spearman": float(np.mean([np.corrcoef(*map(_ranks, pair))[0, 1] for pair in pairs])),
        "best": float(np.mean([pair[0].argmax() == pair[1].argmax() for pair in pairs])),
        "farthest": float(np.abs(wanted - embedded).max()),
    }


def _ranks(values: Floats) -> Floats:
    """Return the rank of each value, from the lowest.

    >>> _ranks(np.array([0.3, 0.1, 0.2])).tolist()
    [2.0, 0.0, 1.0]
    """
    return values.argsort().argsort().astype(np.float64)
