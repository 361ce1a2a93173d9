"""Embedding similarity: the cosine of each sentence's vector with the claim's."""

from __future__ import annotations

from collections.abc import Sequence

from probative.baselines.evidence.selection import prepared, ranked
from probative.engine.search import Search, encode
from probative.engine.tools import Tools
from probative.mcse.context import Context
from probative.mcse.result import McseResult
from probative.mcse.search import K


def by_embedding(claim: str, sentences: Sequence[str], k: K, tools: Tools) -> Search[McseResult]:
    """Sentences by the cosine with the claim."""
    context, count = prepared(claim, sentences, k)
    return ranked(context, (yield from cosines(context)), count)


def cosines(context: Context) -> Search[list[float]]:
    """The cosine of each candidate with the claim."""
    texts = [context.sentences[number] for number in context.candidates]
    vectors = yield from encode([context.claim, *texts], step="embed")
    return [float(vectors[0] @ vector) for vector in vectors[1:]]
