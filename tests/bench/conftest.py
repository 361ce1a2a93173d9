"""The plug-in of docs/bench.md on the path of this process."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench_plugin import install_plugin, write_data


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = install_plugin(tmp_path / "site")
    monkeypatch.syspath_prepend(str(folder))
    yield folder
    sys.modules.pop("harbour", None)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_data(tmp_path / "data")
