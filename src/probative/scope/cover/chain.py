"""The third step: which passages make the chain, and whether they are enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from probative.engine.search import Search
from probative.scope.cover.bridges import with_bridges
from probative.scope.cover.exact import exact_cover
from probative.scope.cover.learned import LearnedChain, learned_chain
from probative.scope.cover.linked import linked_cover
from probative.scope.cover.paper import paper_cover
from probative.scope.judge.judgements import Judgements
from probative.scope.run import Run


@dataclass(frozen=True)
class Chain:
    """The rows of the chosen passages among those judged, and what all passages carry.

    Where the evidence policy chose, `learned` is its chain, and it decides whether the chain is complete
    (from `min_completeness` on); the judgements then only show what the words show. `judged` are the
    judgements without what links between passages let conclude.
    """

    rows: tuple[int, ...]
    judgements: Judgements
    judged: Judgements
    learned: LearnedChain | None = None
    min_completeness: float = 0.5

    def is_complete(self, rows: Sequence[int] | None = None) -> bool:
        """Return whether the chain is enough; without a policy, whether these rows carry every feature."""
        if self.learned is not None:
            return bool(self.rows) and self.learned.completeness >= self.min_completeness
        return not self.missing(rows)

    def missing(self, rows: Sequence[int] | None = None) -> tuple[str, ...]:
        """Return the features that none of these rows (by default the chain) carries."""
        return self.judgements.missing(self.rows if rows is None else rows)

    def features_to_look_up(self, rows: Sequence[int]) -> tuple[str, ...]:
        """Return the missing features; all features if only the policy misses something."""
        if self.learned is None:
            return self.missing(rows)
        if self.is_complete():
            return ()
        return self.missing() or tuple(feature.name for feature in self.judgements.listed)


def cover(run: Run, judgements: Judgements) -> Search[Chain]:
    """Choose the chain by the cover that the options name.

    Of linked passages, also what the links let conclude; a linked passage that carries nothing even so is
    left out.
    """
    if run.options.cover == "learned":
        learned = yield from learned_chain(run)
        return extended_chain(run, judgements, learned)
    if run.options.cover == "linked":
        rows = linked_cover(run, judgements)
        bridged = with_bridges(run, judgements, rows)
        rows = [row for row in rows if bridged.carried[row]] or rows[:1]
        return Chain(tuple(rows), bridged, judgements)
    if run.options.cover == "exact":
        rows = exact_cover(judgements.carried, [len(passage.text) for passage in run.pool.candidates()])
    else:
        rows = paper_cover(judgements.carried, judgements.listed)
    return Chain(tuple(rows), judgements, judgements)


def extended_chain(run: Run, judged: Judgements, learned: LearnedChain) -> Chain:
    """Return a chain of the policy with what its links let conclude."""
    bridged = with_bridges(run, judged, learned.rows)
    return Chain(learned.rows, bridged, judged, learned, run.options.min_completeness)
