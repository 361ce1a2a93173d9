"""Filters of a corpus hold for what a text cites, too."""

from __future__ import annotations

from pathlib import Path

import pytest
from verifying import by_overlap, ruled_by_words

import probative
from probative.corpus.documents.files import SearchFilters
from probative.types import Verdict

TEXT = "The wheel is made of oak ([mill](old/mill.txt)). Tickets cost three crowns ([fares](fares.txt))."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "mill.txt").write_text("The wheel is made of oak.", encoding="utf-8")
    (tmp_path / "fares.txt").write_text("Tickets cost three crowns.", encoding="utf-8")
    log = "name,date,text\nA,1890-01-02,The mill burnt down.\nB,1950-01-02,The pier was sold.\n"
    (tmp_path / "log.csv").write_text(log, encoding="utf-8")
    return tmp_path


def verified(folder: Path, text: str, filters: SearchFilters) -> probative.Verification:
    with (
        probative.Session(policy=by_overlap(), verdict=ruled_by_words()) as session,
        probative.Corpus.open(folder, filters=filters) as corpus,
    ):
        return session.verify(text, corpus)


def test_a_cited_document_that_the_filters_leave_out_is_not_among_the_sources(folder: Path) -> None:
    wheel, tickets = verified(folder, TEXT, SearchFilters(sources=("fares.txt",))).claims
    assert wheel.verdict is Verdict.INSUFFICIENT
    assert {sentence.source for sentence in wheel.evidence} <= {"fares.txt"}
    assert (wheel.citations[0].source, wheel.citations[0].note) == (None, "not among the sources")
    assert tickets.citations[0].verdict is Verdict.SUPPORTED


def test_without_filters_it_is(folder: Path) -> None:
    assert verified(folder, TEXT, SearchFilters()).claims[0].citations[0].verdict is Verdict.SUPPORTED


def test_of_a_cited_table_only_the_rows_that_the_filters_take_are_read(folder: Path) -> None:
    text = "The mill burnt down ([log](log.csv))."
    (claim,) = verified(folder, text, SearchFilters(since="1940")).claims
    assert claim.citations[0].source == "log.csv"
    assert not [sentence.text for sentence in claim.evidence if "burnt" in sentence.text]
