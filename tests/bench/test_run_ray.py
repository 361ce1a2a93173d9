"""A run on a Ray cluster whose workers are killed has the rows and the report of a run in one process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from bench_plugin import install_plugin, write_data

from probative.testing import LoopbackServer

DYING = """
import os, signal
from harbour import ClosedBook


class Dying(ClosedBook):
    name = "harbour-dying"

    def run(self, case, lab):
        row = super().run(case, lab)
        mark = lab.settings.data / f"died {case.key}"
        if case.key.startswith("q2") and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return row
"""


def install_dying(site: Path) -> None:
    (site / "dying.py").write_text(DYING)
    info = site / "dying-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: dying\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[probative.experiments]\nharbour-dying = dying:Dying\n")


def run(data: Path, out: Path, server: LoopbackServer, site: Path, runner: str) -> Counter[str]:
    """Run the experiment in a process of its own; returns what the server was asked."""
    paths = [str(site), *filter(None, [os.environ.get("PYTHONPATH")])]
    before = len(server.bodies)
    done = subprocess.run(
        [
            *(sys.executable, "-m", "probative", "bench", "harbour-dying", "--json", "--runner", runner),
            *("--model", "openai:studied", "--judge-model", "openai:judge", "--base-url", server.base_url),
            *("--data", str(data), "--out", out.name, "--concurrency", "1"),
        ],
        # Ray writes a token into the home folder.
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "HOME": str(site / "home")},
        cwd=out.parent,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    json.loads(done.stdout)  # what Ray prints is not mixed with the report
    return Counter(str(body["messages"]) for body in server.bodies[before:])


@pytest.mark.slow
def test_a_cluster_whose_workers_are_killed_gives_the_same_run(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    site = install_plugin(tmp_path / "site")
    (site / "home").mkdir()
    install_dying(site)
    data = write_data(tmp_path / "data", copies=2)

    def reply(prompt: str) -> str:
        return "yes" if "Given answer:" in prompt else "Ada Berg"

    with LoopbackServer(answer=reply) as server:
        on_cluster = run(data, tmp_path / "cluster", server, site, "ray")
        assert len(list(data.glob("died *"))) == 2
        here = run(data, tmp_path / "here", server, site, "local")
    # Each call is paid once: what a worker had paid before it was killed is kept on this machine.
    assert on_cluster == here
    assert set(on_cluster.values()) == {1}
    rows = [
        sorted((tmp_path / name / "rows.jsonl").read_text(encoding="utf-8").splitlines())
        for name in ("cluster", "here")
    ]
    assert rows[0] == rows[1]
    for name in ("report.json", "report.md", "report.html"):
        assert (tmp_path / "cluster" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()
