"""An `hf:` encoder pools as the files beside its weights say; the model is tiny, random and made here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny import BERT_WORDS, write_bert

from probative import InputError, ModelError, Session, load_encoder
from probative.models.hf.encoder import HFEncoder
from probative.testing import ScriptedModel

pytestmark = pytest.mark.model

KIND = "sentence_transformers.models."
MEAN = {"pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True}
CLS = {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}
TEXTS = ["the ferry left the harbour", "gulls nest", "the ferry left at seven"]


def write_model(folder: Path, pooling: dict[str, Any] | None, *more: str, tokens: int = 16) -> Path:
    """Write a random BERT of one layer with the files of sentence-transformers around it."""
    write_bert(folder)
    kinds = ["Transformer", "Pooling", *more]
    paths = ["", *(f"{number}_{kind}" for number, kind in enumerate(kinds[1:], 1))]
    modules = [{"path": path, "type": KIND + kind} for path, kind in zip(paths, kinds, strict=True)]
    (folder / "modules.json").write_text(json.dumps(modules), encoding="utf-8")
    (folder / "sentence_bert_config.json").write_text(
        json.dumps({"max_seq_length": tokens}), encoding="utf-8"
    )
    if pooling is not None:
        (folder / "1_Pooling").mkdir()
        (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling), encoding="utf-8")
    return folder


def states(folder: Path, text: str) -> np.ndarray[Any, Any]:
    """Return the hidden states of one text alone, by transformers itself."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    inputs = AutoTokenizer.from_pretrained(folder)(text, return_tensors="pt")
    with torch.inference_mode():
        return np.asarray(AutoModel.from_pretrained(folder).eval()(**inputs).last_hidden_state[0])


@pytest.fixture(scope="module")
def mean(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("mean"), MEAN, "Normalize")


@pytest.fixture(scope="module")
def cls(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("cls"), CLS)


def unit(vector: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.asarray(vector / np.linalg.norm(vector))


def test_mean_pooling_is_the_mean_of_the_tokens_whatever_the_batch(mean: Path) -> None:
    vectors = HFEncoder(str(mean), device="cpu").encode(TEXTS)
    for vector, text in zip(vectors, TEXTS, strict=True):
        assert vector == pytest.approx(unit(states(mean, text).mean(axis=0)), abs=1e-5)
    assert vectors.shape == (3, 8)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)


def test_cls_pooling_is_the_first_token(cls: Path) -> None:
    vectors = HFEncoder(str(cls), device="cpu").encode(TEXTS)
    for vector, text in zip(vectors, TEXTS, strict=True):
        assert vector == pytest.approx(unit(states(cls, text)[0]), abs=1e-5)


def test_the_same_weights_with_another_pooling_are_another_encoder(mean: Path, cls: Path) -> None:
    first, second = HFEncoder(str(mean), device="cpu"), HFEncoder(str(cls), device="cpu")
    assert first.fingerprint != second.fingerprint
    assert first.fingerprint == HFEncoder(str(mean), device="cpu").fingerprint


def test_the_newer_form_of_the_config_is_read_too(tmp_path: Path, cls: Path) -> None:
    newer = write_model(tmp_path / "newer", {"pooling_mode": "cls", "word_embedding_dimension": 8})
    vectors = [HFEncoder(str(folder), device="cpu").encode(TEXTS) for folder in (newer, cls)]
    assert vectors[0] == pytest.approx(vectors[1], abs=1e-6)


def test_a_long_text_is_cut_at_the_configured_length(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "short", MEAN, tokens=5)
    encoder = HFEncoder(str(folder), device="cpu")
    long, cut = encoder.encode(["the ferry left the harbour at seven", "the ferry left"])
    assert long == pytest.approx(cut, abs=1e-6)
    assert encoder.truncated == 1
    assert encoder.usage.prompt_tokens == 5 + 5


def test_a_control_token_in_a_text_stays_text(mean: Path) -> None:
    encoder = HFEncoder(str(mean), device="cpu")
    marked, plain = encoder.encode(["the [SEP] ferry", "the ferry"])
    tokens = encoder._tokens(["the [SEP] ferry"])[0]
    assert tokens.count(BERT_WORDS.split().index("[SEP]")) == 1
    assert abs(float(marked @ plain)) < 1 - 1e-6


def test_it_is_opened_by_name_and_a_session_encodes_with_it(mean: Path) -> None:
    encoder = load_encoder(f"hf:{mean}", device="cpu", cache=False)
    assert (encoder.name, encoder.dimensions) == (f"hf:{mean}", 8)
    assert encoder.encode([]).shape == (0, 8)
    with Session(ScriptedModel(generate="seven [1]"), encoder=f"hf:{mean}") as session:
        answer = session.ask("When did the ferry leave?", TEXTS, method="rag")
    assert answer.answer == "seven"


@pytest.mark.parametrize(
    ("pooling", "more", "message"),
    [
        (None, (), "does not say how it pools: 1_Pooling/config.json is missing"),
        ({"pooling_mode_max_tokens": True}, (), "pools by pooling_mode_max_tokens"),
        ({**MEAN, "pooling_mode_cls_token": True}, (), "pools by cls and mean"),
        ({}, (), "pools by nothing"),
        (MEAN, ("Dense",), "has a step Dense"),
    ],
)
def test_what_cannot_be_pooled_is_refused(
    tmp_path: Path, pooling: dict[str, Any] | None, more: tuple[str, ...], message: str
) -> None:
    folder = write_model(tmp_path / "odd", pooling, *more)
    with pytest.raises(ModelError, match=message):
        HFEncoder(str(folder), device="cpu")


def test_broken_files_and_missing_models_are_typed_errors(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "broken", MEAN)
    (folder / "modules.json").write_text("{", encoding="utf-8")
    with pytest.raises(ModelError, match=r"modules\.json of .* cannot be read"):
        HFEncoder(str(folder), device="cpu")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ModelError, match="does not say how it pools"):
        HFEncoder(str(tmp_path / "empty"), device="cpu")
    with pytest.raises(InputError, match="needs a model"):
        load_encoder("hf:")
    with pytest.raises(InputError, match="not a number type"):
        load_encoder(f"hf:{folder}", device="cpu", dtype="float7")
