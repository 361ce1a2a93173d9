"""A run that is killed with signal 9 again and again gives the report of one that was not."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from bench_plugin import install_plugin, write_data
from processes import started

from probative.testing import LoopbackServer

# Requests that may be on their way at once, and so lost by a kill.
CONCURRENCY = 2


def start(
    data: Path, out: Path, server: LoopbackServer, site: Path, runner: str = "local"
) -> AbstractContextManager[subprocess.Popen[bytes]]:
    paths = [str(site), *filter(None, [os.environ.get("PYTHONPATH")])]
    return started(
        [
            *(sys.executable, "-m", "probative", "bench", "harbour-closed-book"),
            *("--model", "openai:studied", "--judge-model", "openai:judge", "--base-url", server.base_url),
            *("--data", str(data), "--out", str(out), "--concurrency", str(CONCURRENCY), "--json"),
            *("--runner", runner),
        ],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PROBATIVE_HOME": str(site / "home")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def reply(prompt: str) -> str:
    if "Given answer:" in prompt:
        return "Yes." if "Ada Berg" in prompt else "no"
    return "Ada Berg"


@pytest.mark.slow
@pytest.mark.parametrize(("runner", "kills"), [("local", 10), ("local:2", 4)])
def test_a_run_killed_again_and_again_gives_the_same_report_and_repeats_no_call(
    runner: str, kills: int, tmp_path: Path
) -> None:
    site = install_plugin(tmp_path / "site")
    data = write_data(tmp_path / "data", copies=30)
    draw = random.Random(17)
    with LoopbackServer(answer=reply) as server:
        with start(data, tmp_path / "whole", server, site) as process:
            assert process.wait() == 0
        needed = Counter(str(body["messages"]) for body in server.bodies)
        assert set(needed.values()) == {1}
    with LoopbackServer(answer=reply, delay=0.01) as server:
        for _ in range(kills):
            before, wanted = len(server.bodies), draw.randrange(0, 20)
            with start(data, tmp_path / "killed", server, site, runner) as process:  # killed at the end
                while process.poll() is None and len(server.bodies) - before < wanted:
                    time.sleep(0.001)
                time.sleep(draw.random() * 0.02)
        with start(data, tmp_path / "killed", server, site, runner) as process:
            assert process.wait() == 0
        asked = Counter(str(body["messages"]) for body in server.bodies)
    assert set(asked) == set(needed)
    # Only what was on its way when the process died is asked once more.
    assert asked.total() - needed.total() <= kills * CONCURRENCY
    for name in ("report.json", "report.md", "report.html"):
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def settle(server: LoopbackServer) -> None:
    """Wait until no more requests come: workers that go on would ask until all is done."""
    seen, since = len(server.bodies), time.monotonic()
    while time.monotonic() - since < 1:
        time.sleep(0.02)
        if len(server.bodies) != seen:
            seen, since = len(server.bodies), time.monotonic()


@pytest.mark.slow
def test_ctrl_c_stops_the_workers_and_the_same_command_goes_on(tmp_path: Path) -> None:
    site = install_plugin(tmp_path / "site")
    data = write_data(tmp_path / "data", copies=10)
    with LoopbackServer(answer=reply, delay=0.2) as server:
        with start(data, tmp_path / "run", server, site, "local:2") as process:
            while len(server.bodies) < 10:
                assert process.poll() is None
                time.sleep(0.005)
            process.send_signal(signal.SIGINT)
            assert process.wait() == 130
        settle(server)
        assert len(server.bodies) < 10 * 8
        server._delay = 0.0
        with start(data, tmp_path / "run", server, site, "local:2") as process:
            assert process.wait() == 0
    assert len(server.bodies) <= 10 * 8 + CONCURRENCY
    assert (tmp_path / "run/report.md").exists()
