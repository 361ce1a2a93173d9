"""Gaps of a chain, and longer chains: with what a retriever finds, or until the reader finds an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from probative.engine.search import Search
from probative.scope.answer.read import read_chain
from probative.scope.cover.chain import cover, extended_chain
from probative.scope.cover.learned import lengthen
from probative.scope.finding import Chain, Contradiction, Finding, Reading
from probative.scope.inputs import Retriever
from probative.scope.judge.judge import judge
from probative.scope.run import Run


def find_gaps(run: Run, chain: Chain, rows: Sequence[int]) -> Finding:
    """Return a chain with the features that these rows do not carry.

    If the policy chose the chain, the policy decides whether it is complete, and notes say where the words of
    the passages do not agree.
    """
    complete, missing = chain.is_complete(rows), chain.missing(rows)
    who = "the reader" if chain.learned is not None and chain.learned.candidates else "the evidence policy"
    if chain.learned is not None and complete and missing:
        run.note(
            f"{who} considers the chain complete, although no passage has the words of " + "; ".join(missing)
        )
        missing = ()
    if chain.learned is not None and not complete and not missing:
        run.note(f"{who} considers the chain incomplete, although it has the question's words")
    indexes = tuple(run.pool.judged[row] for row in chain.rows)
    return Finding(chain, indexes, complete, missing)


def with_longer_chain(run: Run, finding: Finding, chain: Chain) -> Finding:
    """Return the finding with a longer chain of the policy; whether it is complete stays as it was."""
    indexes = tuple(run.pool.judged[row] for row in chain.rows)
    missing = () if chain.is_complete() else chain.missing()
    return replace(finding, chain=chain, indexes=indexes, missing=missing)


def with_passage_in_force(run: Run, finding: Finding, entry: Contradiction) -> Finding:
    """Return the finding without an answer, with the passage in force in the place of the one it replaces."""
    old = entry.other if entry.in_force == entry.index else entry.index
    kept = [entry.in_force if index == old else index for index in finding.indexes]
    indexes = tuple(dict.fromkeys(index for index in kept if index is not None))
    chain = replace(finding.chain, rows=tuple(run.pool.judged.index(index) for index in indexes))
    return Finding(chain, indexes, finding.complete, finding.missing)


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


def extend_chain(run: Run, finding: Finding) -> Search[tuple[Finding, Reading]]:
    """Let the reader read the chain of the policy; if it declines, read the whole passages instead of their
    excerpts, then longer chains up to `max_passages`.

    The finding stays as it was if no longer chain contains an answer.
    """
    reading = yield from read_chain(run, finding.indexes)
    if reading.declined and run.excerpts:
        run.excerpts.clear()
        reading = yield from read_chain(run, finding.indexes)
    longer = finding.chain.learned if run.options.extend_if_unanswered else None
    while reading.declined and longer is not None and len(longer.rows) < run.options.max_passages:
        longer = yield from lengthen(run, longer)
        if longer is None:
            break
        indexes = tuple(run.pool.judged[row] for row in longer.rows)
        more = yield from read_chain(run, indexes)
        if more.answer.text is not None:
            run.note("the reader found no answer in a shorter chain")
            chain = extended_chain(run, finding.chain.judged, longer)
            return with_longer_chain(run, finding, chain), more
    return finding, reading
