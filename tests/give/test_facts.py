"""What is read from the graph, what is extrapolated, and what stays unknown."""

from __future__ import annotations

import pytest

from probative import Graph, GraphVerdict
from probative.give.answer import read_reply
from probative.give.conclude import named_in_graph
from probative.give.facts import FactAnswer, Named, answer_from_facts
from probative.give.query import make_query
from probative.give.rule_entities import Vocabulary, rule_entities

GRAPH = Graph.from_triples(
    [
        ("Elna", "was built in", "Molde"),
        ("Elna", "was commanded by", "Tora Vik"),
        ("Tora Vik", "was born in", "Hamnes"),
        ("Hamnes", "lies on", "Grey Sound"),
        ("Elna", "carries", "timber"),
        ("timber", "is a kind of", "cargo"),
        ("Odd Berg", "owns", "Elna"),
        ("salve", "contains", "arnica"),
        ("arnica", "eases", "bruise"),
        ("nettle", "irritates", "skin"),
        ("camomile", "soothes", "skin"),
        ("nettle", "treats", "gout"),
        ("nettle", "worsens", "gout"),
        ("plum", "does not cause", "cough"),
    ]
)


def read(question: str, choices: list[str] | None = None) -> FactAnswer | None:
    query = make_query(question, choices)
    names = rule_entities(query, Vocabulary.of(GRAPH))
    return answer_from_facts(query, GRAPH, named_in_graph(GRAPH, names, question))


@pytest.mark.parametrize(
    ("question", "answer", "facts"),
    [
        ("Was Elna built in Molde?", "yes", ["(Elna, was built in, Molde)"]),
        ("Was Elna commanded by Tora Vik?", "yes", ["(Elna, was commanded by, Tora Vik)"]),
        ("Did Tora Vik command Elna?", "yes", ["(Elna, was commanded by, Tora Vik)"]),
        ("Does arnica relieve bruises?", "yes", ["(arnica, eases, bruise)"]),
        ("Does nettle soothe skin?", "no", ["(nettle, irritates, skin)"]),
        ("Does plum cause a cough?", "no", ["(plum, does not cause, cough)"]),
        ("Does salve ease a bruise?", "yes", ["(salve, contains, arnica)", "(arnica, eases, bruise)"]),
        (
            "Was Tora Vik born on Grey Sound?",
            "yes",
            ["(Tora Vik, was born in, Hamnes)", "(Hamnes, lies on, Grey Sound)"],
        ),
        ("Where was Elna built?", "Molde", ["(Elna, was built in, Molde)"]),
        ("Who commanded Elna?", "Tora Vik", ["(Elna, was commanded by, Tora Vik)"]),
        ("What does Elna carry?", "timber", ["(Elna, carries, timber)"]),
        ("Who owns Elna?", "Odd Berg", ["(Odd Berg, owns, Elna)"]),
        ("What does Odd Berg own?", "Elna", ["(Odd Berg, owns, Elna)"]),
        ("What does nettle do to skin?", "irritates", ["(nettle, irritates, skin)"]),
        ("What contains arnica?", "salve", ["(salve, contains, arnica)"]),
    ],
)
def test_a_stated_answer_is_read_with_the_edges_that_state_it(
    question: str, answer: str, facts: list[str]
) -> None:
    result = read(question)
    assert result is not None
    assert (result.answer, [str(triple) for triple in result.facts]) == (answer, facts)


@pytest.mark.parametrize(
    "question",
    [
        "Did Elna command Tora Vik?",  # the wrong way round
        "Does Elna own Odd Berg?",
        "What does timber carry?",
        "Is Molde near Hamnes?",  # no edge between them
        "Does arnica not ease a bruise?",  # what a graph lacks is not false
        "Which ship sank?",
    ],
)
def test_where_the_graph_is_silent_nothing_is_read(question: str) -> None:
    assert read(question) is None


def test_a_choice_is_read_if_the_graph_states_it_for_one_choice_only() -> None:
    result = read("Which of these helps against a bruise?", ["nettle", "arnica", "timber"])
    assert result is not None
    assert result.answer == "arnica"
    assert read("Which of these is for skin?", ["nettle", "arnica"]) is None


def test_a_graph_that_states_both_sides_gives_maybe() -> None:
    result = read("Does nettle treat gout?")
    assert result is not None
    assert (result.answer, result.conflict) == ("maybe", True)
    assert len(result.facts) == 2


def test_entities_that_stand_for_others_give_the_strength() -> None:
    query = make_query("Does salve ease a swelling?")
    arnica, bruise = GRAPH.find("salve"), GRAPH.find("bruise")
    assert arnica is not None
    assert bruise is not None
    result = answer_from_facts(query, GRAPH, [Named("salve", arnica), Named("swelling", bruise, 0.7)])
    assert result is not None
    assert (result.answer, result.strength) == ("yes", 0.7)


def test_the_question_is_never_answered_with_yes_if_it_is_open() -> None:
    assert read_reply("Yes.", make_query("Who owns Elna?")) is None
    assert read_reply("Odd Berg", make_query("Who owns Elna?")) == "Odd Berg"


def test_a_verdict_is_one_of_three_words() -> None:
    assert [verdict.value for verdict in GraphVerdict] == ["read", "extrapolated", "unknown"]
