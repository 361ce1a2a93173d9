"""Ablation (table 6): effectiveness, faithfulness and robustness without nodes, relations or intent."""

from __future__ import annotations

from probative.bench.families.coe.study import ThreeStudies
from probative.bench.published import COE


class CoeAblation(ThreeStudies):
    """The three studies on HotpotQA with WordP, ERP and IntentP beside CoE."""

    name = "coe-ablation"
    title = "Which feature of a chain of evidence matters most: nodes, relations or intent?"
    paper_reference = "table 6"
    data = drawn_from = ("hotpotqa",)
    needs_judge = True
    contexts = ("CoE", "WordP", "ERP", "IntentP")
    figures = COE.ablation
    calls_per_case = 144.0
