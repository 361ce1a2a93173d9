"""Questions that name several relations or a kind of answer: the whole question is read, or nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from probative import Graph, GraphVerdict, reason
from probative.give.conclude import named_in_graph
from probative.give.extract import Vocabulary, rule_entities
from probative.give.facts import answer_from_facts
from probative.give.query import make_query

TRIPLES = [
    ("Liv Aas", "founded", "Aas Yard"),
    ("Aas Yard", "is based in", "Florvik"),
    ("Aas Yard", "employs", "Per Dahl"),
    ("Aas Yard", "builds", "dinghy"),
    ("Per Dahl", "was born in", "Porto"),
    ("Liv Aas", "was born in", "Hamnes"),
    ("Liv Aas", "studied at", "Sund College"),
    ("Per Dahl", "studied at", "Porto School"),
    ("Per Dahl", "is married to", "Ana Reis"),
    ("Ana Reis", "designed", "keel"),
    ("Porto", "lies in", "Douro"),
    ("Douro", "is part of", "Portugal"),
    ("Florvik", "lies in", "Norway"),
    ("Bergby", "is the capital of", "Norway"),
    ("Rita Sol", "was born in", "Florvik"),
    ("keel", "is a", "part"),
    ("dinghy", "is a", "boat"),
]
GRAPH = Graph.from_triples(TRIPLES)


def read(
    question: str, choices: list[str] | None = None, equal: tuple[tuple[str, ...], ...] = ()
) -> str | None:
    query = replace(make_query(question, choices), equal=equal)
    names = rule_entities(query, Vocabulary.of(GRAPH))
    fact = answer_from_facts(query, GRAPH, named_in_graph(GRAPH, names, question))
    return None if fact is None else fact.answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("In which country was Per Dahl born?", "Portugal"),
        ("In which region was Per Dahl born?", "Douro"),
        ("In which town was Per Dahl born?", "Porto"),
        ("In which country was Liv Aas born?", None),  # the graph knows only the town
        ("Which boat did Ana Reis design?", None),  # a keel is a part
        ("Who was born in the town where Aas Yard is based?", "Rita Sol"),
        ("What is the capital of the country where Aas Yard is based?", "Bergby"),
    ],
)
def test_an_answer_is_of_the_asked_kind(question: str, answer: str | None) -> None:
    assert read(question) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where did the founder of Aas Yard study?", "Sund College"),
        ("Where did the wife of Per Dahl study?", None),
        ("What did the wife of Per Dahl design?", None),  # the graph has no wives
        ("Where did the brother of Per Dahl study?", None),  # the graph has no brothers
        ("Who praised the founder of Aas Yard?", None),
        ("Did the wife of Per Dahl design the keel?", None),
        ("Did the wife of Ana Reis design the keel?", None),
        ("Which design does Aas Yard build?", "dinghy"),  # a noun that is also a relation
    ],
)
def test_every_relation_of_a_question_is_followed(question: str, answer: str | None) -> None:
    assert read(question) == answer


def test_a_chain_is_followed_by_names_that_the_user_declared_equal() -> None:
    equal = (("wife", "is married to"),)
    assert read("What did the wife of Per Dahl design?", equal=equal) == "keel"
    assert read("Did the wife of Per Dahl design the keel?", equal=equal) == "yes"
    assert read("Where did the wife of Per Dahl study?", equal=equal) is None


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who is the employer of Per Dahl?", "Aas Yard"),
        ("Who is Per Dahl's employer?", "Aas Yard"),
        ("Who is the employer of Aas Yard?", None),
        ("Who is the employee of Aas Yard?", "Per Dahl"),
    ],
)
def test_a_noun_made_from_a_relation_is_read_in_its_direction(question: str, answer: str | None) -> None:
    assert read(question) == answer


@pytest.mark.model
def test_a_choice_that_the_graph_does_not_state_is_a_guess() -> None:
    result = reason(
        "Which of these did Ana Reis study at?", TRIPLES, choices=["Sund College", "Porto School"]
    )
    assert result.verdict is GraphVerdict.UNKNOWN


def test_a_name_that_the_graph_does_not_have_is_noted() -> None:
    result = reason("Where was Nora Holm born?", TRIPLES)
    assert (result.answer, result.verdict) == (None, GraphVerdict.UNKNOWN)
    assert "Nora Holm is not in the graph" in result.notes
