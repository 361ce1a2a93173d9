"""Questions and claims to train on, from invented rows in every published form."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from reader_files import REPORTED_FROM, film, older, ship, write_sources

from probative.bench.data.splits import question_key
from probative.models.task_prompts import read_features
from probative.text.english.statements import dates_in
from probative.types import Passage
from training.reader import data as reader_data
from training.reader import hops as reader_hops
from training.reader import prose as reader_prose
from training.reader.facts import read_off
from training.reader.features import features_of, lines_of, write_features
from training.reader.invented import Inventor
from training.reader.rows import Row
from training.reader.triples import invent
from training.splits import reader_part, reported_keys


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    write_sources(folder)
    return folder


@pytest.fixture(scope="module")
def left_out() -> Counter[str]:
    """How many rows were left out, by reason."""
    return Counter()


@pytest.fixture(scope="module")
def rows(data: Path, left_out: Counter[str]) -> list[Row]:
    return read_small(data, 3, left_out)


def read_small(data: Path, seed: int, left_out: Counter[str]) -> list[Row]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader_data, "INVENTED", {"train": 20, "validation": 4, "test": 4})
        patch.setattr(reader_data, "FROM_PAGES", {"train": 60, "validation": 20, "test": 20})
        return reader_data.read_rows(data, seed, left_out)


def test_hotpotqa_is_read_with_its_gold_sentences_and_only_what_may_be_trained_on(data: Path) -> None:
    rows = {row.question: row for row in reader_hops.hotpotqa(data)}
    row = rows[ship(1)["question"]]
    assert row.answer == "Narvik"
    assert [passage.whole for passage in row.evidence] == [
        "Lark 1: The Lark 1 was built by Builder 1.",
        "Builder 1: Builder 1 was born in Narvik.",
    ]
    assert len(row.others) == 5
    assert ship(REPORTED_FROM)["question"] not in rows
    assert len(rows[ship(901)["question"]].gold) == 2  # sentence marks of a second annotation
    assert len(rows[ship(902)["question"]].gold) == 4  # pages only: all their sentences


def test_paragraphs_without_sentence_marks_are_passages(data: Path) -> None:
    (row,) = reader_hops.hotpotqa_gold_only(data)
    assert row.gold == (0, 1)
    assert row.sentences[1].text == "The Tern was built by Ole Brandt. It was small."


def test_questions_about_one_text_know_the_sentence_that_answers(data: Path) -> None:
    (pier,) = reader_prose.squad(data)
    assert (pier.answer, pier.gold) == ("1871", (1,))
    assert pier.sentences[0].title == "Grey Pier"
    (sund,) = reader_prose.squad2(data)
    assert (sund.answer, sund.gold) == (None, ())
    (swan,) = reader_prose.natural_questions(data)
    assert (swan.answer, swan.gold) == ("1911", (1,))
    (rooks,) = reader_prose.drop(data)  # the sum is left out: it does not stand in the text
    assert (rooks.answer, rooks.gold) == ("Rooks", (1,))
    (tar,) = reader_prose.boolq(data)  # the one without a label is left out
    assert (tar.question, tar.answer, tar.gold) == ("Is tar black?", "yes", (0, 1))


def test_statements_are_read_by_source_and_part(data: Path) -> None:
    claims = reader_data.read_claims(data)
    assert {source for source, _ in claims} == set(reader_data.CLAIMS)
    texts = {claim.text for found in claims.values() for claim in found}
    assert {"Ferry 0 was built in Voss.", "log 0 floats"} <= texts
    assert len(texts) == 60


def test_triples_know_the_sentence_that_states_them(data: Path) -> None:
    rows = {row.question: row for row in reader_hops.two_wiki(data)}
    row = rows[film(7, 1907)["question"]]
    assert [(triple.relation, row.sentences[triple.index].title) for triple in row.triples] == [
        ("director", "Grey Heron 7 (film)"),
        ("date of birth", "Ada Berg 7"),
    ]


def test_invented_questions_are_answered_rightly(data: Path) -> None:
    rows = list(reader_hops.two_wiki(data))
    born = {head: tail for row in rows for head, relation, tail in _facts(row) if relation == "date of birth"}
    directed = {head: tail for row in rows for head, relation, tail in _facts(row) if relation == "director"}
    made = invent(rows, "train", seed=1, n=30)
    compared = [row for row in made if row.kind in ("comparison", "bridge_comparison")]
    assert len(compared) > 30
    for row in compared:
        heads = [triple.head for triple in row.triples][:2]
        dates = {head: _date(born[directed.get(head, head)]) for head in heads}
        late = any(word in row.question for word in ("later", "younger"))
        assert row.answer == (max if late else min)(heads, key=dates.__getitem__), row.question
        assert row.needs_all
        assert len(row.gold) == len(row.triples)
    chained = [row for row in made if row.kind == "compositional"]
    assert all(row.answer == born[directed[row.triples[0].head]] for row in chained)


def test_pages_say_who_lived_when_and_who_directed_what() -> None:
    texts = {
        "Ada Berg": "Ada Berg( 5 May 1900 – June 3, 1980) was a Norwegian painter born in Molde.",
        "Tern (film)": "Tern is a 1976 Canadian drama film written and directed by Ole Brandt.",
        "Low Tide": '"Low Tide" is a song by American folk singer Eve Moe.',
        "Molde": "Molde is a town (5 May 1900).",
        "Bo Lund": "Bo Lund (born 1 June 1950) is a Danish actor.",
    }
    sentences = tuple(Passage(text=text, title=title) for title, text in texts.items())
    row = Row("Who?", "Ada", sentences, (0,), "hotpotqa", "train")
    assert {(fact.head, fact.relation, fact.tail) for fact in read_off([row], frozenset(["Bo Lund"]))} == {
        ("Ada Berg", "date of birth", "5 May 1900"),
        ("Ada Berg", "date of death", "June 3, 1980"),
        ("Ada Berg", "country of citizenship", "Norwegian"),
        ("Ada Berg", "place of birth", "Molde"),
        ("Tern (film)", "publication date", "1976"),
        ("Tern (film)", "country of origin", "Canadian"),
        ("Tern (film)", "director", "Ole Brandt"),
        ("Low Tide", "performer", "Eve Moe"),
    }


def test_questions_from_pages_are_answered_by_what_is_shown(data: Path) -> None:
    made = Inventor(list(reader_hops.two_wiki(data)), "train", 1, frozenset()).invent(800)
    assert {row.kind for row in made} == {
        "comparison", "bridge_comparison", "compositional", "inference", "single",
    }  # fmt: skip
    moved = 0
    for row in made:
        said = [passage.text for passage in row.evidence]
        if "comparison" not in row.kind:
            answer = str(row.answer)
            held = any(answer in text or set(dates_in(answer)) & set(dates_in(text)) for text in said)
            assert held, row.question
            continue
        assert row.answer in ("yes", "no") or str(row.answer) in row.question
        dates = [triple for triple in row.triples if triple.relation == "date of birth"]
        if len(dates) == 2 and row.answer not in ("yes", "no"):
            shown = [dates_in(row.sentences[triple.index].text)[0] for triple in dates]
            late = any(word in row.question for word in ("later", "younger"))
            which = shown.index((max if late else min)(shown))
            assert str(row.answer).lower() == row.triples[which].head.lower(), row.question
            moved += shown != [_date(text) for text in ("June 3, 1950", "7 March 1940")]
    assert moved > 20


def _facts(row: Row) -> list[tuple[str, str, str]]:
    return [(triple.head, triple.relation, triple.tail) for triple in row.triples]


def _date(text: str) -> tuple[int, int, int]:
    months = {"March": 3, "May": 5, "June": 6}
    words = text.replace(",", "").split()
    month = next(word for word in words if word in months)
    day, year = (int(word) for word in words if word != month)
    return year, months[month], day


def test_features_name_what_stands_in_the_question(data: Path) -> None:
    rows = {row.question: row for row in reader_hops.two_wiki(data)}
    found = features_of(rows[film(7, 1907)["question"]])
    assert found is not None
    assert write_features(lines_of(found)) == (
        "intent: date of birth\nnodes: director ; Grey Heron 7\nrelations: director | of | Grey Heron 7"
    )
    assert read_features(write_features(lines_of(found))) == lines_of(found)
    compared = features_of(rows[older(3)["question"]])
    assert compared is not None
    assert write_features(lines_of(compared)) == "intent: date of birth\nnodes: Ole Brandt 3 ; Eva Dahl 3"
    by_pages = features_of(next(reader_hops.hotpotqa(data)))
    assert by_pages is not None
    assert write_features(lines_of(by_pages)) == "intent: town\nnodes: Lark 0"


def test_what_the_model_writes_wrongly_is_left_out_or_refused() -> None:
    assert read_features("nodes: a ; b") is None
    found = read_features("intent: town\nnodes: a ; b\nrelations: a | near | b ; a | near | c ; a | b")
    assert found is not None
    assert found.relations == (("a", "near", "b"),)


def test_no_question_that_is_reported_on_is_trained_on(
    data: Path, rows: list[Row], left_out: Counter[str]
) -> None:
    reported = reported_keys(data)
    assert len(reported) == 8
    asked = {question_key(row.question) for row in rows}
    assert len(asked & {question_key(ship(number)["question"]) for number in range(REPORTED_FROM)}) > 150
    assert not asked & reported
    assert left_out["hotpotqa: reported on"] == 1
    assert {row.part for row in rows} == {"train", "validation", "test"}
    assert {question_key(row.question) for row in reader_hops.reported(data)} == reported


def test_every_source_is_there_and_each_question_once(rows: list[Row]) -> None:
    assert {row.source for row in rows} == {*reader_data.READERS, "2wiki_triples", "2wiki_pages"}
    assert len({question_key(row.question) for row in rows}) == len(rows)
    assert reader_part("Who sang?") == reader_part("who  SANG")


def test_the_same_seed_gives_the_same_rows(data: Path, rows: list[Row]) -> None:
    assert read_small(data, 3, Counter()) == rows
    assert read_small(data, 4, Counter()) != rows


def test_a_row_whose_answer_does_not_follow_is_left_out(data: Path) -> None:
    row = next(reader_hops.hotpotqa(data))
    changed = replace(row, sentences=(Passage(text="Tar is black."),) * len(row.sentences))
    assert features_of(changed) is None
