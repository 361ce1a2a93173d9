"""Which sentences are read together: everything that fits, and what matters most of the rest."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from probative.models.verdict import MAX_EVIDENCE, VerdictLimits
from probative.verdict.lines import LABEL_TOKENS, choose_window, fits

WORDS = ("mill", "river", "fire", "heron", "bell", "1890", "north", "rope")
SENTENCES = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6), min_size=1, max_size=40)


@given(SENTENCES, st.integers(min_value=1, max_value=200))
def test_a_window_is_in_order_and_within_its_size(texts: list[list[str]], tokens: int) -> None:
    sentences = [" ".join(text) for text in texts]
    lengths = [len(text) for text in texts]
    window = choose_window("The mill burnt in 1890.", sentences, lengths, VerdictLimits(tokens))
    assert window == tuple(sorted(set(window)))
    assert 1 <= len(window) <= MAX_EVIDENCE
    cost = sum(lengths[index] + LABEL_TOKENS for index in window)
    assert cost <= tokens or len(window) == 1
    if fits(lengths, VerdictLimits(tokens)):
        assert window == tuple(range(len(sentences)))


def test_the_sentences_that_share_words_are_found_far_apart() -> None:
    filler = [f"Herons nest in tree number {number}." for number in range(100)]
    sentences = [*filler[:40], "Ada Berg owned the mill.", *filler[40:80], "It burnt in 1890.", *filler[80:]]
    window = choose_window(
        "Ada Berg owned a mill that burnt in 1890.", sentences, [8] * len(sentences), VerdictLimits(60)
    )
    assert {40, 81} <= set(window)
    assert 80 in window  # the sentence before one that shares words


def test_a_sentence_longer_than_the_window_is_read_all_the_same() -> None:
    assert choose_window("The mill burnt.", ["The mill burnt. " * 200], [900]) == (0,)
