"""A question's features, by rules and by the model."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from runs import make_run
from scripts import run_one

from probative import Features, Node, OutputError, Relation, Request
from probative.scope.extract.features import find_features
from probative.scope.question import rule_features
from probative.testing import ScriptedModel
from probative.text import english


@pytest.mark.parametrize(
    ("question", "intent", "nodes"),
    [
        ("In what town is 12 Quay Street?", "town", ["12 Quay Street"]),
        ("What nationality was Jon Vik's wife?", "nationality", ["Jon Vik", "wife"]),
        (
            "What is the length of the pier where the 1908 Regatta began?",
            "length",
            ["pier", "1908 Regatta"],
        ),
        (
            "The Oslund family runs a brewery that has its cellars in what village?",
            "village",
            ["Oslund family", "brewery", "cellars"],
        ),
        ("Who was born first, Ada Berg or Jon Vik?", "name of a person", ["Ada Berg", "Jon Vik"]),
        ("Did Ada Berg and Jon Vik sail from Molde?", "yes or no", ["Ada Berg", "Jon Vik", "Molde"]),
        ("What did Ada Berg buy?", "what is asked", ["Ada Berg"]),
        ("Between Molde and Narvik, which harbour is older?", "harbour", ["Molde", "Narvik"]),
        ('Who wrote "The Long Quay"?', "name of a person", ["The Long Quay"]),
        (
            "Where was the place of birth of the captain of the Sea Lark?",
            "place",
            ["place", "birth", "captain", "Sea Lark"],
        ),
    ],
)
def test_rules_take_spans_of_the_question(question: str, intent: str, nodes: list[str]) -> None:
    found = rule_features(english.parse_question(question))
    assert found.intent == intent
    assert [node.text for node in found.nodes] == nodes


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Which ship is older, the Lark or the Gull?", "choice"),
        ("How many masts has the Lark?", "number"),
        ("In what year did she sail?", "date"),
        ("Which actor played the captain?", "person"),
        ("Which song is it?", "name"),
        ("Was Ada Berg or Jon Vik born first?", "choice"),
        ("The Lark was built for whom?", "person"),
    ],
)
def test_what_sort_of_answer_is_wanted(question: str, kind: str) -> None:
    assert english.parse_question(question).kind == kind


@given(st.text(max_size=120))
def test_every_text_gets_valid_features(question: str) -> None:
    """Nodes stand in the question, relations join them: whatever it is."""
    found = rule_features(english.parse_question(question))
    assert found.intent
    assert all(node.text in question and not node.inferred for node in found.nodes)
    Features.model_validate(found.to_dict())


def test_relations_join_nodes() -> None:
    with pytest.raises(ValidationError, match="is not a node"):
        Features(intent="x", nodes=(Node(text="a"),), relations=(Relation(head="a", tail="b"),))


def extracted(model: ScriptedModel, **options: object) -> tuple[Features, list[str]]:
    run = make_run("Who built the Lark of Ada Berg?", model=model, **options)
    return run_one(find_features(run), model), run.notes


def test_the_papers_two_calls() -> None:
    model = ScriptedModel(
        generate=[
            '{"intent": "builder", "nodes": ["Lark", "Ada Berg"]}',
            '{"relations": [{"head": "lark", "predicate": "belongs to", "tail": "Ada Berg"}]}',
        ]
    )
    found, notes = extracted(model)
    assert [relation.sentence for relation in found.relations] == ["Lark belongs to Ada Berg"]
    assert notes == []
    asked = [request.messages[-1].content for request in model.asked if isinstance(request, Request)]
    assert json.dumps(["Lark", "Ada Berg"]) in asked[1]


def test_described_relations_are_sentences() -> None:
    model = ScriptedModel(
        generate=[
            '{"intent": "builder", "nodes": ["Lark", "Ada Berg"]}',
            '{"relations": [{"head": "Lark", "tail": "Ada Berg", "description": "Berg owned the Lark."}]}',
        ]
    )
    assert extracted(model, form="described")[0].relations[0].sentence == "Berg owned the Lark."


def test_what_the_model_invents_is_marked_or_left_out() -> None:
    everything = {
        "intent": "builder",
        "nodes": ["Lark", "the Gull", "Lark", " "],
        "relations": [
            {"head": "Lark", "predicate": "is", "tail": "the Gull"},
            {"head": "Lark", "predicate": "is", "tail": "a ghost"},
            {"head": "Lark", "predicate": "is", "tail": "Lark"},
        ],
    }
    found, notes = extracted(ScriptedModel(generate=json.dumps(everything)), extractor="model-once")
    assert found.nodes == (Node(text="Lark"), Node(text="the Gull", inferred=True))
    assert [relation.tail for relation in found.relations] == ["the Gull"]
    assert notes == ["relations of the model that do not join two nodes were left out: 2"]


def test_nonsense_is_repaired_once_and_then_an_error() -> None:
    good = '{"intent": "builder", "nodes": []}'
    found, notes = extracted(ScriptedModel(generate=["Lovely weather!", good]))
    assert found.intent == "builder"
    assert notes == ["the model named no node; only the intent is looked for"]
    with pytest.raises(OutputError, match="after one repair"):
        extracted(ScriptedModel(generate="Lovely weather!"))
