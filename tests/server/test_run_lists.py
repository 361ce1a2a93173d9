"""`GET /api/runs`: filters, pages, and runs that are deleted for good."""

from __future__ import annotations

import json
import sqlite3
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from server_app import scripted_session, serving

from probative import registry
from probative.errors import StoreError
from probative.scope.result import Level
from probative.server.base.options import Limits
from probative.server.runs.run import Run, RunState, VerbName, now
from probative.server.runs.search import RunFilter
from probative.server.runs.store import RunStore
from probative.testing import ScriptedModel


def keep(
    store: RunStore, title: str, verb: VerbName = "ask", state: RunState = RunState.DONE, **fields: Any
) -> str:
    """Keep a run as if a server had done it; its id is made of its title."""
    identity = "".join(
        character if character.isascii() and character.isalnum() else "-" for character in title
    )
    run = Run(id=identity, verb=verb, title=title, state=RunState.QUEUED, created=now())
    store.add(run, {"question": title})
    if state.is_final:
        store.finish(run.model_copy(update={"state": state, **fields}), json.dumps({"answer": title}))
    return identity


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with serving(tmp_path) as client:
        store = client.app.state.server.store  # type: ignore[attr-defined]
        keep(store, "Where was the Heron built?", verdict="supported")
        keep(store, "Who paid 100% of the mill?", verdict="insufficient")
        keep(store, "Wer wohnt in der STRASSE?", state=RunState.FAILED)
        keep(store, "Herbs ease pain", "reason", verdict="extrapolated")
        keep(store, "A report", "verify", counts={"supported": 3, "contradicted": 1, "insufficient": 0})
        keep(store, "The heron is of Ålesund", "judge", verdict="contradicted")
        yield client


def listed(client: TestClient, **query: Any) -> list[str]:
    reply = client.get("/api/runs", params=query)
    assert reply.status_code == 200, reply.text
    page = reply.json()
    titles = [run["title"].split()[-1] for run in page["runs"]]
    assert page["next"] is not None or "before" in query or page["total"] == len(titles)
    return titles


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, ["Ålesund", "report", "pain", "STRASSE?", "mill?", "built?"]),
        ({"verb": "ask"}, ["STRASSE?", "mill?", "built?"]),
        ({"state": "failed"}, ["STRASSE?"]),
        ({"state": "queued"}, []),
        ({"verdict": "extrapolated"}, ["pain"]),
        ({"verdict": "contradicted"}, ["Ålesund", "report"]),
        ({"verdict": "insufficient"}, ["mill?"]),
        ({"level": "contradicted"}, ["Ålesund", "report"]),
        ({"level": "supported"}, ["report", "built?"]),
        ({"level": "probable"}, []),
        ({"text": "HERON"}, ["Ålesund", "built?"]),
        ({"text": "  built   heron "}, ["built?"]),
        ({"text": "straße"}, ["STRASSE?"]),
        ({"text": "åLESUND"}, ["Ålesund"]),
        ({"text": "100%"}, ["mill?"]),
        ({"text": "1%"}, []),
        ({"text": "_"}, []),
        ({"text": "' OR 1=1 --"}, []),
        ({"text": "heron", "verb": "judge", "verdict": "contradicted", "state": "done"}, ["Ålesund"]),
    ],
)
def test_each_filter_finds_what_fits(client: TestClient, query: dict[str, str], found: list[str]) -> None:
    assert listed(client, **query) == found


def test_answers_are_found_by_their_level_and_by_their_verdict(client: TestClient) -> None:
    store = client.app.state.server.store  # type: ignore[attr-defined]
    for level, verdict in (
        (Level.PROBABLE, "insufficient"),
        (Level.NOT_FOUND, "insufficient"),
        (Level.DISPUTED, "contradicted"),
        (Level.SUPPORTED, "supported"),
    ):
        keep(store, f"It is {level}", verdict=verdict, level=level)
    assert [listed(client, level=level) for level in ("probable", "not_found", "disputed")] == [
        ["probable"],
        ["not_found"],
        ["disputed"],
    ]
    assert listed(client, level="supported") == ["supported", "report", "built?"]
    # What has a level is not found by the words of a claim's verdict.
    assert listed(client, level="contradicted") == ["Ålesund", "report"]
    assert listed(client, verdict="contradicted") == ["disputed", "Ålesund", "report"]
    assert listed(client, verdict="insufficient") == ["not_found", "probable", "mill?"]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"state": "asleep"}, "state must be 'queued', 'running', 'done', 'failed' or 'cancelled'"),
        ({"verdict": "perhaps"}, "verdict must be 'supported', "),
        ({"level": "perhaps"}, "level must be 'supported', "),
        ({"verb": "sing"}, "there is no verb 'sing': the verbs are ask, "),
        ({"limit": "0"}, "limit must be at least 1"),
        ({"text": "x" * 201}, "text must have at most 200 characters"),
        ({"before": "~x"}, "before: "),
    ],
)
def test_a_filter_that_cannot_be_is_refused_with_its_reason(
    client: TestClient, query: dict[str, str], message: str
) -> None:
    reply = client.get("/api/runs", params=query)
    error = reply.json()["error"]
    assert (reply.status_code, error["field"]) == (422, next(iter(query)))
    assert error["message"].startswith(message)


def test_pages_go_on_even_if_the_last_run_of_a_page_is_deleted(client: TestClient) -> None:
    first = client.get("/api/runs", params={"limit": 2, "verb": "ask"}).json()
    assert (len(first["runs"]), first["total"]) == (2, 3)
    assert client.delete(f"/api/runs/{first['runs'][-1]['id']}").status_code == 204
    second = client.get("/api/runs", params={"limit": 2, "verb": "ask", "before": first["next"]}).json()
    assert [run["title"] for run in second["runs"]] == ["Where was the Heron built?"]
    assert (second["next"], second["total"]) == (None, 2)
    # An id serves as well, as long as its run is there.
    third = client.get("/api/runs", params={"before": second["runs"][0]["id"]}).json()
    assert (third["runs"], third["total"]) == ([], 5)
    assert client.get("/api/runs", params={"before": first["runs"][-1]["id"]}).status_code == 404


def test_runs_that_work_and_wait_are_found_by_the_state_of_now(tmp_path: Path) -> None:
    goes_on, begun = threading.Event(), threading.Event()

    def wait(_: Any) -> str:
        begun.set()
        goes_on.wait(120)
        return "[1]"

    session = scripted_session(model=ScriptedModel(generate=wait))
    with serving(tmp_path, session=session, limits=Limits(runs_at_once=1)) as client:
        for claim in ("First.", "Second."):
            body = {"claim": claim, "sentences": ["The Heron was built in Molde."]}
            client.post("/api/annotate", json=body, headers={"Prefer": "respond-async"})
        try:
            assert begun.wait(120)
            assert listed(client, state="running") == ["First."]
            assert listed(client, state="queued") == ["Second."]
            assert listed(client, state="queued", text="first") == []
            assert listed(client, state="done") == []
        finally:
            goes_on.set()


def test_a_deleted_run_leaves_nothing_in_the_files(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "runs.sqlite")
    # Words of the title, and a request that is found as it is packed.
    secret = keep(store, "The password is zirconium")
    packed = zlib.compress(json.dumps({"question": "The password is zirconium"}).encode(), 3)
    keep(store, "Another one")

    def traces() -> list[bytes]:
        found = [file.read_bytes() for file in tmp_path.glob("runs.sqlite*")]
        return [name for name in (b"zirconium", packed[4:]) if any(name in data for data in found)]

    assert len(traces()) == 2
    store.delete(secret)
    assert traces() == []
    assert [run.title for run in store.newest(5).runs] == ["Another one"]
    store.close()
    assert traces() == []


def test_a_failure_to_forget_is_told_and_no_other_run_is_harmed(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "runs.sqlite")
    identity = keep(store, "One")
    goes_on = threading.Event()
    held = store._db.later(lambda db: goes_on.wait(120))
    other = store._db.later(lambda db: db.execute("UPDATE runs SET words = words || '!'") and 1)

    def never(db: sqlite3.Connection) -> None:
        db.set_authorizer(
            lambda action, *_: sqlite3.SQLITE_DENY if action == sqlite3.SQLITE_PRAGMA else sqlite3.SQLITE_OK
        )

    failing = store._db.later(never, forget=True)
    goes_on.set()
    assert held.result(120)
    assert other.result(120) == 1
    with pytest.raises(StoreError, match="may still be in the file"):
        failing.result(120)
    store._db.do(lambda db: db.set_authorizer(None))
    assert store._row(identity, "words") == ("one!",)  # written once
    store.close()


def test_a_file_of_the_version_before_is_brought_up_to_date(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    store = RunStore(file)
    keep(store, "The Heron", verdict="supported")
    store.close()
    with sqlite3.connect(file) as db:
        db.execute("DROP INDEX runs_for_lists")
        db.execute("ALTER TABLE runs DROP COLUMN words")
        db.execute("ALTER TABLE runs DROP COLUMN verdicts")
        db.execute("PRAGMA user_version=2")
    db.close()
    again = RunStore(file)
    found = again.newest(5, RunFilter(text="heron", verdict="supported"))
    assert ([run.title for run in found.runs], found.total) == (["The Heron"], 1)
    again.close()
    with sqlite3.connect(file) as db:
        db.execute("PRAGMA user_version=99")
    db.close()
    with pytest.raises(StoreError, match=r"another version \(99\)"):
        RunStore(file)


@pytest.mark.parametrize("version", [3, 6])
def test_answers_that_were_kept_before_are_found_by_their_level(tmp_path: Path, version: int) -> None:
    file = tmp_path / "runs.sqlite"
    store = RunStore(file)
    keep(store, "The Heron", verdict="insufficient", level="probable")
    store.close()
    with sqlite3.connect(file) as db:
        db.execute("UPDATE runs SET verdicts = ' insufficient '")
        db.execute(f"PRAGMA user_version={version}")
    db.close()
    again = RunStore(file)
    assert again.newest(5, RunFilter(level="probable")).total == 1
    assert again.newest(5, RunFilter(verdict="insufficient")).total == 1
    again.close()


def test_a_run_of_our_own_verbs_asks_no_installed_package(monkeypatch: pytest.MonkeyPatch) -> None:
    def listed(group: str) -> list[Any]:
        raise AssertionError("every request would read the plug-ins of all packages")

    monkeypatch.setattr(registry, "entry_points", listed)
    for verb in ("ask", "calibrate"):
        assert Run(id="a", verb=verb, title="", state=RunState.RUNNING, created=now()).verb == verb
    monkeypatch.undo()
    with pytest.raises(ValueError, match="there is no verb 'sing': the verbs are ask, "):
        Run(id="a", verb="sing", title="", state=RunState.RUNNING, created=now())
