"""Read the chain, and longer ones as long as the reader finds no answer."""

from __future__ import annotations

from probative.engine.search import Search
from probative.scope.answer.parsed import Reading
from probative.scope.answer.read import read_chain
from probative.scope.cover.chain import extended_chain
from probative.scope.cover.learned import lengthen
from probative.scope.finding import Finding, with_longer_chain
from probative.scope.run import Run


def read_on(run: Run, finding: Finding) -> Search[tuple[Finding, Reading]]:
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
