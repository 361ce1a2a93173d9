"""Ctrl-C does not wait for an engine, and long texts do not fill the memory."""

from __future__ import annotations

import hashlib
import os
import signal
import threading
from types import SimpleNamespace
from typing import Any

import pytest

from probative.models.embedded.language import EmbeddedModel
from probative.models.in_process import interruptible

LONG = " the old mill by the river" * 500


class Engine:
    """An engine that keeps the sizes of its batches; a slow one computes for seconds, deaf to signals,
    and is interrupted meanwhile.
    """

    def __init__(self, *, slow: bool = False) -> None:
        self.slow = slow
        self.finished = False
        self.sizes: list[int] = []

    def score_batch(self, batch: list[list[str]], **options: Any) -> list[Any]:
        if self.slow:
            # Only now: a signal before the call, or after it, would end the tests.
            threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
            hashlib.pbkdf2_hmac("sha256", b"", b"", 8_000_000)
            self.finished = True
        self.sizes.append(len(batch))
        return [SimpleNamespace(log_probs=[-1.0] * (len(tokens) - 1)) for tokens in batch]


@pytest.mark.model
def test_a_score_can_be_interrupted(plain: EmbeddedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine(slow=True)
    monkeypatch.setattr(plain, "_engine", lambda: engine)
    with pytest.raises(KeyboardInterrupt):
        plain.score([("A", LONG)])
    assert not engine.finished


def test_an_error_of_the_call_is_raised_where_it_is_waited_for() -> None:
    with pytest.raises(ZeroDivisionError):
        interruptible(lambda: 1 // 0)


@pytest.mark.model
def test_long_texts_are_read_one_at_a_time(plain: EmbeddedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight cores would hold the logits of eight such texts at once: 6 GB."""
    engine = Engine()
    monkeypatch.setattr(plain, "_engine", lambda: engine)
    monkeypatch.setattr(plain, "_cores", 8)
    plain.score([("A", f"{LONG} {n}") for n in range(4)])
    assert engine.sizes == [1, 1, 1, 1]
    engine.sizes.clear()
    plain.score([("A", f" short text {n}") for n in range(20)])
    assert engine.sizes == [20]
