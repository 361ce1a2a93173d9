"""The device of an engine, and the numbers that it computes in, by its processor."""

from __future__ import annotations

import json
import platform
from pathlib import Path

import pytest

from probative import SettingsError
from probative.models.embedded.convert import FACTS
from probative.models.embedded.engine import (
    CPU,
    EXACT,
    Device,
    device_for,
    device_mark,
    maker,
    number_type,
    shared_engine,
)
from probative.models.embedded.processor import ALL_BITS, SAFE, sums_fit


@pytest.mark.parametrize(
    ("machine", "flags", "expected"),
    [
        ("aarch64", "asimd", "int8"),
        ("x86_64", "flags : avx2 avx512f avx512_vnni", "int8"),
        ("AMD64", "flags : avx2 avx_vnni", "int8"),
        ("x86_64", "flags : avx2 avx512f", EXACT),
        ("x86_64", None, EXACT),
    ],
)
def test_products_of_8_bits_are_added_only_where_they_do_not_overflow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, machine: str, flags: str | None, expected: str
) -> None:
    def read(file: Path, **_: object) -> str:
        if flags is None:
            raise FileNotFoundError(file)
        return flags

    monkeypatch.setattr(platform, "machine", lambda: machine)
    with monkeypatch.context() as patched:
        patched.setattr(Path, "read_text", read)
        fits = sums_fit.__wrapped__()
    monkeypatch.setattr("probative.models.embedded.engine.sums_fit", lambda: fits)
    (tmp_path / FACTS).write_text("{}")
    assert number_type(tmp_path) == expected
    (tmp_path / FACTS).write_text(json.dumps({"largest": SAFE}))
    assert number_type(tmp_path) == "int8"


def test_two_products_of_safe_weights_fit_in_16_bits() -> None:
    assert 2 * 255 * SAFE < 2**15 < 2 * 255 * ALL_BITS


@pytest.mark.parametrize(
    ("setting", "cards", "device"),
    [
        (None, 2, CPU),
        ("cpu", 2, CPU),
        ("auto", 0, CPU),
        ("auto", 2, Device("cuda", 0)),
        ("cuda", 1, Device("cuda", 0)),
        ("cuda:1", 2, Device("cuda", 1)),
    ],
)
def test_a_setting_names_the_device(
    setting: str | None, cards: int, device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ctranslate2.get_cuda_device_count", lambda: cards)
    assert device_for(setting) == device
    opened: dict[str, object] = {}
    monkeypatch.setattr("ctranslate2.Generator", lambda folder, **options: opened.update(options))
    monkeypatch.setattr("probative.models.embedded.engine.sums_fit", lambda: True)
    maker("Generator", Path(), device=device_for(setting))()
    assert (opened["device"], opened["device_index"]) == device
    assert (opened["compute_type"] == "int8_float16") == (device.kind == "cuda")
    assert device_mark(device) == ("@cuda" if device.kind == "cuda" else "")


@pytest.mark.parametrize(
    ("setting", "cards", "message", "hint"),
    [
        ("mps", 1, "cannot compute on 'mps'", "set device to auto"),
        ("cuda:x", 1, "cannot compute on 'cuda:x'", "set device to auto, cpu, cuda or cuda:1"),
        ("", 1, "cannot compute on ''", "set device to"),
        ("cuda", 0, "has no graphics card that CTranslate2 can use", "auto or cpu"),
        ("cuda:2", 2, "no graphics card 2, only 0 to 1, that", "auto or cpu"),
    ],
)
def test_a_device_that_the_engine_does_not_have_is_refused_with_advice(
    setting: str, cards: int, message: str, hint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ctranslate2.get_cuda_device_count", lambda: cards)
    with pytest.raises(SettingsError, match=message) as caught:
        device_for(setting)
    assert hint in caught.value.hint


@pytest.mark.parametrize(("size", "threads"), [(10, (4, 1)), (11, (1, 4))])
def test_all_cores_read_one_text_with_a_large_model(
    size: int, threads: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "model.bin").write_bytes(bytes(size))
    monkeypatch.setattr("probative.models.embedded.engine.LARGE_BYTES", 10)
    opened: dict[str, int] = {}
    monkeypatch.setattr("ctranslate2.Generator", lambda folder, **options: opened.update(options) or opened)
    monkeypatch.setattr("probative.models.embedded.engine.sums_fit", lambda: True)
    engine = shared_engine("Generator", tmp_path, 4)
    assert (opened["inter_threads"], opened["intra_threads"]) == threads
    assert shared_engine("Generator", tmp_path, 4) is engine
