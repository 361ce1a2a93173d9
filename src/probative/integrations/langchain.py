"""LangChain: a retriever over a corpus, a compressor that keeps the evidence, a runnable that verifies.

Needs the extra `langchain`. A retriever of LangChain itself is given to `ask` and `verify` as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import ConfigDict, Field

import probative
from probative.corpus.corpus import Corpus
from probative.errors import InputError, MissingExtraError
from probative.integrations.evidence import kept_passages, kept_span, passage_metadata
from probative.scope.inputs import passage_fields
from probative.scope.result import Answer
from probative.session.session import Session

try:
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.documents import BaseDocumentCompressor, Document
    from langchain_core.messages import BaseMessage
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.runnables import RunnableConfig, RunnableSerializable
except ModuleNotFoundError as error:
    raise MissingExtraError("langchain", "probative.integrations.langchain") from error


class ProbativeRetriever(BaseRetriever):
    """Finds the `k` best passages of a `Corpus`; each document has the citation of its place as `id`."""

    corpus: Corpus
    k: int = 10

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        return [
            Document(id=passage.id, page_content=passage.text, metadata=passage_metadata(passage))
            for passage in self.corpus(query, self.k)
        ]


class ProbativeCompressor(BaseDocumentCompressor):
    """Keeps the sentences that carry a question: of the documents of the chain, and of those that contradict
    them.

    Of a document, the text from the first to the last such sentence is kept. One of which no sentence is
    known is kept whole, and so is each with ``sentences=False``. The
    metadata of each gains `carries`: the features of the question that the document carries. `options` are
    arguments of `Session.ask`, such as ``{"max_passages": 2}``.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)
    session: Session | None = Field(default=None, exclude=True)
    options: dict[str, Any] = Field(default_factory=dict)
    sentences: bool = True

    def compress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Any = None
    ) -> list[Document]:
        """Return the evidence for the query, a document each, in the order of the chain."""
        if not documents:
            return []
        passages = [passage_fields(document) for document in documents]
        answer = (self.session or probative).ask(query, passages, **self.options)
        return [
            self._excerpt(documents[index], answer, index, carries)
            for index, carries in kept_passages(answer).items()
        ]

    def _excerpt(self, document: Document, answer: Answer, index: int, carries: Sequence[str]) -> Document:
        """Return what is kept of a document; a place in its source moves with it."""
        text, metadata = document.page_content, {**document.metadata, "carries": list(carries)}
        start, end = kept_span(answer, index, text) if self.sentences else (0, len(text))
        if isinstance(metadata.get("start_index"), int):
            metadata["start_index"] += start
        return document.model_copy(update={"page_content": text[start:end], "metadata": metadata})


class ProbativeVerifier(RunnableSerializable[dict[str, Any], dict[str, Any]]):
    """Verifies an answer against the documents that it was written from, as a step of a chain.

    Takes a dictionary with an answer and documents, such as retrieval chains return, and adds the
    `Verification` to it. `options` are arguments of `Session.verify`.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)
    session: Session | None = Field(default=None, exclude=True)
    options: dict[str, Any] = Field(default_factory=dict)
    answer_key: str = "answer"
    documents_key: str = "context"
    output_key: str = "verification"

    def invoke(
        self,
        input: dict[str, Any],  # noqa: A002 (the name that Runnable has)
        config: RunnableConfig | None = None,
        **kwargs: Any,
    ) -> dict[str, Any]:
        """Return the input with the verification of its answer."""
        verified: dict[str, Any] = self._call_with_config(self._verified, input, config, **kwargs)
        return verified

    def _verified(self, given: dict[str, Any]) -> dict[str, Any]:
        missing = [key for key in (self.answer_key, self.documents_key) if key not in given]
        if missing:
            raise InputError(
                f"the input has no {' and no '.join(map(repr, missing))}, only {', '.join(given)}",
                hint="name the keys with answer_key=… and documents_key=…",
            )
        answer, sources = given[self.answer_key], given[self.documents_key]
        if isinstance(answer, BaseMessage):
            answer = str(answer.text)
        if isinstance(sources, Sequence) and not isinstance(sources, str):
            sources = [passage_fields(document) for document in sources]
        verification = (self.session or probative).verify(answer, sources, **self.options)
        return {**given, self.output_key: verification}
