"""The policy's choice, one text after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from probative.engine.search import PolicyChain, choose_chain_by_policy
from probative.models.evidence_policy import PolicyScores, PolicyState

Weigh = Callable[[PolicyState], PolicyScores]


def chosen(weigh: Weigh, texts: Sequence[str], **options: object) -> tuple[PolicyChain, list[PolicyState]]:
    """What is chosen by a policy, and the decisions that it was asked for."""
    search = choose_chain_by_policy("query", texts, **{"max_texts": 3, **options})  # type: ignore[arg-type]
    states: list[PolicyState] = []
    asked = next(search)
    while True:
        assert (asked.verb, asked.step) == ("weigh", "evidence")
        (state,) = asked.items
        states.append(state)
        try:
            asked = search.send([weigh(state)])
        except StopIteration as ended:
            return ended.value, states


def in_order(*wanted: str, end: str = "complete") -> Weigh:
    """Likes the texts in this order, and then stops so."""

    def weigh(state: PolicyState) -> PolicyScores:
        left = [text for text in wanted if text not in state.chosen]
        scores = tuple(5.0 - left.index(text) if text in left else 0.0 for text in state.candidates)
        stop = 9.0 if not left else -9.0
        return PolicyScores(scores, stop if end == "complete" else -9.0, stop if end == "nothing" else -9.0)

    return weigh


def test_it_stops_where_nothing_more_is_needed() -> None:
    chain, states = chosen(in_order("c", "a"), "abcd")
    assert (chain.indexes, chain.ended) == ([2, 0], "complete")
    assert chain.complete == pytest.approx(1.0)
    assert [state.chosen for state in states] == [(), ("c",), ("c", "a")]
    assert states[1].candidates == ("a", "b", "d")
    assert len(chain.first) == 4
    assert chain.probabilities[0] == chain.first[2]


def test_it_stops_where_nothing_more_is_to_be_had() -> None:
    chain, _ = chosen(in_order("b", end="nothing"), "abcd")
    assert (chain.indexes, chain.ended) == ([1], "nothing")
    assert chain.complete < 1e-6


def test_no_more_than_max_texts_and_the_end_is_still_weighed() -> None:
    chain, states = chosen(in_order("a", "b", "c", "d"), "abcd", max_texts=2)
    assert (chain.indexes, chain.ended, len(states)) == ([0, 1], "limit", 3)
    enough, _ = chosen(in_order("a", "b"), "abcd", max_texts=2)
    assert (enough.indexes, enough.ended) == ([0, 1], "complete")


def test_at_least_one_is_taken_and_more_if_wanted() -> None:
    chain, _ = chosen(in_order(end="nothing"), "abcd")
    assert (chain.indexes, chain.ended) == ([0], "nothing")
    more, _ = chosen(in_order("c"), "abcd", min_texts=3)
    assert (more.indexes, more.ended) == ([2, 0, 1], "complete")
    assert more.complete == pytest.approx(1.0)
    few, _ = chosen(in_order("c"), "abcd", min_texts=3, max_texts=2)
    assert few.indexes == [2, 0]


def test_when_all_are_taken_it_ends() -> None:
    chain, states = chosen(in_order("a", "b", "never"), "ab", max_texts=9)
    assert (sorted(chain.indexes), states[-1].candidates) == ([0, 1], ())


def test_later_steps_weigh_the_best_and_what_belongs_to_the_chosen() -> None:
    texts = [f"text {number}" for number in range(50)]
    chain, states = chosen(in_order("text 7", "text 40"), texts, shortlist=5, related=lambda taken: [48, 49])
    assert chain.indexes == [7, 40]
    assert len(states[0].candidates) == 50
    assert len(states[1].candidates) == 7
    assert states[1].candidates[-2:] == ("text 48", "text 49")


def test_equal_scores_give_the_first() -> None:
    chain, _ = chosen(
        lambda state: PolicyScores((0.0,) * len(state.candidates), -5.0, -5.0), "abcdef", max_texts=3
    )
    assert chain.indexes == [0, 1, 2]
