"""A wheel with a tiny model, and a store that is empty."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny import make_wheel

from probative.models.embedded.catalog import Source
from probative.models.embedded.store import Store


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    return tmp_path / "wheels"


@pytest.fixture
def source(wheels: Path) -> Source:
    return make_wheel(wheels)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "weights")
