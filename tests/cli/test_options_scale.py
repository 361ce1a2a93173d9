"""`--store` and `--runner` as a user gives them."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import run_here as run

from probative.cli.framework.exit_codes import ExitCode


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("ask", "Who?", "--store", "milvus:m.db"), "--store needs a corpus"),
        (("ask", "Who?", "--corpus", "{folder}", "--store", "moon:x"), "there is no store called 'moon'"),
        (("index", "{folder}", "--store", "milvus:"), "has no address"),
        (("prove", "It rained.", "--runner", "local:2"), "--runner needs --in and --out"),
        (("judge", "--in", "{in}", "--out", "{out}", "--runner", "moon"), "there is no runner 'moon'"),
        (("ask", "--in", "{in}", "--out", "{out}", "--runner", "local:0"), "at least 1, got 0"),
    ],
)
def test_what_cannot_be_used_is_said(words: tuple[str, ...], message: str, tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text("It rained.", encoding="utf-8")
    (tmp_path / "in.jsonl").write_text('{"id": 1, "claim": "It rained.", "evidence": ["It rained."]}\n')
    places = {"{folder}": tmp_path, "{in}": tmp_path / "in.jsonl", "{out}": tmp_path / "out.jsonl"}
    done = run(*(str(places.get(word, word)) for word in words))
    assert done.returncode == ExitCode.ERROR, done.stderr
    assert message in done.stderr
    assert not (tmp_path / "out.jsonl").exists()
