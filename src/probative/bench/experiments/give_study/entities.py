"""Figure 4: accuracy by the number of entities added to a group, and by the share of expert knowledge."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from probative.bench.experiment import Settings
from probative.bench.experiments.give_study.figures import (
    STAGES,
    Line,
    accuracy,
    accuracy_table,
    count_plot,
    paired_accuracy,
    right,
    set_columns,
)
from probative.bench.experiments.give_study.study import (
    BIOMEDICAL,
    SET_NAMES,
    Arm,
    GiveStudy,
    give_arm,
    names_in,
)
from probative.bench.findings import difference_finding
from probative.bench.metrics import mean
from probative.bench.report import Cell, Plot, Report, Series, Table
from probative.bench.rows import Row
from probative.bench.statistics import each_against
from probative.bench.tables import build_table, rows_of

COUNTS = (0, 1, 2, 3)
# Questions are put into this many groups of equal size, in the order of their expert ratio.
RATIO_GROUPS = 4
# Section 4.7.1: the best number of entities is 2 on every set.
PUBLISHED_BEST = 2


class Entities(GiveStudy):
    """Accuracy by p, the entities added to a group; then, for the best p of the paper, accuracy by the expert
    ratio |R_e| / (|R_a| + |R_c| + |R_e|) of each question. The option "counts" names other values of p.
    """

    name = "give-entities"
    own_options = ("counts",)
    title = "How many near entities help, and does more expert knowledge mean better answers?"
    paper_reference = "figure 4"
    data = ("pubmedqa", "bioasq", "processbank", "umls")
    sets = BIOMEDICAL

    def arms(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        return [give_arm(settings, arm_name(count), entities=count) for count in counts_in(settings)]

    def shown(self, rows: Sequence[Row], sets: Sequence[str], settings: Settings) -> Report:
        counts, columns = counts_in(settings), set_columns(sets)
        tables = [
            accuracy_table(
                f"{name} by the entities added to a group",
                [Line(arm_name(count), arm_name(count), stage) for count in counts],
                columns,
                rows,
                {},
                "The paper shows a curve without figures; on every set it is highest at p = 2.",
            )
            for stage, name in STAGES.items()
        ]
        studied = arm_name(PUBLISHED_BEST if PUBLISHED_BEST in counts else counts[-1])
        by_ratio = rows_of(rows, arm=studied)
        lines = [Line(arm_name(count), arm_name(count)) for count in counts]
        pairs = each_against([line.name for line in lines], arm_name(counts[0]))
        tests = paired_accuracy(lines, columns, rows, pairs)
        ratios = [ratio_finding(by_ratio, name) for name in sets]
        return Report(
            tables=(*tables, ratio_table(by_ratio, sets, studied), *tests),
            plots=(
                count_plot(rows, "p", "the entities added to a group", dict.fromkeys(sets, counts), arm_name),
                ratio_plot(by_ratio, sets),
            ),
            findings=(difference_finding(tests, "accuracy"), *filter(None, ratios)),
        )


def counts_in(settings: Settings) -> list[int]:
    """Return the values of p that the option "counts" names; by default the paper's."""
    return [int(count) for count in names_in(settings.option("counts", ",".join(map(str, COUNTS))))]


def arm_name(count: int) -> str:
    """Return the name of an arm.

    >>> arm_name(2)
    'p = 2'
    """
    return f"p = {count}"


def ratio_groups(rows: Sequence[Row]) -> list[list[Row]]:
    """Return the questions with an expert ratio in groups of equal size, lowest ratio first."""
    known = sorted(
        (row for row in rows if row.get("expert_ratio") is not None),
        key=lambda row: (row["expert_ratio"], row["id"]),
    )
    cuts = [round(number * len(known) / RATIO_GROUPS) for number in range(RATIO_GROUPS + 1)]
    return [known[start:end] for start, end in pairwise(cuts) if end > start]


def ratio_table(rows: Sequence[Row], sets: Sequence[str], arm: str) -> Table:
    """Return the mean expert ratio and the accuracy of each group of questions, for each set."""
    groups = [
        (f"{SET_NAMES[name]}, group {number}", group)
        for name in sets
        for number, group in enumerate(ratio_groups(rows_of(rows, set=name)), 1)
    ]
    without = sum(row.get("expert_ratio") is None for row in rows)
    return build_table(
        f"GIVE a+c+e by the share of expert knowledge ({arm})",
        "questions in the order of their share",
        {"mean expert ratio, %": lambda own: Cell(value=_ratio(own), n=len(own)), "accuracy, %": accuracy},
        groups,
        f"Questions without a ratio (failed, or without knowledge between groups): {without}.",
    )


def _ratio(rows: Sequence[Row]) -> float:
    return 100 * mean([row["expert_ratio"] for row in rows])


def ratio_plot(rows: Sequence[Row], sets: Sequence[str]) -> Plot:
    """Return the accuracy of each group over its mean expert ratio."""
    groups = {SET_NAMES[name]: ratio_groups(rows_of(rows, set=name)) for name in sets}
    return Plot(
        title="GIVE a+c+e by the share of expert knowledge",
        kind="scatter",
        x="mean expert ratio, %",
        y="accuracy, %",
        series=tuple(
            Series(
                name=name,
                points=tuple(
                    (_ratio(group), 100 * mean([float(right(row, "ace")) for row in group])) for group in own
                ),
            )
            for name, own in groups.items()
        ),
    )


def ratio_finding(rows: Sequence[Row], set_name: str) -> str | None:
    """Return a sentence with the correlation of ratio and success; None if one of them does not vary."""
    import numpy as np

    known = [row for row in rows if row.get("set") == set_name and row.get("expert_ratio") is not None]
    ratios = [float(row["expert_ratio"]) for row in known]
    hits = [float(right(row, "ace")) for row in known]
    if len(set(ratios)) < 2 or len(set(hits)) < 2:
        return None
    correlation = float(np.corrcoef(ratios, hits)[0, 1])
    return (
        f"{SET_NAMES[set_name]}: expert ratio and right answers correlate with {correlation:+.2f} over "
        f"{len(known)} questions (the paper finds a positive one)."
    )
