"""The policy: MiniLM as a cross-encoder that scores a candidate after a query and what is chosen already."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertConfig, BertModel


class Policy(nn.Module):
    """score(query, chosen, candidate): a weighted sum of the first state and the mean of all."""

    def __init__(self, encoder: BertModel) -> None:
        super().__init__()
        self.encoder = encoder
        self.head = nn.Linear(2 * encoder.config.hidden_size, 1)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)

    @classmethod
    def from_folder(cls, folder: Path, *, dropout: float = 0.1) -> Policy:
        """MiniLM's published weights with a new head, or a trained policy."""
        from safetensors.torch import load_file

        config = BertConfig.from_json_file(folder / "config.json")
        config.hidden_dropout_prob = config.attention_probs_dropout_prob = dropout
        config._attn_implementation = "sdpa"
        policy = cls(BertModel(config, add_pooling_layer=False))
        weights = load_file(folder / "model.safetensors")
        if "head.weight" in weights:
            policy.load_state_dict(weights)
        else:
            kept = {name.removeprefix("bert."): value for name, value in weights.items()}
            missing = policy.encoder.load_state_dict(
                {name: value for name, value in kept.items() if not name.startswith("pooler.")}, strict=False
            )
            if missing.missing_keys and set(missing.missing_keys) != {"embeddings.position_ids"}:
                raise ValueError(f"{folder} lacks {missing.missing_keys}")
        return policy

    def forward(self, tokens: Tensor, kinds: Tensor, mask: Tensor) -> Tensor:
        """The score of each row."""
        states = self.encoder(
            input_ids=tokens, token_type_ids=kinds, attention_mask=mask
        ).last_hidden_state.float()
        weight = mask.unsqueeze(-1).float()
        mean = (states * weight).sum(dim=1) / weight.sum(dim=1)
        scored: Tensor = self.head(torch.cat([states[:, 0], mean], dim=1)).squeeze(1)
        return scored


def precision(device: str) -> AbstractContextManager[Any]:
    """16 bits on a GPU; a CPU may not have them."""
    if device.startswith("cuda"):
        return torch.autocast("cuda", dtype=torch.bfloat16)
    return nullcontext()


Padded = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]


def padded(sequences: Sequence[NDArray[np.int64]], seconds: Sequence[int]) -> Padded:
    """Tokens, kinds (0 for the query, 1 for the rest) and mask, as wide as the longest sequence."""
    lengths = np.array([len(one) for one in sequences])
    width = int(lengths.max())
    tokens = np.zeros((len(sequences), width), dtype=np.int64)
    for row, one in enumerate(sequences):
        tokens[row, : len(one)] = one
    places = np.arange(width)
    mask = (places < lengths[:, None]).astype(np.int64)
    kinds = ((places >= np.array(seconds)[:, None]) & (mask == 1)).astype(np.int64)
    return tokens, kinds, mask


def by_length(lengths: Sequence[int], most_tokens: int) -> list[list[int]]:
    """Rows in batches of like length, each of at most so many tokens with its padding.

    >>> by_length([5, 1, 2, 5], 10)
    [[1, 2], [0, 3]]
    """
    batches: list[list[int]] = []
    for row in sorted(range(len(lengths)), key=lambda at: lengths[at]):
        if not batches or (len(batches[-1]) + 1) * lengths[row] > most_tokens:
            batches.append([])
        batches[-1].append(row)
    return batches


def scores_of(
    policy: Policy,
    sequences: Sequence[NDArray[np.int64]],
    seconds: Sequence[int],
    device: Any,
    most_tokens: int = 262_144,
) -> Tensor:
    """The score of each sequence, computed in batches of like length."""
    lengths = [len(one) for one in sequences]
    rows: list[int] = []
    parts: list[Tensor] = []
    for batch in by_length(lengths, most_tokens):
        arrays = padded([sequences[row] for row in batch], [seconds[row] for row in batch])
        tokens, kinds, mask = (torch.from_numpy(array).to(device, non_blocking=True) for array in arrays)
        parts.append(policy(tokens, kinds, mask))
        rows.extend(batch)
    order = torch.tensor(rows, device=device).argsort()
    return torch.cat(parts)[order]


def listwise_loss(scores: Tensor, right: Tensor, group: Tensor, groups: int) -> Tensor:
    """Mean over decisions of −log of the probability that the policy gives to all right candidates together:
    −log (Σ over right exp s / Σ over all exp s).

    >>> scores = torch.tensor([0.0, 0.0, 0.0, 0.0])
    >>> loss = listwise_loss(scores, torch.tensor([True, False, True, True]), torch.tensor([0, 0, 1, 1]), 2)
    >>> round(float(loss), 4)  # (log 2 + 0) / 2
    0.3466
    """
    whole = _logsumexp(scores, group, groups)
    good = _logsumexp(scores.masked_fill(~right, -1e4), group, groups)
    return functional.relu(whole - good).mean()


def _logsumexp(scores: Tensor, group: Tensor, groups: int) -> Tensor:
    top = torch.full((groups,), -1e9, device=scores.device).scatter_reduce(0, group, scores.detach(), "amax")
    summed = torch.zeros(groups, device=scores.device).scatter_add(0, group, (scores - top[group]).exp())
    return summed.clamp_min(1e-30).log() + top
