"""The policy that `ask` and `check` open, by rule."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from specialists import BOTH, FakePolicy


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Callable[[FakePolicy], FakePolicy]:
    def put(policy: FakePolicy) -> FakePolicy:
        monkeypatch.setattr("probative.session.tools.Opener.policy", lambda _: policy)
        return policy

    return put


@pytest.fixture
def policy(use: Callable[[FakePolicy], FakePolicy]) -> FakePolicy:
    return use(FakePolicy(*BOTH))
