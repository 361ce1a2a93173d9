"""The models that a request may name: the server's own and those of the package, with the time of each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from server_app import serving

from probative import Session
from probative.models.embedded.shipped import large
from probative.models.embedded.store import MANIFEST, Store
from probative.server.runs.run import Run
from probative.server.state.models import ModelChoices, expected_time
from probative.settings import Settings
from probative.types import Usage

ASK: dict[str, Any] = {
    "question": "Where was the Heron built?",
    "passages": ["The Heron was built in Molde."],
}

pytestmark = pytest.mark.model


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(
        model="openai:little", base_url="http://127.0.0.1:9/v1", cache=False, home=tmp_path / "bare"
    )


@pytest.fixture
def client(tmp_path: Path, settings: Settings) -> Iterator[TestClient]:
    with serving(tmp_path / "data", session=Session(settings=settings)) as made:
        yield made


def models(client: TestClient) -> dict[str, Any]:
    return {model["name"]: model for model in client.get("/api/info").json()["models"]}


def run(model: str, seconds: float, *, claims: int | None = None, cached: int = 0) -> Run:
    return Run(
        id="a",
        verb="ask" if claims is None else "verify",
        title="",
        state="done",
        created="",
        model=model,
        counts=None if claims is None else {"supported": claims},
        usage=Usage(calls=4, cached=cached, seconds=seconds),
    )


def pull_large(settings: Settings) -> None:
    """Leave the folder that a pull leaves, in a home of its own."""
    folder = Store(settings.weights_folder).model_folder(large())
    folder.mkdir(parents=True)
    (folder / MANIFEST).write_text("{}", encoding="utf-8")


def test_the_own_model_comes_first_and_the_large_one_says_how_to_get_it(client: TestClient) -> None:
    found = models(client)
    assert list(found) == ["openai:little", "embedded", "embedded:large"]
    assert [found[name]["size"] for name in found] == ["own", "small", "large"]
    assert [found[name]["ready"] for name in found] == [True, True, False]
    assert found["embedded:large"]["get"] == "probative models pull large"
    assert [found[name]["rewrites"] for name in found] == [True, False, True]
    assert found["openai:little"]["times"] == {}, "nobody knows yet"
    assert found["embedded"]["times"]["ask"]["runs"] == 0, "an estimate"


def test_a_large_model_that_was_pulled_is_ready(settings: Settings, tmp_path: Path) -> None:
    pull_large(settings)
    with serving(tmp_path / "data", session=Session(settings=settings)) as client:
        assert models(client)["embedded:large"]["ready"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("openai:gpt-4o", "the model 'openai:gpt-4o' is not offered here"),
        ("hf:/etc/passwd", "the model 'hf:/etc/passwd' is not offered here"),
        ("embedded:plain", "the model 'embedded:plain' is not offered here"),
        ("embedded:large", "the model embedded:large is not on this server yet"),
    ],
)
def test_a_request_names_only_a_model_that_is_offered_and_here(
    client: TestClient, name: str, message: str
) -> None:
    for verb, body in (("ask", ASK), ("verify", {"text": "It rained.", "passages": ["It rained."]})):
        reply = client.post(f"/api/{verb}", json={**body, "model": name})
        assert (reply.status_code, reply.json()["error"]["message"]) == (400, message)
    assert client.get("/api/runs").json()["total"] == 0
    assert client.post("/api/ask", json={**ASK, "base_url": "http://elsewhere"}).status_code == 422


def test_the_session_of_a_choice_shares_the_budget_and_judges_by_itself(
    tmp_path: Path, settings: Settings
) -> None:
    pull_large(settings)
    with serving(tmp_path, session=Session(settings=settings)) as client:
        choices: ModelChoices = client.app.state.server.models  # type: ignore[attr-defined]
        own, chosen = choices.session(None), choices.session("embedded:large")
        assert choices.session("openai:little") is own
        assert choices.session("embedded:large") is chosen
        assert (chosen.model_name, chosen.settings.verdict_model) == ("embedded:large", "embedded:large")
        assert chosen.budget is own.budget


@pytest.mark.parametrize("session", [Session(settings=Settings(cache=False)), None])
def test_a_server_may_offer_its_own_model_alone(tmp_path: Path, session: Session | None) -> None:
    """Without a choice, or with a model that was given as an object."""
    with serving(tmp_path, session=session, choose_model=session is None) as client:
        (only,) = models(client)
        assert client.post("/api/ask", json={**ASK, "model": "embedded:large"}).status_code == 400
        assert only == ("embedded" if session is not None else "scripted")


def test_the_time_is_the_median_of_the_runs_that_were_not_answered_from_the_cache() -> None:
    runs = [run("embedded", 3.0), run("embedded", 9.0), run("embedded", 4.0), run("other", 60.0)]
    found = expected_time("ask", "embedded", [*runs, run("embedded", 0.01, cached=90)])
    assert found is not None
    assert (found.seconds, found.runs) == (4.0, 3)
    claims = expected_time("verify", "embedded", [run("embedded", 8.0, claims=4)])
    assert claims is not None
    assert claims.seconds == 2.0
    assert expected_time("ask", "unknown", runs) is None
