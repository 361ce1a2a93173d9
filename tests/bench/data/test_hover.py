"""HoVer with texts, made from tiny files in the published forms."""

from __future__ import annotations

import bz2
import io
import json
import tarfile
from pathlib import Path
from typing import Any

import pytest

from probative import InputError
from probative.bench.data.claims import read_examples
from probative.bench.data.get import get_set
from probative.bench.data.hover import PAGES
from probative.bench.data.sets import find_set

HOVER = find_set("hover")
DUMP = "enwiki-20171001-pages-meta-current-withlinks-abstracts"
FACTS = [["Old Pier", 1], ["Ada Berg", 0]]


def claim(uid: str, facts: list[list[Any]], label: str = "SUPPORTED") -> dict[str, Any]:
    return {
        "uid": uid,
        "claim": f"Claim {uid}.",
        "supporting_facts": facts,
        "label": label,
        "num_hops": 2,
        "hpqa_id": "5a",
    }


def page(title: str, *sentences: str) -> dict[str, Any]:
    return {"id": "12", "url": "https://en.wikipedia.org/wiki?curid=12", "title": title, "text": sentences}


def write_published(folder: Path, claims: list[dict[str, Any]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "hover_dev_release_v1.1.json").write_text(json.dumps(claims))
    titles = ["Harbour", "ada berg", *(f"Page {n}" for n in range(20))]
    retrieved = [
        {"id": one["uid"], "doc_retrieval_results": [[titles, [1.0] * len(titles)]]} for one in claims
    ]
    (folder / "dev_tfidf_doc_retrieval_results.json").write_text(json.dumps(retrieved))
    pages = [
        page("Old Pier", "The Old Pier is a pier.", " Ada Berg built it."),
        page("Ada Berg", "Ada Berg was an engineer."),
        page("Harbour", "A harbour has quays."),
        *(page(f"Page {n}", f"This is page {n}.") for n in range(20)),
    ]
    shard = bz2.compress("\n".join(map(json.dumps, pages)).encode())
    with tarfile.open(folder / f"{DUMP}.tar.bz2", "w:bz2") as archive:
        member = tarfile.TarInfo(f"{DUMP}/AA/wiki_00.bz2")
        member.size = len(shard)
        archive.addfile(member, io.BytesIO(shard))


def test_claims_get_their_pages_and_gold_sentences_from_the_published_files(tmp_path: Path) -> None:
    write_published(tmp_path / "given", [claim("a", FACTS), claim("b", [["Old Pier", 7]])])
    checked = get_set(tmp_path / "data", HOVER, tmp_path / "given")
    assert checked.usable
    assert checked.note == "1 claims with 10.0 pages on average; 1 without their gold sentences"
    row = json.loads((tmp_path / "data" / HOVER.files[0].path).read_text())
    assert row["gold_sentences"] == ["Ada Berg built it.", "Ada Berg was an engineer."]
    titles = [title for title, _ in row["context"]]
    assert len(titles) == PAGES
    assert {"Old Pier", "Ada Berg", "Harbour", "Page 6"} <= set(titles)
    (example,) = read_examples(tmp_path / "data", "hover")
    (gold,) = example.gold
    assert [example.sentences[index] for index in sorted(gold)] == sorted(
        row["gold_sentences"], key=example.sentences.index
    )


def test_pages_come_from_a_folder_of_the_user(tmp_path: Path) -> None:
    pages = tmp_path / "hover/pages"
    pages.mkdir(parents=True)
    (pages / "Old Pier.txt").write_text("The Old Pier is a pier. Ada Berg built it.\n")
    (pages / "others.jsonl").write_text(json.dumps(page("Ada Berg", "Ada Berg was an engineer.")) + "\n")
    (tmp_path / "hover/hover_dev_release_v1.1.json").write_text(json.dumps([claim("a", FACTS)]))
    assert get_set(tmp_path, HOVER).note.startswith("1 claims with 2.0 pages")
    (example,) = read_examples(tmp_path, "hover")
    assert set(example.sentences) == {
        "The Old Pier is a pier.",
        "Ada Berg built it.",
        "Ada Berg was an engineer.",
    }


def test_pages_without_any_claim_are_refused(tmp_path: Path) -> None:
    write_published(tmp_path / "given", [claim("a", [["Another page", 0]])])
    with pytest.raises(InputError, match="no text of any of the 1 claims"):
        get_set(tmp_path / "data", HOVER, tmp_path / "given")
