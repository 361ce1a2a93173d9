"""Near duplicates are found in any order of size, and different documents are not."""

from __future__ import annotations

import random

import pytest

from probative.corpus.documents.duplicates import DuplicateFinder
from probative.errors import InputError

WORDS = [f"word{number}" for number in range(3_000)]


def text_of(seed: int, length: int = 1_500) -> str:
    return " ".join(random.Random(seed).choices(WORDS, k=length))


def jaccard(first: str, second: str) -> float:
    """The exact similarity, computed in the plain way."""
    sets = []
    for text in (first, second):
        words = text.split()
        sets.append({tuple(words[at : at + 5]) for at in range(len(words) - 4)})
    return len(sets[0] & sets[1]) / len(sets[0] | sets[1])


@pytest.mark.parametrize("changed", [5, 20, 30])
def test_the_similarity_is_near_the_exact_one(changed: int) -> None:
    original = text_of(1)
    words = original.split()
    for place in random.Random(2).sample(range(len(words)), changed):
        words[place] = "changed"
    copy = " ".join(words)
    finder = DuplicateFinder(0.5)
    assert finder.add("old.md", original) is None
    found = finder.add("new.md", copy)
    assert found is not None
    assert found.original == "old.md"
    assert found.similarity == pytest.approx(jaccard(original, copy), abs=0.08)


def test_different_documents_are_kept_apart() -> None:
    finder = DuplicateFinder()
    assert [finder.add(f"{seed}.txt", text_of(seed, 300)) for seed in range(50)] == [None] * 50


def test_copies_of_copies_lead_to_the_original() -> None:
    finder = DuplicateFinder()
    text = text_of(3)
    finder.add("a", text)
    originals = [(found := finder.add(name, text)) and found.original for name in ("b", "c")]
    assert originals == ["a", "a"]


def test_languages_without_spaces() -> None:
    finder = DuplicateFinder()
    assert (
        finder.add("a", "港の船は毎朝六時に島へ出る。切符は船の上で買うことができる。犬も切符が要る。")
        is None
    )
    found = finder.add("b", "港の船は毎朝六時に島へ出る。切符は船の上で買うことができる。犬も切符が要る!")
    assert found is not None
    assert finder.add("c", "灯台は二年前に閉まった。鍵は町の役場にある。訪問は火曜日だけである。") is None


def test_short_and_empty_texts() -> None:
    finder = DuplicateFinder()
    assert [finder.add(name, text) for name, text in (("a", ""), ("b", ""), ("c", "Closed."))] == [None] * 3
    assert finder.add("d", "closed") is not None


def test_the_similarity_must_be_a_share() -> None:
    with pytest.raises(InputError):
        DuplicateFinder(0)
