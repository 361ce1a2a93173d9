"""Marks of answers and claims: put, taken back, kept with their run, exported for `calibrate`."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from server_app import serving
from small_corpus import write
from word_vectors import WordVectors

from probative import Session
from probative.calibration.labels import calibrate
from probative.corpus.corpus import Corpus
from probative.models.verdict import VerdictScores
from probative.server.runs.store import RunStore
from probative.server.state.catalog import Catalog
from probative.settings import Settings
from probative.testing import ScriptedModel, ScriptedVerdict

QUESTION = {"question": "Where was the Heron built?", "method": "rag", "corpus": "ships"}
PASSAGES = ["The Heron was built in Molde.", "It rained in May."]

pytestmark = pytest.mark.model


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    folder = write(tmp_path / "ships", {"heron.txt": PASSAGES[0], "weather.txt": PASSAGES[1]})
    verdict = ScriptedVerdict(lambda item: VerdictScores(0.9, 0.05, 0.05, (1.0,) * len(item.evidence)))
    with (
        Session(
            ScriptedModel(generate="Molde [1]"),
            verdict=verdict,
            encoder=WordVectors(),
            settings=Settings(cache=False),
        ) as session,
        Catalog({"ships": Corpus.open(folder, vectors=False)}) as catalog,
        serving(tmp_path / "data", session=session, catalog=catalog) as made,
    ):
        yield made


def asked(client: TestClient, **more: Any) -> str:
    return client.post("/api/ask", json={**QUESTION, **more}).raise_for_status().headers["Probative-Run"]


def verified(client: TestClient) -> str:
    body = {"text": "The Heron was built in Molde. It rained in May.", "passages": PASSAGES}
    return client.post("/api/verify", json=body).raise_for_status().headers["Probative-Run"]


def mark(client: TestClient, run: str, right: bool | None, claim: int | None = None) -> Any:
    return client.put(f"/api/runs/{run}/marks", json={"right": right, "claim": claim})


def exported(client: TestClient, **query: str) -> list[dict[str, Any]]:
    reply = client.get("/api/marks.jsonl", params=query).raise_for_status()
    return [json.loads(line) for line in reply.text.splitlines()]


def test_an_answer_is_marked_marked_otherwise_and_the_mark_taken_back(client: TestClient) -> None:
    run = asked(client)
    assert client.get(f"/api/runs/{run}/marks").json() == {"marks": []}
    assert mark(client, run, True).json() == {"marks": [{"claim": None, "right": True}]}
    assert mark(client, run, False).json() == {"marks": [{"claim": None, "right": False}]}
    assert client.get(f"/api/runs/{run}/marks").json() == {"marks": [{"claim": None, "right": False}]}
    assert mark(client, run, None).json() == {"marks": []}


def test_each_claim_of_a_verification_has_its_own_mark(client: TestClient) -> None:
    run = verified(client)
    mark(client, run, False, claim=1)
    assert mark(client, run, True, claim=0).json()["marks"] == [
        {"claim": 0, "right": True},
        {"claim": 1, "right": False},
    ]
    rows = exported(client, verb="verify")
    assert [(row["id"], row["right"]) for row in rows] == [(f"{run}-0", True), (f"{run}-1", False)]
    assert (rows[0]["claim"], rows[0]["verdict"]) == ("The Heron was built in Molde.", "supported")
    assert PASSAGES[0] in [each["text"] for each in rows[0]["cited"]]


def test_what_cannot_be_marked_is_refused(client: TestClient) -> None:
    run, text = asked(client), verified(client)
    judged = client.post("/api/judge", json={"claim": "It rained.", "evidence": "It rained."})
    assert mark(client, run, True, claim=0).status_code == 409
    assert mark(client, text, True).status_code == 404
    assert mark(client, text, True, claim=2).status_code == 404
    assert mark(client, judged.headers["Probative-Run"], True).status_code == 409
    assert mark(client, "missing-run", True).status_code == 404
    assert client.get("/api/runs/missing-run/marks").status_code == 404
    assert client.put(f"/api/runs/{run}/marks", json={"right": "yes"}).status_code == 422
    assert exported(client) == []


def test_marks_are_a_file_of_labels_that_calibrate_reads(client: TestClient, tmp_path: Path) -> None:
    first, second = asked(client), asked(client, question="In which town was the Heron built?")
    elsewhere = asked(client, corpus=None, passages=PASSAGES)
    for run, right in ((first, True), (second, False), (elsewhere, True)):
        mark(client, run, right)
    assert [row["id"] for row in exported(client)] == [first, second, elsewhere]
    rows = exported(client, corpus="ships")
    assert [(row["question"], row["answer"], row["right"]) for row in rows] == [
        (QUESTION["question"], "Molde", True),
        ("In which town was the Heron built?", "Molde", False),
    ]
    file = tmp_path / "marks.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    with Corpus.open(tmp_path / "ships", vectors=False) as corpus:
        result = calibrate(corpus, file)
    assert (result.kind, result.questions, result.labelled, result.wrong) == ("test", 2, 2, 1)


def test_a_mark_goes_with_its_run(client: TestClient, tmp_path: Path) -> None:
    run, other = asked(client), asked(client)
    mark(client, run, True)
    mark(client, other, True)
    client.delete(f"/api/runs/{run}")
    assert [row["id"] for row in exported(client)] == [other]


def test_a_file_of_runs_without_marks_is_brought_up_to_date(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    RunStore(file).close()
    with closing(sqlite3.connect(file)) as db:
        db.executescript("DROP TABLE marks; PRAGMA user_version=4")
    store = RunStore(file)
    assert store.marks.runs("ask") == []
    store.close()
