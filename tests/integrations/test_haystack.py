"""Probative in Haystack: components in pipelines, and written to dictionaries."""

from __future__ import annotations

import math

import pytest
from haystack import Document, Pipeline
from specialists import QUESTION, TEXTS

from probative import Corpus, InputError, Session
from probative.integrations.haystack import (
    ProbativeFaithfulnessEvaluator,
    ProbativeRanker,
    ProbativeRetriever,
)

DOCUMENTS = [Document(id=str(n), content=text, meta={"n": n}) for n, text in enumerate(TEXTS)]


def test_the_retriever_and_the_ranker_are_steps_of_a_pipeline(answering: Session, ships: Corpus) -> None:
    pipeline = Pipeline()
    pipeline.add_component("retriever", ProbativeRetriever(ships, top_k=3))
    pipeline.add_component("ranker", ProbativeRanker(session=answering))
    pipeline.connect("retriever.documents", "ranker.documents")
    result = pipeline.run({"retriever": {"query": QUESTION}, "ranker": {"query": QUESTION}})
    documents = result["ranker"]["documents"]
    assert [document.id for document in documents] == ["crew.txt#char=0,47", "yard.txt#char=0,48"]
    assert documents[1].meta["source"] == "yard.txt"
    assert documents[1].score > 0


def test_the_ranker_keeps_the_chain_and_changes_no_document(answering: Session) -> None:
    ranker = ProbativeRanker(session=answering)
    kept = ranker.run(query=QUESTION, documents=DOCUMENTS)["documents"]
    assert [document.id for document in kept] == ["1", "3"]
    assert "node: Ada Berg" in kept[0].meta["carries"]
    assert DOCUMENTS[1].meta == {"n": 1}
    assert ranker.run(query=QUESTION, documents=[]) == {"documents": []}
    with pytest.raises(InputError, match=r"passages\[0\]"):
        ranker.run(query=QUESTION, documents=[Document(meta={"only": "an image"})])


def test_a_pipeline_is_saved_and_read_again(ships: Corpus) -> None:
    pipeline = Pipeline()
    pipeline.add_component("retriever", ProbativeRetriever(ships.path, top_k=1))
    pipeline.add_component("ranker", ProbativeRanker(options={"max_passages": 2}))
    pipeline.add_component("evaluator", ProbativeFaithfulnessEvaluator(options={"per_claim": 4}))
    pipeline.connect("retriever.documents", "ranker.documents")
    again = Pipeline.loads(pipeline.dumps(), allowed_modules=["probative.integrations.haystack"])
    assert again.to_dict() == pipeline.to_dict()
    assert again.get_component("ranker").options == {"max_passages": 2}
    retriever = again.get_component("retriever")
    (found,) = retriever.run(query="Who commanded the Sea Lark?")["documents"]
    assert found.id == "crew.txt#char=0,47"
    assert len(retriever.run(query="Who commanded the Sea Lark?", top_k=2)["documents"]) == 2
    retriever.close()
    assert retriever.run(query="What is tar made of?")["documents"][0].id == "tar.txt#char=0,20"
    retriever.close()


def test_what_is_opened_cannot_be_saved(answering: Session, ships: Corpus) -> None:
    for component in (ProbativeRanker(answering), ProbativeFaithfulnessEvaluator(answering)):
        with pytest.raises(InputError, match="a session cannot be written"):
            component.to_dict()
    retriever = ProbativeRetriever(ships)
    with pytest.raises(InputError, match="an opened corpus cannot be written"):
        retriever.to_dict()
    retriever.close()
    assert ships("Sea Lark", 1)  # who opened it closes it


def test_the_evaluator_scores_the_share_of_claims(verifying: Session) -> None:
    contexts = [["Herons eat fish.", "The tower is not green."]] * 3
    answers = ["Herons eat fish.", "Herons eat fish. The tower is green.", "What do you mean?"]
    result = ProbativeFaithfulnessEvaluator(verifying).run(
        questions=["What?"] * 3, contexts=contexts, predicted_answers=answers
    )
    first, second, third = result["results"]
    assert result["individual_scores"][:2] == [1.0, 0.5]
    assert math.isnan(result["individual_scores"][2])
    assert result["score"] == 0.75
    assert second["statement_scores"] == [1, 0]
    assert "contradicted: The tower is green." in second["reason"]
    assert (first["status"], third["status"]) == ("evaluated", "error")


def test_lists_of_different_length_are_refused(verifying: Session) -> None:
    with pytest.raises(InputError, match="same length"):
        ProbativeFaithfulnessEvaluator(verifying).run(
            questions=["?"], contexts=[], predicted_answers=["Herons eat fish."]
        )
