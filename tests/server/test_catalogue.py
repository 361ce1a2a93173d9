"""What `/api/info` says of the models, of corpora, and of the files that can be sent."""

from __future__ import annotations

from pathlib import Path

from server_app import serving

from probative import Session
from probative.corpus.corpus import Corpus
from probative.corpus.readers.formats import read_suffixes
from probative.server.state.catalog import MAX_UNREAD, Catalog


def test_files_that_could_not_be_read_are_listed_with_the_corpus(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "a.txt").write_text("The mill burnt down in 1890.")
    (folder / "scan.png").write_bytes(b"GIF89a" + bytes(100))
    catalog = Catalog({"mill": Corpus.open(folder, vectors=False)})
    with serving(tmp_path / "data", catalog=catalog) as client:
        (entry,) = client.get("/api/info").json()["corpora"]
        assert entry["notes"] == ["not read: 1 file (1 image): scan.png"]
        assert [(item["source"], item["reason"]) for item in entry["unread"]] == [("scan.png", "image")]
        assert str(tmp_path) not in str(entry)


def test_a_long_list_of_unread_files_is_cut_and_counted(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "a.txt").write_text("The mill burnt down in 1890.")
    for number in range(MAX_UNREAD + 20):
        (folder / f"{number:03}.png").write_bytes(b"GIF89a" + bytes([number]) * 50)
    with Catalog({"mill": Corpus.open(folder, vectors=False)}) as catalog:
        (entry,) = catalog.describe().corpora
    assert len(entry.unread) == MAX_UNREAD
    assert entry.notes[0].startswith(f"not read: {MAX_UNREAD + 20} files")


def test_every_suffix_that_is_offered_has_a_reader(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as client:
        suffixes = client.get("/api/info").json()["suffixes"]
        assert suffixes == list(read_suffixes())
        assert {".pdf", ".docx", ".md", ".eml", ".csv"} <= set(suffixes)
        assert not {".odp", ".xml", ".rtf", ""} & set(suffixes)
        for suffix in (".txt", ".md", ".html", ".csv", ".jsonl", ".eml"):
            text = {".jsonl": '{"text": "It rained."}'}.get(suffix, "Subject: Rain\n\nIt rained,all day.\n")
            sent = client.post("/api/uploads", params={"name": f"a{suffix}"}, content=text.encode())
            assert sent.status_code == 201, (suffix, sent.text)


def test_the_models_that_answer_and_judge_are_named(tmp_path: Path) -> None:
    with serving(tmp_path / "data", session=Session("embedded:large", dry_run=True)) as client:
        info = client.get("/api/info").json()
    assert (info["model"], info["verdict"]) == ("embedded:large", "embedded:large")
