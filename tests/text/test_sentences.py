"""Sentences know their place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probative.text.sentences import split_sentences


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
