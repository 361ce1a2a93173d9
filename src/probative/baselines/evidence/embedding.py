"""Embedding similarity: rank sentences by the cosine of their vector with the claim's."""

from __future__ import annotations

from collections.abc import Sequence

from probative.baselines.evidence.selection import choose_by_score, make_baseline_context
from probative.engine.search import Search, encode
from probative.engine.tools import Tools
from probative.mcse.context import Context
from probative.mcse.result import McseResult
from probative.mcse.search import K


def by_embedding(claim: str, sentences: Sequence[str], k: K, tools: Tools) -> Search[McseResult]:
    """Choose the sentences with the highest cosine with the claim."""
    context, n = make_baseline_context(claim, sentences, k)
    return choose_by_score(context, (yield from cosines(context)), n)


def cosines(context: Context) -> Search[list[float]]:
    """Return the cosine of each candidate with the claim."""
    texts = [context.sentences[index] for index in context.candidates]
    vectors = yield from encode([context.claim, *texts], step="embed")
    return [float(vectors[0] @ vector) for vector in vectors[1:]]
