"""Models for commands that run inside the test process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from probative import Session, load_settings


@pytest.fixture(scope="session")
def open_models() -> Iterator[None]:
    """The embedded models, held open: every session of this process shares them."""
    with Session(settings=load_settings({"cache": False})) as session:
        for name in ("model", "encoder", "policy", "verdict"):
            session.fingerprint(name)
        yield
