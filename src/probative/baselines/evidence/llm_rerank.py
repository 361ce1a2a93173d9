"""A language model that puts an embedding shortlist into order."""

from __future__ import annotations

from collections.abc import Sequence

from probative.baselines.evidence.embedding import cosines
from probative.baselines.evidence.rankgpt import reordered
from probative.baselines.evidence.selection import in_order, prepared
from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.mcse.result import McseResult
from probative.mcse.search import K

SHORTLIST = 10


def by_llm_rerank(claim: str, sentences: Sequence[str], k: K, tools: Tools) -> Search[McseResult]:
    """The ten sentences nearest to the claim (more where more are asked for), in the model's order."""
    context, count = prepared(claim, sentences, k)
    similar = yield from cosines(context)
    order = sorted(range(len(similar)), key=lambda place: (-similar[place], place))
    shortlist = [context.candidates[place] for place in order[: max(SHORTLIST, 2 * count)]]
    return in_order(context, (yield from reordered(context, shortlist, "rerank")), count)
