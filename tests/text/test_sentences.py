"""Sentences know their place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probative.text.sentences import MAX_SENTENCE_CHARACTERS, split_sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Dr. Lee came. He left.", ["Dr. Lee came.", "He left."]),
        ("Roy et al. [2004] found it. So did we.", ["Roy et al. [2004] found it.", "So did we."]),
        ("A heading\n\nA sentence.", ["A heading", "A sentence."]),
        ("下雨了。比赛取消了！", ["下雨了。", "比赛取消了！"]),
        ("", []),
        (" \n\t ", []),
        ("😀 yes. 🎉 no.", ["😀 yes.", "🎉 no."]),
    ],
)
def test_known_texts(text: str, expected: list[str]) -> None:
    assert [sentence.text for sentence in split_sentences(text)] == expected


@given(st.text(alphabet="aB .!?\n\t1é中。😀\u0301", max_size=80))
def test_offsets_give_the_text_back_in_order_and_nothing_is_lost(text: str) -> None:
    sentences = split_sentences(text)
    assert [one.index for one in sentences] == list(range(len(sentences)))
    end = 0
    for one in sentences:
        assert one.start is not None
        assert one.end is not None
        assert text[one.start : one.end] == one.text
        assert one.text.strip() == one.text != ""
        assert not text[end : one.start].strip()
        end = one.end
    assert not text[end:].strip()


@pytest.mark.parametrize(
    "unit", ["one clause after another, ", "word ", "x", "工厂被烧毁，", "wide" + " " * 700], ids=repr
)
def test_a_sentence_too_long_to_be_read_is_split_and_its_pieces_are_marked(unit: str) -> None:
    text = "It rained. " + unit * (4_000 // len(unit)) + "end."
    first, *pieces = split_sentences(text)
    assert (first.text, first.piece) == ("It rained.", False)
    assert len(pieces) >= 3
    assert all(one.piece and 0 < len(one.text) <= MAX_SENTENCE_CHARACTERS for one in pieces)
    assert "".join("".join(one.text.split()) for one in pieces) == "".join(text.split())[len("Itrained.") :]
    for one in pieces:
        assert text[one.start : one.end] == one.text


def test_a_long_sentence_is_split_after_a_clause_or_else_between_words() -> None:
    clauses = split_sentences("the mill burnt down, " * 100)
    assert all(one.text.endswith("down,") for one in clauses)
    words = split_sentences("mill " * 400)
    assert all(one.text.endswith("mill") and one.text.startswith("mill") for one in words)
