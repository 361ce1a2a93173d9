"""Effectiveness (table 2): accuracy with CoE and Non-CoE among irrelevant text."""

from __future__ import annotations

from probative.bench.families.coe.study import ContextStudy


class CoeNoise(ContextStudy):
    """Accuracy with 0, 25, 50 and 75% of irrelevant text, by characters."""

    name = "coe-noise"
    title = "Does a chain of evidence help the model more than incomplete evidence, among irrelevant text?"
    paper_reference = "table 2"
    calls_per_case = 36.0
