"""The numbers that an engine computes in, by its processor."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

from probative.models.embedded.engine import EXACT, number_type


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
    monkeypatch: pytest.MonkeyPatch, machine: str, flags: str | None, expected: str
) -> None:
    def read(file: Path, **_: object) -> str:
        if flags is None:
            raise FileNotFoundError(file)
        return flags

    monkeypatch.setattr(platform, "machine", lambda: machine)
    monkeypatch.setattr(Path, "read_text", read)
    assert number_type.__wrapped__() == expected
