"""What the embedded models believe."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import probative


@pytest.fixture
def session() -> Iterator[probative.Session]:
    with probative.Session(model="embedded") as opened:
        yield opened
