"""The generated passages of the benchmarks are like text."""

from __future__ import annotations

from collections import Counter

from corpus_passages import generated, passages_in_memory, queries, vocabulary


def test_passages_have_about_eighty_words_in_several_sentences() -> None:
    passages = passages_in_memory(300)
    assert 285 <= len(passages) <= 300
    lengths = [len(passage.text.split()) for passage in passages]
    assert 75 <= sum(lengths) / len(lengths) <= 90
    assert sum(len(passage.sentences) for passage in passages) / len(passages) > 2


def test_words_follow_the_law_of_zipf() -> None:
    text = " ".join(document.text for document in generated(500)).lower().replace(".", "")
    counts = [count for _, count in Counter(text.split()).most_common()]
    # Four times the rank, about a quarter of the frequency, shifted at the top.
    assert 3 < counts[19] / counts[79] < 5
    assert sum(count == 1 for count in counts) > len(counts) / 3


def test_the_same_seed_gives_the_same_words() -> None:
    assert [each.text for each in generated(3)] == [each.text for each in generated(3)]
    assert queries(2) == queries(2) != queries(2, seed=2)
    assert len(set(vocabulary())) == len(vocabulary())
