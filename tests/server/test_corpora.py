"""Corpora that users make: files added, removed and read again, dates, and a day to take a deletion back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from own_corpora import add, made, settled
from server_app import serving

from probative.corpus.corpus import Corpus
from probative.server.base.options import Limits
from probative.server.state.catalog import Catalog

MAY = b"# Harbour minutes\n\nDate: 2024-05-02\n\nThe committee agreed to repair the crane in June.\n"
LEASE = " ".join(f"Clause {number} binds the tenant of the tea room." for number in range(40))


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with serving(tmp_path / "data") as made:
        yield made


def listed(client: TestClient, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get(f"/api/corpora/{name}/documents").json()["documents"]
    return found


def test_a_file_that_is_added_is_searched_and_listed(client: TestClient) -> None:
    made(client, "harbour", may__md=MAY)
    (document,) = listed(client, "harbour")
    assert (document["source"], document["title"], document["bytes"]) == (
        "may.md",
        "Harbour minutes",
        len(MAY),
    )
    assert (document["date"], document["date_source"], document["passages"]) == ("2024-05-02", "text", 1)
    hits = client.get("/api/corpora/harbour/search", params={"q": "Who repairs the crane?"}).json()
    assert "repair the crane" in hits["passages"][0]["text"]
    assert [entry["name"] for entry in client.get("/api/info").json()["corpora"]] == ["harbour"]
    found = client.get("/api/corpora").json()
    assert found["bytes"] == found["corpora"][0]["bytes"] > len(MAY)


def test_a_corpus_without_documents_can_be_asked_for_its_contents(client: TestClient) -> None:
    made(client, "empty")
    assert client.get("/api/corpora/empty/contents").json()["documents"] == 0
    assert client.get("/api/corpora/empty/search", params={"q": "crane"}).json() == {"passages": []}
    asked = client.post("/api/ask", json={"question": "Who repairs the crane?", "corpus": "empty"})
    assert asked.json()["level"] == "not_found"


def test_what_cannot_be_read_says_why(client: TestClient) -> None:
    made(client, "harbour", may__md=MAY, scan__png=b"GIF89a" + bytes(100))
    found = settled(client, "harbour")
    assert [(item["source"], item["reason"]) for item in found["unread"]] == [("scan.png", "image")]
    assert (found["unread_total"], found["documents"]) == (1, 1)
    client.delete("/api/corpora/harbour/documents", params={"source": "scan.png"})
    assert settled(client, "harbour")["unread_total"] == 0


def test_a_removed_file_and_its_folder_are_gone(client: TestClient, tmp_path: Path) -> None:
    made(client, "harbour", may__md=MAY)
    add(client, "harbour", "old/log.txt", b"It rained in Molde all day.")
    assert settled(client, "harbour")["documents"] == 2
    removed = client.delete("/api/corpora/harbour/documents", params={"source": "old/log.txt"})
    assert removed.status_code == 202
    assert settled(client, "harbour")["documents"] == 1
    hits = client.get("/api/corpora/harbour/search", params={"q": "rained"}).json()["passages"]
    assert all("rained" not in hit["text"] for hit in hits)
    assert not list((tmp_path / "data" / "corpora").rglob("old"))
    again = client.delete("/api/corpora/harbour/documents", params={"source": "old/log.txt"})
    assert again.status_code == 404


def test_a_file_of_the_same_name_takes_the_place_of_the_first(client: TestClient) -> None:
    made(client, "harbour", may__md=MAY)
    add(client, "harbour", "may.md", MAY.replace(b"crane", b"slipway"))
    assert settled(client, "harbour")["documents"] == 1
    hits = client.get("/api/corpora/harbour/search", params={"q": "repair"}).json()["passages"]
    assert "slipway" in hits[0]["text"]


def test_the_date_of_one_document_can_be_set_and_taken_back(client: TestClient) -> None:
    made(client, "harbour", may__md=MAY)
    add(client, "harbour", "old/may.md", MAY.replace(b"crane", b"slipway"))
    settled(client, "harbour")
    dated = client.put("/api/corpora/harbour/date", params={"source": "may.md"}, json={"date": "2023-01"})
    assert dated.status_code == 202
    settled(client, "harbour")
    found = {each["source"]: (each["date"], each["date_source"]) for each in listed(client, "harbour")}
    assert found == {"may.md": ("2023-01", "--date"), "old/may.md": ("2024-05-02", "text")}
    client.put("/api/corpora/harbour/date", params={"source": "may.md"}, json={"date": None})
    settled(client, "harbour")
    assert listed(client, "harbour")[0]["date"] == "2024-05-02"
    for date, status in (("2023-13", 400), ("yesterday", 422), ("", 422)):
        refused = client.put("/api/corpora/harbour/date", params={"source": "may.md"}, json={"date": date})
        assert refused.status_code == status


def test_of_two_versions_the_older_is_superseded(client: TestClient) -> None:
    first = f"Date: 2023-01-05\n\n{LEASE}".encode()
    made(client, "leases", a__txt=first, b__txt=first.replace(b"2023-01-05", b"2025-02-01"))
    assert [(each["superseded_by"], each["same_as"]) for each in listed(client, "leases")] == [
        ("b.txt", None),
        (None, "a.txt"),
    ]


def test_files_are_read_again_when_asked(client: TestClient, tmp_path: Path) -> None:
    made(client, "harbour", may__md=MAY)
    corpus = client.app.state.server.catalog.corpus("harbour")  # type: ignore[attr-defined]
    for query in ({}, {"source": "may.md"}):
        before = corpus.version
        assert client.post("/api/corpora/harbour/reread", params=query).status_code == 202
        settled(client, "harbour")
        assert corpus.version > before
    missing = client.post("/api/corpora/harbour/reread", params={"source": "none.md"})
    assert missing.status_code == 404


def test_a_renamed_corpus_is_found_by_both_names(client: TestClient) -> None:
    made(client, "harbour", may__md=MAY)
    made(client, "other")
    assert client.patch("/api/corpora/harbour", json={"name": "port"}).json()["name"] == "port"
    for name in ("port", "harbour"):
        assert client.get(f"/api/corpora/{name}/document", params={"source": "may.md"}).status_code == 200
    assert sorted(each["name"] for each in client.get("/api/info").json()["corpora"]) == ["other", "port"]
    for taken in ("other", "herbs"):
        assert client.patch("/api/corpora/port", json={"name": taken}).status_code == 409
    assert client.patch("/api/corpora/port", json={"name": "a b"}).status_code == 400
    # What names the old one must not mean another one later.
    for reply in (
        client.post("/api/corpora", json={"name": "harbour"}),
        client.patch("/api/corpora/other", json={"name": "harbour"}),
    ):
        assert (reply.status_code, "was the name of the corpus 'port'" in reply.text) == (409, True)
    assert client.patch("/api/corpora/port", json={"name": "harbour"}).status_code == 200
    made(client, "port-2")


def test_a_deleted_corpus_is_had_back_within_a_day(client: TestClient) -> None:
    identity = made(client, "harbour", may__md=MAY)
    assert client.delete("/api/corpora/harbour").status_code == 204
    assert client.get("/api/corpora/harbour/documents").status_code == 404
    assert client.get("/api/info").json()["corpora"] == []
    (kept,) = client.get("/api/corpora").json()["corpora"]
    assert kept["deleted"] is not None
    made(client, "harbour")
    assert client.post(f"/api/corpora/{identity}/restore").status_code == 409
    client.delete("/api/corpora/harbour")
    assert client.post(f"/api/corpora/{identity}/restore").json()["deleted"] is None
    assert [each["source"] for each in listed(client, "harbour")] == ["may.md"]


def test_after_a_day_its_files_are_gone(client: TestClient, tmp_path: Path) -> None:
    identity = made(client, "harbour", may__md=MAY)
    made(client, "kept")
    client.delete("/api/corpora/harbour")
    library = client.app.state.server.library  # type: ignore[attr-defined]
    assert library.clean(datetime.now(UTC) + timedelta(hours=23)) == ()
    assert len(library.clean(datetime.now(UTC) + timedelta(hours=25))) == 1
    assert not (tmp_path / "data" / "corpora" / identity).exists()
    assert client.post(f"/api/corpora/{identity}/restore").status_code == 404
    assert [each["name"] for each in client.get("/api/corpora").json()["corpora"]] == ["kept"]


def test_corpora_are_there_after_a_restart_even_in_another_folder(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as client:
        made(client, "harbour", may__md=MAY)
        client.put("/api/corpora/harbour/date", params={"source": "may.md"}, json={"date": "2020"})
        settled(client, "harbour")
    with serving(tmp_path / "data") as client:
        assert listed(client, "harbour")[0]["date"] == "2020"
    (tmp_path / "data").rename(tmp_path / "moved")
    with serving(tmp_path / "moved") as client:
        settled(client, "harbour")
        assert [(each["source"], each["date"]) for each in listed(client, "harbour")] == [("may.md", "2020")]


def test_what_was_not_read_before_a_stop_is_read_at_the_next_start(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as client:
        identity = made(client, "harbour", may__md=MAY)
    files = tmp_path / "data" / "corpora" / identity / "files"
    (files / "log.txt").write_bytes(b"It rained in Molde all day.")
    (files.parent / "index" / "probative-index.json").unlink()  # as if it was killed while it was made
    with serving(tmp_path / "data") as client:
        assert settled(client, "harbour")["documents"] == 2


def test_a_corpus_of_the_operator_is_only_read(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "may.md").write_bytes(MAY)
    catalog = Catalog({"mill": Corpus.open(folder, vectors=False)})
    with serving(tmp_path / "data", catalog=catalog) as client:
        (info,) = client.get("/api/corpora").json()["corpora"]
        assert (info["name"], info["own"], info["documents"]) == ("mill", False, 1)
        query = {"source": "may.md"}
        refused = [
            client.delete("/api/corpora/mill"),
            client.patch("/api/corpora/mill", json={"name": "other"}),
            client.post("/api/corpora/mill/documents", params=query, content=b"x"),
            client.delete("/api/corpora/mill/documents", params=query),
            client.put("/api/corpora/mill/date", params=query, json={"date": "2020"}),
            client.post("/api/corpora/mill/reread"),
        ]
        assert [reply.status_code for reply in refused] == [409] * 6
        assert client.get("/api/corpora/mill/original", params=query).content == MAY
        for source in ("../data/runs.sqlite", "/etc/passwd", "other.md"):
            reply = client.get("/api/corpora/mill/original", params={"source": source})
            assert reply.status_code == 404
    assert (folder / "may.md").read_bytes() == MAY


def test_the_original_comes_as_a_download_that_runs_nothing(client: TestClient) -> None:
    page = b"<html><body><p>The crane lifts nine tonnes.</p><script>alert(1)</script></body></html>"
    made(client, "harbour", crane__html=page)
    reply = client.get("/api/corpora/harbour/original", params={"source": "crane.html"})
    assert reply.content == page
    assert reply.headers["content-type"] == "application/octet-stream"
    assert reply.headers["content-disposition"] == 'attachment; filename="crane.html"'
    assert "sandbox" in reply.headers["content-security-policy"]


HOSTILE = (
    *("../may.md", "/etc/passwd", "a/../../b", ".hidden", "~$may.docx", "a//b", "a\\b", "a\x00b", "a\nb"),
    *("*.md", "C:x", "ż" * 200, "a/" * 30 + "b", "a/", "."),
)


@pytest.mark.parametrize("source", HOSTILE)
def test_a_name_that_is_no_path_below_the_corpus_is_refused(
    client: TestClient, tmp_path: Path, source: str
) -> None:
    made(client, "harbour")
    before = {file for file in tmp_path.rglob("*") if "files" in file.parts}
    reply = client.post("/api/corpora/harbour/documents", params={"source": source}, content=MAY)
    assert reply.status_code == 400, reply.text
    removed = client.delete("/api/corpora/harbour/documents", params={"source": source})
    assert removed.status_code in (400, 404)
    assert client.get("/api/corpora/harbour/original", params={"source": source}).status_code == 400
    assert {file for file in tmp_path.rglob("*") if "files" in file.parts} == before


def test_a_file_is_not_also_a_folder(client: TestClient) -> None:
    made(client, "harbour", may__md=MAY)
    for source in ("may.md/b.txt",):
        reply = client.post("/api/corpora/harbour/documents", params={"source": source}, content=MAY)
        assert reply.status_code == 409


def test_the_corpora_stay_within_their_limit(tmp_path: Path) -> None:
    with serving(tmp_path / "data", limits=Limits(corpora_bytes=1_000_000)) as client:
        made(client, "harbour")
        query = {"source": "a.txt"}
        for data, status in ((b"x" * 2_000_000, 413), (b"", 400)):
            reply = client.post("/api/corpora/harbour/documents", params=query, content=data)
            assert reply.status_code == status
        reply = client.post("/api/corpora/harbour/documents", params=query, data={"a": "b"})
        assert reply.status_code == 415


def test_a_corpus_that_is_renamed_or_deleted_while_it_is_read_stays_whole(client: TestClient) -> None:
    made(client, "harbour")
    for number in range(12):
        add(client, "harbour", f"{number}.md", MAY + str(number).encode())
    client.patch("/api/corpora/harbour", json={"name": "port"})
    identity = client.get("/api/corpora/port").json()["id"]
    client.delete("/api/corpora/port")
    client.post(f"/api/corpora/{identity}/restore")
    client.post("/api/corpora/port/reread")
    assert settled(client, "port")["documents"] == 12
