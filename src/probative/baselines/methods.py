"""Every way to find evidence for a claim, by name, with one signature."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from probative.baselines.table import method_of
from probative.mcse.found import Found
from probative.mcse.learned import LearnedOptions, choose_evidence
from probative.mcse.options import McseOptions
from probative.mcse.search import K, find_evidence
from probative.models.together import Search, Tools

Method = Callable[[str, Sequence[str], K, Tools], Search[Found]]

BASELINES = {
    "rouge": "probative.baselines.rouge:by_rouge",
    "bm25": "probative.baselines.bm25:by_bm25",
    "embedding": "probative.baselines.embedding:by_embedding",
    "llm-pick": "probative.baselines.llm_pick:by_llm_pick",
    "llm-rerank": "probative.baselines.llm_rerank:by_llm_rerank",
    "rankgpt": "probative.baselines.rankgpt:by_rankgpt",
}
METHODS = ("mcse", "learned", *BASELINES)


def evidence_method(name: str, options: McseOptions | LearnedOptions) -> Method:
    """The method of this name; the options are mcse's, or learned's for that.

    >>> evidence_method("bm25", McseOptions()).__name__
    'by_bm25'
    """
    if name == "learned" and isinstance(options, LearnedOptions):

        def by_learned(claim: str, sentences: Sequence[str], k: K, tools: Tools) -> Search[Found]:
            return choose_evidence(claim, sentences, k, options)

        return by_learned
    if name == "mcse" and isinstance(options, McseOptions):

        def by_mcse(claim: str, sentences: Sequence[str], k: K, tools: Tools) -> Search[Found]:
            return find_evidence(claim, sentences, k, options, lambda: tools.model)

        return by_mcse
    method: Method = method_of(BASELINES, name, METHODS)
    return method
