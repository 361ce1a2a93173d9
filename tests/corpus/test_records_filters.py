"""Records of JSON lines and tables have their own dates, languages, titles and metadata."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from probative.corpus.corpus import Corpus
from probative.corpus.documents.files import SearchFilters
from probative.corpus.documents.passages import CorpusPassage, passages_of
from probative.corpus.index.catalog import WritableCatalog
from probative.corpus.index.index_folder import IndexFolder
from probative.corpus.indexing import index_folder
from probative.corpus.readers.formats import read_document

COMMENTS = [
    {"id": "C-1", "date": "2025-05-04", "author": "Ada", "text": "The boat was late. We saw seals."},
    {"id": "C-2", "date": "2025-06-21", "lang": "fr", "author": "Luc", "text": "Le bateau était en retard."},
    {"id": "C-3", "title": "No boat", "text": "No boat came at all.", "tags": ["boat"]},
]
LOG = "date,boat,passengers\n2024-12-30,Gull,40\n2024-12-31,Gull,51\n2025-01-02,Tern,12\n"
OLD_ROWS = "date: 2024-12-30; boat: Gull; passengers: 40\n\ndate: 2024-12-31; boat: Gull; passengers: 51"
ARTICLES = "Title,Text,Published,Author\nThe new boat,It is fast. It is blue.,3 May 2026,Ada\nTar,,2026,Bo\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "documents"
    place.mkdir()
    (place / "comments.jsonl").write_text("".join(json.dumps(each) + "\n" for each in COMMENTS))
    (place / "log.csv").write_text(LOG)
    (place / "articles.csv").write_text(ARTICLES)
    (place / "notes.txt").write_text("The boat is old.")
    return place


def passages(file: Path) -> tuple[CorpusPassage, ...]:
    return passages_of(read_document(file))


def test_a_record_with_a_text_is_a_passage_with_facts_of_its_own(folder: Path) -> None:
    first, second, third = passages(folder / "comments.jsonl")
    assert (first.text, first.date, first.language) == (COMMENTS[0]["text"], "2025-05-04", "en")
    assert first.metadata == {"id": "C-1", "author": "Ada"}
    assert (second.language, second.title) == ("fr", "comments")
    assert (third.title, third.date) == ("comments › No boat", None)
    assert third.metadata == {"id": "C-3", "title": "No boat"}


def test_a_record_after_one_with_a_title_does_not_take_that_title(tmp_path: Path) -> None:
    records = [{"title": "Gull", "text": "A boat."}, {"text": "A net."}, {"boat": "Tern"}]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(each) + "\n" for each in records))
    titles = [(passage.title, passage.text) for passage in passages(tmp_path / "a.jsonl")]
    assert titles == [("a › Gull", "A boat."), ("a", "A net."), ("a", "boat: Tern")]


def test_rows_of_one_year_share_a_passage_whose_date_is_common_to_them(folder: Path) -> None:
    old, new = passages(folder / "log.csv")
    assert (old.date, old.text.count("boat: Gull")) == ("2024-12", 2)
    assert (new.date, new.text) == ("2025-01-02", "date: 2025-01-02; boat: Tern; passengers: 12")


def test_a_table_with_a_column_of_texts_is_read_as_records(folder: Path) -> None:
    text, row = passages(folder / "articles.csv")
    assert (text.title, text.text, text.date) == (
        "articles › The new boat", "It is fast. It is blue.", "2026-05-03",
    )  # fmt: skip
    assert text.metadata == {"Title": "The new boat", "Author": "Ada"}
    assert (row.title, row.text, row.date) == ("articles", "Title: Tar; Published: 2026; Author: Bo", "2026")


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        (SearchFilters(since="2025-06", until="2025"), {"Le bateau était en retard."}),
        (SearchFilters(languages=("fr",)), {"Le bateau était en retard."}),
        (
            SearchFilters(metadata={"author": "ada"}),
            {"The boat was late. We saw seals.", "It is fast. It is blue."},
        ),
        (SearchFilters(metadata={"title": "no boat"}), {"No boat came at all."}),
        (SearchFilters(sources=("*.jsonl",), until="2025-05"), {"The boat was late. We saw seals."}),
        (
            SearchFilters(until="2024"),
            {OLD_ROWS},
        ),
    ],
)
@pytest.mark.parametrize("vectors", [False, True])
def test_filters_tell_the_records_of_a_file_apart(
    folder: Path, filters: SearchFilters, found: set[str], vectors: bool
) -> None:
    with Corpus.open(folder, vectors=vectors) as corpus:
        hits = corpus.search("Which boat, le bateau, was late?", 10, filters)
        assert {hit.passage.text for hit in hits} == found
        for hit in hits:
            assert filters.takes(
                hit.passage.source or "", hit.passage.date, hit.passage.language, hit.passage.metadata
            )


def test_the_parts_of_a_file_go_with_it(folder: Path, tmp_path: Path) -> None:
    index = tmp_path / "index"
    index_folder(folder, index, vectors=False)
    (folder / "comments.jsonl").write_text(json.dumps(COMMENTS[2]) + "\n")
    (folder / "log.csv").unlink()
    index_folder(folder, index, vectors=False)
    with Corpus.open(index, vectors=False) as corpus:
        assert {hit.passage.source for hit in corpus.search("boat late Gull passengers")} == {
            "comments.jsonl", "articles.csv", "notes.txt",
        }  # fmt: skip
        assert [hit.passage.text for hit in corpus.search("late seals en retard")] == []
    catalog = WritableCatalog(IndexFolder(index).catalog_file)
    assert catalog.left_over() == []
    assert len(catalog.matching(SearchFilters(metadata={"id": "C-3"}))) == 1
    catalog.close()
