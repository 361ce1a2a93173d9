"""Probative in LlamaIndex: the classes fulfil the contracts of llama_index.core."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from specialists import QUESTION, TEXTS

from probative import Corpus, InputError, SearchFilters, Session
from probative.integrations.llamaindex import (
    ProbativeFaithfulnessEvaluator,
    ProbativePostprocessor,
    ProbativeQueryEngine,
)

NODES = [NodeWithScore(node=TextNode(id_=str(n), text=text), score=0.5) for n, text in enumerate(TEXTS)]
CONTEXTS = ["Herons eat fish.", "The tower is not green."]


class Fixed(BaseRetriever):
    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return NODES


def test_the_postprocessor_keeps_the_chain_in_its_order(answering: Session) -> None:
    postprocessor = ProbativePostprocessor(session=answering)
    kept = postprocessor.postprocess_nodes(NODES, query_str=QUESTION)
    assert kept == [NODES[1], NODES[3]]
    assert asyncio.run(postprocessor.apostprocess_nodes(NODES, query_str=QUESTION)) == kept
    assert postprocessor.postprocess_nodes([], query_str=QUESTION) == []
    with pytest.raises(InputError, match="a query is needed"):
        postprocessor.postprocess_nodes(NODES)


def test_the_postprocessor_is_a_step_of_a_query_engine(
    answering: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IS_TESTING", "1")  # LlamaIndex opens its mock of a language model
    engine = RetrieverQueryEngine(
        retriever=Fixed(),
        response_synthesizer=get_response_synthesizer(response_mode="no_text"),
        node_postprocessors=[ProbativePostprocessor(session=answering)],
    )
    assert [node.node.node_id for node in engine.query(QUESTION).source_nodes] == ["1", "3"]


def test_the_postprocessor_is_serialised_without_its_session(answering: Session) -> None:
    postprocessor = ProbativePostprocessor(session=answering, options={"max_passages": 2})
    again = ProbativePostprocessor.from_dict(postprocessor.to_dict())
    assert (again.session, again.options) == (None, {"max_passages": 2})


def test_the_query_engine_answers_with_citations(answering: Session, ships: Corpus) -> None:
    engine = ProbativeQueryEngine(ships, session=answering)
    response = engine.query(QUESTION)
    assert str(response) == "Molde"
    assert response.metadata["verdict"] == "supported"
    assert response.metadata["citations"] == ["yard.txt#char=0,48"]
    places = [node.node.node_id for node in response.source_nodes]
    assert places == ["crew.txt#char=0,47", "yard.txt#char=0,48"]
    assert [ships.show(place).text for place in places] == [node.text for node in response.source_nodes]
    assert str(asyncio.run(engine.aquery(QUESTION))) == "Molde"


def test_the_query_engine_refuses_with_what_is_missing(answering: Session, ships: Corpus) -> None:
    filters = SearchFilters(sources=("crew.txt", "tar.txt"))
    with Corpus.open(ships.path, filters=filters, vectors=False) as corpus:
        response = ProbativeQueryEngine(corpus, session=answering).query(QUESTION)
    assert str(response).startswith("no answer: ")
    assert response.metadata["verdict"] == "insufficient"
    assert response.metadata["missing"]
    assert all(feature in str(response) for feature in response.metadata["missing"])


@pytest.mark.parametrize(
    ("response", "score", "passing"),
    [("Herons eat fish.", 1.0, True), ("Herons eat fish. The tower is green.", 0.5, False)],
)
def test_the_evaluator_scores_the_share_of_claims(
    verifying: Session, response: str, score: float, passing: bool
) -> None:
    evaluator = ProbativeFaithfulnessEvaluator(session=verifying)
    result = evaluator.evaluate(query="What?", response=response, contexts=CONTEXTS)
    assert (result.score, result.passing, result.invalid_result) == (score, passing, False)
    assert ("contradicted: The tower is green." in (result.feedback or "")) is not passing


def test_the_evaluator_takes_a_response_of_an_engine(answering: Session, ships: Corpus) -> None:
    response: Any = ProbativeQueryEngine(ships, session=answering).query(QUESTION)
    result = ProbativeFaithfulnessEvaluator(session=answering).evaluate_response(QUESTION, response)
    assert (result.score, result.passing) == (1.0, True)  # one word, judged with its question


def test_a_response_without_claims_is_an_invalid_result(verifying: Session) -> None:
    evaluator = ProbativeFaithfulnessEvaluator(session=verifying)
    result = evaluator.evaluate(response="What do you mean?", contexts=CONTEXTS)
    assert result.invalid_result
    assert (result.score, result.passing) == (None, None)
    assert "no claim" in (result.invalid_reason or "")
    with pytest.raises(InputError, match="contexts"):
        evaluator.evaluate(response="Herons eat fish.")
