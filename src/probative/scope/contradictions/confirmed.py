"""Pairs of sentences that cannot both hold: the verdict model denies each by the other."""

from __future__ import annotations

from collections.abc import Sequence

from probative.engine.search import Search, judge
from probative.errors import WeightsError
from probative.models.verdict import VerdictItem
from probative.scope.contradictions.by_words import Contradiction
from probative.scope.finding import Finding, sides
from probative.scope.run import Run

Pair = tuple[str, str]

# How surely each of two sentences must be denied by the other. Of the 50 pairs of our own that cannot both
# hold, 47 reach it; of the 68 that can, 14 do, most of them parts of a thing or events that may have happened
# twice. It was chosen on these pairs.
MIN_DENIED = 0.7


def exclude_each_other(pairs: Sequence[Pair]) -> Search[list[bool]]:
    """Return for each pair of sentences whether the verdict model denies each of them by the other one."""
    if not pairs:
        return []
    items = [
        VerdictItem(claim, (evidence,))
        for first, second in pairs
        for claim, evidence in ((first, second), (second, first))
    ]
    scores = yield from judge(items, step="conflicts")
    return [
        min(scores[row].contradicted, scores[row + 1].contradicted) >= MIN_DENIED
        for row in range(0, len(scores), 2)
    ]


def confirmed(run: Run, finding: Finding) -> Search[tuple[Contradiction, ...]]:
    """Return the contradictions of a finding that the verdict model confirms, one for each pair of passages.

    Without the verdict model, all of them: what differs in a value is shown rather than left out.
    """
    found = finding.contradictions
    try:
        exclusive = yield from exclude_each_other([sides(run, entry) for entry in found])
    except WeightsError as error:
        run.note(f"contradictions are found by words alone: {error.what}")
        exclusive = [True] * len(found)
    first: dict[tuple[int, int], Contradiction] = {}
    for entry, holds in zip(found, exclusive, strict=True):
        if holds:
            first.setdefault((entry.index, entry.other), entry)
    return tuple(first.values())
