"""What is read from the graph, what is extrapolated, and what stays unknown."""

from __future__ import annotations

import pytest

from probative import Graph, GraphVerdict
from probative.give.answer import read_reply
from probative.give.conclude import named_in_graph
from probative.give.edge_reader import FactAnswer, Named
from probative.give.extract import Vocabulary, rule_entities
from probative.give.facts import answer_from_facts
from probative.give.query import make_query

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
        ("Bodin", "is the capital of", "Nordland"),
        ("Molde", "lies in", "Nordland"),
        ("Nordland", "borders", "Vestland"),
        ("Tora Vik", "is the mother of", "Odd Berg"),
        ("Elna", "carries", "salt"),
        ("salt", "is a", "mineral"),
        ("Odd Berg", "was born in", "1921"),
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
        ("Does arnica ease bruises?", "yes", ["(arnica, eases, bruise)"]),
        ("Does plum cause a cough?", "no", ["(plum, does not cause, cough)"]),
        ("Where was Elna built?", "Molde", ["(Elna, was built in, Molde)"]),
        ("Who commanded Elna?", "Tora Vik", ["(Elna, was commanded by, Tora Vik)"]),
        ("What does Elna carry?", "timber, salt", ["(Elna, carries, timber)", "(Elna, carries, salt)"]),
        ("Which mineral does Elna carry?", "salt", ["(Elna, carries, salt)"]),
        ("How many things does Elna carry?", "2", ["(Elna, carries, timber)", "(Elna, carries, salt)"]),
        ("What is the capital of Nordland?", "Bodin", ["(Bodin, is the capital of, Nordland)"]),
        ("What is Nordland's capital?", "Bodin", ["(Bodin, is the capital of, Nordland)"]),
        ("Is Nordland's capital Bodin?", "yes", ["(Bodin, is the capital of, Nordland)"]),
        ("Is Nordland's capital Molde?", "no", ["(Bodin, is the capital of, Nordland)"]),
        ("When was Odd Berg born?", "1921", ["(Odd Berg, was born in, 1921)"]),
        ("Does Vestland border Nordland?", "yes", ["(Nordland, borders, Vestland)"]),
        ("Is Molde the capital of Nordland?", "no", ["(Bodin, is the capital of, Nordland)"]),
        ("Is Odd Berg the mother of Tora Vik?", "no", ["(Tora Vik, is the mother of, Odd Berg)"]),
        ("Does arnica not ease a bruise?", "yes", ["(arnica, eases, bruise)"]),
        ("Is it not true that arnica eases a bruise?", "yes", ["(arnica, eases, bruise)"]),
        ("Is it false that arnica eases a bruise?", "no", ["(arnica, eases, bruise)"]),
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
    assert not result.inferred


@pytest.mark.parametrize(
    ("question", "facts"),
    [
        ("Does salve ease a bruise?", ["(salve, contains, arnica)", "(arnica, eases, bruise)"]),
        (
            "Was Tora Vik born on Grey Sound?",
            ["(Tora Vik, was born in, Hamnes)", "(Hamnes, lies on, Grey Sound)"],
        ),
    ],
)
def test_what_follows_from_a_path_is_inferred(question: str, facts: list[str]) -> None:
    result = read(question)
    assert result is not None
    assert (result.answer, [str(triple) for triple in result.facts]) == ("yes", facts)
    assert result.inferred


@pytest.mark.parametrize(
    "question",
    [
        "Did Elna command Tora Vik?",  # the wrong way round
        "Does Elna own Odd Berg?",
        "What does timber carry?",
        "Is Molde near Hamnes?",  # no edge between them
        "What does Elna not carry?",  # what a graph lacks is not false
        "Which ship sank?",
        "Is Hamnes the capital of Vestland?",
        "Which sound does Molde lie on?",
        "Who is Tora Vik's mother?",  # she is one herself
        "When was Tora Vik born?",  # the graph has the place
        "Does arnica relieve bruises?",  # another relation
        "Does arnica cure bruises?",
        "Does nettle soothe skin?",
    ],
)
def test_where_the_graph_is_silent_nothing_is_read(question: str) -> None:
    assert read(question) is None


def test_a_choice_is_read_if_the_graph_states_it_for_one_choice_only() -> None:
    result = read("Which of these eases a bruise?", ["nettle", "arnica", "timber"])
    assert result is not None
    assert result.answer == "arnica"
    assert read("Which of these is for skin?", ["nettle", "arnica"]) is None


def test_a_graph_that_states_and_denies_a_relation_gives_maybe() -> None:
    graph = Graph.from_triples([("plum", "causes", "cough"), ("plum", "does not cause", "cough")])
    query = make_query("Does plum cause a cough?")
    result = answer_from_facts(query, graph, named_in_graph(graph, ["plum", "cough"]))
    assert result is not None
    assert result.answer == "maybe"
    assert len(result.facts) == 2
    assert "states the asked relation and denies it" in result.notes[0]


def test_a_note_names_the_other_relations_between_the_asked_entities() -> None:
    result = read("Does nettle treat gout?")
    assert result is not None
    assert (result.answer, result.notes) == ("yes", ("the graph also states (nettle, worsens, gout)",))


def test_entities_that_stand_for_others_give_the_strength() -> None:
    query = make_query("Does arnica ease a swelling?")
    arnica, bruise = GRAPH.find("arnica"), GRAPH.find("bruise")
    assert arnica is not None
    assert bruise is not None
    result = answer_from_facts(query, GRAPH, [Named("arnica", arnica), Named("swelling", bruise, 0.7)])
    assert result is not None
    assert (result.answer, result.strength) == ("yes", 0.7)


def test_the_question_is_never_answered_with_yes_if_it_is_open() -> None:
    assert read_reply("Yes.", make_query("Who owns Elna?")) is None
    assert read_reply("Odd Berg", make_query("Who owns Elna?")) == "Odd Berg"
    # A question that can be answered so may ask for a text nevertheless.
    assert read_reply("No.", make_query("Is Elna a ferry?", form="text")) == "No."


def test_a_negated_choice_is_inferred_if_the_graph_states_it_for_all_others() -> None:
    result = read("Which of these does Elna not carry?", ["timber", "salt", "arnica"])
    assert result is not None
    assert (result.answer, result.inferred) == ("arnica", True)
    assert read("Which of these does Elna not carry?", ["timber", "nettle", "arnica"]) is None


@pytest.mark.parametrize(
    ("question", "words", "stand_in"),
    [
        ("Where was Ase Dahl born?", "Ase Dahl", "Tora Vik"),  # a person is not another person
        ("What is the capital of ostland?", "ostland", "Nordland"),  # a country's capital is its own
    ],
)
def test_a_fact_about_one_named_thing_is_never_told_of_another(
    question: str, words: str, stand_in: str
) -> None:
    entity = GRAPH.find(stand_in)
    assert entity is not None
    assert answer_from_facts(make_query(question), GRAPH, [Named(words, entity, 0.8)]) is None


def test_a_verdict_is_one_of_three_words() -> None:
    assert [verdict.value for verdict in GraphVerdict] == ["read", "extrapolated", "unknown"]
