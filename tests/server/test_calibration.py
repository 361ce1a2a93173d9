"""Calibration over REST: drawn, answered by a run, labelled, guaranteed, lapsed; a test without labels."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from calibrated import ALPHA, SHIPS, TOWNS, asking, corpus
from fastapi.testclient import TestClient
from server_app import serving

from probative import Session
from probative.calibration.labels import calibrate
from probative.corpus.corpus import Corpus
from probative.server.base.options import Limits
from probative.server.state.catalog import Catalog

PATH = "/api/corpora/ships/calibration"
QUESTIONS = [f"In which town was the {ship} built?" for ship in SHIPS]

pytestmark = pytest.mark.model


@contextmanager
def served(folder: Path, opened: Session | None = None, limits: Limits | None = None) -> Iterator[TestClient]:
    with (
        opened or asking() as asked,
        Catalog({"ships": corpus(folder)}) as catalog,
        serving(folder / "data", session=asked, catalog=catalog, limits=limits) as client,
    ):
        yield client


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with served(tmp_path) as made:
        yield made


def state(client: TestClient) -> Any:
    return client.get(PATH).raise_for_status().json()


def ended(client: TestClient, run: str) -> Any:
    end = time.monotonic() + 120
    while time.monotonic() < end:
        found = client.get(f"/api/runs/{run}").raise_for_status().json()
        if found["state"] in ("done", "failed", "cancelled"):
            return found
        time.sleep(0.02)
    raise AssertionError("the run does not end")


def draw(client: TestClient, n: int = 12, **more: Any) -> Any:
    body = {"source": "given", "questions": QUESTIONS, "n": n, "alpha": ALPHA, **more}
    reply = client.post(PATH, json=body)
    assert reply.status_code == 202, reply.text
    return ended(client, reply.json()["id"])


def answers(client: TestClient) -> list[Any]:
    found: list[Any] = client.get(f"{PATH}/answers").raise_for_status().json()["answers"]
    return found


def put(client: TestClient, answer: Any, right: bool | None) -> Any:
    return client.put(f"{PATH}/labels", json={"mark": answer["mark"], "right": right})


def label_all(client: TestClient, wrong: int = 0) -> Any:
    for number, answer in enumerate(answers(client)):
        put(client, answer, number >= wrong).raise_for_status()
    return state(client)


def test_questions_are_drawn_answered_labelled_and_guaranteed(client: TestClient, tmp_path: Path) -> None:
    assert state(client)["draw"] is None
    assert state(client)["guarantee"] is None
    run = draw(client)
    assert (run["state"], run["verb"], run["title"]) == ("done", "calibrate", "Answers to label: ships")
    result = client.get(f"/api/runs/{run['id']}/result").json()
    assert (result["drawn"], result["pool"], result["counting"], result["failed"]) == (12, 12, 12, 0)
    rows = answers(client)
    assert sorted(row["question"] for row in rows) == sorted(QUESTIONS)
    town = dict(zip(QUESTIONS, TOWNS, strict=True))
    assert all(row["answer"] == town[row["question"]] for row in rows)
    assert all(row["cited"][0]["citation"].startswith(row["question"].split()[5]) for row in rows)
    # One label at a time: each reply says how many are missing.
    for left, row in zip(range(11, -1, -1), rows, strict=True):
        assert put(client, row, True).json()["draw"]["assessment"]["missing"] == left
    found = state(client)
    assert found["draw"]["assessment"]["kind"] == "guarantee"
    assert found["guarantee"]["text"].startswith(
        "at most 30% of supported answers to questions like the 12 drawn"
    )
    assert found["guarantee"]["lapse"] is None
    asked = client.post("/api/ask", json={"question": QUESTIONS[0], "corpus": "ships"}).json()
    assert asked["guarantee"] == {"alpha": ALPHA, "delta": 0.05, "n": 12, "kind": "given"}
    # The file is that of the command, which finds the same.
    file = tmp_path / "labels.jsonl"
    file.write_text(client.get(f"{PATH}/labels.jsonl").text, encoding="utf-8")
    with Corpus.open(tmp_path / "index", vectors=False) as ships:
        assert calibrate(ships, file, alpha=ALPHA).limit == found["guarantee"]["limit"]


def test_a_label_that_is_taken_back_takes_the_guarantee_with_it(client: TestClient) -> None:
    draw(client)
    label_all(client)
    first = answers(client)[0]
    found = put(client, first, None).json()
    assert (found["guarantee"], found["draw"]["assessment"]["missing"]) == (None, 1)
    assert put(client, first, True).json()["guarantee"] is not None
    assert put(client, first, False).json()["draw"]["assessment"]["wrong"] == 1


def test_labels_outlive_the_server(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        draw(client)
        rows = answers(client)
        put(client, rows[0], False)
        put(client, rows[5], True)
    with served(tmp_path) as client:
        assert [row["right"] for row in answers(client)] == [
            {0: False, 5: True}.get(number) for number in range(12)
        ]
        assert state(client)["draw"]["assessment"]["labelled"] == 2


def test_more_questions_keep_the_labels(client: TestClient) -> None:
    draw(client, n=5)
    few = label_all(client)["draw"]["assessment"]
    # 0.7^9 is the first power below 0.05.
    assert (few["kind"], few["needed"], few["missing"], few["labelled"]) == ("none", 9, 4, 5)
    before = {row["question"] for row in answers(client)}
    assert client.post(f"{PATH}/more", json={"n": 4}).status_code == 400
    ended(client, client.post(f"{PATH}/more", json={"n": 10}).json()["id"])
    rows = answers(client)
    assert {row["question"] for row in rows if row["right"]} == before
    assert len(rows) == 10
    assert label_all(client)["guarantee"] is not None


def test_what_is_guaranteed_is_chosen_before_the_first_label(client: TestClient) -> None:
    draw(client)
    chosen = client.patch(PATH, json={"alpha": 0.4, "delta": 0.1}).json()["draw"]
    assert (chosen["alpha"], chosen["delta"], chosen["assessment"]["needed"]) == (0.4, 0.1, 5)
    put(client, answers(client)[0], True)
    assert client.patch(PATH, json={"alpha": 0.2, "delta": 0.1}).status_code == 409
    assert client.patch(PATH, json={"alpha": 0.4, "delta": 0.1}).status_code == 200


def test_a_stopped_draw_goes_on_where_it_stopped(tmp_path: Path) -> None:
    seen: list[int] = []
    gate, half = threading.Event(), threading.Event()

    def wait() -> None:
        seen.append(1)
        if len(seen) > 6:
            half.set()
            gate.wait(60)

    with served(tmp_path, asking(wait)) as client:
        run = client.post(PATH, json={"source": "given", "questions": QUESTIONS, "alpha": ALPHA}).json()["id"]
        assert half.wait(60)
        assert state(client)["run"]["id"] == run
        assert client.post(f"{PATH}/test", json={}).status_code == 409
        assert client.delete(PATH).status_code == 409
        client.post(f"/api/runs/{run}/cancel", json={})
        gate.set()
        assert ended(client, run)["state"] == "cancelled"
        found = state(client)
        assert (found["run"], found["draw"]["assessment"]) == (None, None)
        row = {"mark": "0" * 16}
        assert put(client, row, True).status_code == 409
        again = client.post(f"{PATH}/more", json={})
        assert ended(client, again.json()["id"])["state"] == "done"
        assert len(answers(client)) == 12


def test_documents_that_change_end_the_draw_and_the_guarantee(tmp_path: Path) -> None:
    from probative import index_folder

    with served(tmp_path) as client:
        draw(client)
        assert label_all(client)["guarantee"]["lapse"] is None
    (tmp_path / "ships" / "Knot.txt").write_text("The Knot was built in Riga.", encoding="utf-8")
    index_folder(tmp_path / "ships", tmp_path / "index", vectors=False)
    with (
        asking() as asked,
        Catalog({"ships": Corpus.open(tmp_path / "index", vectors=False)}) as catalog,
        serving(tmp_path / "data", session=asked, catalog=catalog) as client,
    ):
        found = state(client)
        assert found["draw"]["changed"]
        assert found["guarantee"]["lapse"]["why"] == "the documents have changed"
        assert state(client)["guarantee"]["lapse"] == found["guarantee"]["lapse"], "noticed once"
        assert put(client, answers(client)[0], False).status_code == 409
        assert client.post(f"{PATH}/more", json={}).status_code == 409
        assert client.delete(PATH).status_code == 204
        assert (state(client)["draw"], answers(client)) == (None, [])
        assert draw(client)["state"] == "done"


def test_a_guarantee_lapses_with_another_model_and_holds_again_with_the_first(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        draw(client)
        label_all(client)
    with served(tmp_path, asking(fingerprint="scripted:another")) as client:
        assert state(client)["guarantee"]["lapse"]["why"] == "the model is another one"
    with served(tmp_path) as client:
        assert state(client)["guarantee"]["lapse"] is None


def test_the_questions_asked_so_far_are_drawn_each_once(client: TestClient) -> None:
    refused = client.post(PATH, json={"source": "asked"})
    assert (refused.status_code, refused.json()["error"]["message"]) == (
        400,
        "no question was asked of this corpus yet",
    )
    for question in (*QUESTIONS[:3], QUESTIONS[0]):
        client.post("/api/ask", json={"question": question, "corpus": "ships"}).raise_for_status()
    client.post("/api/ask", json={"question": QUESTIONS[5], "passages": ["The Plover is a ship."]})
    turns = [{"question": QUESTIONS[0], "answer": "Molde"}]
    client.post("/api/ask", json={"question": QUESTIONS[6], "corpus": "ships", "history": turns})
    assert state(client)["asked"] == 3
    draw(client, source="asked", questions=None)
    assert sorted(row["question"] for row in answers(client)) == sorted(QUESTIONS[:3])


def test_marks_on_answers_of_ones_choice_are_shown_as_a_test(client: TestClient) -> None:
    for question, right in ((QUESTIONS[0], True), (QUESTIONS[1], False), (QUESTIONS[2], True)):
        run = client.post("/api/ask", json={"question": question, "corpus": "ships"}).headers["Probative-Run"]
        client.put(f"/api/runs/{run}/marks", json={"right": right}).raise_for_status()
    found = state(client)
    assert (found["marks"]["hits"], found["marks"]["n"]) == (2, 3)
    assert found["guarantee"] is None


def test_claims_of_the_documents_are_tested_without_labels(client: TestClient) -> None:
    reply = client.post(f"{PATH}/test", json={"n": 6})
    assert reply.status_code == 202
    run = ended(client, reply.json()["id"])
    assert (run["state"], run["title"]) == ("done", "Test of claims: ships")
    test = state(client)["self_test"]
    assert client.get(f"/api/runs/{run['id']}/result").json()["made"] == len(test["claims"])
    assert (test["index"], test["believed"]["n"]) == ("ships", test["believed"]["hits"])
    assert len(test["curve"]) == 7


def test_what_cannot_be_done_is_refused(client: TestClient) -> None:
    assert client.get("/api/corpora/none/calibration").status_code == 404
    assert client.post(PATH, json={"source": "given"}).status_code == 400
    assert client.post(PATH, json={"source": "given", "questions": QUESTIONS, "alpha": 1}).status_code == 422
    assert client.post(PATH, json={"source": "made", "n": 0}).status_code == 422
    assert client.delete(PATH).status_code == 404
    assert client.post(f"{PATH}/more", json={}).status_code == 404
    assert client.get(f"{PATH}/labels.jsonl").status_code == 404
    run = draw(client)
    assert client.post(PATH, json={"source": "given", "questions": QUESTIONS}).status_code == 409
    assert put(client, {"mark": "0" * 16}, True).status_code == 404
    assert client.get(f"/api/runs/{run['id']}/export.json").status_code == 404
    assert client.get(f"/api/runs/{run['id']}/sources").json() == {"sources": []}
    listed = client.get("/api/runs", params={"verb": "calibrate"}).json()
    assert [each["id"] for each in listed["runs"]] == [run["id"]]


def test_no_reply_names_a_folder_of_the_server(client: TestClient, tmp_path: Path) -> None:
    run = draw(client)
    label_all(client)
    ended(client, client.post(f"{PATH}/test", json={"n": 3}).json()["id"])
    for path in (PATH, f"{PATH}/answers", f"/api/runs/{run['id']}", f"/api/runs/{run['id']}/result"):
        assert str(tmp_path) not in json.dumps(client.get(path).json())


def test_the_labels_of_a_corpus_that_was_made_here_go_and_come_back_with_it(tmp_path: Path) -> None:
    with (
        asking() as asked,
        Catalog({}) as catalog,
        serving(tmp_path, session=asked, catalog=catalog) as client,
    ):
        made = client.post("/api/corpora", json={"name": "ships"}).json()
        for ship, town in zip(SHIPS, TOWNS, strict=True):
            client.post(
                f"/api/corpora/ships/documents?source={ship}.txt",
                content=f"The {ship} was built in {town} by two brothers.\n".encode(),
                headers={"Content-Type": "application/octet-stream"},
            ).raise_for_status()
        end = time.monotonic() + 120
        while client.get("/api/corpora/ships").json()["indexing"] and time.monotonic() < end:
            time.sleep(0.02)
        draw(client)
        put(client, answers(client)[0], True)
        client.patch("/api/corpora/ships", json={"name": "boats"})
        assert client.get("/api/corpora/boats/calibration").json()["draw"]["assessment"]["labelled"] == 1
        client.delete("/api/corpora/boats")
        assert client.get("/api/corpora/boats/calibration").status_code == 404
        client.post(f"/api/corpora/{made['id']}/restore")
        assert client.get("/api/corpora/boats/calibration").json()["draw"]["assessment"]["labelled"] == 1
