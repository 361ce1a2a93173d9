"""A Llama forward pass in plain numpy, from the papers' formulas, to check the engine by."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from tiny import HEADS, LAYERS

from probative.models.embedded.language import EmbeddedModel

Weights = dict[str, np.ndarray]


class Shape(NamedTuple):
    """What the forward pass must know apart from the matrices."""

    layers: int = LAYERS
    heads: int = HEADS
    key_heads: int = HEADS
    base: float = 10000.0
    epsilon: float = 1e-5
    halves: bool = False
    """Whether a head's first half is rotated against its second, as Qwen2 does, and not pair by pair."""
    embeddings: str = "token_embd"


def joined(model: EmbeddedModel, prompt: str, continuation: str) -> tuple[list[int], int]:
    encoding = model._text.encode(prompt + continuation)
    return encoding.ids, next(i for i, (_, end) in enumerate(encoding.offsets) if end > len(prompt))


def read_weights(gguf: Path) -> Weights:
    """The file's matrices in float64, as it orders their rows."""
    from gguf import GGUFReader

    return weights_of(GGUFReader(gguf), np.float64)


def weights_of(reader: Any, dtype: type) -> Weights:
    from gguf.quants import dequantize

    return {
        tensor.name.removesuffix(".weight"): np.asarray(
            dequantize(tensor.data, tensor.tensor_type), dtype=dtype
        ).reshape([int(n) for n in tensor.shape[::-1]])
        for tensor in reader.tensors
    }


def shape_of(reader: Any) -> Shape:
    names = ("block_count", "attention.head_count", "attention.head_count_kv", "rope.freq_base")
    values = [
        reader.fields[f"llama.{name}"].contents() for name in (*names, "attention.layer_norm_rms_epsilon")
    ]
    return Shape(*values)


def log_probabilities(w: Weights, ids: list[int], start: int, shape: Shape | None = None) -> list[float]:
    """A Llama forward pass with GGUF's interleaved rotary pairs, or that of Qwen2 with biases."""
    shape = shape or Shape()
    table = w[shape.embeddings]
    size = table.shape[1]
    width = size // shape.heads

    def norm(x: np.ndarray, gain: np.ndarray) -> np.ndarray:
        return x / np.sqrt((x**2).mean(-1, keepdims=True) + shape.epsilon) * gain

    def rotate(x: np.ndarray) -> np.ndarray:
        angles = np.arange(len(x))[:, None] * shape.base ** (-np.arange(0, width, 2) / width)[None, :]
        half = width // 2
        places = (
            (slice(0, half), slice(half, None)) if shape.halves else (slice(0, None, 2), slice(1, None, 2))
        )
        first, second = x[..., places[0]], x[..., places[1]]
        turned = np.empty_like(x)
        turned[..., places[0]] = first * np.cos(angles)[:, None, :] - second * np.sin(angles)[:, None, :]
        turned[..., places[1]] = first * np.sin(angles)[:, None, :] + second * np.cos(angles)[:, None, :]
        return turned

    x = table[ids]
    for layer in range(shape.layers):
        block = f"blk.{layer}"
        a = norm(x, w[f"{block}.attn_norm"])
        q, k, v = (
            (a @ w[f"{block}.attn_{n}"].T + w.get(f"{block}.attn_{n}.bias", 0.0)).reshape(len(ids), -1, width)
            for n in "qkv"
        )
        q, k = rotate(q), rotate(k)
        k, v = (np.repeat(part, shape.heads // shape.key_heads, axis=1) for part in (k, v))
        scores = np.einsum("ihd,jhd->hij", q, k) / math.sqrt(width)
        scores += np.triu(np.full((len(ids), len(ids)), -np.inf), 1)
        attention = np.exp(scores - scores.max(-1, keepdims=True))
        attention /= attention.sum(-1, keepdims=True)
        x = x + np.einsum("hij,jhd->ihd", attention, v).reshape(len(ids), size) @ w[f"{block}.attn_output"].T
        a = norm(x, w[f"{block}.ffn_norm"])
        gate = a @ w[f"{block}.ffn_gate"].T
        x = x + (gate / (1 + np.exp(-gate)) * (a @ w[f"{block}.ffn_up"].T)) @ w[f"{block}.ffn_down"].T
    logits = norm(x, w["output_norm"]) @ table.T
    logs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    return [float(logs[i - 1, ids[i]]) for i in range(start, len(ids))]
