"""All methods that find evidence for a claim, by name, with one signature."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.mcse.evidence_policy import LearnedOptions, choose_evidence
from probative.mcse.options import McseOptions
from probative.mcse.result import McseResult
from probative.mcse.search import K, find_evidence
from probative.registry import Registry

Method = Callable[[str, Sequence[str], K, Tools], Search[McseResult]]

BASELINES = {
    "rouge": "probative.baselines.evidence.rouge:by_rouge",
    "bm25": "probative.baselines.evidence.bm25:by_bm25",
    "embedding": "probative.baselines.evidence.embedding:by_embedding",
    "llm-pick": "probative.baselines.evidence.llm_pick:by_llm_pick",
    "llm-rerank": "probative.baselines.evidence.llm_rerank:by_llm_rerank",
    "rankgpt": "probative.baselines.evidence.rankgpt:by_rankgpt",
}
METHODS = ("mcse", "learned", *BASELINES)


def evidence_method(name: str, options: McseOptions | LearnedOptions) -> Method:
    """Return the method of this name; `options` are those of mcse or learned, and unused by a baseline.

    >>> evidence_method("bm25", McseOptions()).__name__
    'by_bm25'
    """
    if name == "learned" and isinstance(options, LearnedOptions):

        def by_learned(claim: str, sentences: Sequence[str], k: K, tools: Tools) -> Search[McseResult]:
            return choose_evidence(claim, sentences, k, options)

        return by_learned
    if name == "mcse" and isinstance(options, McseOptions):

        def by_mcse(claim: str, sentences: Sequence[str], k: K, tools: Tools) -> Search[McseResult]:
            return find_evidence(claim, sentences, k, options, lambda: tools.model)

        return by_mcse
    method: Method = Registry("method", BASELINES, others=METHODS).load(name)
    return method
