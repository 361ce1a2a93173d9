"""Write a trained policy as the package ships it: weights in 8 bits, tokenizer, configuration, and a
manifest.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file

from probative.models.embedded.shipped import FILES, SCALE
from training.policy.examples import Examples

BASE = "all-MiniLM-L6-v2 (Apache-2.0)"
# Whose annotations each source is made of, and under which licence they are published.
LICENCES = {
    "hotpotqa": "HotpotQA, CC BY-SA 4.0",
    "hotpotqa_bare": "HotpotQA, CC BY-SA 4.0",
    "2wikimultihopqa": "2WikiMultihopQA, Apache-2.0",
    "2wiki_made": "made from 2WikiMultihopQA's triples, Apache-2.0",
    "whole_pages": "HotpotQA, CC BY-SA 4.0, and 2WikiMultihopQA, Apache-2.0",
    "multihop_claims": "HotpotQA, CC BY-SA 4.0, and 2WikiMultihopQA, Apache-2.0",
    "musique": "MuSiQue, CC BY 4.0",
    "multirc": "MultiRC as in ERASER, ERASER's terms",
    "fever": "FEVER as in ERASER, CC BY-SA 3.0",
    "feverous": "FEVEROUS, MIT and CC BY-SA",
    "entailmentbank": "EntailmentBank, Apache-2.0",
    "fool_me_twice": "FoolMeTwice, CC BY-SA 3.0",
    "selqa": "SelQA, Apache-2.0",
    "squad": "SQuAD 1.1, CC BY-SA 4.0",
    "squad2": "SQuAD 2.0, CC BY-SA 4.0",
    "nq": "Natural Questions, CC BY-SA 3.0",
    "bundles": "documents of our own, Apache-2.0",
}
# Of a configuration, what the engine reads.
_CONFIGURED = (
    "model_type",
    "vocab_size",
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "intermediate_size",
    "hidden_act",
    "max_position_embeddings",
    "type_vocab_size",
    "layer_norm_eps",
)
# Small matrices are not rounded: positions and the two kinds of tokens.
_NOT_ROUNDED = ("position_embeddings", "token_type_embeddings")


def export_policy(
    policy: Path, tokenizer: Path, out: Path, *, examples: Path | None = None, figures: Path | None = None
) -> dict[str, Any]:
    """Write the files and the manifest; return the manifest.

    The manifest has the facts of training (`manifest.json` in the policy's folder), of its data (the file
    of examples) and its figures (a file with the output of `evaluate`).
    """
    out.mkdir(parents=True, exist_ok=True)
    weights = load_file(policy / "model.safetensors")
    save_file(quantized(weights), out / "model.safetensors", metadata={"format": "probative-policy-1"})
    (out / "model.safetensors").chmod(0o644)  # written for its owner alone; a package is for everyone
    config = json.loads((policy / "config.json").read_text(encoding="utf-8"))
    kept = {name: config[name] for name in _CONFIGURED}
    (out / "config.json").write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    shutil.copyfile(tokenizer, out / "tokenizer.json")
    trained = policy / "manifest.json"
    counts = _counts(examples) if examples is not None else {}
    manifest = {
        "name": "policy",
        "base": BASE,
        "bytes": sum((out / name).stat().st_size for name in FILES),
        "files": {name: hashlib.sha256((out / name).read_bytes()).hexdigest() for name in FILES},
        "training": json.loads(trained.read_text(encoding="utf-8")) if trained.is_file() else {},
        "data": {name: {"licence": LICENCES.get(name, "unknown"), **count} for name, count in counts.items()},
        "figures": json.loads(figures.read_text(encoding="utf-8")) if figures is not None else {},
    }
    (out / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    return manifest


def _counts(file: Path) -> dict[str, dict[str, int]]:
    """Return the numbers of examples of each source for training and for choosing."""
    examples = Examples.load(file)
    return {
        name: {
            "train": int(np.sum((examples.source == at) & ~examples.choose)),
            "choose": int(np.sum((examples.source == at) & examples.choose)),
        }
        for at, name in enumerate(examples.names.tolist())
    }


def quantized(weights: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Return the arrays to ship of a policy: 8 bits for matrices, floating point for vectors and the head.

    >>> arrays = quantized({"a.weight": np.array([[0.5, -1.0], [0.0, 0.0]])})
    >>> arrays["a.weight"].tolist(), [round(float(scale), 4) for scale in arrays["a.weight.scale"]]
    ([[64, -127], [0, 0]], [0.0079, 1.0])
    """
    arrays: dict[str, NDArray[Any]] = {}
    for name, value in weights.items():
        if name.endswith("position_ids"):
            continue
        exact = value.astype(np.float32)
        if any(part in name for part in _NOT_ROUNDED):
            arrays[name] = exact.astype(np.float16)
        elif exact.ndim < 2 or name.startswith("head."):
            arrays[name] = exact
        else:
            largest = np.abs(exact).max(axis=1)
            scale = np.where(largest > 0, largest / np.float32(127), np.float32(1)).astype(np.float32)
            arrays[name] = np.rint(exact / scale[:, None]).astype(np.int8)
            arrays[name + SCALE] = scale
    return arrays
