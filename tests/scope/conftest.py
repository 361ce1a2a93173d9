"""The policy and the verdict model that `ask` and `check` open, by rule."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from answer_verdicts import agreeing
from specialists import BOTH, FakePolicy

from probative.testing import ScriptedVerdict


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Callable[[FakePolicy], FakePolicy]:
    def put(policy: FakePolicy) -> FakePolicy:
        monkeypatch.setattr("probative.session.tools.Opener.policy", lambda _: policy)
        return policy

    return put


@pytest.fixture
def policy(use: Callable[[FakePolicy], FakePolicy]) -> FakePolicy:
    return use(FakePolicy(*BOTH))


@pytest.fixture
def use_verdict(monkeypatch: pytest.MonkeyPatch) -> Callable[[ScriptedVerdict], ScriptedVerdict]:
    def put(verdict: ScriptedVerdict) -> ScriptedVerdict:
        monkeypatch.setattr("probative.session.tools.Opener.verdict", lambda _: verdict)
        return verdict

    return put


@pytest.fixture(autouse=True)
def verdict(use_verdict: Callable[[ScriptedVerdict], ScriptedVerdict]) -> ScriptedVerdict:
    """Support every answer that stands in the evidence, unless a test says otherwise."""
    return use_verdict(agreeing())
