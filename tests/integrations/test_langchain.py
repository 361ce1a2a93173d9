"""Probative in LangChain: the classes fulfil the contracts of langchain_core."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest
from langchain_core.documents import BaseDocumentCompressor, Document
from langchain_core.messages import AIMessage
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda
from specialists import QUESTION, TEXTS

from probative import Corpus, InputError, MissingExtraError, Session, Verification
from probative.integrations.langchain import ProbativeCompressor, ProbativeRetriever, ProbativeVerifier

DOCUMENTS = [Document(id=str(n), page_content=text, metadata={"n": n}) for n, text in enumerate(TEXTS)]
ANSWER = {"context": [Document(page_content="Herons eat fish. The tower is not green.")]}


def test_the_retriever_finds_passages_with_their_places(ships: Corpus) -> None:
    retriever = ProbativeRetriever(corpus=ships, k=1)
    assert isinstance(retriever, BaseRetriever)
    (found,) = retriever.invoke("Who commanded the Sea Lark?")
    assert (found.id, found.metadata["source"]) == ("crew.txt#char=0,47", "crew.txt")
    assert ships.show(found.id).text == found.page_content
    assert asyncio.run(retriever.ainvoke("Who commanded the Sea Lark?")) == [found]


def test_the_compressor_keeps_the_chain_in_its_order(answering: Session) -> None:
    compressor = ProbativeCompressor(session=answering)
    assert isinstance(compressor, BaseDocumentCompressor)
    kept = compressor.compress_documents(DOCUMENTS, QUESTION)
    assert [document.id for document in kept] == ["1", "3"]
    assert all(document.metadata["n"] == int(document.id or "") for document in kept)
    assert "node: Ada Berg" in kept[0].metadata["carries"]
    assert "carries" not in DOCUMENTS[1].metadata
    assert asyncio.run(compressor.acompress_documents(DOCUMENTS, QUESTION)) == kept
    assert compressor.compress_documents([], QUESTION) == []


def test_the_compressor_keeps_sentences_unless_documents_are_asked_for(answering: Session) -> None:
    longer = [
        Document(page_content=f"Gulls are white. {text} Gulls are white.", metadata={"start_index": 40})
        for text in TEXTS
    ]
    kept = ProbativeCompressor(session=answering).compress_documents(longer, QUESTION)
    assert [document.page_content for document in kept] == [TEXTS[1], TEXTS[3]]
    assert [document.metadata["start_index"] for document in kept] == [57, 57]
    whole = ProbativeCompressor(session=answering, sentences=False).compress_documents(longer, QUESTION)
    assert [document.page_content for document in whole] == [longer[1].page_content, longer[3].page_content]


def test_options_of_ask_reach_it(answering: Session) -> None:
    compressor = ProbativeCompressor(session=answering, options={"max_passages": 1})
    assert len(compressor.compress_documents(DOCUMENTS, QUESTION)) == 1
    wrong = ProbativeCompressor(session=answering, options={"max_pasages": 1})
    with pytest.raises(InputError, match="max_pasages"):
        wrong.compress_documents(DOCUMENTS, QUESTION)


@pytest.mark.parametrize("answer", ["Herons eat fish. The tower is green.", AIMessage("The tower is green.")])
def test_the_verifier_adds_what_it_found(verifying: Session, answer: Any) -> None:
    chain = RunnableLambda(lambda question: {**ANSWER, "answer": answer, "input": question})
    result = (chain | ProbativeVerifier(session=verifying)).invoke("What do herons eat?")
    verification = result["verification"]
    assert isinstance(verification, Verification)
    assert [claim.claim for claim in verification.having("contradicted")] == ["The tower is green."]
    assert result["input"] == "What do herons eat?"


def test_the_verifier_works_in_batches_and_awaited(verifying: Session) -> None:
    verifier = ProbativeVerifier(session=verifying, output_key="checked")
    given = {**ANSWER, "answer": "Herons eat fish."}
    results = [*verifier.batch([given, given]), asyncio.run(verifier.ainvoke(given))]
    assert [len(result["checked"].having("supported")) for result in results] == [1, 1, 1]


def test_a_corpus_may_be_what_an_answer_is_verified_against(verifying: Session, ships: Corpus) -> None:
    given = {"answer": "Tar is made of pine.", "context": ships}
    verification = ProbativeVerifier(session=verifying).invoke(given)["verification"]
    assert verification.claims[0].deciding[0].citation == "tar.txt#char=0,20"


def test_an_input_without_documents_is_refused(verifying: Session) -> None:
    with pytest.raises(InputError, match="no 'context', only answer"):
        ProbativeVerifier(session=verifying).invoke({"answer": "Herons eat fish."})


def test_a_missing_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "probative.integrations.langchain")
    monkeypatch.setitem(sys.modules, "langchain_core.callbacks", None)
    with pytest.raises(MissingExtraError, match="'langchain'"):
        import probative.integrations.langchain  # noqa: F401
