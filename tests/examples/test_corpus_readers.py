"""The readers find every quoted sentence of the example corpus, in one passage."""

from __future__ import annotations

from collections import defaultdict

import pytest
from example_corpus import CORPUS, one_line, read_lines

from probative.corpus.documents.passages import passages_of
from probative.corpus.readers.formats import read_document


def _quotes() -> dict[str, set[str]]:
    quotes: dict[str, set[str]] = defaultdict(set)
    for question in read_lines("corpus-questions.jsonl"):
        for gold in [*question["gold"], *question.get("other_gold", [])]:
            quotes[gold["source"]].add(gold["quote"])
    for claim in read_lines("reports/claims.jsonl"):
        for evidence in claim["evidence"]:
            quotes[evidence["source"]].add(evidence["quote"])
    return quotes


QUOTES = _quotes()
SOURCES = sorted(path.relative_to(CORPUS).as_posix() for path in CORPUS.rglob("*") if path.is_file())


@pytest.mark.parametrize("source", SOURCES)
def test_each_quote_is_in_one_passage_of_its_document(source: str) -> None:
    passages = passages_of(read_document(CORPUS / source, source))
    assert passages
    texts = [passage.text for passage in passages]
    assert [quote for quote in QUOTES[source] if not any(_has(text, quote) for text in texts)] == []


def _has(text: str, quote: str) -> bool:
    # A table row is one line of the passage, with the names of the columns between the cells.
    if " | " in quote:
        return any(all(cell in line for cell in quote.split(" | ")) for line in text.splitlines())
    return one_line(quote) in one_line(text)


@pytest.mark.parametrize(
    ("source", "language", "date"),
    [
        ("contracts/rope-supply-contract.pdf", "en", "2024-12-09"),
        ("technical/ostertag-datenblatt-ow61.pdf", "de", "1961-01-20"),
        ("letters/2022-03-14-jumelage.eml", "fr", "2022-03-14"),
        ("minutes/2025-05-20-board.docx", "en", "2025-05-20"),
        ("history/forty-one-metres.epub", "en", "2016-05-25"),
        ("press/2025-10-03-gazette-ramp.html", "en", "2025-10-03"),
    ],
)
def test_language_and_date_are_read(source: str, language: str, date: str) -> None:
    document = read_document(CORPUS / source, source)
    assert (document.language, document.date) == (language, date)


def test_a_sentence_over_a_page_break_is_whole_and_the_running_header_is_not_in_it() -> None:
    document = read_document(CORPUS / "reports/bat-survey-2024.pdf")
    sentence = "If fewer than forty bats are counted, the cause should be looked for at once."
    assert sentence in one_line(document.text)
    start = document.text.index("If fewer than forty")
    end = document.text.index("at once.", start)
    assert [document.page_at(start), document.page_at(end)] == [1, 2]
