"""The frameworks keep to this machine: no telemetry, no request, nothing written outside of the test."""

from __future__ import annotations

import atexit
import os
import shutil
import socket
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

# Read when the packages are imported, so they are set before any test is.
os.environ |= {
    "DEEPEVAL_DISABLE_DOTENV": "1",
    "DEEPEVAL_TELEMETRY_OPT_OUT": "1",
    "DSPY_CACHEDIR": tempfile.mkdtemp(prefix="dspy-"),
    "HAYSTACK_TELEMETRY_ENABLED": "False",
    "LANGSMITH_TRACING": "false",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
}

import pytest
from answer_verdicts import by_words
from letter_encoder import LetterEncoder
from specialists import BOTH, FakePolicy, reads
from verifying import by_overlap, ruled_by_words

from probative import Corpus, Session
from probative.models.verdict import VerdictItem, VerdictScores
from probative.testing import ScriptedVerdict

atexit.register(shutil.rmtree, os.environ["DSPY_CACHEDIR"], ignore_errors=True)
LOOPBACK = (None, "", "localhost", "127.0.0.1", "::1")
tried: list[Any] = []


def _refuse_outside(name: str, owner: Any, host_of: Callable[..., Any]) -> None:
    """Make a function of sockets refuse other machines, also while the packages are imported."""
    allowed = getattr(owner, name)

    def checked(*arguments: Any, **keywords: Any) -> Any:
        host = host_of(*arguments)
        if host not in LOOPBACK:
            tried.append(host)
            raise OSError(f"a test must not reach {host}")
        return allowed(*arguments, **keywords)

    setattr(owner, name, checked)


def _connected(_: socket.socket, address: Any) -> Any:
    return address[0] if isinstance(address, tuple) else None  # a socket of this machine has a path


_refuse_outside("connect", socket.socket, _connected)
_refuse_outside("connect_ex", socket.socket, _connected)
_refuse_outside("getaddrinfo", socket, lambda host, *rest: host)


@pytest.fixture(autouse=True)
def _no_request() -> Iterator[None]:
    """Fail the test that tried to reach another machine, also in the background or by an import."""
    yield
    assert tried == []


def by_words_and_surely(item: VerdictItem) -> VerdictScores:
    """Judge by words, and be sure of what is supported."""
    scores = by_words(item)
    return scores if scores.supported < 0.5 else VerdictScores(0.98, 0.01, 0.01, scores.deciding)


@pytest.fixture
def answering() -> Iterator[Session]:
    """A session whose policy takes what commanded and built a ship, and whose reader says Molde."""
    verdict = ScriptedVerdict(by_words_and_surely, name="fake:verdict")
    with Session(
        reads("Molde"), encoder=LetterEncoder(), policy=FakePolicy(*BOTH), verdict=verdict
    ) as session:
        yield session


@pytest.fixture
def verifying() -> Iterator[Session]:
    """A session that supports what the evidence says word for word, and denies what it denies."""
    with Session(policy=by_overlap(), verdict=ruled_by_words()) as session:
        yield session


@pytest.fixture
def ships(tmp_path: Path) -> Iterator[Corpus]:
    """A corpus of two documents that together say where a ship was built."""
    folder = tmp_path / "ships"
    folder.mkdir()
    (folder / "crew.txt").write_text("Ada Berg commanded the Sea Lark for nine years.\n", encoding="utf-8")
    (folder / "yard.txt").write_text("The Sea Lark was built in Molde by two brothers.\n", encoding="utf-8")
    (folder / "tar.txt").write_text("Tar is made of pine.\n", encoding="utf-8")
    with Corpus.open(folder, vectors=False) as corpus:
        yield corpus
