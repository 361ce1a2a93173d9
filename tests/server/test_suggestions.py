"""Suggested questions: written by the model, asked, and kept with the index while the documents stay."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from server_app import serving
from small_corpus import write
from word_vectors import WordVectors

from probative import Session, index_folder
from probative.corpus.corpus import Corpus
from probative.models.evidence_policy import PolicyScores
from probative.models.types import Request
from probative.models.verdict import VerdictItem, VerdictScores
from probative.server.state import suggestions
from probative.server.state.catalog import Catalog
from probative.server.state.suggestions import MOST, SuggestionMaker
from probative.settings import Settings
from probative.testing import ScriptedModel, ScriptedPolicy, ScriptedVerdict

SHIPS = ("Heron", "Tern", "Grebe", "Gull", "Skua", "Auk", "Puffin")
FILES = {f"{ship.lower()}.txt": f"The {ship} was built in Molde." for ship in SHIPS}
UNSUPPORTED = "Heron"

pytestmark = pytest.mark.model


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suggestions, "PAUSE", 0.01)


class Ships:
    """A model that asks where the ship of a passage was built, and knows it."""

    def __init__(self) -> None:
        self.written = 0

    def __call__(self, request: Request) -> str:
        prompt = request.messages[-1].content
        if "Write one question" not in prompt:
            return "Molde [1]"
        self.written += 1
        return f"Where was the {next(ship for ship in SHIPS if f'The {ship}' in prompt)} built?"


def session(model: Ships | None = None, name: str = "scripted") -> Session:
    """Return a session that supports each answer but that about one ship."""

    def judge(item: VerdictItem) -> VerdictScores:
        sure = 0.05 if UNSUPPORTED in item.claim else 0.95
        return VerdictScores(sure, 0.01, 0.99 - sure, (1.0,) * len(item.evidence))

    def read(request: Request) -> dict[str, float]:
        return {"Molde": 0.95, "unknown": 0.02}

    writer = model or Ships()
    return Session(
        ScriptedModel(generate=writer, alternatives=read, reader=True, name=name),
        policy=ScriptedPolicy(lambda state: PolicyScores((1.0,) * len(state.candidates), 9.0, -9.0)),
        verdict=ScriptedVerdict(judge),
        encoder=WordVectors(),
        settings=Settings(cache=False),
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "ships", FILES)


@pytest.fixture
def catalog(folder: Path) -> Iterator[Catalog]:
    with Catalog({"ships": Corpus.open(folder, vectors=False)}) as opened:
        yield opened


def made(client: TestClient) -> dict[str, Any]:
    limit = time.monotonic() + 120
    while time.monotonic() < limit:
        found: dict[str, Any] = client.get("/api/corpora/ships/suggestions").raise_for_status().json()
        if not found["making"]:
            return found
        time.sleep(0.02)
    raise AssertionError("the suggestions are not made")


def test_at_most_five_are_suggested_and_only_supported_ones(catalog: Catalog, tmp_path: Path) -> None:
    with serving(tmp_path / "data", session=session(), catalog=catalog, suggest=True) as client:
        questions = made(client)["questions"]
        runs = client.get("/api/runs").json()["total"]
        assert client.get("/api/corpora/none/suggestions").status_code == 404
    asked = {f"Where was the {ship} built?" for ship in SHIPS if ship != UNSUPPORTED}
    assert len(questions) == MOST == len(asked.intersection(questions))
    assert runs == 0, "they are not in the history"


def test_they_are_kept_with_the_index_and_made_again_when_the_documents_change(
    folder: Path, tmp_path: Path
) -> None:
    first, second, third = Ships(), Ships(), Ships()
    index = tmp_path / "ships.index"
    index_folder(folder, index, vectors=False)
    with (
        Catalog({"ships": Corpus.open(index)}) as catalog,
        serving(tmp_path / "data", session=session(first), catalog=catalog, suggest=True) as client,
    ):
        questions = made(client)["questions"]
    with (
        Catalog({"ships": Corpus.open(index)}) as catalog,
        serving(tmp_path / "data", session=session(second), catalog=catalog, suggest=True) as client,
    ):
        assert made(client)["questions"] == questions
    assert (first.written, second.written) == (len(SHIPS), 0)
    for file in folder.iterdir():
        if "tern" not in file.name:
            file.unlink()
    index_folder(folder, index, vectors=False)
    with (
        Catalog({"ships": Corpus.open(index)}) as catalog,
        serving(tmp_path / "data", session=session(third), catalog=catalog, suggest=True) as client,
    ):
        assert made(client)["questions"] == ["Where was the Tern built?"]


@pytest.mark.parametrize(("name", "suggest"), [("embedded", True), ("scripted", False)])
def test_a_small_model_and_a_server_that_was_not_asked_to_make_none(
    catalog: Catalog, tmp_path: Path, name: str, suggest: bool
) -> None:
    model = Ships()
    opened = session(model, name)
    with serving(tmp_path / "data", session=opened, catalog=catalog, suggest=suggest) as client:
        found = client.get("/api/corpora/ships/suggestions").json()
    assert found == {"questions": [], "making": False}
    assert model.written == 0


def test_nothing_is_made_while_somebody_asks_and_it_goes_on_afterwards(catalog: Catalog) -> None:
    idle = [False]
    model = Ships()
    with session(model) as opened:
        maker = SuggestionMaker(opened, catalog, lambda: idle[0])
        maker.start()
        time.sleep(0.1)
        assert (maker.of("ships"), model.written) == (None, 0)
        idle[0] = True
        limit = time.monotonic() + 120
        while maker.of("ships") is None and time.monotonic() < limit:
            time.sleep(0.02)
            idle[0] = not idle[0] or model.written < len(SHIPS)
        idle[0] = True
        while maker.of("ships") is None and time.monotonic() < limit:
            time.sleep(0.02)
        maker.close()
        found = maker.of("ships")
    assert found is not None
    assert len(found.questions) == MOST
    assert model.written == len(SHIPS), "what was written is not written again"


def test_who_comes_while_questions_are_written_waits_for_one_of_them(catalog: Catalog) -> None:
    model = Ships()
    with session(model) as opened:
        maker = SuggestionMaker(opened, catalog, lambda: model.written < 3)
        maker.start()
        limit = time.monotonic() + 120
        while model.written < 3 and time.monotonic() < limit:
            time.sleep(0.01)
        time.sleep(0.2)
        assert (model.written, maker.of("ships")) == (3, None)
        maker.close()


def test_a_model_that_fails_leaves_a_corpus_without_suggestions(catalog: Catalog, tmp_path: Path) -> None:
    def fail(request: Request) -> str:
        raise RuntimeError("no memory")

    with (
        Session(ScriptedModel(generate=fail), settings=Settings(cache=False)) as opened,
        serving(tmp_path / "data", session=opened, catalog=catalog, suggest=True) as client,
    ):
        assert made(client)["questions"] == []
