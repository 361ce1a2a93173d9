"""Rows with questions, from invented rows in every published form."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from reader_files import REPORTED_FROM, ship, write_sources

from probative.bench.data.splits import question_key
from probative.models.task_prompts import UNKNOWN
from training.large import sources
from training.large.rows import Row
from training.large.sources import question_rows
from training.reader import data as reader_data
from training.reader.genres.examples import genre_examples
from training.splits import reported_keys


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("data")
    write_sources(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader_data, "INVENTED", {"train": 20, "validation": 4, "test": 4})
        patch.setattr(reader_data, "FROM_PAGES", {"train": 60, "validation": 20, "test": 20})
        patch.setattr(sources, "genre_examples", lambda seed, n: genre_examples(seed, n // 50))
        yield folder


@pytest.fixture(scope="module")
def rows(data: Path) -> list[Row]:
    return list(question_rows(data, seed=3))


def test_every_source_is_there(rows: list[Row]) -> None:
    found = {row.source for row in rows if row.task == "answer"}
    public = set(reader_data.READERS) - {"squad"}  # its only paragraph is not in the part for training
    assert found >= public | {"2wiki_triples", "2wiki_pages", "twins", "invented_genres"}
    assert {row.source for row in rows if row.task == "features"} >= {"hotpotqa_features"}
    assert {row.task for row in rows} == {"answer", "features"}


def test_no_question_that_is_reported_on_is_trained_on(data: Path, rows: list[Row]) -> None:
    asked = {question_key(row.asked) for row in rows}
    assert len(asked & {question_key(ship(number)["question"]) for number in range(REPORTED_FROM)}) > 150
    assert not asked & reported_keys(data)


def test_unknown_is_the_answer_only_where_the_lines_do_not_hold_it(rows: list[Row]) -> None:
    lacking = [row for row in rows if row.source == "hotpotqa_lacking"]
    assert lacking
    for row in lacking:
        number = int(row.asked.split("Lark ")[1].split()[0])
        assert row.reply == UNKNOWN
        assert not any(f" {ship(number)['answer']}." in line.text for line in row.lines)


def test_a_cited_line_is_of_the_evidence(rows: list[Row]) -> None:
    for row in rows:
        if row.source == "hotpotqa" and "Lark 1 " in row.asked:
            cited = sorted(row.lines[index].text for index in row.cited or ())
            assert cited == ["Builder 1 was born in Narvik.", "The Lark 1 was built by Builder 1."]


def test_the_same_seed_gives_the_same_rows(data: Path, rows: list[Row]) -> None:
    assert list(question_rows(data, seed=3)) == rows
    assert list(question_rows(data, seed=4)) != rows
