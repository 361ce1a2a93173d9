"""LLM rerank: a language model puts a shortlist, chosen by embeddings, into order."""

from __future__ import annotations

from collections.abc import Sequence

from probative.baselines.evidence.embedding import cosines
from probative.baselines.evidence.rankgpt import rank_by_model
from probative.baselines.evidence.selection import choose_in_order, make_baseline_context
from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.mcse.result import McseResult
from probative.mcse.search import K

SHORTLIST = 10


def by_llm_rerank(claim: str, sentences: Sequence[str], k: K, tools: Tools) -> Search[McseResult]:
    """Choose from the model's order of the sentences nearest to the claim: ten, or 2k if that is more."""
    context, n = make_baseline_context(claim, sentences, k)
    similarities = yield from cosines(context)
    order = sorted(range(len(similarities)), key=lambda position: (-similarities[position], position))
    shortlist = [context.candidates[position] for position in order[: max(SHORTLIST, 2 * n)]]
    return choose_in_order(context, (yield from rank_by_model(context, shortlist, "rerank")), n)
