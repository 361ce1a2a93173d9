"""Passages in Milvus: the hits of the embedded index."""

from __future__ import annotations

import math
import random
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from probative import InputError, StoreError
from probative.corpus.documents.document import Facts
from probative.corpus.documents.passages import CorpusPassage
from probative.corpus.stores.labels import StoreAddress
from probative.corpus.stores.milvus import MilvusStore, passage_rows
from probative.corpus.stores.records import DocumentFacts, analyzer, from_record
from probative.corpus.stores.word_index import WordIndex

pytest.importorskip("pymilvus")
pytest.importorskip("milvus_lite")

WORDS = [
    *(
        "ferry",
        "harbour",
        "lift",
        "closes",
        "opens",
        "winter",
        "summer",
        "ticket",
        "crown",
        "captain",
        "storm",
    ),
    *("fjord", "bridge", "timetable"),
]


def passage(text: str, language: str = "en", title: str | None = None) -> CorpusPassage:
    return CorpusPassage(
        text=text,
        title=title,
        source="a.txt",
        start=7,
        end=7 + len(text),
        language=language,
        sentences=((7, 9),),
    )


def documents() -> list[list[CorpusPassage]]:
    """Return thirty documents of four short passages."""
    draw = random.Random(5)
    return [
        [
            passage(
                " ".join(draw.choices(WORDS, k=draw.randint(4, 25))), title=draw.choice([None, "Minutes"])
            )
            for _ in range(4)
        ]
        for _ in range(30)
    ]


def bm25(query: str, number: int, k1: float = 1.5, b: float = 0.75) -> float:
    """Return the score by the formula, with the k1 of Milvus Lite."""
    analyze = analyzer("en").analyze
    texts = [analyze(f"{each.title or ''} {each.text}") for passages in documents() for each in passages]
    mean = sum(map(len, texts)) / len(texts)
    score = 0.0
    for term in set(analyze(query)):
        count = sum(term in text for text in texts)
        idf = math.log(1 + (len(texts) - count + 0.5) / (count + 0.5))
        tf = texts[number].count(term)
        score += idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * len(texts[number]) / mean))
    return score


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[MilvusStore, WordIndex]]:
    folder = tmp_path_factory.mktemp("stores")
    milvus = MilvusStore(str(folder / "m.db"), "passages", create=True)
    words = WordIndex(folder / "words", create=True)
    for store in (milvus, words):
        with store.writing() as writer:
            for number, texts in enumerate(documents()):
                writer.add(texts, number * 4, number)
            writer.commit()
        store.reload()
    yield milvus, words
    milvus.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    "query", ["When does the lift close in winter?", "crowns, captains and storms", "fjord"]
)
def test_the_passages_are_those_of_the_embedded_index_and_the_scores_are_bm25(
    query: str, stores: tuple[MilvusStore, WordIndex]
) -> None:
    milvus, words = stores
    assert len(milvus) == len(words) == 120
    found = milvus.search(query, 120, ["en"])
    expected = {hit.number: hit for hit in words.search(query, 120, ["en"])}
    assert {hit.number for hit in found} == expected.keys()
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
    for hit in found:
        assert hit.score == pytest.approx(bm25(query, hit.number), rel=1e-4)
        assert hit.document == expected[hit.number].document
        assert milvus.record(hit) == words.record(expected[hit.number])


@pytest.mark.slow
def test_filters_numbers_and_ranges(stores: tuple[MilvusStore, WordIndex]) -> None:
    milvus, words = stores
    few = milvus.search("ferry", 50, ["en"], [3, 4, 5])
    assert {hit.number for hit in few} == {hit.number for hit in words.search("ferry", 50, ["en"], [3, 4, 5])}
    assert {hit.document for hit in few} <= {3, 4, 5}
    assert milvus.search("ferry", 50, ["en"], []) == []
    assert milvus.search("?!", 5, ["en"]) == []
    assert milvus.search("xylophone", 5, ["en"]) == []
    assert sorted(hit.number for hit in milvus.at([3, 9, 5_000])) == [3, 9]
    assert milvus.at([]) == []
    assert sorted(hit.number for hit in milvus.between(7, 12)) == [7, 8, 9, 10, 11]


@pytest.mark.slow
def test_passages_of_any_language_and_length_come_back_and_are_removed(tmp_path: Path) -> None:
    store = MilvusStore(str(tmp_path / "m.db"), "passages", create=True)
    noise = random.Random(2)
    long = passage("gull " + " ".join(str(noise.random()) for _ in range(20_000)))
    assert len(list(passage_rows(long, 3, 1))) > 2
    texts = [
        passage("船は六時に出る", "ja"),
        passage("Die Fähren fahren.", "de"),
        passage("Łódź ☃ \x00", "pl"),
        long,
    ]
    with store.writing() as writer:
        writer.add(texts, 0, 1)
        writer.add([passage("A gull.")], 4, 2)
        writer.commit()
    for number, (query, language) in enumerate(
        [("船", "ja"), ("Fähre", "de"), ("Łódź", "pl"), ("gull", "en")]
    ):
        hits = store.search(query, 5, [language], [1])
        assert [hit.number for hit in hits] == [number]
        back = from_record(store.record(hits[0]), DocumentFacts(1, "a.txt", Facts(language, None, None, {})))
        assert (back.text, back.sentences) == (texts[number].text, ((7, 9),))
    assert len(store) == 5
    with store.writing() as writer:
        writer.remove([1])
        writer.commit()
    assert [hit.number for hit in store.between(0, 10)] == [4]
    store.drop()
    with pytest.raises(StoreError, match="does not have the passages of this index"):
        MilvusStore(str(tmp_path / "m.db"), "passages")
    store.close()


@pytest.mark.slow
def test_a_store_that_is_down_is_an_error_that_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("probative.corpus.stores.milvus._SECONDS", 0.5)
    with socket.socket() as unused:  # bound, but nobody listens
        unused.bind(("127.0.0.1", 0))
        place = f"http://127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(StoreError, match="cannot be used") as raised:
            MilvusStore(place, "passages")
    assert place in raised.value.what
    assert "start it, or check the address" in raised.value.hint


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("moon:http://x", "there is no store called 'moon'"),
        ("milvus", "has no address"),
        ("milvus: ", "has no address"),
        ("milvus:http://me:secret@host:19530", "must not contain a password"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        StoreAddress.parse(text)


def test_a_file_is_found_from_every_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert str(StoreAddress.parse("milvus:m.db")) == f"milvus:{tmp_path / 'm.db'}"
    assert StoreAddress.parse(None) is None
