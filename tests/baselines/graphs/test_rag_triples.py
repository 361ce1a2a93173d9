"""Retrieval over triples: which are taken, that they are encoded once, and what does not fit."""

from __future__ import annotations

from typing import Any

import pytest
from word_vectors import WordVectors

from probative import Reasoning, reason, reason_all
from probative.baselines.graphs.rag_triples import MAX_EDGES_PER_ENTITY
from probative.graph.graph import Graph
from probative.models.types import Request
from probative.testing import ScriptedModel

TRIPLES = [
    ("moss", "grows on", "stone"),
    ("slug", "eats", "moss"),
    ("stone", "part of", "wall"),
    ("fern", "grows in", "shade"),
    ("slug", "eats", "fern"),
]
QUESTION = "Does the slug eat moss?"  # words: slug, eat, moss


def ask_rag(encoder: WordVectors, model: ScriptedModel | None = None, **more: Any) -> Reasoning:
    more.setdefault("graph", TRIPLES)
    return reason(
        QUESTION, method="rag", model=model or ScriptedModel(generate="yes"), encoder=encoder, **more
    )


def test_the_nearest_triples_are_read_as_text() -> None:
    model = ScriptedModel(generate="yes")
    found = ask_rag(WordVectors(), model, triples=2)
    # (slug eats moss) has all three words, (slug eats fern) two of three, (moss grows stone) one.
    assert [str(triple) for triple in found.knowledge.expert] == ["(slug, eats, moss)", "(slug, eats, fern)"]
    assert found.answer == "yes"
    assert found.notes == ("the nearest of all 5 triples",)
    request = model.asked[0]
    assert isinstance(request, Request)
    prompt = request.messages[-1].content
    assert "What a knowledge graph says: slug eats moss. slug eats fern.\n" in prompt
    shaped = ScriptedModel(generate="yes")
    ask_rag(WordVectors(), shaped, triples=1, shape="triples")
    assert "(slug, eats, moss)" in shaped.asked[0].messages[-1].content  # type: ignore[union-attr]


def test_ten_by_default_and_fewer_where_the_graph_has_fewer() -> None:
    assert len(ask_rag(WordVectors()).knowledge.expert) == 5
    many = [(f"slug {number}", "eats", "moss") for number in range(30)]
    assert len(ask_rag(WordVectors(), graph=many).knowledge.expert) == 10


def test_equal_triples_come_in_the_graph_s_order_and_equal_texts_once() -> None:
    same = [("slug eats", "moss", "now"), ("slug", "eats moss", "now"), ("slug", "eats", "moss today")]
    found = ask_rag(WordVectors(), graph=same)
    assert [str(triple) for triple in found.knowledge.expert] == [
        "(slug eats, moss, now)",
        "(slug, eats, moss today)",
    ]


def test_triples_are_encoded_once_for_all_questions() -> None:
    encoder, graph = WordVectors(), Graph.from_triples(TRIPLES)
    cases = [{"question": f"Does the slug eat {what}?"} for what in ("moss", "fern", "stone")]
    model = ScriptedModel(generate="yes")
    assert len(list(reason_all(cases, graph, method="rag", model=model, encoder=encoder))) == 3
    ask_rag(encoder, graph=graph)
    # The same triples opened anew are the same graph.
    ask_rag(encoder, graph=TRIPLES)
    assert encoder.texts.count("slug eats moss") == 1
    assert len(encoder.texts) == 5 + 5
    other = WordVectors()
    ask_rag(other, graph=graph)
    assert other.texts.count("slug eats moss") == 1


def test_on_a_larger_graph_only_edges_near_the_question_are_encoded() -> None:
    encoder = WordVectors()
    found = ask_rag(encoder, max_encoded_edges=4, near=1)
    # Of the entities, "moss" and "slug" share one word with the question; moss comes first.
    assert [str(triple) for triple in found.knowledge.expert] == [
        "(slug, eats, moss)",
        "(moss, grows on, stone)",
    ]
    assert found.notes == (
        "the nearest of 2 triples of the 1 entities nearest to the question (the graph has 5)",
    )
    assert "fern grows in shade" not in encoder.texts


def test_an_entity_with_very_many_edges_is_cut_and_said() -> None:
    hub = [("slug", "eats", f"leaf {number}") for number in range(MAX_EDGES_PER_ENTITY + 5)]
    found = ask_rag(WordVectors(), graph=hub, max_encoded_edges=0, near=1)
    assert (
        f"entities with more than {MAX_EDGES_PER_ENTITY} edges, of which only these were used: 1"
        in found.notes
    )


@pytest.mark.parametrize(("window", "read"), [(None, 30), (200, 30), (90, 10)])
def test_triples_that_do_not_fit_are_left_out_with_a_note(window: int | None, read: int) -> None:
    """Each triple is 3 words and one more: 30 of them need 120 of 60 % of 200, and 54 hold 13."""
    many = [(f"slug{number}", "eats", "moss") for number in range(30)]
    model = ScriptedModel(generate="yes", window=window)
    found = ask_rag(WordVectors(), model, graph=many, triples=30, examples=0)
    kept = len(found.knowledge.expert)
    assert (kept == 30) == (read == 30)
    if read < 30:
        assert kept == 13
        assert "triples that did not fit into the model's window: 17" in found.notes
