"""Retrievers of LangChain and LlamaIndex in place of a function."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from probative import InputError, Session
from probative.scope.inputs import as_retriever, passage_fields
from probative.testing import ScriptedModel

QUESTION = "In which town was the ship built that Ada Berg commanded?"
TEXTS = ["Ada Berg commanded the Sea Lark.", "The Sea Lark was built in Molde."]


@dataclass
class Document:
    """The shape of a document of LangChain."""

    page_content: str
    metadata: dict[str, Any] = field(default_factory=dict)
    id: str | None = None


class LangChainLike:
    """The shape of a retriever of LangChain: not callable, and without a number."""

    def __init__(self, documents: list[Document]) -> None:
        self.documents = documents
        self.queries: list[str] = []

    def invoke(self, query: str, config: Any = None, **kwargs: Any) -> list[Document]:
        self.queries.append(query)
        return self.documents


@dataclass
class Node:
    """The shape of a text node of LlamaIndex."""

    content: str
    node_id: str
    metadata: dict[str, Any]
    start_char_idx: int | None = None

    def get_content(self) -> str:
        return self.content


@dataclass
class NodeWithScore:
    node: Node
    score: float


class LlamaIndexLike:
    """The shape of a retriever of LlamaIndex."""

    def __init__(self, nodes: list[NodeWithScore]) -> None:
        self.nodes = nodes

    def retrieve(self, str_or_query_bundle: str) -> list[NodeWithScore]:
        return self.nodes


def test_documents_become_passages_with_their_places() -> None:
    found = [
        Document(TEXTS[0], {"source": "crew.txt", "start_index": 40, "title": "Crew", "date": "1902"}, "a"),
        Document(TEXTS[1]),
        Document("more"),
    ]
    retriever = as_retriever(LangChainLike(found))
    assert retriever is not None
    assert retriever("Who?", 2) == [
        {
            "text": TEXTS[0],
            "id": "a",
            "title": "Crew",
            "source": "crew.txt",
            "date": "1902",
            "start": 40,
            "end": 72,
        },
        {"text": TEXTS[1]},
    ]


def test_nodes_become_passages_with_their_places() -> None:
    node = Node(TEXTS[0], "n1", {"file_path": "crew.txt", "title": 3.5}, 0)
    retriever = as_retriever(LlamaIndexLike([NodeWithScore(node, 0.7)]))
    assert retriever is not None
    assert retriever("Who?", 5) == [
        {"text": TEXTS[0], "id": "n1", "source": "crew.txt", "start": 0, "end": len(TEXTS[0])}
    ]


def test_functions_and_their_results_stay_as_they_are() -> None:
    def search(query: str, n: int) -> list[str]:
        return TEXTS[:n]

    assert as_retriever(search) is search
    assert as_retriever(None) is None
    assert passage_fields("a text") == "a text"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["langchain", "llamaindex"])
def test_ask_takes_such_a_retriever(kind: str) -> None:
    retriever = (
        LangChainLike([Document(text, {"source": "ships.txt"}) for text in TEXTS])
        if kind == "langchain"
        else LlamaIndexLike([NodeWithScore(Node(text, text[:3], {}), 1.0) for text in TEXTS])
    )
    with Session() as session:
        answer = session.ask(QUESTION, retriever=retriever)
    assert (answer.passages, answer.answer) == (2, "Molde")


def test_what_is_no_retriever_is_refused() -> None:
    with (
        Session(ScriptedModel(generate="Molde")) as session,
        pytest.raises(InputError, match="a retriever must"),
    ):
        session.ask(QUESTION, TEXTS, retriever=7)


def test_the_retriever_of_langchain_itself() -> None:
    core = pytest.importorskip("langchain_core")
    from importlib import import_module

    documents, retrievers = (import_module(f"{core.__name__}.{name}") for name in ("documents", "retrievers"))

    class Fixed(retrievers.BaseRetriever):  # type: ignore[name-defined, misc]
        def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Any]:
            return [documents.Document(page_content=text, metadata={"source": "ships.txt"}) for text in TEXTS]

    retriever = as_retriever(Fixed())
    assert retriever is not None
    assert retriever("Who?", 1) == [{"text": TEXTS[0], "source": "ships.txt"}]


def test_the_retriever_of_llamaindex_itself() -> None:
    pytest.importorskip("llama_index.core")
    from importlib import import_module

    schema = import_module("llama_index.core.schema")
    base = import_module("llama_index.core.base.base_retriever")

    class Fixed(base.BaseRetriever):  # type: ignore[name-defined, misc]
        def _retrieve(self, query_bundle: Any) -> list[Any]:
            node = schema.TextNode(text=TEXTS[0], id_="n1", metadata={"file_name": "ships.txt"})
            return [schema.NodeWithScore(node=node, score=1.0)]

    retriever = as_retriever(Fixed())
    assert retriever is not None
    assert retriever("Who?", 3) == [{"text": TEXTS[0], "id": "n1", "source": "ships.txt"}]
