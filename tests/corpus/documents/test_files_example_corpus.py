"""The example corpus is read whole, its quotes are found, and its versions are near duplicates."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from folders import read_folder

from probative.corpus.documents.document import Document
from probative.corpus.documents.duplicates import DuplicateFinder
from probative.corpus.documents.files import Unread
from probative.corpus.documents.passages import find_quote

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture(scope="module")
def documents() -> dict[str, Document]:
    read = list(read_folder(EXAMPLES / "corpus"))
    assert [item for item in read if isinstance(item, Unread)] == []
    return {item.source: item for item in read if isinstance(item, Document)}


def quotes() -> Iterator[tuple[str, str]]:
    """Every source with a quote of it."""
    for line in (EXAMPLES / "corpus-questions.jsonl").read_text(encoding="utf-8").splitlines():
        question = json.loads(line)
        for gold in (*question["gold"], *question.get("other_gold", ())):
            yield gold["source"], gold["quote"]
    for line in (EXAMPLES / "reports" / "claims.jsonl").read_text(encoding="utf-8").splitlines():
        for evidence in json.loads(line)["evidence"]:
            yield evidence["source"], evidence["quote"]


def test_every_quote_is_found_in_its_document(documents: dict[str, Document]) -> None:
    missing = [(source, quote) for source, quote in quotes() if find_quote(documents[source], quote) is None]
    assert missing == []


def test_documents_have_titles_and_languages(documents: dict[str, Document]) -> None:
    assert all(document.title for document in documents.values())
    assert {document.language for document in documents.values()} == {"en", "de", "fr"}


def test_pages_are_kept_and_their_headers_are_not(documents: dict[str, Document]) -> None:
    report = documents["reports/annual-report-2024.pdf"]
    assert len(report.pages) == 3
    assert report.text.count("Annual report 2024") == 1


def test_new_versions_of_a_document_are_near_duplicates_of_nothing_else(
    documents: dict[str, Document],
) -> None:
    finder = DuplicateFinder(0.5)
    found = [finder.add(source, document.text) for source, document in documents.items()]
    pairs = {(item.original, item.source) for item in found if item is not None}
    assert pairs <= {
        ("technical/operating-rules-edition-4.pdf", "technical/operating-rules-edition-5.pdf"),
        ("visitors/timetable-2024.html", "visitors/timetable-2025.html"),
        ("visitors/prices-2024.csv", "visitors/prices-2025.csv"),
    }
