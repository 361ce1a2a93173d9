"""The reader's adapter is merged as training meant it, and the tuned model stays apart from the plain one."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from plain_llama import joined, log_probabilities, read_weights
from safetensors.numpy import save_file
from tiny import HEADS, INNER, SIZE, sha256

from probative import Budget, InputError, ResponseCache, Trace, WeightsError, load_encoder, load_model
from probative.doctor import examine
from probative.models.contract import LanguageModel
from probative.models.embedded import fetch as fetching
from probative.models.embedded import shipped as adapters
from probative.models.embedded.catalog import LANGUAGE_MODEL, Source
from probative.models.embedded.language import EmbeddedModel
from probative.models.embedded.shipped import Adapter, language_model, small, tuned
from probative.models.embedded.store import Store
from probative.models.items import key_of
from probative.models.types import Pair
from probative.models.wrappers import budgeted, cached, traced
from probative.settings import load_settings
from probative.testing import Recorder, ReplayModel, ScriptedModel

RANK = 3
# What transformers and GGUF call a layer's matrices, with their outputs and inputs.
LAYERS = {
    "self_attn.q_proj": ("attn_q", SIZE, SIZE),
    "self_attn.k_proj": ("attn_k", SIZE, SIZE),
    "self_attn.v_proj": ("attn_v", SIZE, SIZE),
    "self_attn.o_proj": ("attn_output", SIZE, SIZE),
    "mlp.gate_proj": ("ffn_gate", INNER, SIZE),
    "mlp.up_proj": ("ffn_up", INNER, SIZE),
    "mlp.down_proj": ("ffn_down", SIZE, INNER),
}


def silent(what: str, part: float) -> None:
    pass


def tensors(seed: int = 5) -> dict[str, np.ndarray]:
    draw = np.random.default_rng(seed)
    return {
        f"layers.0.{name}.{part}": draw.normal(0, 0.3, shape).astype(np.float16)
        for name, (_, rows, columns) in LAYERS.items()
        for part, shape in (("A", (RANK, columns)), ("B", (rows, RANK)))
    }


def write_adapter(file: Path, values: dict[str, np.ndarray] | None = None) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    save_file(values or tensors(), file)
    file.with_name("manifest.json").write_text(json.dumps({"adapter_sha256": sha256(file)}))
    return file


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write_adapter(tmp_path / "reader" / "adapter.safetensors")


def in_files_order(rows: np.ndarray) -> np.ndarray:
    """A head's rows as GGUF has them: 0, n/2, 1, n/2 + 1, … written out one by one."""
    width = SIZE // HEADS
    order = [
        head * width + half * width // 2 + pair
        for head in range(HEADS)
        for pair in range(width // 2)
        for half in (0, 1)
    ]
    return rows[order]


@pytest.mark.model
def test_the_merged_model_scores_like_the_formula_with_b_a_added(
    source: Source, store: Store, wheels: Path, file: Path
) -> None:
    model = EmbeddedModel(store.ensure(tuned(source, file), silent, origin=wheels, keep=True), threads=1)
    weights = read_weights(store.kept_source(source))
    ids, start = joined(model, "ab", "the cat")
    plain = log_probabilities(weights, ids, start)
    values = {name: value.astype(np.float64) for name, value in tensors().items()}
    for name, (spelt, _, _) in LAYERS.items():
        added = values[f"layers.0.{name}.B"] @ values[f"layers.0.{name}.A"]
        added = in_files_order(added) if spelt in ("attn_q", "attn_k") else added
        weights[f"blk.0.{spelt}"] += added
    expected = log_probabilities(weights, ids, start)
    (score,) = model.score([("ab", "the cat")])
    assert score.token_log_probabilities == pytest.approx(expected, abs=0.15)  # what 8 bits cost
    assert np.abs(np.subtract(expected, plain)).max() > 0.5


def test_an_adapter_in_8_bits_is_the_same_but_for_rounding(tmp_path: Path) -> None:
    stored: dict[str, np.ndarray] = {}
    for name, value in tensors().items():
        scale = np.abs(value).max(1 if name.endswith(".A") else 0, keepdims=True).astype(np.float32) / 127
        stored |= {name: np.round(value / scale).astype(np.int8), f"{name}.scale": scale}
    read = Adapter.read(write_adapter(tmp_path / "a.safetensors", stored))._unmerged
    assert {name: value.shape for name, value in read.items()} == {n: v.shape for n, v in tensors().items()}
    assert all(np.abs(read[name] - value).max() < 0.005 for name, value in tensors().items())


@pytest.mark.model
def test_the_tuned_and_the_plain_model_stand_side_by_side(
    source: Source, store: Store, wheels: Path, file: Path
) -> None:
    plain = EmbeddedModel(store.ensure(source, silent, origin=wheels), threads=1, name="embedded:plain")
    read = EmbeddedModel(store.ensure(tuned(source, file), silent, origin=wheels), threads=1)
    assert (plain.reader, read.reader) == (False, True)
    assert plain.fingerprint != read.fingerprint
    pair = Pair(prompt="ab", continuation="the cat")
    assert key_of(plain, "score", pair) != key_of(read, "score", pair)
    assert plain.score([pair])[0].log_probability != read.score([pair])[0].log_probability
    with Trace("both") as trace:
        for model in (plain, read):
            traced(model).score([pair])
    assert [call.model for call in trace.root.calls] == ["embedded:plain", "embedded"]
    assert {path.name for path in store.folder.iterdir() if path.is_dir()} == {
        "tiny-1",
        f"tiny-reader-{sha256(file)[:12]}-1",
    }


def test_another_adapter_is_another_folder(
    source: Source, store: Store, wheels: Path, tmp_path: Path
) -> None:
    places = set()
    for seed in (1, 2):
        made = tuned(source, write_adapter(tmp_path / str(seed) / "a.safetensors", tensors(seed)))
        weights = store.ensure(made, silent, origin=wheels)
        assert weights.manifest.adapter_sha256 == made.adapter_sha256
        places.add((weights.folder, weights.fingerprint))
    assert len(places) == 2


@pytest.mark.parametrize(
    "damage", ["cut", "no tensors", "a layer missing", "a layer too many", "shape", "scale"]
)
def test_an_adapter_that_does_not_fit_is_a_typed_error(
    damage: str, source: Source, store: Store, wheels: Path, file: Path
) -> None:
    values = tensors()
    match damage:
        case "cut":
            file.write_bytes(file.read_bytes()[:-100])
        case "no tensors":
            file.write_bytes(b"not safetensors at all")
        case "a layer missing":
            del values["layers.0.mlp.up_proj.B"]
            write_adapter(file, values)
        case "a layer too many":
            write_adapter(file, values | {"layers.1.mlp.up_proj.B": values["layers.0.mlp.up_proj.B"]})
        case "scale":
            write_adapter(
                file, values | {"layers.1.mlp.up_proj.A.scale": np.ones((RANK, 1), dtype=np.float32)}
            )
        case "shape":
            write_adapter(file, values | {"layers.0.mlp.up_proj.A": np.ones((RANK, 5), dtype=np.float16)})
    with pytest.raises(WeightsError, match="adapter") as caught:
        store.ensure(tuned(source, file), silent, origin=wheels)
    assert "embedded:plain" in caught.value.hint
    assert [path for path in store.folder.iterdir() if path.is_dir()] == []


def test_a_missing_adapter_is_an_error_and_not_silently_the_plain_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adapters, "SMALL_ADAPTER", tmp_path / "nothing.safetensors")
    with pytest.raises(WeightsError, match="is missing") as caught:
        load_model("embedded")
    assert "embedded:plain" in caught.value.hint
    assert language_model("embedded:plain") is LANGUAGE_MODEL
    assert language_model("openai:x") is language_model(None) is None
    findings = examine(
        load_settings({"model": "openai:x", "base_url": "http://127.0.0.1:9/v1", "retries": 0})
    ).findings
    assert any("is missing" in finding.what for finding in findings)


def test_a_damaged_adapter_is_noticed_before_anything_is_fetched(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adapters, "SMALL_ADAPTER", file)
    monkeypatch.setattr(fetching, "_download", lambda *_: pytest.fail("nothing should be downloaded"))
    assert small().adapter_sha256 == sha256(file)
    content = file.read_bytes()
    file.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(WeightsError, match="is damaged") as caught:
        load_model("embedded")
    assert "embedded:plain" in caught.value.hint
    assert language_model("embedded:plain") is LANGUAGE_MODEL
    findings = examine(
        load_settings({"model": "openai:x", "base_url": "http://127.0.0.1:9/v1", "retries": 0})
    ).findings
    assert any("adapter" in finding.what for finding in findings)
    file.with_name("manifest.json").unlink()
    with pytest.raises(WeightsError, match="manifest"):
        small()


def test_the_packages_adapter_is_the_one_its_manifest_names() -> None:
    facts = json.loads(adapters.SMALL_ADAPTER.with_name("manifest.json").read_text())
    assert facts["adapter_sha256"] == small().adapter_sha256
    assert facts["base_sha256"] == LANGUAGE_MODEL.files[LANGUAGE_MODEL.main_file]
    assert adapters.SMALL_ADAPTER.stat().st_size < 30_000_000
    assert adapters.SMALL_ADAPTER.with_name("CARD.md").is_file()
    assert len(Adapter.read(adapters.SMALL_ADAPTER)._unmerged) == 2 * 7 * 30


@pytest.mark.parametrize("name", ["embedded:tuned", "embedded:plain:x"])
def test_other_names_say_which_there_are(name: str) -> None:
    with pytest.raises(InputError, match="no embedded model") as caught:
        load_model(name)
    assert "embedded:plain" in caught.value.hint


def test_the_encoder_has_no_plain_form() -> None:
    with pytest.raises(InputError, match="no embedded model"):
        load_encoder("embedded:plain")


@pytest.mark.parametrize("trained", [True, False])
def test_every_wrapper_says_what_the_model_inside_was_trained_for(trained: bool, tmp_path: Path) -> None:
    inner = ScriptedModel(generate="so", reader=trained)
    around: list[LanguageModel] = [
        cached(inner, ResponseCache(tmp_path / "cache.sqlite")),
        budgeted(inner, Budget(calls=1)),
        traced(inner),
        Recorder(inner, tmp_path / "calls.jsonl"),
        ReplayModel(tmp_path / "calls.jsonl"),
        load_model(inner, budget=Budget(calls=1)),
        load_model(inner, dry_run=True),
    ]
    assert [model.reader for model in around] == [trained] * len(around)


def test_a_model_of_ones_own_is_no_reader_unless_it_says_so() -> None:
    assert ScriptedModel(generate="so").reader is False
