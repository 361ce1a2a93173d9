"""The third step: which passages make the chain, and whether they are enough."""

from __future__ import annotations

from probative.engine.search import Search
from probative.models.contract import Capability
from probative.scope.cover.learned import learned_chain
from probative.scope.cover.links import linked_cover, with_bridges
from probative.scope.cover.read import cited_chain
from probative.scope.cover.set_cover import exact_cover, paper_cover
from probative.scope.features import Judgements
from probative.scope.finding import Chain, LearnedChain
from probative.scope.run import Run


def cover(run: Run, judgements: Judgements) -> Search[Chain]:
    """Choose the chain by the cover that the options name.

    With `linked`, the judgements include what follows from the links, and a passage that carries nothing is
    left out.
    """
    if run.options.cover in ("learned", "read"):
        model = run.tools.model
        cites = run.options.cover == "read" and model.reader and Capability.ALTERNATIVES in model.capabilities
        if run.options.cover == "read" and not cites:
            run.note(f"{model.name} cites no lines; the evidence policy chose the chain")
        learned = yield from cited_chain(run) if cites else learned_chain(run)
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
    """Return a chain of the policy with what follows from its links."""
    bridged = with_bridges(run, judged, learned.rows)
    return Chain(learned.rows, bridged, judged, learned, run.options.min_completeness)
