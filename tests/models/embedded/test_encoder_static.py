"""The static encoder: the mean of the vectors of a text's tokens, with length 1."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file
from tokenizers import Tokenizer, models, pre_tokenizers

from probative.errors import InputError
from probative.models.embedded import encoder as encoders
from probative.models.embedded.convert import convert_static
from probative.models.embedded.encoder import StaticEncoder
from probative.models.embedded.store import Manifest, Weights
from probative.models.encoder import Encoder

WORDS = {"[UNK]": 0, "[SEP]": 1, "ferry": 2, "boat": 3, "rain": 4}
TABLE = np.array([[9, 9, 9], [5, 5, 5], [3, 4, 0], [4, 3, 0], [0, 0, 2]], dtype=np.float16)


@pytest.fixture
def weights(tmp_path: Path) -> Weights:
    published, converted = tmp_path / "published", tmp_path / "converted"
    published.mkdir()
    converted.mkdir()
    tokenizer = Tokenizer(models.WordLevel(WORDS, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.add_special_tokens(["[SEP]"])
    tokenizer.enable_truncation(2)
    tokenizer.enable_padding(length=4)
    tokenizer.save(str(published / "tokenizer.json"))
    save_file({"embeddings": TABLE}, published / "model.safetensors")
    convert_static(published, converted)
    manifest = Manifest(name="tiny", conversion=1, source_sha256="", files={"model.bin": (1, "a" * 64)})
    return Weights(folder=converted, manifest=manifest)


@pytest.fixture
def tiny(weights: Weights) -> StaticEncoder:
    return StaticEncoder(weights)


def test_a_vector_is_the_mean_of_the_tokens_with_length_one(tiny: StaticEncoder) -> None:
    ferry, both, weather = tiny.encode(["ferry", "ferry boat", "rain rain ferry"])
    np.testing.assert_allclose(ferry, [0.6, 0.8, 0.0], atol=1e-6)
    np.testing.assert_allclose(both, [0.5**0.5, 0.5**0.5, 0.0], atol=1e-6)
    np.testing.assert_allclose(weather, np.array([3, 4, 4]) / 41**0.5, atol=1e-6)


def test_unknown_words_count_nothing_and_a_text_of_them_alone_is_zero(tiny: StaticEncoder) -> None:
    known, mixed, unknown, empty = tiny.encode(["rain", "sudden rain", "sudden storm", ""])
    np.testing.assert_array_equal(known, mixed)
    assert not unknown.any()
    assert not empty.any()


def test_a_control_token_in_a_text_stays_text(tiny: StaticEncoder) -> None:
    plain, marked = tiny.encode(["rain", "rain [SEP]"])
    np.testing.assert_array_equal(plain, marked)


def test_the_whole_text_is_read_in_whatever_batches(
    tiny: StaticEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = ["ferry " * 500 + "rain", "boat", "", "rain boat", "boat boat rain"]
    whole = tiny.encode(texts)
    assert whole[0, 2] > 0
    monkeypatch.setattr(encoders, "_BATCH", 2)
    seen: list[tuple[int, int]] = []
    parts = tiny.encode(texts, progress=lambda done, total: seen.append((done, total)))
    np.testing.assert_array_equal(whole, parts)
    assert seen == [(2, 5), (4, 5), (5, 5)]
    assert tiny.encode([]).shape == (0, 3)


def test_it_says_which_weights_it_has_and_what_it_cost(tiny: StaticEncoder) -> None:
    assert isinstance(tiny, Encoder)
    assert (tiny.name, tiny.fingerprint, tiny.dimensions) == ("static", f"static:{'a' * 16}", 3)
    tiny.encode(["ferry boat", "rain storm"])
    assert (tiny.usage.calls, tiny.usage.prompt_tokens) == (1, 3)


def test_threads_share_an_encoder_and_nothing_is_lost(tiny: StaticEncoder) -> None:
    def encode() -> None:
        for _ in range(50):
            tiny.encode(["ferry boat"])

    threads = [threading.Thread(target=encode) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (tiny.usage.calls, tiny.usage.prompt_tokens) == (200, 400)


def test_what_is_no_text_is_an_input_error(tiny: StaticEncoder) -> None:
    with pytest.raises(InputError, match="must be a string, got int"):
        tiny.encode(["ferry", 3])  # type: ignore[list-item]
