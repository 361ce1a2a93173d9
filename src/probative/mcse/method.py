"""McsE and the evidence policy alone as methods of `prove`."""

from __future__ import annotations

from collections.abc import Sequence

from probative.engine.methods import Method
from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.mcse.evidence_policy import LearnedOptions, choose_evidence
from probative.mcse.options import DEFAULT_PRESET, PRESETS, McseOptions
from probative.mcse.result import McseResult
from probative.mcse.search import K, find_evidence


def by_mcse(
    claim: str, sentences: Sequence[str], k: K, tools: Tools, options: McseOptions
) -> Search[McseResult]:
    """Search for the sentences that together make the model say the claim."""
    return find_evidence(claim, sentences, k, options, lambda: tools.model)


def by_learned(
    claim: str, sentences: Sequence[str], k: K, tools: Tools, options: LearnedOptions
) -> Search[McseResult]:
    """Choose sentences with the evidence policy alone."""
    return choose_evidence(claim, sentences, k, options)


# Longer claims are hardly sentences; each step of mcse reads the claim again.
MCSE = Method(by_mcse, McseOptions, PRESETS, lambda model, reader: DEFAULT_PRESET, long_claim=1500)
LEARNED = Method(by_learned, LearnedOptions)
