"""The example corpus, its questions and its reports agree with each other."""

from __future__ import annotations

import re
import zipfile
from collections import Counter
from pathlib import Path

import pytest
from example_corpus import CORPUS, EXAMPLES, SOURCES, one_line, plain_document, read_lines

QUESTIONS = read_lines("corpus-questions.jsonl")
CLAIMS = read_lines("reports/claims.jsonl")
KINDS = {
    "one place": 18,
    "two hops": 16,
    "comparison": 8,
    "count": 6,
    "unanswerable": 7,
    "contradicted": 5,
}
VERDICTS = {
    "right.md": {"supported": 23},
    "subtly-wrong.md": {"supported": 12, "contradicted": 9, "insufficient": 3},
    "contradicting.md": {"supported": 5, "contradicted": 17, "insufficient": 1},
}


def test_the_corpus_has_about_forty_documents_in_nine_formats_and_is_small() -> None:
    files = [path for path in CORPUS.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} == {
        *(".txt", ".md", ".html", ".pdf", ".docx", ".epub", ".csv", ".jsonl", ".eml"),
    }
    assert 40 <= len(files) <= 50
    assert sum(path.stat().st_size for path in files) < 3_000_000


def test_every_made_document_has_its_source_and_every_source_its_document() -> None:
    made = {path.relative_to(CORPUS) for path in CORPUS.rglob("*") if path.suffix in (".pdf", ".docx")}
    made |= {path.relative_to(CORPUS) for path in CORPUS.rglob("*") if path.suffix in (".epub", ".eml")}
    assert made == {path.relative_to(SOURCES).with_suffix("") for path in SOURCES.rglob("*.md")}


def test_the_questions_are_sixty_of_six_kinds() -> None:
    assert Counter(question["kind"] for question in QUESTIONS) == KINDS
    assert len({question["id"] for question in QUESTIONS}) == 60
    assert len({question["question"] for question in QUESTIONS}) == 60


@pytest.mark.parametrize("question", QUESTIONS, ids=[question["id"] for question in QUESTIONS])
def test_gold_sentences_are_in_the_documents_they_name(question: dict[str, object]) -> None:
    gold = [*question["gold"], *question.get("other_gold", [])]  # type: ignore[misc]
    missing = [each for each in gold if not plain_document(each["source"]).has(each["quote"])]
    assert missing == []
    assert (question["answer"] is None) == (question["kind"] == "unanswerable")
    assert gold or question["kind"] == "unanswerable"
    if question["kind"] == "contradicted":
        assert question["other_gold"]
        assert question["other_answer"] not in (None, question["answer"])


def test_questions_of_two_hops_and_comparisons_need_two_sentences() -> None:
    short = [q["id"] for q in QUESTIONS if q["kind"] in ("two hops", "comparison") and len(q["gold"]) < 2]
    assert short == []


def test_the_claims_of_each_report_are_counted_by_verdict() -> None:
    assert len({claim["id"] for claim in CLAIMS}) == len(CLAIMS)
    found = {
        report: Counter(claim["verdict"] for claim in CLAIMS if claim["report"] == report)
        for report in VERDICTS
    }
    assert found == VERDICTS
    assert {claim["report"] for claim in CLAIMS} == set(VERDICTS)


@pytest.mark.parametrize("claim", CLAIMS, ids=[claim["id"] for claim in CLAIMS])
def test_a_claim_is_quoted_once_and_its_evidence_is_in_the_corpus(claim: dict[str, object]) -> None:
    report = (EXAMPLES / "reports" / str(claim["report"])).read_text(encoding="utf-8")
    assert report.count(str(claim["claim"])) == 1
    evidence: list[dict[str, str]] = claim["evidence"]  # type: ignore[assignment]
    assert [each for each in evidence if not plain_document(each["source"]).has(each["quote"])] == []
    stances = {each["stance"] for each in evidence}
    deciding = {"supported": {"supports"}, "contradicted": {"contradicts"}, "insufficient": set()}
    assert stances >= deciding[str(claim["verdict"])]
    assert claim["verdict"] == "contradicted" or stances <= {"supports"}


@pytest.mark.parametrize("claim", CLAIMS, ids=[claim["id"] for claim in CLAIMS])
def test_a_citation_names_a_document_and_holds_if_that_document_supports(claim: dict[str, object]) -> None:
    if claim["cited"] is None:
        assert claim["citation_holds"] is None
        return
    assert (CORPUS / str(claim["cited"])).is_file()
    evidence: list[dict[str, str]] = claim["evidence"]  # type: ignore[assignment]
    supporting = {each["source"] for each in evidence if each["stance"] == "supports"}
    assert claim["citation_holds"] == (claim["cited"] in supporting)


def test_the_reports_link_only_to_documents_of_the_corpus() -> None:
    for report in VERDICTS:
        text = (EXAMPLES / "reports" / report).read_text(encoding="utf-8")
        links = re.findall(r"\]\(\.\./corpus/([^)]+)\)", text)
        links += re.findall(r"\b([a-z]+/[\w.-]+\.(?:pdf|md|eml|docx|txt|epub))\b", text)
        assert links
        assert [link for link in links if not (CORPUS / link.removeprefix("corpus/")).is_file()] == []


def test_the_made_files_are_those_that_the_sources_give(tmp_path: Path) -> None:
    from make_corpus import make_corpus

    for path in make_corpus(tmp_path):
        kept = CORPUS / path.relative_to(tmp_path)
        assert _content(kept) == _content(path), kept


def _content(path: Path) -> object:
    """Return what a file holds: independent of the versions of the libraries that pack it."""
    if path.suffix == ".eml":
        return path.read_bytes()
    if path.suffix == ".pdf":
        import pypdfium2

        with pypdfium2.PdfDocument(path) as document:
            return [one_line(page.get_textpage().get_text_bounded()) for page in document]
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if name.endswith(("document.xml", ".xhtml", ".opf"))]
        return {name: archive.read(name) for name in names}
