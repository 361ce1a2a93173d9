"""Prepare the weights of a language model for 8-bit arithmetic without changing its results.

A few channels of a transformer's activations are ten to seventy times larger than the others. In 8
bits they set the scale, and the rest is rounded away. SmoothQuant (Xiao et al., 2023) divides such a
channel by a factor where it is produced (a norm's gain, the rows of the matrix before) and multiplies
the matching column of the matrix that reads it. In exact arithmetic nothing changes.

The factor of a channel is sqrt(largest activation / largest weight of its column). The largest
activations come from a forward pass over a few paragraphs, in numpy, layer by layer, during the
conversion. Compared with float32, at the same speed: on 200 (sentence, claim) scores a
rank correlation within a claim of 0.957 (0.915 before); on 3,371 tokens of passages and chats a divergence
of 0.033 nats (0.068), the same most probable token for 90.0% (86.6%), and for the first token of an answer
in 33 of 36 chats and texts (28).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

# Typical texts: a chat, a passage with a claim, a list, figures and names.
CALIBRATION = (
    "<|im_start|>system\nYou answer from the passages you are given, in a few words.<|im_end|>\n"
    "<|im_start|>user\nThe ferry between Aldmouth and the islands was stopped in 1962, when the road "
    "bridge opened. Before that, it carried some 40,000 passengers a year, most of them in summer. "
    "When did the ferry stop?<|im_end|>\n<|im_start|>assistant\nIn 1962, when the bridge opened.<|im_end|>",
    "Dr. Ilse Varga studied how lichens take up metals from rain. Her measurements, made over eleven "
    "winters on the north face of the cathedral, showed that copper and zinc rose together, while lead "
    "fell by half once the ring road was closed to lorries. Other groups found the same in two cities.\n\n"
    "Going by what is written above, it is true that: lead in the rain fell after the road was closed.",
    "Steps to take before the first frost:\n1. Drain the pump and leave the valve open.\n2. Cover the "
    "vines with straw; tie it at 30 cm.\n3. Note the date and the temperature (in °C) in the blue book.\n"
    'It looks like this: {"date": "12 November", "low": -3.5, "covered": true, "by": ["Ana", "Tom"]}\n'
    "If anything is missing, ask the neighbours, who keep a second key and know the garden well.",
    "Is the claim supported, contradicted or not mentioned? The company says that its profit doubled last "
    "year; the accounts show that it rose from 4.1 to 6.3 million, and that the number of shops stayed the "
    "same. Answer: contradicted. Why? Because twice 4.1 is 8.2, and 6.3 is less than that. However, the "
    "newspaper that first printed the story never corrected it, and other papers repeated it for months.",
)
_LONGEST = 96
_SMALLEST = 1e-4


@dataclass
class Layer:
    """The weights of one layer, rows for outputs and columns for inputs."""

    attention_norm: Array
    query: Array
    key: Array
    value: Array
    output: Array
    feed_norm: Array
    gate: Array
    up: Array
    down: Array
    biases: Array | None = None
    """Those of queries, keys and values, one after the other."""


@dataclass(frozen=True)
class Shape:
    """The hyperparameters of the forward pass."""

    heads: int
    heads_kv: int
    rotary_base: float
    epsilon: float


class Smoother:
    """Runs the calibration text through the layers one by one and smooths each layer."""

    def __init__(self, embeddings: Array, texts: list[list[int]], shape: Shape) -> None:
        length = min(_LONGEST, *(len(ids) for ids in texts))
        self._states = embeddings[np.array([ids[:length] for ids in texts])]
        self._shape = shape

    def smooth(self, layer: Layer) -> None:
        """Run the layer on the calibration text, then move its outliers into its weights, in place."""
        shape = self._shape
        normed = self._norm(self._states, layer.attention_norm)
        attended = self._attend(normed, layer)
        after = self._states + attended @ layer.output.T
        fed = self._norm(after, layer.feed_norm)
        gate = fed @ layer.gate.T
        inner = gate / (1 + np.exp(-gate)) * (fed @ layer.up.T)
        self._states = after + inner @ layer.down.T

        factor = factors(_largest(normed), layer.query, layer.key, layer.value)
        layer.attention_norm /= factor
        for matrix in (layer.query, layer.key, layer.value):
            matrix *= factor

        # A group of query heads shares one value head, so its channels share their factors.
        width = layer.value.shape[0] // shape.heads_kv
        groups = (shape.heads_kv, shape.heads // shape.heads_kv, width)
        largest = _largest(attended).reshape(groups).max(axis=1).ravel()
        columns = np.abs(layer.output).max(axis=0).reshape(groups).max(axis=1).ravel()
        factor = factors(largest, columns[None, :])
        layer.value /= factor[:, None]
        if layer.biases is not None:
            layer.biases[-len(factor) :] /= factor
        spread = np.broadcast_to(factor.reshape(shape.heads_kv, 1, width), groups)
        layer.output *= spread.reshape(-1)

        factor = factors(_largest(fed), layer.gate, layer.up)
        layer.feed_norm /= factor
        for matrix in (layer.gate, layer.up):
            matrix *= factor

        factor = factors(_largest(inner), layer.down)
        layer.up /= factor[:, None]
        layer.down *= factor

    def _norm(self, states: Array, gain: Array) -> Array:
        size = np.sqrt((states**2).mean(axis=-1, keepdims=True) + self._shape.epsilon)
        return np.asarray(states / size * gain, dtype=np.float32)

    def _attend(self, states: Array, layer: Layer) -> Array:
        """Return causal attention with rotated halves; query heads share key and value heads in groups."""
        shape = self._shape
        batch, length, _ = states.shape
        group = shape.heads // shape.heads_kv
        width = layer.query.shape[0] // shape.heads
        made = np.concatenate([layer.query, layer.key, layer.value])
        joined = states @ made.T + (0 if layer.biases is None else layer.biases)
        sizes = np.cumsum([layer.query.shape[0], layer.key.shape[0]])
        query, key, value = (
            part.reshape(batch, length, -1, width) for part in np.split(joined, sizes, axis=-1)
        )
        query, key = self._rotate(query), self._rotate(key)
        key, value = np.repeat(key, group, axis=2), np.repeat(value, group, axis=2)
        logits = np.einsum("bihd,bjhd->bhij", query, key, optimize=True) / np.sqrt(width)
        logits += np.triu(np.full((length, length), -np.inf, dtype=np.float32), k=1)
        weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        mixed = np.einsum("bhij,bjhd->bihd", weights, value, optimize=True)
        return np.asarray(mixed.reshape(batch, length, -1), dtype=np.float32)

    def _rotate(self, heads: Array) -> Array:
        half = heads.shape[-1] // 2
        speed = self._shape.rotary_base ** (-np.arange(half) / half)
        angles = (np.arange(heads.shape[1])[:, None] * speed)[:, None, :]
        first, second = heads[..., :half], heads[..., half:]
        turned = (
            first * np.cos(angles) - second * np.sin(angles),
            second * np.cos(angles) + first * np.sin(angles),
        )
        return np.concatenate(turned, axis=-1).astype(np.float32)


def factors(largest: Array, *readers: Array) -> Array:
    """Return the factor of each channel: sqrt(largest activation / largest weight), with geometric mean 1."""
    weight = np.max([np.abs(reader).max(axis=0) for reader in readers], axis=0)
    factor = np.sqrt(np.maximum(largest, _SMALLEST) / np.maximum(weight, _SMALLEST))
    return np.asarray(factor / np.exp(np.log(factor).mean()), dtype=np.float32)


def _largest(activations: Array) -> Array:
    """Return the largest absolute value of each channel."""
    return np.asarray(np.abs(activations).max(axis=(0, 1)), dtype=np.float32)
