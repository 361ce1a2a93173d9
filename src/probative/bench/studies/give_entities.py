"""Figure 4: accuracy by the number of entities added to a group, and by the share of expert knowledge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import correlation

from probative.bench.families.graph_questions import (
    BIOMEDICAL,
    SET_NAMES,
    Arm,
    GraphStudy,
    give_arm,
    numbers_in,
)
from probative.bench.families.graph_tables import (
    STAGES,
    Comparison,
    accuracy,
    count_plot,
    last_lines,
    right,
    set_columns,
)
from probative.bench.findings import difference_finding
from probative.bench.metrics import mean
from probative.bench.report import Cell, Plot, Report, Series, Table
from probative.bench.rows import Row, rows_of
from probative.bench.statistics import each_against
from probative.bench.study import Settings
from probative.bench.tables import build_table, known_cells

COUNTS = (0, 1, 2, 3)
# Questions are put into this many groups of equal size, in the order of their expert ratio.
RATIO_GROUPS = 4
# Section 4.7.1: the best number of entities is 2 on every set.
PUBLISHED_BEST = 2


class GiveEntities(GraphStudy):
    """Accuracy by p, the entities added to a group; then, for the best p of the paper, accuracy by the expert
    ratio |R_e| / (|R_a| + |R_c| + |R_e|) of each question. The option "counts" names other values of p.
    """

    name = "give-entities"
    options = ("counts",)
    title = "How many near entities help, and does more expert knowledge mean better answers?"
    paper_reference = "figure 4"
    data = (*BIOMEDICAL, "umls")
    sets = BIOMEDICAL

    def arms_for(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        counts = numbers_in(settings, "counts", COUNTS)
        return [give_arm(settings, arm_name(count), entities=count) for count in counts]

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        sets, counts = self.sets_in(settings), numbers_in(settings, "counts", COUNTS)
        arms, columns = [arm_name(count) for count in counts], set_columns(sets)
        tables = [
            Comparison(rows, {arm: (arm, stage) for arm in arms}, columns).table(
                f"{name} by the entities added to a group",
                note="The paper shows a curve without figures; on every set it is highest at p = 2.",
            )
            for stage, name in STAGES.items()
        ]
        tests = Comparison(rows, last_lines(arms), columns).tests(each_against(arms, arms[0]))
        studied = arm_name(PUBLISHED_BEST if PUBLISHED_BEST in counts else counts[-1])
        by_set = {SET_NAMES[name]: rows_of(rows, arm=studied, set=name) for name in sets}
        ratios = ratio_table(by_set, studied)
        texts = [text for name, own in by_set.items() for text in ratio_finding(name, own)]
        return Report(
            tables=(*tables, ratios, *tests),
            plots=(
                count_plot(rows, "p", "the entities added to a group", dict.fromkeys(sets, counts), arm_name),
                ratio_plot(ratios, tuple(by_set)),
            ),
            findings=(difference_finding(tests, "accuracy"), *texts),
        )


def arm_name(count: int) -> str:
    """Return the name of an arm."""
    return f"p = {count}"


def ratio_groups(rows: Sequence[Row]) -> list[list[Row]]:
    """Return the questions with an expert ratio in groups of equal size, lowest ratio first."""
    known = sorted(_with_ratio(rows), key=lambda row: (row["expert_ratio"], row["id"]))
    cuts = [round(number * len(known) / RATIO_GROUPS) for number in range(RATIO_GROUPS + 1)]
    return [known[start:end] for start, end in pairwise(cuts) if end > start]


def _with_ratio(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row.get("expert_ratio") is not None]


def _mean_ratio(rows: Sequence[Row]) -> Cell:
    return Cell(value=100 * mean([row["expert_ratio"] for row in rows]), n=len(rows))


def ratio_table(by_set: Mapping[str, Sequence[Row]], arm: str) -> Table:
    """Return the mean expert ratio and the accuracy of each group of questions, for each set."""
    without = sum(len(own) - len(_with_ratio(own)) for own in by_set.values())
    return build_table(
        f"GIVE a+c+e by the share of expert knowledge ({arm})",
        "questions in the order of their share",
        {"mean expert ratio, %": _mean_ratio, "accuracy, %": accuracy},
        [
            (f"{name}, group {number}", group)
            for name, own in by_set.items()
            for number, group in enumerate(ratio_groups(own), 1)
        ],
        f"Questions without a ratio (failed, or without knowledge between groups): {without}.",
    )


def ratio_plot(table: Table, sets: Sequence[str]) -> Plot:
    """Return the accuracy of each group of a table of ratios over its mean ratio."""
    groups = list(known_cells(table, *table.columns))
    series = [
        Series(
            name=name,
            points=tuple(
                (ratio.value or 0.0, hits.value or 0.0)
                for line, (ratio, hits) in groups
                if line.startswith(f"{name}, ")
            ),
        )
        for name in sets
    ]
    title, (x, y) = table.title.partition(" (")[0], table.columns
    return Plot(title=title, kind="scatter", x=x, y=y, series=tuple(series))


def ratio_finding(name: str, rows: Sequence[Row]) -> Iterator[str]:
    """Yield a sentence with the correlation of ratio and success; nothing if one of them does not vary."""
    known = _with_ratio(rows)
    ratios, hits = [float(row["expert_ratio"]) for row in known], [float(right(row)) for row in known]
    if len(set(ratios)) > 1 and len(set(hits)) > 1:
        yield (
            f"{name}: expert ratio and right answers correlate with {correlation(ratios, hits):+.2f} over "
            f"{len(known)} questions (the paper finds a positive one)."
        )
