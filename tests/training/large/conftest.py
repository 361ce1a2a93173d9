from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

SIZE, HEADS, KEYS, LAYERS, INNER = 32, 4, 2, 2, 64


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Qwen2 GGUF file of a few kilobytes: biases on q, k and v, and two copies of the embeddings."""
    from gguf import GGUFWriter, TokenType

    path = tmp_path_factory.mktemp("tiny") / "tiny.gguf"
    letters = [chr(code) for code in range(33, 127)] + ["Ġ", "Ċ"]
    joined = ["ye", "yes", "no", "ma", "may", "mayb", "maybe"]
    control = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    merges = ["y e", "ye s", "n o", "m a", "ma y", "may b", "mayb e"]
    tokens = [*control, *letters, *joined]
    writer = GGUFWriter(str(path), "qwen2")
    writer.add_block_count(LAYERS)
    writer.add_context_length(256)
    writer.add_embedding_length(SIZE)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KEYS)
    writer.add_rope_freq_base(1e6)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list(tokens)
    writer.add_token_types([TokenType.CONTROL] * 3 + [TokenType.NORMAL] * (len(tokens) - 3))
    writer.add_token_merges(merges)
    writer.add_eos_token_id(2)
    draw = np.random.default_rng(3)

    def tensor(name: str, *shape: int, mean: float = 0.0) -> None:
        writer.add_tensor(name, draw.normal(mean, 0.15, shape).astype(np.float32))

    tensor("output.weight", len(tokens), SIZE)
    tensor("token_embd.weight", len(tokens), SIZE)
    tensor("output_norm.weight", SIZE, mean=1.0)
    narrow = SIZE // HEADS * KEYS
    for layer in range(LAYERS):
        for part, rows in (("attn_q", SIZE), ("attn_k", narrow), ("attn_v", narrow)):
            tensor(f"blk.{layer}.{part}.weight", rows, SIZE)
            tensor(f"blk.{layer}.{part}.bias", rows)
        tensor(f"blk.{layer}.attn_output.weight", SIZE, SIZE)
        tensor(f"blk.{layer}.ffn_gate.weight", INNER, SIZE)
        tensor(f"blk.{layer}.ffn_up.weight", INNER, SIZE)
        tensor(f"blk.{layer}.ffn_down.weight", SIZE, INNER)
        tensor(f"blk.{layer}.attn_norm.weight", SIZE, mean=1.0)
        tensor(f"blk.{layer}.ffn_norm.weight", SIZE, mean=1.0)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
