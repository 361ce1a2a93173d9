"""`--prompts FOLDER` on the commands whose methods have prompts."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import run_here


@pytest.mark.parametrize(
    "words",
    [
        ("ask", "Where was it built?", "--passages", "{file}"),
        ("check", "Where was it built?", "--knowledge", "{file}"),
        ("prove", "It was built.", "--context", "{file}"),
        ("reason", "Is it built?", "--graph", "{file}"),
    ],
)
def test_a_wrong_prompt_stops_the_command_before_it_asks(tmp_path: Path, words: tuple[str, ...]) -> None:
    file = tmp_path / ("graph.tsv" if words[0] == "reason" else "text.txt")
    file.write_text("ferry\tbuilt in\tMolde\nferry\towned by\tOle\n", encoding="utf-8")
    (tmp_path / "own" / "scope").mkdir(parents=True)
    (tmp_path / "own" / "scope" / "answer.txt").write_text("{question}", encoding="utf-8")
    given = [word.replace("{file}", str(file)) for word in words]
    result = run_here(*given, "--prompts", str(tmp_path / "own"))
    assert result.returncode == 1
    assert "has no {passages}" in result.stderr
