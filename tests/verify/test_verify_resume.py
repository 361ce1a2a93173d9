"""A verification that is stopped goes on where it was: what was judged is not judged again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from processes import started
from verifying import PASSAGES

SCRIPT = """
import json, sys, time
sys.path.insert(0, {helpers!r})
from verifying import by_overlap, by_words, ruled_by_words
import probative.cli
from probative.session import tools

asked = 0

def judge(item):
    global asked
    asked += 1
    with open("asked.txt", "a") as file:
        file.write(json.dumps(item) + "\\n")
    if asked > 40:  # until it is stopped
        time.sleep({pause})
    return by_words(item)

def verdict(settings):
    model = ruled_by_words()
    model._judge = judge
    return model

tools.load_verdict, tools.load_policy = verdict, lambda settings: by_overlap()
sys.argv = ["probative", "verify", "report.txt", "--passages", "sources.jsonl", "--json"]
probative.cli.main()
"""


def start(folder: Path, pause: float) -> AbstractContextManager[subprocess.Popen[str]]:
    script = SCRIPT.format(helpers=str(Path(__file__).parent.parent / "helpers"), pause=pause)
    return started(
        [sys.executable, "-c", script],
        cwd=folder,
        env={**os.environ, "PROBATIVE_HOME": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def asked(folder: Path) -> list[str]:
    file = folder / "asked.txt"
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_what_was_judged_before_a_stop_is_not_judged_again(how: signal.Signals, tmp_path: Path) -> None:
    claims = [f"Barn {n} is made of oak." for n in range(60)]
    (tmp_path / "report.txt").write_text(" ".join(claims), encoding="utf-8")
    sources = "".join(passage.to_json() + "\n" for passage in PASSAGES)
    (tmp_path / "sources.jsonl").write_text(sources, encoding="utf-8")
    with start(tmp_path, 3.0) as stopped:
        while len(asked(tmp_path)) < 41 and stopped.poll() is None:
            time.sleep(0.02)
        stopped.send_signal(how)
        out, err = stopped.communicate()
    before = asked(tmp_path)
    assert out == ""
    if how is signal.SIGINT:
        assert (stopped.returncode, "finished results are kept" in err) == (130, True)
    with start(tmp_path, 0.0) as again:
        out, err = again.communicate()
    assert again.returncode == 0, err
    after = asked(tmp_path)[len(before) :]
    # Results are stored in groups of 16; only the group under way is judged again.
    assert len(set(before) & set(after)) <= 16
    assert len(set(after)) < len(set(before) | set(after)) - 16
    verification = json.loads(out)
    assert len(verification["claims"]) == 60
    assert verification["usage"]["cached"] > 16
