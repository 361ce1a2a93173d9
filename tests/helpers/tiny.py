"""A Llama-type GGUF file of a few kilobytes and a wheel around it, to test fetching and converting."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from probative.models.embedded.catalog import Source

SIZE, HEADS, LAYERS, INNER = 32, 2, 1, 64


CHAT = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def write_gguf(path: Path, *, window: int = 64) -> None:
    from gguf import GGUFWriter, TokenType

    byte_tokens = [chr(code) for code in range(33, 127)] + ["Ġ", "Ċ"]
    tokens = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", *byte_tokens, "th"]
    kinds = [TokenType.CONTROL] * 3 + [TokenType.NORMAL] * (len(tokens) - 3)
    writer = GGUFWriter(str(path), "llama")
    writer.add_block_count(LAYERS)
    writer.add_context_length(window)
    writer.add_embedding_length(SIZE)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_rope_freq_base(10000.0)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(tokens)
    writer.add_token_types(kinds)
    writer.add_token_merges(["t h"])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_pad_token_id(2)
    writer.add_chat_template(CHAT)
    draw = np.random.default_rng(7)

    def tensor(name: str, *shape: int) -> None:
        values = draw.normal(0, 0.2, shape) if len(shape) > 1 else np.ones(shape)
        writer.add_tensor(name, values.astype(np.float32))

    tensor("token_embd.weight", len(tokens), SIZE)
    tensor("output_norm.weight", SIZE)
    for layer in range(LAYERS):
        for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
            tensor(f"blk.{layer}.{part}.weight", SIZE, SIZE)
        tensor(f"blk.{layer}.ffn_gate.weight", INNER, SIZE)
        tensor(f"blk.{layer}.ffn_up.weight", INNER, SIZE)
        tensor(f"blk.{layer}.ffn_down.weight", SIZE, INNER)
        tensor(f"blk.{layer}.attn_norm.weight", SIZE)
        tensor(f"blk.{layer}.ffn_norm.weight", SIZE)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def make_wheel(folder: Path, *, window: int = 64) -> Source:
    """A wheel that pip takes, with the tiny model inside; returns its description."""
    folder.mkdir(parents=True, exist_ok=True)
    gguf = folder / "tiny.gguf"
    write_gguf(gguf, window=window)
    inside = "tiny_probative_model/tiny.gguf"
    wheel = folder / "tiny_probative_model-1.0-py3-none-any.whl"
    info = "tiny_probative_model-1.0.dist-info"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.write(gguf, inside)
        archive.writestr("tiny_probative_model/__init__.py", "")
        archive.writestr(
            f"{info}/METADATA", "Metadata-Version: 2.1\nName: tiny-probative-model\nVersion: 1.0\n"
        )
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/RECORD", "")
    source = Source(
        name="tiny",
        kind="language model",
        title="Tiny",
        wheel="tiny-probative-model",
        version="1.0",
        wheel_sha256=sha256(wheel),
        wheel_bytes=wheel.stat().st_size,
        files={inside: sha256(gguf)},
        licence="Apache-2.0",
    )
    gguf.unlink()
    return source


def sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def tiny_llama(vocabulary: int) -> Any:
    """A model of two layers, always the same, for that many tokens."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(5)
    config = LlamaConfig(
        vocab_size=vocabulary,
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        tie_word_embeddings=True,
        attn_implementation="sdpa",
        initializer_range=0.1,
    )
    return LlamaForCausalLM(config)
