"""The tests pass however they are started: in the background, where SIGINT is ignored, or in any order."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from processes import started

from probative.session.pool import POOL, ModelPool, model_key
from probative.settings import load_settings

ROOT = Path(__file__).parent.parent


def ignore() -> None:
    """Ignore SIGINT, as a shell does for its background jobs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def block() -> None:
    """Block signals, as a supervisor may do for what it starts."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})


@pytest.mark.slow
@pytest.mark.parametrize("begin", [ignore, block, lambda: signal.signal(signal.SIGTERM, signal.SIG_IGN)])
@pytest.mark.parametrize("words", [[], ["-n", "1"]])
def test_tests_of_signals_pass_where_signals_are_ignored(begin: object, words: list[str]) -> None:
    command = [sys.executable, "-m", "pytest", __file__, "-k", "default_handler", "--timeout", "300", *words]
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    with started(
        command, cwd=ROOT, env=environ, text=True, stdout=subprocess.PIPE, preexec_fn=begin
    ) as process:
        printed, _ = process.communicate()
    assert process.returncode == 0, printed


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_finds_the_default_handler_in_a_process(number: signal.Signals) -> None:
    code = "import time; print('here', flush=True); time.sleep(600)"
    with started(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "here\n"
        process.send_signal(number)
        assert process.wait(60) == -number
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_a_process_does_not_outlive_its_test() -> None:
    with (
        pytest.raises(RuntimeError),
        started([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process,
    ):
        raise RuntimeError("the test fails while the process waits")
    assert process.returncode == -signal.SIGKILL


def test_every_test_has_a_limit_and_the_order_is_that_of_the_files() -> None:
    options = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]
    assert options["ini_options"]["timeout"] > 0
    assert "-p no:randomly" in options["ini_options"]["addopts"]


@pytest.mark.parametrize("turn", [1, 2])
def test_a_session_that_is_left_open_lends_nothing_to_the_next_test(turn: int) -> None:
    from probative.session import pool

    assert isinstance(pool.POOL, ModelPool)
    assert pool.POOL is not POOL
    opened: list[int] = []
    pool.POOL.lease(model_key("encoder", "embedded", load_settings()), lambda: opened.append(turn) or "model")
    assert opened == [turn]
