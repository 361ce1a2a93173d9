"""Decisions between sentences by how much they make the reader say a claim, as arrays, and their loss.

A decision is a claim, what is chosen already, and candidates of which some carry what is missing
(reader_decisions.py draws them). Each candidate is one text: mcse's prompt with the chosen sentences and the
candidate, and the claim after it. What is learnt is that the claim is likeliest after a right one:
log P(claim | text) is compared among the candidates (a listwise loss), so mcse's score itself gets better at
finding evidence.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.reader.measure import Tokens, hidden_states, target_logits

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Proofs:
    """Every candidate: where its tokens are, where the claim begins, its decision, whether it is right."""

    tokens: NDArray[np.uint16]
    starts: Numbers
    lengths: NDArray[np.int32]
    cuts: NDArray[np.int32]
    decision: NDArray[np.int32]
    right: NDArray[np.bool_]
    choose: NDArray[np.bool_]
    source: NDArray[np.uint8]
    sources: NDArray[np.str_]

    def save(self, file: Path) -> None:
        """Write all arrays into one file."""
        np.savez_compressed(file, **vars(self))

    @classmethod
    def load(cls, file: Path) -> Proofs:
        """Read what `save` wrote."""
        with np.load(file) as arrays:
            return cls(**{name: arrays[name] for name in arrays.files})

    def decisions(self, *, choose: bool) -> list[Numbers]:
        """The candidates of each decision of a part."""
        numbers = np.flatnonzero(self.choose == choose)
        ends = np.flatnonzero(np.diff(self.decision[numbers])) + 1
        return np.split(numbers, ends) if len(numbers) else []


def plan_proofs(proofs: Proofs, *, steps: int, tokens: int, seed: int) -> list[Numbers]:
    """Which candidates each step compares: whole decisions of like length, of at most so many tokens."""
    random = np.random.default_rng(seed)
    groups = proofs.decisions(choose=False)
    longest = np.array([int(proofs.lengths[group].max()) for group in groups])
    batches: list[Numbers] = []
    while len(batches) < steps:
        # Like lengths go together, but not always the same ones.
        order = np.argsort(longest + random.normal(0, 8, len(longest)))
        block = list(_filled([groups[at] for at in order], proofs, tokens))
        batches += [block[at] for at in random.permutation(len(block))]
    return batches[:steps]


def _filled(groups: Sequence[Numbers], proofs: Proofs, tokens: int) -> Iterator[Numbers]:
    batch: list[Numbers] = []
    rows, width = 0, 0
    for group in groups:
        wider = max(width, int(proofs.lengths[group].max()))
        if batch and (rows + len(group)) * wider > tokens:
            yield np.concatenate(batch)
            batch, rows, wider = [], 0, int(proofs.lengths[group].max())
        batch.append(group)
        rows, width = rows + len(group), wider
    if batch:
        yield np.concatenate(batch)


def said(logits: Tensor, gold: Tensor, rows: Tensor, count: int) -> Tensor:
    """Log P(claim | text) of each text, from the logits of the claims' tokens."""
    each = -torch.nn.functional.cross_entropy(logits, gold, reduction="none")
    return torch.zeros(count, device=each.device).index_add_(0, rows, each)


@torch.no_grad()  # type: ignore[untyped-decorator]
def hits(model: Any, texts: Tokens, proofs: Proofs, dtype: torch.dtype) -> dict[str, float]:
    """For each source, how often the claim is likeliest after a right sentence, on the part set aside."""
    model.eval()
    groups = proofs.decisions(choose=True)
    best: dict[str, list[bool]] = {}
    for numbers in _filled(sorted(groups, key=lambda one: int(proofs.lengths[one].max())), proofs, 65536):
        ids, rows, columns = texts.batch(numbers)
        with torch.autocast(ids.device.type, dtype, enabled=dtype != torch.float32):
            logits = target_logits(model, hidden_states, ids, rows, columns)
        scores = said(logits, ids[rows, columns], rows, len(numbers)).cpu().numpy()
        for decision in np.unique(proofs.decision[numbers]):
            mine = np.flatnonzero(proofs.decision[numbers] == decision)
            place = numbers[mine[np.argmax(scores[mine])]]
            best.setdefault(str(proofs.sources[proofs.source[place]]), []).append(bool(proofs.right[place]))
    return {f"hit {name}": float(np.mean(found)) for name, found in sorted(best.items())}


def digest(proofs: Proofs) -> dict[str, Any]:
    """What a manifest says of them."""
    names, counts = np.unique(
        proofs.sources[proofs.source[np.unique(proofs.decision, return_index=True)[1]]], return_counts=True
    )
    return {
        "decisions": dict(zip(names.tolist(), counts.tolist(), strict=True)),
        "sha256": hashlib.sha256(proofs.tokens.tobytes()).hexdigest(),
    }
