"""The layout of the policy's sequences, worked out by hand."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from probative.models import evidence_policy as policy
from probative.models.evidence_policy import CLS, COMPLETE, NOTHING, SEP, decision_sequences


def test_without_anything_chosen_the_candidate_follows_the_query() -> None:
    rows, second = decision_sequences([7, 8, 9], [], [[20], [21, 22]])
    assert rows == [
        [CLS, 7, 8, 9, SEP, 20, SEP],
        [CLS, 7, 8, 9, SEP, 21, 22, SEP],
        [CLS, 7, 8, 9, SEP, COMPLETE, SEP],
        [CLS, 7, 8, 9, SEP, NOTHING, SEP],
    ]
    assert second == 5


def test_chosen_texts_stand_before_the_candidate_in_their_order() -> None:
    rows, second = decision_sequences([7], [[30, 31], [32]], [[20]])
    assert rows[0] == [CLS, 7, SEP, 30, 31, SEP, 32, SEP, 20, SEP]
    assert second == 3


def test_without_candidates_the_two_others_remain() -> None:
    assert decision_sequences([7], [], []).rows == [[CLS, 7, SEP, COMPLETE, SEP], [CLS, 7, SEP, NOTHING, SEP]]


def test_long_texts_keep_their_beginning_and_the_chosen_their_end() -> None:
    rows, second = decision_sequences([7] * 100, [[30] * 100, [31] * 100, [32] * 100], [[20] * 500])
    assert second == 1 + 72 + 1
    assert rows[0][second:] == [
        *[30] * (192 - 130 - 1),
        SEP,
        *[31] * 64,
        SEP,
        *[32] * 64,
        SEP,
        *[20] * 112,
        SEP,
    ]


def test_an_answer_is_read_with_its_question() -> None:
    rows, second = decision_sequences([7] * 80, [], [[20]], answer=[40] * 30)
    assert rows[0] == [CLS, *[7] * 72, *[40] * 24, SEP, 20, SEP]
    assert second == 98


texts = st.lists(st.integers(200, 300), max_size=200)


@given(texts, st.lists(texts, max_size=8), st.lists(texts, max_size=4))
def test_every_sequence_fits_and_ends_in_a_separator(
    query: list[int], chosen: list[list[int]], candidates: list[list[int]]
) -> None:
    rows, second = decision_sequences(query, chosen, candidates)
    assert len(rows) == len(candidates) + 2
    most = 2 + policy.QUERY_TOKENS + policy.ALL_CHOSEN_TOKENS + policy.SENTENCE_TOKENS + 1
    assert all(row[-1] == SEP and row[second - 1] == SEP and len(row) <= most < 512 for row in rows)
    assert all(row.index(SEP) == second - 1 for row in rows)
