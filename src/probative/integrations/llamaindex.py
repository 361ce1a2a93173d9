"""LlamaIndex: a postprocessor that keeps the evidence, a query engine over a corpus, a response evaluator.

Needs the extra `llamaindex`. A retriever of LlamaIndex itself is given to `ask` and `verify` as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import Field

import probative
from probative.corpus.corpus import Corpus
from probative.errors import InputError, MissingExtraError
from probative.integrations.evidence import Options, faithfulness, kept_passages, refusal
from probative.scope.inputs import passage_fields
from probative.scope.result import Answer, ChainPassage
from probative.session.asynchronous import run_in_thread
from probative.session.session import Session

try:
    from llama_index.core.base.base_query_engine import BaseQueryEngine
    from llama_index.core.base.response.schema import Response
    from llama_index.core.evaluation import BaseEvaluator, EvaluationResult
    from llama_index.core.postprocessor.types import BaseNodePostprocessor
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
except ModuleNotFoundError as error:
    raise MissingExtraError("llamaindex", "probative.integrations.llamaindex") from error


class ProbativePostprocessor(BaseNodePostprocessor):
    """Keeps the nodes that together carry a query, and those that contradict them.

    `options` are arguments of `Session.ask`, such as ``{"max_passages": 2}``.
    """

    session: Session | None = Field(default=None, exclude=True)
    options: dict[str, Any] = Field(default_factory=dict)

    @classmethod
    def class_name(cls) -> str:
        """Return the name under which LlamaIndex serialises the class."""
        return "ProbativePostprocessor"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        if not nodes:
            return []
        if query_bundle is None:
            raise InputError("a query is needed to find its evidence", hint="give query_str=…")
        passages = [passage_fields(node) for node in nodes]
        answer = (self.session or probative).ask(query_bundle.query_str, passages, **self.options)
        return [nodes[index] for index in kept_passages(answer)]


class ProbativeQueryEngine(BaseQueryEngine):
    """Answers from a corpus; the chain of evidence is in `source_nodes`, each with its citation as id.

    Where there is no answer, the response says why and what is missing. The metadata of the response has the
    `verdict`, the `certainty`, the `citations` of the sentences that the answer rests on, what is `missing`
    and the `conflicts`. `corpus` is a `Corpus`, or the path of a folder or an index.
    """

    def __init__(
        self, corpus: Corpus | str | Path, session: Session | None = None, options: Options = None
    ) -> None:
        super().__init__(callback_manager=None)
        self.corpus, self.session, self.options = corpus, session, options or {}

    def _get_prompt_modules(self) -> dict[str, Any]:
        return {}

    def _query(self, query_bundle: QueryBundle) -> Response:
        ask = (self.session or probative).ask
        return _response(ask(query_bundle.query_str, corpus=self.corpus, **self.options))

    async def _aquery(self, query_bundle: QueryBundle) -> Response:
        ask = (self.session or probative).ask
        return _response(await run_in_thread(ask, query_bundle.query_str, corpus=self.corpus, **self.options))


class ProbativeFaithfulnessEvaluator(BaseEvaluator):
    """Scores a response by the share of its claims that the contexts support; `feedback` names the others.

    It passes from `threshold` on. A response in which nothing can be judged is an invalid result.
    """

    def __init__(
        self, threshold: float = 1.0, session: Session | None = None, options: Options = None
    ) -> None:
        self.threshold, self.session, self.options = threshold, session, options or {}

    def _get_prompts(self) -> dict[str, Any]:
        return {}

    def _update_prompts(self, prompts: dict[str, Any]) -> None:
        pass

    async def aevaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[str] | None = None,
        **kwargs: Any,
    ) -> EvaluationResult:
        """Return the score of a response, without blocking the event loop."""
        if response is None or contexts is None:
            raise InputError("a response and its contexts are needed")
        options = {"session": self.session, **self.options}
        outcome = await run_in_thread(faithfulness, response, list(contexts), query, **options)
        passing = None if outcome.score is None else outcome.score >= self.threshold
        return EvaluationResult(
            query=query,
            response=response,
            contexts=contexts,
            passing=passing,
            score=outcome.score,
            feedback=outcome.reason,
            invalid_result=outcome.score is None,
            invalid_reason=outcome.reason if outcome.score is None else None,
        )


def _response(answer: Answer) -> Response:
    return Response(
        response=answer.answer if answer.answer is not None else refusal(answer),
        source_nodes=[_node(piece) for piece in answer.chain],
        metadata={
            "verdict": answer.verdict.value,
            "certainty": answer.certainty,
            "citations": [sentence.citation for sentence in answer.cited if sentence.citation],
            "missing": list(answer.missing),
            "conflicts": [conflict.to_dict() for conflict in answer.conflicts],
        },
    )


def _node(piece: ChainPassage) -> NodeWithScore:
    fields = piece.model_dump(include={"title", "source", "page", "citation", "carries"}, exclude_none=True)
    node = TextNode(text=piece.text, metadata=fields, start_char_idx=piece.start, end_char_idx=piece.end)
    if piece.citation is not None:
        node.id_ = piece.citation
    return NodeWithScore(node=node, score=piece.probability)
