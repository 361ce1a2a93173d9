"""Decisions between sentences by the probability of a claim after them, as arrays, and their loss.

A decision is a claim, the sentences chosen so far, and candidates of which some carry what is missing
(`training.reader.decisions` draws them). Each candidate is one text: mcse's prompt with the chosen
sentences and the candidate, and the claim after it. The loss is listwise: log P(claim | text) should be
highest after a right candidate, so that mcse's score itself gets better at finding evidence.
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

from training.large.model import hidden_states
from training.policy.model import listwise_loss

Numbers = NDArray[np.int64]
# The tokens that are read at once where decisions are measured.
MEASURED_TOKENS = 65536


@dataclass(frozen=True)
class Proofs:
    """All candidates: where their tokens are, where the claim begins, their decision, whether they are
    right.
    """

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
        """Read the file that `save` wrote."""
        with np.load(file) as arrays:
            return cls(**{name: arrays[name] for name in arrays.files})

    def decisions(self, *, choose: bool) -> list[Numbers]:
        """Return the candidates of each decision of a part."""
        numbers = np.flatnonzero(self.choose == choose)
        ends = np.flatnonzero(np.diff(self.decision[numbers])) + 1
        return np.split(numbers, ends) if len(numbers) else []


def plan_proofs(proofs: Proofs, *, steps: int, tokens: int, seed: int) -> list[Numbers]:
    """Return the candidates that each step compares: whole decisions of similar length, of at most `tokens`
    tokens.
    """
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


@dataclass(frozen=True)
class Texts:
    """All candidates, with their tokens on a device, where padded batches are made of them."""

    proofs: Proofs
    flat: Tensor

    @staticmethod
    def on(device: torch.device, proofs: Proofs) -> Texts:
        """Copy the tokens to a device."""
        return Texts(proofs, torch.from_numpy(proofs.tokens.astype(np.int32)).to(device))

    def batch(self, numbers: Numbers) -> tuple[Tensor, Tensor, Tensor]:
        """Return padded token ids, and the row and the column of every token of a claim."""
        lengths, cuts = self.proofs.lengths[numbers], self.proofs.cuts[numbers]
        width = -(-int(lengths.max()) // 8) * 8
        starts, length = (self._sent(x)[:, None] for x in (self.proofs.starts[numbers], lengths))
        inside = torch.arange(width, device=self.flat.device)[None, :]
        positions = (starts + inside).clamp_max(len(self.flat) - 1)
        # What follows the end of a text is read by nothing: attention looks back only.
        ids = torch.where(inside < length, self.flat[positions], 0).long()
        columns_in = np.arange(width)[None, :]
        rows, columns = np.nonzero((columns_in >= cuts[:, None]) & (columns_in < lengths[:, None]))
        return ids, self._sent(rows), self._sent(columns)

    def _sent(self, values: NDArray[Any]) -> Tensor:
        """Return an array on the device, from pinned memory, so that nothing waits for the device's work."""
        here = torch.from_numpy(values)
        if self.flat.device.type == "cuda":
            here = here.pin_memory()
        return here.to(self.flat.device, non_blocking=True)


def claim_log_probabilities(model: Any, texts: Texts, numbers: Numbers) -> Tensor:
    """Return log P(claim | text) of some texts; only the logits of the claims' tokens are computed."""
    ids, rows, columns = texts.batch(numbers)
    logits = model.lm_head(hidden_states(model.model, ids)[rows, columns - 1]).float()
    each = -torch.nn.functional.cross_entropy(logits, ids[rows, columns], reduction="none")
    return torch.zeros(len(numbers), device=each.device).index_add_(0, rows, each)


def decision_loss(model: Any, texts: Texts, numbers: Numbers) -> Tensor:
    """Return the loss of some decisions: the claim should be likeliest after a right sentence."""
    scores = claim_log_probabilities(model, texts, numbers)
    found, place = np.unique(texts.proofs.decision[numbers], return_inverse=True)
    right = torch.from_numpy(texts.proofs.right[numbers]).to(scores.device)
    return listwise_loss(scores, right, torch.from_numpy(place).to(scores.device), len(found))


@torch.no_grad()  # type: ignore[untyped-decorator]
def hits(model: Any, texts: Texts) -> dict[str, float]:
    """Return for each source how often the claim is likeliest after a right sentence, on the part for
    choosing.
    """
    model.eval()
    proofs = texts.proofs
    groups = sorted(proofs.decisions(choose=True), key=lambda group: int(proofs.lengths[group].max()))
    best: dict[str, list[bool]] = {}
    for numbers in _filled(groups, proofs, MEASURED_TOKENS):
        scores = claim_log_probabilities(model, texts, numbers).cpu().numpy()
        for decision in np.unique(proofs.decision[numbers]):
            mine = np.flatnonzero(proofs.decision[numbers] == decision)
            candidate = numbers[mine[np.argmax(scores[mine])]]
            best.setdefault(str(proofs.sources[proofs.source[candidate]]), []).append(
                bool(proofs.right[candidate])
            )
    return {f"hit {name}": float(np.mean(right)) for name, right in sorted(best.items())}


def digest(proofs: Proofs) -> dict[str, Any]:
    """Return the counts and the hash for a manifest."""
    names, counts = np.unique(
        proofs.sources[proofs.source[np.unique(proofs.decision, return_index=True)[1]]], return_counts=True
    )
    return {
        "decisions": dict(zip(names.tolist(), counts.tolist(), strict=True)),
        "sha256": hashlib.sha256(proofs.tokens.tobytes()).hexdigest(),
    }
