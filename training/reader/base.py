"""The plain model, as published: a Llama-type GGUF file, or a folder that transformers can read.

The weights of the file are dequantised: training starts from the weights that the embedded engine is
converted from.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np

_NAMES = {
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
}


def load_base(base: Path) -> Any:
    """Return the model in float32, ready for training."""
    import torch
    from transformers import LlamaForCausalLM

    if base.is_dir():
        return LlamaForCausalLM.from_pretrained(base, dtype=torch.float32, attn_implementation="sdpa")
    config, weights = _read_gguf(base)
    model = LlamaForCausalLM(config)
    state = {name: torch.from_numpy(weight) for name, weight in weights.items()}
    missing = model.load_state_dict(state, strict=False).missing_keys
    if set(missing) - {"lm_head.weight"}:
        raise ValueError(f"{base} lacks weights: {missing}")
    model.tie_weights()
    return model


def base_sha256(base: Path) -> str:
    """Return the hash of the weights that an adapter belongs to."""
    file = base / "model.safetensors" if base.is_dir() else base
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _read_gguf(file: Path) -> tuple[Any, dict[str, Any]]:
    from gguf import GGUFReader
    from gguf.quants import dequantize
    from transformers import LlamaConfig

    reader = GGUFReader(file)
    field = {key: value.contents() for key, value in reader.fields.items() if not key.startswith("tokenizer")}
    heads = int(field["llama.attention.head_count"])
    heads_kv = int(field["llama.attention.head_count_kv"])
    weights: dict[str, Any] = {}
    for tensor in reader.tensors:
        weight = np.array(dequantize(tensor.data, tensor.tensor_type), dtype=np.float32)
        if tensor.name.startswith("blk."):
            _, layer, name, _ = tensor.name.split(".")
            if name in ("attn_q", "attn_k"):
                weight = unpermute_rotary_rows(weight, heads if name == "attn_q" else heads_kv)
            weights[f"model.layers.{layer}.{_NAMES[name]}.weight"] = weight
        elif tensor.name == "token_embd.weight":
            weights["model.embed_tokens.weight"] = weight
        elif tensor.name == "output_norm.weight":
            weights["model.norm.weight"] = weight
    config = LlamaConfig(
        vocab_size=len(weights["model.embed_tokens.weight"]),
        hidden_size=int(field["llama.embedding_length"]),
        intermediate_size=int(field["llama.feed_forward_length"]),
        num_hidden_layers=int(field["llama.block_count"]),
        num_attention_heads=heads,
        num_key_value_heads=heads_kv,
        max_position_embeddings=int(field["llama.context_length"]),
        rms_norm_eps=float(field["llama.attention.layer_norm_rms_epsilon"]),
        rope_parameters={"rope_type": "default", "rope_theta": float(field["llama.rope.freq_base"])},
        tie_word_embeddings=True,
        attn_implementation="sdpa",
    )
    return config, weights


def unpermute_rotary_rows(weight: Any, heads: int) -> Any:
    """Undo GGUF's order of the query and key rows, as probative.models.embedded.convert does.

    >>> unpermute_rotary_rows(np.array([[0], [2], [1], [3]]), heads=1).ravel().tolist()
    [0, 1, 2, 3]
    """
    rows, columns = weight.shape
    pairs = weight.reshape(heads, rows // heads // 2, 2, columns)
    return np.ascontiguousarray(pairs.swapaxes(1, 2).reshape(rows, columns))
