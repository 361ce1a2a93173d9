"""Haystack: components that retrieve from a corpus, keep the evidence, and evaluate faithfulness.

Needs the extra `haystack`. A session holds opened models and cannot be written to a dictionary, so the
components of a pipeline that is saved use the default session.
"""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import probative
from probative.corpus.corpus import Corpus
from probative.corpus.index.searcher import Hit
from probative.errors import InputError, MissingExtraError
from probative.integrations.evidence import (
    Faithfulness,
    Options,
    faithfulness,
    kept_passages,
    passage_metadata,
)
from probative.scope.inputs import passage_fields
from probative.session.session import Session
from probative.types import Verdict

try:
    from haystack import Document, component, default_to_dict
except ModuleNotFoundError as error:
    raise MissingExtraError("haystack", "probative.integrations.haystack") from error


@component
class ProbativeRetriever:
    """Finds the `top_k` best passages of a corpus: the path of a folder or an index, or a `Corpus`.

    Each document has the citation of its place as `id`. A path is opened by `warm_up` or the first run.
    """

    def __init__(self, corpus: Corpus | str | Path, top_k: int = 10) -> None:
        self.corpus, self.top_k = corpus, top_k
        self._opened: Corpus | None = None

    def warm_up(self) -> Corpus:
        """Open the corpus; a folder is indexed, or brought up to date."""
        if isinstance(self.corpus, Corpus):
            return self.corpus
        self._opened = self._opened or Corpus.open(self.corpus)
        return self._opened

    def close(self) -> None:
        """Close the corpus if this component opened it."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def to_dict(self) -> dict[str, Any]:
        """Return the component as a dictionary, with the path of its corpus."""
        if isinstance(self.corpus, Corpus):
            raise InputError("an opened corpus cannot be written to a dictionary", hint="give its path")
        return default_to_dict(self, corpus=str(self.corpus), top_k=self.top_k)

    @component.output_types(documents=list[Document])
    def run(self, query: str, top_k: int | None = None) -> dict[str, Any]:
        """Return the documents for a query, best first."""
        hits = self.warm_up().search(query, self.top_k if top_k is None else top_k)
        return {"documents": [_document(hit) for hit in hits]}


class _WithSession:
    """A component with a session and the arguments of the verb that it calls."""

    def __init__(self, session: Session | None = None, options: Options = None) -> None:
        self.session, self.options = session, dict(options or {})

    def to_dict(self) -> dict[str, Any]:
        """Return the component as a dictionary; raises `InputError` if it has a session of its own."""
        if self.session is not None:
            hint = "leave session= out: the default session takes its models from the settings"
            raise InputError("a session cannot be written to a dictionary", hint=hint)
        return default_to_dict(self, options=self.options)


@component
class ProbativeRanker(_WithSession):
    """Keeps the documents that together carry a query, and those that contradict them.

    The `meta` of each gains `carries`: the features of the query that the document carries. `options` are
    arguments of `Session.ask`, such as ``{"max_passages": 2}``.
    """

    @component.output_types(documents=list[Document])
    def run(self, query: str, documents: list[Document]) -> dict[str, Any]:
        """Return the documents of the chain of evidence for the query, in its order."""
        if not documents:
            return {"documents": []}
        passages = [passage_fields(document) for document in documents]
        features = kept_passages((self.session or probative).ask(query, passages, **self.options))
        chosen = [(documents[index], list(carries)) for index, carries in features.items()]
        return {
            "documents": [
                replace(document, meta={**document.meta, "carries": carries}) for document, carries in chosen
            ]
        }


@component
class ProbativeFaithfulnessEvaluator(_WithSession):
    """Scores answers by the share of their claims that the contexts support; `options` are those of `verify`.

    An answer in which nothing can be judged has the score NaN and the status `error`, and does not count.
    """

    @component.output_types(score=float, individual_scores=list[float], results=list[dict[str, Any]])
    def run(
        self, questions: list[str], contexts: list[list[str]], predicted_answers: list[str]
    ) -> dict[str, Any]:
        """Return the mean score, the score of each answer, and the claims of each with the reason."""
        if not len(questions) == len(contexts) == len(predicted_answers):
            raise InputError("questions, contexts and predicted_answers must have the same length")
        results = [
            _result(faithfulness(answer, context, question, session=self.session, **self.options))
            for question, context, answer in zip(questions, contexts, predicted_answers, strict=True)
        ]
        scores = [result["score"] for result in results]
        judged = [score for score in scores if not math.isnan(score)]
        mean = fmean(judged) if judged else math.nan
        return {"score": mean, "individual_scores": scores, "results": results}


def _document(hit: Hit) -> Document:
    passage = hit.passage
    return Document(
        id=passage.id or "", content=passage.text, meta=passage_metadata(passage), score=hit.score
    )


def _result(outcome: Faithfulness) -> dict[str, Any]:
    return {
        "statements": [claim for claim, _ in outcome.verdicts],
        "statement_scores": [int(verdict is Verdict.SUPPORTED) for _, verdict in outcome.verdicts],
        "score": math.nan if outcome.score is None else outcome.score,
        "status": "error" if outcome.score is None else "evaluated",
        "reason": outcome.reason,
    }
