"""BM25: the claim's words in each sentence, rare ones first."""

from __future__ import annotations

from collections.abc import Sequence

from probative.baselines.evidence.selection import prepared, ranked
from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.mcse.result import McseResult
from probative.mcse.search import K
from probative.text.words import bm25, words

# The usual parameters for documents.
K1, B = 1.5, 0.75


def by_bm25(claim: str, sentences: Sequence[str], k: K, tools: Tools) -> Search[McseResult]:
    """Sentences by BM25 with the claim as the query."""
    yield from ()  # it asks no model
    context, count = prepared(claim, sentences, k)
    documents = [words(context.sentences[number]) for number in context.candidates]
    return ranked(context, bm25(words(context.claim), documents, k1=K1, b=B), count)
