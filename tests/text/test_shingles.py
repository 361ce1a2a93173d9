"""Copies, parts and slightly changed versions of a text are found; other texts on the same fact are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probative.text.shingles import contained, shingles, without_near_duplicates

TEXT = "The ferry Lark was built in Molde in 1842 for the salt trade, and it sank on its third voyage."
# By hand: 20 words have 16 runs of five. "1842" is the ninth word, so that five of them have it.
OTHER_YEAR = TEXT.replace("1842", "1824")
SAME_FACT = "In 1842 a yard in Molde finished the Lark, a ferry that carried salt and was soon lost."


def test_a_changed_word_costs_the_five_runs_that_have_it() -> None:
    assert len(shingles(TEXT)) == 16
    assert contained(TEXT, OTHER_YEAR) == pytest.approx(11 / 16)
    assert contained(TEXT, SAME_FACT) == 0.0


@pytest.mark.parametrize(
    ("texts", "kept"),
    [
        ([TEXT, TEXT.upper()], [0]),
        ([TEXT, f"From the harbour's book. {TEXT} So far the book."], [0]),
        ([f"From the harbour's book. {TEXT} So far the book.", TEXT[:40]], [0]),
        ([TEXT, OTHER_YEAR], [0]),
        ([TEXT, SAME_FACT], [0, 1]),
        ([SAME_FACT, TEXT, OTHER_YEAR, SAME_FACT], [0, 1]),
        (["Closed.", "closed", "Open."], [0, 2]),
        (["", ""], [0, 1]),
        ([], []),
    ],
)
def test_of_near_duplicates_the_first_is_kept(texts: list[str], kept: list[int]) -> None:
    assert without_near_duplicates(texts) == kept


@given(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=30), st.integers(0, 25))
def test_a_part_is_contained_in_the_whole(words: list[str], start: int) -> None:
    whole, part = " ".join(words), " ".join(words[start : start + 9])
    if len(words[start : start + 9]) >= 5:
        assert contained(whole, part) == contained(part, whole) == 1.0
