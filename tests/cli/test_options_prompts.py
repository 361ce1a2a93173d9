"""`--prompts FOLDER` on the commands whose methods have prompts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import run_here

from probative.models.types import Request
from probative.testing import ScriptedModel


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


OWN = "Sentences:\n{sentences}\nWhich {count} show this: {claim}"
CLAIM = {"claim": "Cats sleep.", "sentences": ["Dogs bark.", "Cats sleep all day.", "Tar is black."]}


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> ScriptedModel:
    """Pick the second sentence if the prompt is the user's own, and the first with ours."""

    def pick(request: Request) -> str:
        return "[2]" if request.messages[-1].content.startswith("Sentences:") else "[1]"

    model = ScriptedModel(generate=pick, fingerprint="fixed")
    monkeypatch.setattr("probative.session.tools.Opener.model", lambda _: model)
    return model


def test_a_batch_goes_on_with_the_same_prompts_and_refuses_others(
    tmp_path: Path, model: ScriptedModel
) -> None:
    source, out, own = tmp_path / "in.jsonl", tmp_path / "out.jsonl", tmp_path / "own"
    source.write_text("".join(json.dumps({"id": number, **CLAIM}) + "\n" for number in range(3)))
    (own / "evidence").mkdir(parents=True)
    (own / "evidence/pick.txt").write_text(OWN, encoding="utf-8")
    files = ["--in", str(source), "--out", str(out)]
    words = ["prove", *files, "--method", "llm-pick", "-k", "1", "--no-verdict"]

    stopped = run_here(*words, "--prompts", str(own), "--limit", "1")
    assert stopped.returncode == 0, stopped.stderr
    assert len(model.asked) == 1
    whole = run_here(*words, "--prompts", str(own))
    assert whole.returncode == 0, whole.stderr
    assert len(model.asked) == 3  # the first claim is not asked again
    written = out.read_text(encoding="utf-8")
    chosen = [json.loads(line)["evidence"] for line in written.splitlines()]
    assert [sentence["text"] for (sentence,) in chosen] == ["Cats sleep all day."] * 3

    (own / "evidence/pick.txt").write_text(f"{OWN} now", encoding="utf-8")
    for changed in (["--prompts", str(own)], []):
        refused = run_here(*words, *changed)
        assert refused.returncode == 1
        assert "other settings (prompts)" in refused.stderr
    assert len(model.asked) == 3
    assert out.read_text(encoding="utf-8") == written
