"""Convert the published weights to the format of the engine (CTranslate2, int8)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probative.models.embedded.processor import ALL_BITS, SAFE, sums_fit
from probative.models.embedded.shipped import FILES, Adapter, restored
from probative.models.embedded.smoothing import CALIBRATION, Layer, Shape, Smoother

# The weights of a layer: their names in a GGUF file, and in an adapter (transformers' names, order of rows).
GGUF_PARTS = {
    "attention_norm": "attn_norm",
    "query": "attn_q",
    "key": "attn_k",
    "value": "attn_v",
    "output": "attn_output",
    "feed_norm": "ffn_norm",
    "gate": "ffn_gate",
    "up": "ffn_up",
    "down": "ffn_down",
}
ADAPTED = {
    "query": "self_attn.q_proj",
    "key": "self_attn.k_proj",
    "value": "self_attn.v_proj",
    "output": "self_attn.o_proj",
    "gate": "mlp.gate_proj",
    "up": "mlp.up_proj",
    "down": "mlp.down_proj",
}
HEAD = "head.npy"
FACTS = "facts.json"
# The rows of a matrix that are rounded at a time, so that copies stay small.
_ROWS = 8192

Weights = NDArray[np.float32]
Report = Callable[[float], None]


class Gguf:
    """A GGUF file: its metadata by name, and its tensors in floating point."""

    def __init__(self, file: Path) -> None:
        from gguf import GGUFReader

        reader = GGUFReader(file)
        self.metadata: dict[str, Any] = {key: value.contents() for key, value in reader.fields.items()}
        self._tensors = {tensor.name: tensor for tensor in reader.tensors}
        self._prefix = self.metadata["general.architecture"]

    def fact(self, name: str) -> Any:
        """Return a number of the architecture, such as ``block_count``."""
        return self.metadata[f"{self._prefix}.{name}"]

    def __contains__(self, name: str) -> bool:
        return name in self._tensors

    @property
    def is_permuted(self) -> bool:
        """Whether the rows of queries and keys are in GGUF's own order (see `unpermute_rotary_rows`)."""
        return bool(self._prefix == "llama")

    @property
    def is_tied(self) -> bool:
        """Whether one matrix reads and writes tokens; then a second copy of it only has more bits."""
        return self._prefix == "qwen2" or "output.weight" not in self

    @property
    def largest(self) -> int:
        """The largest number of a weight in 8 bits; see `engine.number_type`."""
        return ALL_BITS if sums_fit() or self._prefix == "llama" else SAFE

    @property
    def embeddings(self) -> str:
        """The name of the matrix that reads tokens; of two copies, the one in more bits."""
        return "output.weight" if self.is_tied and "output.weight" in self else "token_embd.weight"

    def tensor(self, name: str) -> Weights:
        """Return a tensor."""
        from gguf.quants import dequantize

        tensor = self._tensors[name]
        return np.array(dequantize(tensor.data, tensor.tensor_type), dtype=np.float32)


def convert_language_model(
    gguf_file: Path, into: Path, report: Report, adapter_file: Path | None = None, *, numbers: str = "int8"
) -> None:
    """Convert a GGUF file of the Llama or Qwen2 type to a CTranslate2 decoder and a tokenizer.json.

    An adapter is merged before the weights are smoothed. `numbers` is how weights are stored: a layer is
    rounded as soon as it is read, so that the whole model is never in memory in floating point.
    """
    adapter = Adapter.read(adapter_file) if adapter_file is not None else None
    gguf = Gguf(gguf_file)
    tokenizer = language_tokenizer(gguf.metadata)
    spec = _decoder(gguf, tokenizer, adapter, numbers, report)
    metadata = gguf.metadata
    vocabulary: list[str] = metadata["tokenizer.ggml.tokens"]
    end = metadata["tokenizer.ggml.eos_token_id"]
    for name, key in (("bos_token", "bos"), ("eos_token", "eos"), ("unk_token", "unknown")):
        setattr(spec.config, name, vocabulary[metadata.get(f"tokenizer.ggml.{key}_token_id", end)])
    spec.config.layer_norm_epsilon = gguf.fact("attention.layer_norm_rms_epsilon")
    report(0.85)
    spec.save(str(into))
    report(0.95)
    tokenizer.save(str(into / "tokenizer.json"))
    facts = {
        "window": int(gguf.fact("context_length")),
        "first_token": document_start(vocabulary, int(metadata.get("tokenizer.ggml.bos_token_id", end))),
        "system": default_system(metadata.get("tokenizer.chat_template", "")),
        "largest": gguf.largest,
    }
    (into / FACTS).write_text(json.dumps(facts))
    report(1.0)


def _decoder(gguf: Gguf, tokenizer: Any, adapter: Adapter | None, numbers: str, report: Report) -> Any:
    """Return the model with its weights, the adapter merged, and the layers smoothed and rounded."""
    shape = Shape(
        heads=int(gguf.fact("attention.head_count")),
        heads_kv=int(gguf.fact("attention.head_count_kv")),
        rotary_base=gguf.fact("rope.freq_base"),
        epsilon=gguf.fact("attention.layer_norm_rms_epsilon"),
    )
    spec = _empty_decoder(int(gguf.fact("block_count")), shape)
    decoder = spec.decoder
    embeddings = gguf.tensor(gguf.embeddings)
    smoother = Smoother(embeddings, [tokenizer.encode(text).ids for text in CALIBRATION], shape)
    for index, layer in enumerate(decoder.layer):
        weights = _layer(gguf, index, shape, adapter)
        smoother.smooth(weights)
        _put_layer(layer, weights, numbers, gguf.largest)
        report(0.7 * (index + 1) / len(decoder.layer))
    if adapter is not None:
        adapter.all_merged()
    decoder.layer_norm.gamma = gguf.tensor("output_norm.weight")
    _put(decoder.embeddings, embeddings, numbers, gguf.largest)
    if gguf.is_tied:
        decoder.projection.weight = decoder.embeddings.weight
        decoder.projection.weight_scale = decoder.embeddings.weight_scale
    else:
        _put(decoder.projection, gguf.tensor("output.weight"), numbers, gguf.largest)
    spec.register_vocabulary(gguf.metadata["tokenizer.ggml.tokens"])
    spec.validate()
    if gguf.is_tied:  # stored once
        for part in ("weight", "weight_scale") if numbers == "int8" else ("weight",):
            setattr(decoder.projection, part, f"decoder/embeddings/{part}")
    return spec


def _empty_decoder(layers: int, shape: Shape) -> Any:
    """Return a decoder of the Llama type without weights."""
    from ctranslate2.specs import common_spec, transformer_spec

    spec = transformer_spec.TransformerDecoderModelSpec.from_config(
        layers,
        shape.heads,
        activation=common_spec.Activation.SWISH,
        pre_norm=True,
        ffn_glu=True,
        rms_norm=True,
        rotary_dim=0,
        rotary_interleave=False,
        rotary_scaling_type=None,
        rotary_base=shape.rotary_base,
        num_heads_kv=None if shape.heads_kv == shape.heads else shape.heads_kv,
    )
    spec.decoder.scale_embeddings = False
    return spec


def _put_layer(layer: Any, weights: Layer, numbers: str, largest: int) -> None:
    """Set the weights of a layer."""
    attention, feed = layer.self_attention, layer.ffn
    attention.layer_norm.gamma, feed.layer_norm.gamma = weights.attention_norm, weights.feed_norm
    _put(attention.linear[0], np.concatenate([weights.query, weights.key, weights.value]), numbers, largest)
    if weights.biases is not None:
        attention.linear[0].bias = weights.biases
    _put(attention.linear[1], weights.output, numbers, largest)
    _put(feed.linear_0, weights.gate, numbers, largest)
    _put(feed.linear_0_noact, weights.up, numbers, largest)
    _put(feed.linear_1, weights.down, numbers, largest)


def _put(layer: Any, weight: Weights, numbers: str, largest: int) -> None:
    """Set the matrix of a layer: in 8 bits, up to `largest`, with a scale for each row, or in 16."""
    if numbers == "float16":
        layer.weight = weight.astype(np.float16)
        return
    layer.weight = np.empty(weight.shape, np.int8)
    layer.weight_scale = np.empty(len(weight), np.float32)
    for start in range(0, len(weight), _ROWS):
        rows = slice(start, start + _ROWS)
        highest = np.abs(weight[rows]).max(axis=1)
        highest[highest == 0] = largest
        layer.weight_scale[rows] = scale = largest / highest
        layer.weight[rows] = np.rint(weight[rows] * scale[:, None])


def _layer(gguf: Gguf, index: int, shape: Shape, adapter: Adapter | None) -> Layer:
    """Return the weights of one layer, with the adapter merged."""
    weights = {part: gguf.tensor(f"blk.{index}.{name}.weight") for part, name in GGUF_PARTS.items()}
    if gguf.is_permuted:
        for part, heads in (("query", shape.heads), ("key", shape.heads_kv)):
            weights[part] = unpermute_rotary_rows(weights[part], heads)
    if adapter is not None:
        for part, name in ADAPTED.items():
            weights[part] = adapter.merge(f"layers.{index}.{name}", weights[part])
    biases = [f"blk.{index}.{GGUF_PARTS[part]}.bias" for part in ("query", "key", "value")]
    if biases[0] not in gguf:
        return Layer(**weights)
    return Layer(**weights, biases=np.concatenate([gguf.tensor(name) for name in biases]))


def unpermute_rotary_rows(weight: Weights, heads: int) -> Weights:
    """Undo GGUF's order of the query and key rows.

    GGUF stores the two members of a rotated pair next to each other (0, n/2, 1, n/2+1, …); the engine
    rotates the first half of a head against its second half.
    """
    rows, columns = weight.shape
    pairs = weight.reshape(heads, rows // heads // 2, 2, columns)
    return pairs.swapaxes(1, 2).reshape(rows, columns)


def document_start(vocabulary: list[str], bos: int) -> int:
    """Return the token before the first token of a text: the separator of documents in training, if any.

    SmolLM2 declares its chat marker as the first token of a text. After that marker it expects a role
    ("user") and gives ordinary words almost no probability.
    """
    return vocabulary.index("<|endoftext|>") if "<|endoftext|>" in vocabulary else bos


def default_system(template: str) -> str:
    r"""Return the system message that a ChatML template adds to a chat without one.

    >>> default_system("{{ '<|im_start|>system\nBe kind<|im_end|>\n' }}{{ message }}")
    'Be kind'
    """
    match = re.search(r"<\|im_start\|>system(?:\\n|\n)([^'{}]+?)<\|im_end\|>", template)
    return match.group(1) if match else ""


# The words that Qwen2 cuts a text into before it joins bytes to tokens.
QWEN_WORDS = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+"
)


def language_tokenizer(metadata: Mapping[str, Any]) -> Any:
    """Return the byte-level BPE tokenizer in the metadata of a GGUF file."""
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

    vocabulary: list[str] = metadata["tokenizer.ggml.tokens"]
    merges = [tuple(merge.split(" ", 1)) for merge in metadata["tokenizer.ggml.merges"]]
    tokenizer = Tokenizer(models.BPE(vocab={token: i for i, token in enumerate(vocabulary)}, merges=merges))
    is_qwen = metadata.get("tokenizer.ggml.pre") == "qwen2"
    first: Any = pre_tokenizers.Digits(individual_digits=True)
    if is_qwen:
        tokenizer.normalizer = normalizers.NFC()
        first = pre_tokenizers.Split(Regex(QWEN_WORDS), "isolated")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [first, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=not is_qwen)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    control = 3  # GGUF's token type for special tokens
    kinds = zip(vocabulary, metadata["tokenizer.ggml.token_type"], strict=True)
    tokenizer.add_special_tokens(
        [AddedToken(token, special=True, normalized=False) for token, kind in kinds if kind == control]
    )
    return tokenizer


def convert_encoder(folder: Path, into: Path, report: Report) -> None:
    """Convert a BERT-type encoder (safetensors) to a CTranslate2 encoder and its tokenizer.json."""
    from safetensors.numpy import load_file

    convert_bert(load_file(folder / FILES[0]), folder, into, report)


def convert_policy(folder: Path, into: Path, report: Report) -> None:
    """Convert the shipped evidence policy: an encoder in 8 bits, and a head with a file of its own."""
    from safetensors.numpy import load_file

    weights = restored(load_file(folder / FILES[0]))
    body = {name.removeprefix("encoder."): value for name, value in weights.items()}
    head = np.concatenate([body.pop("head.weight").ravel(), body.pop("head.bias").ravel()])
    convert_bert(body, folder, into, report)
    np.save(into / HEAD, head.astype(np.float32))


def convert_bert(weights: Mapping[str, Weights], folder: Path, into: Path, report: Report) -> None:
    """Convert the weights of a BERT-type encoder; `folder` has its config.json and tokenizer.json."""
    from ctranslate2.specs import transformer_spec

    config = json.loads((folder / FILES[1]).read_text())
    spec = transformer_spec.TransformerEncoderModelSpec(_bert(weights, config, report))
    tokenizer = _plain_tokenizer(folder)
    vocabulary = sorted(tokenizer["model"]["vocab"].items(), key=lambda item: item[1])
    spec.register_vocabulary([token for token, _ in vocabulary])
    spec.config.unk_token = "[UNK]"  # noqa: S105
    spec.config.layer_norm_epsilon = config["layer_norm_eps"]
    _save(spec, into, "int8", report)
    _write_facts(into, tokenizer, {"window": 256, "dimensions": int(config["hidden_size"])})
    report(1.0)


def _bert(weights: Mapping[str, Weights], config: Mapping[str, Any], report: Report) -> Any:
    """Return an encoder with its weights."""
    from ctranslate2.specs import common_spec, transformer_spec

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
    encoder.scale_embeddings = False

    def put(target: Any, name: str, parts: tuple[str, str] = ("weight", "bias")) -> None:
        for part, stored in zip(parts, ("weight", "bias"), strict=True):
            if f"{name}.{stored}" in weights:
                setattr(target, part, weights[f"{name}.{stored}"])

    norm = ("gamma", "beta")
    put(encoder.embeddings[0], "embeddings.word_embeddings")
    put(encoder.embeddings[1], "embeddings.token_type_embeddings")
    encoder.position_encodings.encodings = weights["embeddings.position_embeddings.weight"]
    put(encoder.layernorm_embedding, "embeddings.LayerNorm", norm)
    for index, layer in enumerate(encoder.layer):
        block, attention = f"encoder.layer.{index}.", layer.self_attention
        for part in ("weight", "bias"):
            fused = [weights[f"{block}attention.self.{name}.{part}"] for name in ("query", "key", "value")]
            setattr(attention.linear[0], part, np.concatenate(fused))
        put(attention.linear[1], block + "attention.output.dense")
        put(attention.layer_norm, block + "attention.output.LayerNorm", norm)
        put(layer.ffn.linear_0, block + "intermediate.dense")
        put(layer.ffn.linear_1, block + "output.dense")
        put(layer.ffn.layer_norm, block + "output.LayerNorm", norm)
        report(0.7 * (index + 1) / layers)
    return encoder


def convert_static(folder: Path, into: Path) -> None:
    """Convert a table of token vectors (safetensors) and copy its tokenizer."""
    from safetensors.numpy import load_file

    table = load_file(folder / FILES[0])["embeddings"].astype(np.float32)
    with (into / "model.bin").open("wb") as file:
        np.save(file, table)
    _write_facts(into, _plain_tokenizer(folder), {"dimensions": int(table.shape[1])})


def _save(spec: Any, into: Path, quantization: str, report: Report) -> None:
    spec.validate()
    spec.optimize(quantization=quantization)
    report(0.85)
    spec.save(str(into))
    report(0.95)


def _plain_tokenizer(folder: Path) -> Any:
    """Return the tokenizer.json of a folder without truncation and padding, which are set at its loading."""
    tokenizer = json.loads((folder / FILES[2]).read_text(encoding="utf-8"))
    tokenizer["truncation"] = tokenizer["padding"] = None
    return tokenizer


def _write_facts(into: Path, tokenizer: Any, facts: dict[str, int]) -> None:
    (into / FILES[2]).write_text(json.dumps(tokenizer, ensure_ascii=False), encoding="utf-8")
    (into / FACTS).write_text(json.dumps(facts), encoding="utf-8")
