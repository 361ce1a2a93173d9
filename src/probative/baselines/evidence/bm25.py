"""BM25: rank sentences by the claim's words in them; rare words count more."""

from __future__ import annotations

from collections.abc import Sequence

from probative.baselines.evidence.selection import choose_by_score, make_baseline_context
from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.mcse.result import McseResult
from probative.mcse.search import K
from probative.text.words import bm25, words

# The usual parameters for documents.
K1, B = 1.5, 0.75


def by_bm25(claim: str, sentences: Sequence[str], k: K, tools: Tools) -> Search[McseResult]:
    """Choose the sentences with the highest BM25 for the claim as the query."""
    yield from ()  # no model is asked
    context, n = make_baseline_context(claim, sentences, k)
    documents = [words(context.sentences[index]) for index in context.candidates]
    return choose_by_score(context, bm25(words(context.claim), documents, k1=K1, b=B), n)
