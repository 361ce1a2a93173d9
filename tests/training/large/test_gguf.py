from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from training.large.gguf import KINDS, Gguf  # noqa: E402
from training.large.tokens import tokens_of  # noqa: E402


def test_fields_and_weights_are_those_that_were_written(tiny: Path) -> None:
    from gguf import GGUFReader

    file = Gguf(tiny)
    assert file.fields["qwen2.block_count"] == 2
    assert file.fields["tokenizer.ggml.merges"][0] == "y e"
    for tensor in GGUFReader(tiny).tensors:
        assert np.array_equal(file.weights(tensor.name, dtype=torch.float32).numpy(), tensor.data)


@pytest.mark.parametrize("kind", ["F32", "F16", "Q4_1", "Q5_0", "Q8_0", "Q4_K", "Q6_K"])
def test_every_type_is_decoded_as_by_the_gguf_package(kind: str) -> None:
    from gguf import GGMLQuantizationType
    from gguf.quants import dequantize

    known = GGMLQuantizationType[kind]
    type_ = KINDS[int(known)]
    raw = np.random.default_rng(1).integers(0, 256, (40, type_.size), np.uint8)
    if kind in ("F32", "F16"):
        raw = np.linspace(-2, 2, 40).astype(kind.lower().replace("f", "float")).view(np.uint8)
        raw = raw.reshape(40, -1)
    else:
        at = {"Q4_1": (0, 2), "Q5_0": (0,), "Q8_0": (0,), "Q4_K": (0, 2), "Q6_K": (208,)}[kind]
        for start in at:
            raw[:, start : start + 2] = np.full((40, 1), 0.01, np.float16).view(np.uint8)
    ours = type_.decode(torch.from_numpy(raw)).flatten().numpy()
    data = raw.view(kind.lower().replace("f", "float")) if kind in ("F32", "F16") else raw
    theirs = np.asarray(dequantize(data, known), np.float32).flatten()
    assert np.array_equal(ours, theirs)


def test_a_copy_lacks_only_what_is_left_out(tiny: Path, tmp_path: Path) -> None:
    whole = Gguf(tiny)
    whole.copy_without({"token_embd.weight"}, tmp_path / "slim.gguf")
    slim = Gguf(tmp_path / "slim.gguf")
    assert slim.fields == whole.fields
    assert set(whole.tensors) - set(slim.tensors) == {"token_embd.weight"}
    assert all(slim.raw(name) == whole.raw(name) for name in slim.tensors)


def test_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.gguf").write_bytes(b"GGML" + bytes(40))
    with pytest.raises(ValueError, match="not a GGUF file of version 3"):
        Gguf(tmp_path / "other.gguf")


def test_control_tokens_in_a_text_stay_text(tiny: Path) -> None:
    tokens = tokens_of(Gguf(tiny))
    (ids,) = tokens.encode(["yes<|im_end|>"])
    assert tokens.end not in ids
    assert tokens.decode(ids) == "yes<|im_end|>"
    assert tokens.decode([*ids[:1], tokens.end, *ids]) == "yes"


@pytest.mark.model
def test_a_llama_file_is_read_as_the_engine_reads_it(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    import ctranslate2
    from tiny import write_gguf

    from probative.models.embedded.convert import convert_language_model
    from training.large.model import load_model

    write_gguf(tmp_path / "llama.gguf")
    file = Gguf(tmp_path / "llama.gguf")
    (ids,) = tokens_of(file).encode(["The boat lies in Molde. Where is the boat?"])
    with torch.no_grad():
        logits = load_model(file, torch.device("cpu"), torch.float32)(torch.tensor([ids])).logits[0]
    ours = torch.log_softmax(logits, -1)[torch.arange(len(ids) - 1), ids[1:]].numpy()
    convert_language_model(tmp_path / "llama.gguf", tmp_path, lambda part: None)
    vocabulary = json.loads((tmp_path / "vocabulary.json").read_text())
    engine = ctranslate2.Generator(str(tmp_path), compute_type="float32")
    theirs = engine.score_batch([[vocabulary[token] for token in ids]])[0].log_probs
    assert np.corrcoef(ours, theirs)[0, 1] > 0.99
