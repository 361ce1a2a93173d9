"""Convert the published weights to the format of the engine (CTranslate2, int8)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probative.models.embedded.adapter import Adapter
from probative.models.embedded.smoothing import CALIBRATION, Layer, Shape, Smoother

# Part of the name of the folder: increased whenever the conversion changes.
CONVERSION = 1

# The names of a layer's weights in an adapter (transformers' names and order of rows).
ADAPTED = {
    "query": "self_attn.q_proj",
    "key": "self_attn.k_proj",
    "value": "self_attn.v_proj",
    "output": "self_attn.o_proj",
    "gate": "mlp.gate_proj",
    "up": "mlp.up_proj",
    "down": "mlp.down_proj",
}

Weights = NDArray[np.float32]
Report = Callable[[float], None]


def convert_language_model(
    gguf_file: Path, into: Path, report: Report, adapter_file: Path | None = None
) -> None:
    """Convert a Llama-type GGUF file to a CTranslate2 decoder with 8-bit weights and a tokenizer.json.

    An adapter is merged before the weights are smoothed. A tuned model is stored in float16, because it
    generates in float32 (see `language`); for scoring, the engine rounds to 8 bits when it loads.
    """
    from ctranslate2.specs import common_spec, transformer_spec
    from gguf import GGUFReader

    adapter = Adapter.read(adapter_file) if adapter_file is not None else None
    reader = GGUFReader(gguf_file)
    field = {key: value.contents() for key, value in reader.fields.items()}
    layers = int(field["llama.block_count"])
    heads = int(field["llama.attention.head_count"])
    heads_kv = int(field["llama.attention.head_count_kv"])

    spec = transformer_spec.TransformerDecoderModelSpec.from_config(
        layers,
        heads,
        activation=common_spec.Activation.SWISH,
        pre_norm=True,
        ffn_glu=True,
        rms_norm=True,
        rotary_dim=0,
        rotary_interleave=False,
        rotary_scaling_type=None,
        rotary_base=field["llama.rope.freq_base"],
        num_heads_kv=None if heads_kv == heads else heads_kv,
    )
    tensors = {tensor.name: tensor for tensor in reader.tensors}

    def load(name: str) -> Weights:
        from gguf.quants import dequantize

        tensor = tensors[name]
        return np.array(dequantize(tensor.data, tensor.tensor_type), dtype=np.float32)

    decoder = spec.decoder
    decoder.scale_embeddings = False
    decoder.embeddings.weight = load("token_embd.weight")
    decoder.projection.weight = (
        load("output.weight") if "output.weight" in tensors else decoder.embeddings.weight
    )
    decoder.layer_norm.gamma = load("output_norm.weight")
    tokenizer = language_tokenizer(field)
    smoother = Smoother(
        decoder.embeddings.weight,
        [tokenizer.encode(text).ids for text in CALIBRATION],
        Shape(
            heads=heads,
            heads_kv=heads_kv,
            rotary_base=field["llama.rope.freq_base"],
            epsilon=field["llama.attention.layer_norm_rms_epsilon"],
        ),
    )
    for index, layer in enumerate(decoder.layer):
        block = f"blk.{index}."
        weights = Layer(
            attention_norm=load(block + "attn_norm.weight"),
            query=unpermute_rotary_rows(load(block + "attn_q.weight"), heads),
            key=unpermute_rotary_rows(load(block + "attn_k.weight"), heads_kv),
            value=load(block + "attn_v.weight"),
            output=load(block + "attn_output.weight"),
            feed_norm=load(block + "ffn_norm.weight"),
            gate=load(block + "ffn_gate.weight"),
            up=load(block + "ffn_up.weight"),
            down=load(block + "ffn_down.weight"),
        )
        if adapter is not None:
            for part, name in ADAPTED.items():
                setattr(weights, part, adapter.merge(f"layers.{index}.{name}", getattr(weights, part)))
        smoother.smooth(weights)
        layer.self_attention.layer_norm.gamma = weights.attention_norm
        layer.self_attention.linear[0].weight = np.concatenate([weights.query, weights.key, weights.value])
        layer.self_attention.linear[1].weight = weights.output
        layer.ffn.layer_norm.gamma = weights.feed_norm
        layer.ffn.linear_0.weight = weights.gate
        layer.ffn.linear_0_noact.weight = weights.up
        layer.ffn.linear_1.weight = weights.down
        report(0.7 * (index + 1) / layers)
    if adapter is not None:
        adapter.all_merged()

    vocabulary: list[str] = field["tokenizer.ggml.tokens"]
    spec.register_vocabulary(vocabulary)
    spec.config.bos_token = vocabulary[field["tokenizer.ggml.bos_token_id"]]
    spec.config.eos_token = vocabulary[field["tokenizer.ggml.eos_token_id"]]
    spec.config.unk_token = vocabulary[field["tokenizer.ggml.unknown_token_id"]]
    spec.config.layer_norm_epsilon = field["llama.attention.layer_norm_rms_epsilon"]
    _save(spec, into, "int8" if adapter is None else "float16", report)

    tokenizer.save(str(into / "tokenizer.json"))
    facts = {
        "window": int(field["llama.context_length"]),
        "first_token": document_start(vocabulary, int(field["tokenizer.ggml.bos_token_id"])),
        "system": default_system(field.get("tokenizer.chat_template", "")),
    }
    (into / "facts.json").write_text(json.dumps(facts))
    report(1.0)


def unpermute_rotary_rows(weight: Weights, heads: int) -> Weights:
    """Undo GGUF's order of the query and key rows.

    GGUF stores the two members of a rotated pair next to each other (0, n/2, 1, n/2+1, …); the engine
    rotates the first half of a head against its second half.

    >>> unpermute_rotary_rows(np.array([[0], [2], [1], [3]], dtype=np.float32), heads=1).ravel().tolist()
    [0.0, 1.0, 2.0, 3.0]
    """
    rows, columns = weight.shape
    pairs = weight.reshape(heads, rows // heads // 2, 2, columns)
    return pairs.swapaxes(1, 2).reshape(rows, columns)


def document_start(vocabulary: list[str], bos: int) -> int:
    """Return the token before the first token of a text: the separator of documents in training, if any.

    SmolLM2 declares its chat marker as the first token of a text. After that marker it expects a role
    ("user") and gives ordinary words almost no probability.

    >>> document_start(["<|endoftext|>", "<|im_start|>"], bos=1)
    0
    """
    return vocabulary.index("<|endoftext|>") if "<|endoftext|>" in vocabulary else bos


def default_system(template: str) -> str:
    r"""Return the system message that a ChatML template adds to a chat without one.

    >>> default_system("{{ '<|im_start|>system\nBe kind<|im_end|>\n' }}{{ message }}")
    'Be kind'
    """
    match = re.search(r"<\|im_start\|>system(?:\\n|\n)(.+?)<\|im_end\|>", template, re.DOTALL)
    return match.group(1) if match else ""


def language_tokenizer(field: dict[str, Any]) -> Any:
    """Return the byte-level BPE tokenizer in the metadata of a GGUF file."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

    vocabulary: list[str] = field["tokenizer.ggml.tokens"]
    merges = [tuple(merge.split(" ", 1)) for merge in field["tokenizer.ggml.merges"]]
    model = models.BPE(vocab={token: i for i, token in enumerate(vocabulary)}, merges=merges)
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    control = 3  # GGUF's token type for special tokens
    tokenizer.add_special_tokens(
        [
            AddedToken(token, special=True, normalized=False)
            for token, kind in zip(vocabulary, field["tokenizer.ggml.token_type"], strict=True)
            if kind == control
        ]
    )
    return tokenizer


def convert_encoder(folder: Path, into: Path, report: Report) -> None:
    """Convert a BERT-type encoder (safetensors) to a CTranslate2 encoder and its tokenizer.json."""
    from ctranslate2.specs import common_spec, transformer_spec
    from safetensors.numpy import load_file

    config = json.loads((folder / "config.json").read_text())
    weights: dict[str, Weights] = load_file(folder / "model.safetensors")
    layers = int(config["num_hidden_layers"])
    encoder = transformer_spec.TransformerEncoderSpec(
        layers,
        int(config["num_attention_heads"]),
        pre_norm=False,
        activation=common_spec.Activation.GELU,
        layernorm_embedding=True,
        num_source_embeddings=2,
        embeddings_merge=common_spec.EmbeddingsMerge.ADD,
    )
    spec = transformer_spec.TransformerEncoderModelSpec(encoder)
    encoder.scale_embeddings = False

    def put(target: Any, name: str) -> None:
        target.weight = weights[name + ".weight"]
        if name + ".bias" in weights:
            target.bias = weights[name + ".bias"]

    def put_norm(target: Any, name: str) -> None:
        target.gamma = weights[name + ".weight"]
        target.beta = weights[name + ".bias"]

    put(encoder.embeddings[0], "embeddings.word_embeddings")
    put(encoder.embeddings[1], "embeddings.token_type_embeddings")
    encoder.position_encodings.encodings = weights["embeddings.position_embeddings.weight"]
    put_norm(encoder.layernorm_embedding, "embeddings.LayerNorm")
    for index, layer in enumerate(encoder.layer):
        block = f"encoder.layer.{index}."
        for part in ("weight", "bias"):
            fused = [weights[f"{block}attention.self.{name}.{part}"] for name in ("query", "key", "value")]
            setattr(layer.self_attention.linear[0], part, np.concatenate(fused))
        put(layer.self_attention.linear[1], block + "attention.output.dense")
        put_norm(layer.self_attention.layer_norm, block + "attention.output.LayerNorm")
        put(layer.ffn.linear_0, block + "intermediate.dense")
        put(layer.ffn.linear_1, block + "output.dense")
        put_norm(layer.ffn.layer_norm, block + "output.LayerNorm")
        report(0.7 * (index + 1) / layers)

    tokenizer_json = json.loads((folder / "tokenizer.json").read_text())
    vocabulary = sorted(tokenizer_json["model"]["vocab"].items(), key=lambda item: item[1])
    spec.register_vocabulary([token for token, _ in vocabulary])
    spec.config.unk_token = "[UNK]"  # noqa: S105
    spec.config.layer_norm_epsilon = config["layer_norm_eps"]
    _save(spec, into, "int8", report)

    tokenizer_json["truncation"] = tokenizer_json["padding"] = None  # set where it is loaded
    (into / "tokenizer.json").write_text(json.dumps(tokenizer_json, ensure_ascii=False))
    facts = {"window": 256, "dimensions": int(config["hidden_size"])}
    (into / "facts.json").write_text(json.dumps(facts))
    report(1.0)


def _save(spec: Any, into: Path, quantization: str, report: Report) -> None:
    spec.validate()
    spec.optimize(quantization=quantization)
    report(0.85)
    spec.save(str(into))
    report(0.95)


def convert_static(folder: Path, into: Path) -> None:
    """Convert a table of token vectors (safetensors) and copy its tokenizer."""
    import numpy as np
    from safetensors.numpy import load_file

    table = load_file(folder / "model.safetensors")["embeddings"].astype(np.float32)
    with (into / "model.bin").open("wb") as file:
        np.save(file, table)
    tokenizer = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    tokenizer["truncation"] = tokenizer["padding"] = None
    (into / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False), encoding="utf-8")
    facts = {"dimensions": int(table.shape[1])}
    (into / "facts.json").write_text(json.dumps(facts), encoding="utf-8")
