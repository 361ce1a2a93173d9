"""An evidence policy of a few kilobytes, as the package ships it, and its scores worked out by numpy."""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file

from probative.models.embedded.shipped import FILES, restored
from training.policy.export import quantized

WORDS = [
    "the",
    "lark",
    "was",
    "built",
    "in",
    "molde",
    "by",
    "ada",
    "a",
    "heron",
    "red",
    "sail",
    "##s",
    "[",
    "]",
]
SIZE, HEADS, LAYERS, INNER, VOCABULARY = 32, 4, 2, 64, 160


def ship_tiny(folder: Path, seed: int = 3) -> Path:
    """A folder like weights/policy, with random weights."""
    folder.mkdir(parents=True)
    draw = np.random.default_rng(seed)

    def matrix(*shape: int) -> NDArray[Any]:
        return draw.normal(0, 0.25, shape)

    weights = {
        "encoder.embeddings.word_embeddings.weight": matrix(VOCABULARY, SIZE),
        "encoder.embeddings.position_embeddings.weight": matrix(512, SIZE),
        "encoder.embeddings.token_type_embeddings.weight": matrix(2, SIZE),
        "head.weight": matrix(1, 2 * SIZE),
        "head.bias": matrix(1),
    }
    norms = ["encoder.embeddings.LayerNorm"]
    for layer in range(LAYERS):
        block = f"encoder.encoder.layer.{layer}."
        shapes = {
            "attention.self.query": (SIZE, SIZE),
            "attention.self.key": (SIZE, SIZE),
            "attention.self.value": (SIZE, SIZE),
            "attention.output.dense": (SIZE, SIZE),
            "intermediate.dense": (INNER, SIZE),
            "output.dense": (SIZE, INNER),
        }
        for name, shape in shapes.items():
            weights[f"{block}{name}.weight"] = matrix(*shape)
            weights[f"{block}{name}.bias"] = matrix(shape[0])
        norms += [f"{block}attention.output.LayerNorm", f"{block}output.LayerNorm"]
    for name in norms:
        weights[f"{name}.weight"] = 1 + 0.1 * matrix(SIZE)
        weights[f"{name}.bias"] = 0.1 * matrix(SIZE)
    save_file(quantized(weights), folder / "model.safetensors")
    config = {
        "hidden_size": SIZE,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "layer_norm_eps": 1e-12,
    }
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    _tokenizer().save(str(folder / "tokenizer.json"))
    write_manifest(folder)
    return folder


def write_manifest(folder: Path) -> None:
    """The sha256 of each file as it is now."""
    files = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in FILES}
    (folder / "manifest.json").write_text(json.dumps({"files": files}), encoding="utf-8")


def _tokenizer() -> Any:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    vocabulary = {f"[unused{number}]": number for number in range(VOCABULARY)}
    special = {"[PAD]": 0, "[UNK]": 100, "[CLS]": 101, "[SEP]": 102}
    named = {**special, **{word: 110 + place for place, word in enumerate(WORDS)}}
    taken = set(named.values())
    kept = {token: number for token, number in vocabulary.items() if number not in taken}
    tokenizer = Tokenizer(models.WordPiece({**kept, **named}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.add_special_tokens(list(special))
    return tokenizer


def plain_score(shipped: Path, row: list[int], second: int) -> float:
    """The score of one sequence in floating point, step by step as BERT is written down."""
    weights = restored(load_file(shipped / "model.safetensors"))

    def linear(states: NDArray[Any], name: str) -> NDArray[Any]:
        return states @ weights[name + ".weight"].T + weights[name + ".bias"]

    def norm(states: NDArray[Any], name: str) -> NDArray[Any]:
        centred = states - states.mean(axis=1, keepdims=True)
        return (
            centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-12) * weights[name + ".weight"]
            + weights[name + ".bias"]
        )

    kinds = [int(place >= second) for place in range(len(row))]
    embeddings = "encoder.embeddings."
    states = (
        weights[embeddings + "word_embeddings.weight"][row]
        + weights[embeddings + "position_embeddings.weight"][: len(row)]
        + weights[embeddings + "token_type_embeddings.weight"][kinds]
    )
    states = norm(states, embeddings + "LayerNorm")
    for layer in range(LAYERS):
        block = f"encoder.encoder.layer.{layer}."
        query, key, value = (
            linear(states, f"{block}attention.self.{name}").reshape(len(row), HEADS, -1).swapaxes(0, 1)
            for name in ("query", "key", "value")
        )
        weighed = query @ key.swapaxes(1, 2) / math.sqrt(SIZE // HEADS)
        shares = np.exp(weighed - weighed.max(axis=2, keepdims=True))
        shares /= shares.sum(axis=2, keepdims=True)
        mixed = (shares @ value).swapaxes(0, 1).reshape(len(row), SIZE)
        states = norm(
            states + linear(mixed, block + "attention.output.dense"), block + "attention.output.LayerNorm"
        )
        inner = linear(states, block + "intermediate.dense")
        inner *= 0.5 * (1 + np.vectorize(math.erf)(inner / math.sqrt(2)))
        states = norm(states + linear(inner, block + "output.dense"), block + "output.LayerNorm")
    pooled = np.concatenate([states[0], states.mean(axis=0)])
    return float(weights["head.weight"][0] @ pooled + weights["head.bias"][0])
