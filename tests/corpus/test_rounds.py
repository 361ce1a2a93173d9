"""Several rounds of retrieval find what one round cannot."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probative.corpus.rounds import RoundOptions, RoundsResult, retrieve_in_rounds
from probative.engine.search import Search
from probative.errors import InputError
from probative.models.evidence_policy import PolicyScores, PolicyState
from probative.text.words import words
from probative.types import Passage

PAGES = (
    Passage(text="Salt Wind is a film directed by Ole Brandt.", title="Salt Wind"),
    Passage(text="Ole Brandt was a captain. He married Ada Berg.", title="Ole Brandt"),
    Passage(text="Ada Berg kept a lighthouse near Vell.", title="Ada Berg"),
    Passage(text="The wife of the film director Bo Lund was a painter.", title="Bo Lund"),
    Passage(text="A film about salt was shown in Molde.", title="Molde"),
)
QUESTION = "Who was the wife of the director of the film Salt Wind?"


def by_words(query: str, n: int) -> list[Passage]:
    """Rank the pages by the number of words they share with a query; those without any are not found."""
    asked = set(words(query))
    shared = [len(asked.intersection(words(page.whole))) for page in PAGES]
    order = sorted(range(len(PAGES)), key=lambda index: -shared[index])
    return [PAGES[index] for index in order if shared[index]][:n]


def scripted(gold: Sequence[str]) -> dict[str, float]:
    """Return scores by which the policy prefers these titles in their order."""
    return {title: 9.0 - number for number, title in enumerate(gold)}


def run(
    search: Search[RoundsResult[Passage]], liked: dict[str, float]
) -> tuple[RoundsResult[Passage], list[int]]:
    """Drive the rounds with scripted scores by title; also return the number of decisions in each batch."""
    batches: list[int] = []
    try:
        ask = next(search)
        while True:
            batches.append(len(ask.items))
            ask = search.send([_weighed(state, liked) for state in ask.items])
    except StopIteration as stop:
        return stop.value, batches


def _weighed(state: PolicyState, liked: dict[str, float]) -> PolicyScores:
    titles = [candidate.partition(":")[0] for candidate in state.candidates]
    complete = 5.0 if len(state.chosen) >= liked.get("complete from", 99.0) else -5.0
    return PolicyScores(tuple(liked.get(title, 0.0) for title in titles), complete, -5.0)


def titles(passages: Sequence[Passage]) -> list[str | None]:
    return [passage.title for passage in passages]


def test_names_lead_to_passages_that_the_question_cannot_find() -> None:
    one_round = titles(by_words(QUESTION, 2))
    assert "Ole Brandt" not in one_round
    options = RoundOptions(retrieved=2)
    result, _ = run(
        retrieve_in_rounds(QUESTION, by_words, 3, options=options), scripted(("Salt Wind", "Ole Brandt"))
    )
    assert titles(result.chain)[:2] == ["Salt Wind", "Ole Brandt"]
    assert titles(result.passages)[:2] == ["Salt Wind", "Ole Brandt"]
    assert "Ole Brandt" in result.queries


def test_a_further_round_reaches_a_further_hop() -> None:
    order = ("Salt Wind", "Ole Brandt", "Ada Berg")
    for rounds, reached in ((1, False), (2, True)):
        options = RoundOptions(retrieved=2, rounds=rounds)
        result, _ = run(retrieve_in_rounds(QUESTION, by_words, 10, options=options), scripted(order))
        assert ("Ada Berg" in titles(result.passages)) is reached


def test_without_further_rounds_the_passages_of_the_first_are_ordered_anew() -> None:
    options = RoundOptions(rounds=0)
    result, batches = run(retrieve_in_rounds(QUESTION, by_words, 10, options=options), {"Molde": 9.0})
    assert batches == [1]
    assert titles(result.passages)[0] == "Molde"
    assert set(titles(result.passages)) == set(titles(by_words(QUESTION, 20)))


def test_all_chains_of_a_round_are_weighed_in_one_batch() -> None:
    options = RoundOptions(retrieved=4, rounds=2, chains=3)
    _, batches = run(retrieve_in_rounds(QUESTION, by_words, 5, options=options), {})
    # Before each further round, one more reading says whether the best chain is complete.
    assert batches == [1, 1, 3, 1, 3]


@pytest.mark.parametrize(("length", "batches"), [(1, [1, 1]), (2, [1, 1, 3, 1]), (3, [1, 1, 3, 1, 3])])
def test_the_rounds_end_when_the_best_chain_is_complete(length: int, batches: list[int]) -> None:
    options = RoundOptions(retrieved=4, rounds=2, chains=3)
    result, made = run(
        retrieve_in_rounds(QUESTION, by_words, 5, options=options), {"complete from": float(length)}
    )
    assert made == batches
    assert len(result.chain) == length


def test_improbable_chains_are_left() -> None:
    options = RoundOptions(retrieved=4, rounds=1, chains=3)
    _, batches = run(
        retrieve_in_rounds(QUESTION, by_words, 5, options=options), {"Salt Wind": 9.0, "Bo Lund": 8.0}
    )
    assert batches == [1, 1, 2]


def test_the_same_query_is_not_made_twice() -> None:
    result, _ = run(retrieve_in_rounds(QUESTION, by_words, 5, options=RoundOptions(retrieved=4)), {})
    assert len(result.queries) == len(set(result.queries))


def test_a_lookup_of_its_own_gets_the_names_and_the_retriever_only_the_question() -> None:
    asked: list[str] = []

    def retriever(query: str, n: int) -> list[Passage]:
        asked.append(query)
        return by_words(query, n)

    run(retrieve_in_rounds(QUESTION, retriever, 5, lookup=by_words), {})
    assert asked == [QUESTION]


def test_a_retriever_that_finds_nothing_gives_no_passages() -> None:
    result, batches = run(retrieve_in_rounds(QUESTION, lambda query, n: [], 5), {})
    assert result.passages == []
    assert batches == []


def test_a_retriever_that_gives_too_many_is_cut() -> None:
    result, _ = run(
        retrieve_in_rounds(
            QUESTION, lambda query, n: list(PAGES), 2, options=RoundOptions(rounds=0, retrieved=2)
        ),
        {},
    )
    assert len(result.passages) == 2


def test_n_must_be_positive() -> None:
    with pytest.raises(InputError, match="n must be at least 1, got 0"):
        next(retrieve_in_rounds(QUESTION, by_words, 0))


@settings(max_examples=40, deadline=None)
@given(
    rounds=st.integers(0, 3),
    chains=st.integers(1, 3),
    names=st.integers(0, 4),
    scores=st.lists(st.floats(-5, 9), min_size=5, max_size=5),
)
def test_cost_stays_within_the_documented_bounds(
    rounds: int, chains: int, names: int, scores: list[float]
) -> None:
    options = RoundOptions(rounds=rounds, chains=chains, names=names)
    liked = {page.title or "": score for page, score in zip(PAGES, scores, strict=True)}
    result, batches = run(retrieve_in_rounds(QUESTION, by_words, 10, options=options), liked)
    assert sum(batches) <= 1 + rounds * (chains + 1)
    assert len(result.queries) <= 1 + max(names, 1) + rounds * chains * (names + 1)
    assert len(titles(result.passages)) == len(set(titles(result.passages)))
    assert set(result.chain) <= set(result.passages)
