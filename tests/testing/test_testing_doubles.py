from __future__ import annotations

from pathlib import Path

import pytest

from probative import EmptyError, InputError, ModelError, OverloadError, load_model
from probative.testing import LoopbackServer, Recorder, ReplayModel, ScriptedModel


def test_a_recording_plays_back_exactly_what_was_said(tmp_path: Path) -> None:
    file = tmp_path / "calls.jsonl"
    real = ScriptedModel(
        generate=lambda request: request.messages[-1].content[::-1],
        score=lambda prompt, continuation: -float(len(continuation)),
        choose=lambda prompt, options: [2, 1],
    )
    recorder = Recorder(real, file)
    said = (
        recorder.generate(["abc", "déf"]),
        recorder.score([("a", "bc")]),
        recorder.choose(["q"], ["x", "y"]),
    )
    replay = ReplayModel(file)
    assert (
        replay.generate(["abc", "déf"]),
        replay.score([("a", "bc")]),
        replay.choose(["q"], ["x", "y"]),
    ) == said
    assert replay.capabilities == real.capabilities


def test_what_was_not_recorded_is_an_error_that_shows_it(tmp_path: Path) -> None:
    file = tmp_path / "calls.jsonl"
    Recorder(ScriptedModel(generate=["x"]), file).generate(["recorded"])
    with pytest.raises(ModelError, match="something new"):
        ReplayModel(file).generate(["something new"])


def test_failures_are_not_recorded(tmp_path: Path) -> None:
    file = tmp_path / "calls.jsonl"
    with pytest.raises(EmptyError):
        Recorder(ScriptedModel(generate=[EmptyError("no")]), file).generate(["q"])
    with pytest.raises(ModelError, match="no recorded answer"):
        ReplayModel(file).generate(["q"])


@pytest.mark.parametrize("content", ["", "not json", '{"verb": "generate"}'])
def test_what_is_no_recording_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "calls.jsonl"
    file.write_text(content)
    with pytest.raises(InputError, match="not a recording"):
        ReplayModel(file)


def test_a_script_that_ends_or_has_no_answer_says_so() -> None:
    with pytest.raises(EmptyError, match="ended"):
        ScriptedModel(generate=[]).generate(["q"])
    with pytest.raises(EmptyError, match="no answer"):
        ScriptedModel(generate={"a": "b"}).generate(["q"])


def test_a_recording_keeps_every_kind_of_line_break(tmp_path: Path) -> None:
    file = tmp_path / "calls.jsonl"
    answer = "one\u2028two\x85three\nfour"
    Recorder(ScriptedModel(generate=answer), file).generate(["q"])
    assert ReplayModel(file).generate(["q"])[0].text == answer


def test_a_servers_answer_that_fails_is_a_reply_not_silence() -> None:
    def failing(asked: str) -> str:
        raise IndexError("my own mistake")

    with LoopbackServer(answer=failing) as server:
        with load_model("openai:x", base_url=server.base_url, retries=0, cache=False) as model:
            with pytest.raises(OverloadError, match="my own mistake"):
                model.generate(["q"])
