"""A verdict that costs nothing: the tests here are about the evidence."""

from __future__ import annotations

import pytest
from verdicts import FreeVerdict


@pytest.fixture(autouse=True)
def free_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("probative.session.tools.Opener.verdict", lambda _: FreeVerdict())
