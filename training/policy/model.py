"""The policy: MiniLM as a cross-encoder that scores a candidate after a query and the sentences chosen so
far.

The encoder is computed here, in a few large operations: the sequences of a step follow each other without
padding, and the weights are read from transformers' module.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertConfig, BertModel


class Packed(NamedTuple):
    """Sequences one after the other: tokens, kinds (0 for the query, 1 for the rest), and their lengths."""

    tokens: Tensor
    kinds: Tensor
    lengths: Tensor


class Policy(nn.Module):
    """score(query, chosen, candidate): a weighted sum of the first state and the mean of all states."""

    def __init__(self, encoder: BertModel) -> None:
        super().__init__()
        self.encoder = encoder
        self.head = nn.Linear(2 * encoder.config.hidden_size, 1)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)

    @classmethod
    def from_folder(cls, folder: Path, *, dropout: float = 0.1) -> Policy:
        """Return MiniLM's published weights with a new head, or a trained policy, also a shipped one."""
        from safetensors.numpy import load_file

        from probative.models.embedded.shipped import restored

        config = BertConfig.from_json_file(folder / "config.json")
        config.hidden_dropout_prob = dropout
        policy = cls(BertModel(config, add_pooling_layer=False))
        stored = restored(load_file(folder / "model.safetensors"))
        weights = {name: torch.from_numpy(value) for name, value in stored.items()}
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

    def forward(self, batch: Packed) -> Tensor:
        """Return the score of each sequence."""
        device = self.head.weight.device
        tokens, kinds, lengths = (one.to(device, non_blocking=True) for one in batch)
        longest, total = int(batch.lengths.max()), len(batch.tokens)
        ends = lengths.cumsum(0)
        starts = ends - lengths
        rows = torch.repeat_interleave(torch.arange(len(lengths), device=device), lengths, output_size=total)
        places = torch.arange(total, device=device) - starts[rows]
        states = self._states(tokens, kinds, places, rows, functional.pad(ends, (1, 0)), longest).float()
        summed = torch.zeros(len(lengths), states.shape[1], device=device).index_add(0, rows, states)
        scored: Tensor = self.head(torch.cat([states[starts], summed / lengths[:, None]], dim=1)).squeeze(1)
        return scored

    def _states(
        self, tokens: Tensor, kinds: Tensor, places: Tensor, rows: Tensor, bounds: Tensor, longest: int
    ) -> Tensor:
        """Return the encoder's last states, in 16 bits on a GPU."""
        config, drop = self.encoder.config, self._drop
        kind = torch.bfloat16 if tokens.is_cuda else torch.float32
        heads = config.num_attention_heads
        embedded = self.encoder.embeddings
        states = (
            functional.embedding(tokens, embedded.word_embeddings.weight)
            + functional.embedding(places, embedded.position_embeddings.weight)
            + functional.embedding(kinds, embedded.token_type_embeddings.weight)
        ).to(kind)
        states = drop(_normed(states, embedded.LayerNorm))
        for layer in self.encoder.encoder.layer:
            inner, outer = layer.attention.self, layer.attention.output
            three = (inner.query, inner.key, inner.value)
            weight = torch.cat([one.weight for one in three]).to(kind)
            bias = torch.cat([one.bias for one in three]).to(kind)
            mixed = functional.linear(states, weight, bias).view(len(states), 3, heads, -1)
            seen = _attention(*mixed.unbind(1), rows, places, bounds, longest).flatten(1)
            states = _normed(states + drop(_linear(seen, outer.dense)), outer.LayerNorm)
            wide = functional.gelu(_linear(states, layer.intermediate.dense))
            states = _normed(states + drop(_linear(wide, layer.output.dense)), layer.output.LayerNorm)
        return states

    def _drop(self, states: Tensor) -> Tensor:
        return functional.dropout(states, self.encoder.config.hidden_dropout_prob, self.training)


def _linear(states: Tensor, layer: nn.Linear) -> Tensor:
    return functional.linear(states, layer.weight.to(states.dtype), layer.bias.to(states.dtype))


def _normed(states: Tensor, norm: nn.LayerNorm) -> Tensor:
    weight, bias = norm.weight.to(states.dtype), norm.bias.to(states.dtype)
    return functional.layer_norm(states, norm.normalized_shape, weight, bias, norm.eps)


def _attention(
    query: Tensor, key: Tensor, value: Tensor, rows: Tensor, places: Tensor, bounds: Tensor, longest: int
) -> Tensor:
    """Compute attention within each sequence; on a CPU the sequences are padded."""
    if query.is_cuda:
        from torch.nn.attention.varlen import varlen_attn

        cuts = bounds.to(torch.int32)
        seen: Tensor = varlen_attn(
            query.contiguous(), key.contiguous(), value.contiguous(), cuts, cuts, longest, longest
        )
        return seen
    shape = (len(bounds) - 1, longest, *query.shape[1:])
    padded = [query.new_zeros(shape).index_put((rows, places), one) for one in (query, key, value)]
    there = torch.zeros(shape[:2], dtype=torch.bool, device=query.device).index_put(
        (rows, places), torch.ones_like(rows, dtype=torch.bool)
    )
    whole = functional.scaled_dot_product_attention(
        *(one.transpose(1, 2) for one in padded), attn_mask=there[:, None, None]
    )
    return whole.transpose(1, 2)[rows, places]


def packed(sequences: Sequence[NDArray[np.int32]], seconds: Sequence[int]) -> Packed:
    """Return sequences one after the other; `seconds` says where the second part of each begins.

    >>> packed([np.array([101, 7, 102, 8], np.int32), np.array([101, 9], np.int32)], [3, 2]).kinds.tolist()
    [0, 0, 0, 1, 0, 0]
    """
    lengths = np.array([len(one) for one in sequences], dtype=np.int64)
    within = np.arange(lengths.sum()) - np.repeat(lengths.cumsum() - lengths, lengths)
    kinds = (within >= np.repeat(np.array(seconds), lengths)).astype(np.int32)
    whole = np.concatenate(sequences)
    return Packed(torch.from_numpy(whole), torch.from_numpy(kinds), torch.from_numpy(lengths))


def scores_of(
    policy: Policy, sequences: Sequence[NDArray[np.int32]], seconds: Sequence[int], most_tokens: int = 400_000
) -> Tensor:
    """Return the score of each sequence, computed in batches."""
    parts: list[Tensor] = []
    start = tokens = 0
    for at, one in enumerate(sequences):
        if at > start and tokens + len(one) > most_tokens:
            parts.append(policy(packed(sequences[start:at], seconds[start:at])))
            start, tokens = at, 0
        tokens += len(one)
    return torch.cat([*parts, policy(packed(sequences[start:], seconds[start:]))])


def listwise_loss(scores: Tensor, right: Tensor, group: Tensor, groups: int) -> Tensor:
    """Return the mean over decisions of −log of the probability of all right candidates together: −log (Σ
    over right exp s / Σ over all exp s).

    >>> scores = torch.tensor([0.0, 0.0, 0.0, 0.0])
    >>> loss = listwise_loss(scores, torch.tensor([True, False, True, True]), torch.tensor([0, 0, 1, 1]), 2)
    >>> round(float(loss), 4)  # (log 2 + 0) / 2
    0.3466
    """
    whole = _logsumexp(scores, group, groups)
    good = _logsumexp(scores.masked_fill(~right, -1e4), group, groups)
    return functional.relu(whole - good).mean()


def distilled_loss(scores: Tensor, taught: Tensor, group: Tensor, groups: int) -> Tensor:
    """Return the mean over decisions of −Σ p log q, with p the teacher's probabilities and q those of the
    scores.

    >>> taught = torch.tensor([0.25, 0.75])
    >>> round(float(distilled_loss(torch.zeros(2), taught, torch.tensor([0, 0]), 1)), 4)  # log 2
    0.6931
    """
    shares = scores - _logsumexp(scores, group, groups)[group]
    return -(taught * shares).sum() / groups


def probabilities(scores: Tensor, group: Tensor, groups: int) -> Tensor:
    """Return a softmax over the scores of each decision."""
    return (scores - _logsumexp(scores, group, groups)[group]).exp()


def _logsumexp(scores: Tensor, group: Tensor, groups: int) -> Tensor:
    top = torch.full((groups,), -1e9, device=scores.device).scatter_reduce(0, group, scores.detach(), "amax")
    summed = torch.zeros(groups, device=scores.device).scatter_add(0, group, (scores - top[group]).exp())
    return summed.clamp_min(1e-30).log() + top
