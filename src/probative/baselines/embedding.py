"""Embedding similarity: the cosine of each sentence's vector with the claim's."""

from __future__ import annotations

from collections.abc import Sequence

from probative.baselines.selection import prepared, ranked
from probative.mcse.context import Context
from probative.mcse.found import Found
from probative.mcse.search import K
from probative.models.together import Ask, Search, Tools


def by_embedding(claim: str, sentences: Sequence[str], k: K, tools: Tools) -> Search[Found]:
    """Sentences by the cosine with the claim."""
    context, count = prepared(claim, sentences, k)
    return ranked(context, (yield from cosines(context)), count)


def cosines(context: Context) -> Search[list[float]]:
    """The cosine of each candidate with the claim."""
    texts = [context.sentences[number] for number in context.candidates]
    vectors = yield Ask("encode", [context.claim, *texts], "embed")
    return [float(vectors[0] @ vector) for vector in vectors[1:]]
