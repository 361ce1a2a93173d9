"""`/api/bench`: reports by name, never by path."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from server_app import serving

from probative.bench.reports import ReportIndex

KEPT = Path(__file__).parent.parent.parent / "docs" / "bench"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with serving(tmp_path / "data", reports=ReportIndex([KEPT])) as client:
        yield client


def test_reports_are_listed_and_shown_as_they_were_kept(client: TestClient) -> None:
    listed = client.get("/api/bench").json()
    names = [entry["name"] for entry in listed["reports"]]
    assert names == sorted(file.stem for file in KEPT.glob("*.json"))
    assert listed["unreadable"] == []
    kept = json.loads((KEPT / "mcse-main.json").read_text(encoding="utf-8"))
    shown = client.get("/api/bench/mcse-main").json()
    assert (shown["command"], shown["run"]["report"]["findings"]) == (
        kept["command"],
        kept["run"]["report"]["findings"],
    )


def test_two_reports_of_one_experiment_are_compared(client: TestClient) -> None:
    compared = client.get("/api/bench/evidence/compare", params={"with": "evidence-multihop"}).json()
    assert compared["names"] == ["evidence", "evidence-multihop"]
    assert compared["tables"][0]["columns"] == ["evidence", "evidence-multihop"]
    refused = client.get("/api/bench/evidence/compare", params={"with": "verify"})
    assert refused.status_code == 400
    assert "different experiments" in refused.json()["error"]["message"]
    assert client.get("/api/bench/evidence/compare").status_code == 422


@pytest.mark.parametrize("name", ["nothing", "..%2fbench%2fevidence", "evidence.json", "%2Fetc%2Fpasswd"])
def test_a_name_that_no_report_has_is_not_found(client: TestClient, name: str) -> None:
    for path in (f"/api/bench/{name}", f"/api/bench/{name}/compare?with=evidence"):
        reply = client.get(path)
        assert reply.status_code == 404
        assert str(KEPT) not in reply.text


def test_a_server_without_reports_has_an_empty_list(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as client:
        assert client.get("/api/bench").json() == {"reports": [], "unreadable": []}
        assert client.get("/api/bench/evidence").status_code == 404
        assert client.get("/api/bench/a/compare", params={"with": "b"}).status_code == 404
