"""The tiny model's forward pass in plain numpy, from the papers' formulas, to check the engine by."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from tiny import HEADS, SIZE

from probative.models.embedded.language import EmbeddedModel

Weights = dict[str, np.ndarray]


def joined(model: EmbeddedModel, prompt: str, continuation: str) -> tuple[list[int], int]:
    encoding = model._text.encode(prompt + continuation)
    return encoding.ids, next(i for i, (_, end) in enumerate(encoding.offsets) if end > len(prompt))


def read_weights(gguf: Path) -> Weights:
    """The file's matrices in float64, as it orders their rows."""
    from gguf import GGUFReader

    return {
        t.name.removesuffix(".weight"): np.array(t.data, dtype=np.float64).reshape(
            [int(n) for n in t.shape[::-1]]
        )
        for t in GGUFReader(gguf).tensors
    }


def log_probabilities(w: Weights, ids: list[int], start: int) -> list[float]:
    """A Llama forward pass with GGUF's interleaved rotary pairs."""
    width = SIZE // HEADS

    def norm(x: np.ndarray, gain: np.ndarray) -> np.ndarray:
        return x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-5) * gain

    def rotate(x: np.ndarray) -> np.ndarray:
        angles = np.arange(len(x))[:, None] * 10000.0 ** (-np.arange(0, width, 2) / width)[None, :]
        even, odd = x[..., 0::2], x[..., 1::2]
        turned = np.empty_like(x)
        turned[..., 0::2] = even * np.cos(angles)[:, None, :] - odd * np.sin(angles)[:, None, :]
        turned[..., 1::2] = even * np.sin(angles)[:, None, :] + odd * np.cos(angles)[:, None, :]
        return turned

    x = w["token_embd"][ids]
    a = norm(x, w["blk.0.attn_norm"])
    q, k, v = ((a @ w[f"blk.0.attn_{n}"].T).reshape(len(ids), HEADS, width) for n in "qkv")
    q, k = rotate(q), rotate(k)
    scores = np.einsum("ihd,jhd->hij", q, k) / np.sqrt(width)
    scores += np.triu(np.full((len(ids), len(ids)), -np.inf), 1)
    attention = np.exp(scores - scores.max(-1, keepdims=True))
    attention /= attention.sum(-1, keepdims=True)
    x = x + np.einsum("hij,jhd->ihd", attention, v).reshape(len(ids), SIZE) @ w["blk.0.attn_output"].T
    a = norm(x, w["blk.0.ffn_norm"])
    gate = a @ w["blk.0.ffn_gate"].T
    x = x + (gate / (1 + np.exp(-gate)) * (a @ w["blk.0.ffn_up"].T)) @ w["blk.0.ffn_down"].T
    logits = norm(x, w["output_norm"]) @ w["token_embd"].T
    logs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    return [float(logs[i - 1, ids[i]]) for i in range(start, len(ids))]
