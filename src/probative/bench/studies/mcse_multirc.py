"""Table 7: MultiRC, the first sentence and the first two, beside methods made for such data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from probative.bench.families import mcse
from probative.bench.families.claims import Claim, multirc
from probative.bench.published import MCSE as PUBLISHED
from probative.bench.rows import Groups, Rows, groups_by
from probative.bench.study import Settings
from probative.bench.tables import TableSpec

# Methods of the paper that were made for such data: only their published figures are shown.
TASK_SPECIFIC = {
    f"{name} (published only)": figures for name, figures in PUBLISHED.multirc_task_specific.items()
}
FIGURES = {name: [*first, *second] for name, (first, second) in PUBLISHED.multirc.items()}
METRICS = mcse.top_metrics((1, 2))


def _lines(rows: Rows) -> Groups:
    yield from groups_by(rows, "method")
    for name in TASK_SPECIFIC:
        yield name, []


class McseMultirc(mcse.McseStudy):
    """Evidence for answers to questions about paragraphs."""

    name = "mcse-multirc"
    title = "Evidence on MultiRC: McsE against its baselines and task-specific methods"
    paper_reference = "table 7"
    data = ("multirc",)
    calls_per_case = 12_000.0
    options = ("methods",)
    sentences = 2
    tables = (
        TableSpec(
            "MultiRC",
            "method",
            METRICS,
            _lines,
            note=f"{mcse.BESIDE} S is supervised, U unsupervised.",
            published=mcse.by_encoder({**FIGURES, **TASK_SPECIFIC}),
        ),
        TableSpec("MultiRC, claims that the text supports", "method", METRICS, where=lambda row: row["true"]),
    )
    tests = (mcse.f1_tests({"top 1": 1, "top 2": 2}),)
    findings = (mcse.f1_finding, mcse.best_f1((1, 2), {"MultiRC": "MultiRC"}), mcse.failures)

    def groups(self, settings: Settings) -> Iterable[Sequence[Claim]]:
        return [multirc(settings)]
