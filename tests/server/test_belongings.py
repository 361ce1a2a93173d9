"""Marks and threads of a corpus: deleted with it, had back with it, removed with it, exported with it."""

from __future__ import annotations

import io
import json
import sqlite3
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from calibrated import asking
from fastapi.testclient import TestClient
from server_app import serving

from probative.server.runs.belongings import TABLES
from probative.server.runs.store import RunStore
from probative.server.state.catalog import Catalog
from probative.server.state.server_state import ServerState

QUESTION = "In which town was the Heron built?"
HERON = "The Heron was built in Bergen by two brothers.\n"

pytestmark = pytest.mark.model


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with (
        asking() as session,
        Catalog({}) as catalog,
        serving(tmp_path, session=session, catalog=catalog) as made,
    ):
        for name in ("ships", "others"):
            make(made, name)
        yield made


def make(client: TestClient, name: str) -> None:
    client.post("/api/corpora", json={"name": name}).raise_for_status()
    headers = {"Content-Type": "application/octet-stream"}
    path = f"/api/corpora/{name}/documents?source=2025/heron.txt"
    client.post(path, content=HERON.encode(), headers=headers).raise_for_status()
    end = time.monotonic() + 120
    while client.get(f"/api/corpora/{name}").json()["indexing"] and time.monotonic() < end:
        time.sleep(0.02)


def marked_thread(client: TestClient, corpus: str) -> str:
    """Return the id of a thread over a corpus whose answer is marked as right."""
    asked = client.post("/api/ask", json={"question": QUESTION, "corpus": corpus}).raise_for_status()
    run = asked.headers["Probative-Run"]
    client.put(f"/api/runs/{run}/marks", json={"right": True}).raise_for_status()
    return str(client.post("/api/threads", json={"run": run}).raise_for_status().json()["id"])


def threads(client: TestClient) -> list[str]:
    listed = client.get("/api/threads").json()["threads"]
    return [thread["id"] for thread in listed if thread["deleted"] is None]


def marks(client: TestClient) -> int:
    return len(client.get("/api/marks.jsonl").text.splitlines())


def test_they_go_with_their_corpus_and_come_back_with_it(client: TestClient) -> None:
    ours, theirs = marked_thread(client, "ships"), marked_thread(client, "others")
    identity = client.get("/api/corpora/ships").json()["id"]
    client.patch("/api/corpora/ships", json={"name": "boats"}).raise_for_status()  # found by the old name
    assert (set(threads(client)), marks(client)) == ({ours, theirs}, 2)
    assert len(client.get("/api/marks.jsonl?corpus=boats").text.splitlines()) == 1
    client.delete("/api/corpora/boats").raise_for_status()
    assert (threads(client), marks(client)) == ([theirs], 1)
    client.post(f"/api/corpora/{identity}/restore").raise_for_status()
    assert (set(threads(client)), marks(client)) == ({ours, theirs}, 2)


def test_a_thread_that_was_deleted_before_its_corpus_stays_deleted(client: TestClient) -> None:
    ours = marked_thread(client, "ships")
    identity = client.get("/api/corpora/ships").json()["id"]
    client.delete(f"/api/threads/{ours}").raise_for_status()
    client.delete("/api/corpora/ships").raise_for_status()
    client.post(f"/api/corpora/{identity}/restore").raise_for_status()
    assert (threads(client), marks(client)) == ([], 1)


def test_after_a_day_they_are_removed_for_good(client: TestClient, tmp_path: Path) -> None:
    marked_thread(client, "ships")
    client.delete("/api/corpora/ships").raise_for_status()
    state: ServerState = client.app.state.server  # type: ignore[attr-defined]
    tomorrow = datetime.now(UTC) + timedelta(hours=25)
    state.store.threads.clean(tomorrow)
    state.store.belongings.forget(state.library.clean(tomorrow))
    state.store.close()
    with closing(sqlite3.connect(tmp_path / "runs.sqlite")) as db:
        for table in (*TABLES, "turns"):
            assert db.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table


def test_a_corpus_is_exported_with_its_files_marks_threads_and_labels(client: TestClient) -> None:
    marked_thread(client, "ships")
    marked_thread(client, "others")
    drawn = {"source": "given", "questions": [QUESTION], "alpha": 0.5, "delta": 0.5}
    run = client.post("/api/corpora/ships/calibration", json=drawn).json()["id"]
    client.get(f"/api/runs/{run}/events")
    reply = client.get("/api/corpora/ships/export.zip").raise_for_status()
    with zipfile.ZipFile(io.BytesIO(reply.content)) as packed:
        files = {name: packed.read(name).decode() for name in packed.namelist()}
    thread = "threads/001-In-which-town-was-the-Heron-built"
    assert set(files) == {
        "documents/2025/heron.txt",
        "marks-ask.jsonl",
        f"{thread}.md",
        f"{thread}.json",
        "labels.jsonl",
    }
    assert files["documents/2025/heron.txt"] == HERON
    row: Any = json.loads(files["marks-ask.jsonl"])
    assert (row["answer"], row["right"]) == ("Bergen", True)
    assert "Bergen" in files[f"{thread}.md"]
    assert client.get("/api/corpora/none/export.zip").status_code == 404


def test_a_file_of_runs_of_an_earlier_version_is_brought_up_to_date(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    RunStore(file).close()
    with closing(sqlite3.connect(file)) as db:
        for table in TABLES:
            db.execute(f"ALTER TABLE {table} DROP COLUMN gone_with")
        db.execute("PRAGMA user_version=5")
        db.commit()
    store = RunStore(file)
    assert store.belongings.runs() == []
    store.belongings.come_back("0" * 16)
    assert store.marks.runs("ask") == []
    store.close()
