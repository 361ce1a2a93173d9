"""The models of a server are opened before it listens."""

from __future__ import annotations

from pathlib import Path

import pytest
from server_app import scripted_session
from typer.testing import CliRunner

from probative import Session
from probative.errors import ModelError
from probative.server.opening import open_models
from probative.settings import Settings
from probative.testing import ScriptedModel


def test_all_models_are_opened_except_those_on_a_server() -> None:
    with scripted_session(encoder="openai:vectors", judge_model=ScriptedModel(name="judge")) as session:
        assert session.weights == {}
        assert open_models(session) == ()
        assert sorted(session.weights) == ["judge", "model", "policy", "verdict"]


def test_no_verdict_model_is_opened_where_the_model_gives_verdicts() -> None:
    settings = Settings(cache=False, verdict="model", encoder="openai:vectors")
    with scripted_session(settings=settings, verdict=None) as session:
        assert open_models(session) == ()
        assert sorted(session.weights) == ["model", "policy"]


def test_a_model_that_cannot_be_opened_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ModelError("the weights cannot be fetched")

    monkeypatch.setattr("probative.session.tools.open_encoder_backend", fail)
    with scripted_session() as session:
        (note,) = open_models(session)
        assert note.startswith("the encoder could not be opened")
        assert "the weights cannot be fetched" in note
        assert sorted(session.weights) == ["model", "policy", "verdict"]


def test_the_command_opens_them_before_it_listens(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from probative.cli.app import app

    told: list[str] = []

    def opened(session: Session) -> tuple[str, ...]:
        told.append("opened")
        return ("the encoder could not be opened",)

    monkeypatch.setattr("probative.server.opening.open_models", opened)
    monkeypatch.setattr("probative.server.app.listen", lambda *_, **__: told.append("listening"))
    graph = tmp_path / "herbs.tsv"
    graph.write_text("willow bark\tcontains\tsalicin\n")
    reply = CliRunner().invoke(app, ["serve", "--graph", f"herbs={graph}", "--data", str(tmp_path / "data")])
    assert reply.exit_code == 0, reply.output
    assert told == ["opened", "listening"]
    assert "the encoder could not be opened" in reply.output
