"""Figure 5: McsE with different base models, the first three and five sentences.

A run studies its model, and also its judge model if that can score. More models are more runs, put side by
side by `probative bench compare`.
"""

from __future__ import annotations

from probative.bench.families import mcse
from probative.bench.findings import sentences
from probative.bench.rows import Row
from probative.bench.statistics import each_against
from probative.bench.study import Case, Lab
from probative.bench.tables import TableSpec
from probative.errors import CapabilityError

NOTE = (
    "Figure 5 of the paper has no numbers: Gemma-2b, -2b-it, -7b, -7b-it; the instruction-tuned ones are "
    "better at both sizes."
)


class McseModels(mcse.McseStudy):
    """Whether McsE holds with another language model behind it."""

    name = "mcse-models"
    title = "McsE with different base models, top 3 and top 5"
    paper_reference = "figure 5"
    verbs = frozenset({"score"})
    calls_per_case = 170_000.0
    options = ("titles",)
    arguments = mcse.ONLY_MCSE
    tables = (TableSpec("HoVer by base model", "model", mcse.top_metrics((3, 5)), note=NOTE),)
    tests = (mcse.f1_tests({"top 3": 3, "top 5": 5}, lambda models: each_against(models, models[0])),)
    plots = (mcse.top_bars("F1 by base model", ("top 3", "top 5")),)
    findings = (
        sentences(
            "McsE with {line} has an F1 of {0:.1f} (top 3) and {1:.1f} (top 5); n = {1:n}.",
            "top 3 F1",
            "top 5 F1",
        ),
        mcse.models_differ,
        mcse.failures,
    )

    def run(self, case: Case, lab: Lab) -> Row:
        """Run McsE with each model for five sentences; a row names them by the model."""
        claim, methods = case.content, self.chosen(lab.settings)
        row = mcse.run_model(lab.session, claim, methods, 5)
        if lab.judge is not None:
            try:
                other = mcse.run_model(lab.judge, claim, methods, 5)
            except CapabilityError as error:
                return {**row, "left_out": error.what}
            for field in ("chosen", "calls", "failed"):
                row[field] = {**other[field], **row[field]}
        return row
