"""Retriever rounds: look up what is missing, judge it, and choose the chain again."""

from __future__ import annotations

from collections.abc import Sequence

from probative.engine.search import Search
from probative.scope.cover.chain import Chain, cover
from probative.scope.inputs import Retriever
from probative.scope.judge.judge import judge
from probative.scope.run import Run


def follow_up(run: Run, chain: Chain, retriever: Retriever | None) -> Search[Chain]:
    """Look up missing features for at most `rounds` rounds and return the last chain."""
    if retriever is None:
        return chain
    for _ in range(run.options.rounds):
        missing = chain.features_to_look_up(range(len(run.pool.judged)))
        if not missing:
            break
        if not _look_up(run, chain, missing, retriever):
            run.note("missing features were looked up; nothing new was found")
            break
        judgements = yield from judge(run, chain.judged.features, chain.judged)
        chain = yield from cover(run, judgements)
    return chain


def _look_up(run: Run, chain: Chain, missing: Sequence[str], retriever: Retriever) -> bool:
    """Look up each missing feature and return whether a new passage was found.

    A retriever that found the passages finds them again, so it is asked for that many more.
    """
    per_query = run.options.per_query
    n = len(run.pool.originals) + per_query
    queries = [
        f"{feature.text} ({run.question.text})" for feature in chain.judged.listed if feature.name in missing
    ]
    replies = [retriever(query, n) for query in queries]
    return sum(run.pool.add(passages, per_query) for passages in replies) > 0
