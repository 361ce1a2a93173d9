"""Figure 4: accuracy by the number of entities added to a group, and by the share of expert knowledge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import correlation

from probative.bench.families.graph_questions import BIOMEDICAL, Arm, GraphStudy, give_arm, numbers_in
from probative.bench.families.graph_tables import (
    STAGES,
    Lines,
    accuracy,
    accuracy_table,
    accuracy_tests,
    count_lines,
    is_last,
    right,
    stage_lines,
)
from probative.bench.findings import compared
from probative.bench.metrics import mean
from probative.bench.report import Cell, Plot, Series
from probative.bench.rows import Row, Rows, groups_by
from probative.bench.statistics import each_against
from probative.bench.study import Settings
from probative.bench.tables import Results, TableSpec, known_cells

COUNTS = (0, 1, 2, 3)
# Questions are put into this many groups of equal size, in the order of their expert ratio.
RATIO_GROUPS = 4
# Section 4.7.1: the best number of entities is 2 on every set.
PUBLISHED_BEST = 2
ADDED = "the entities added to a group"
RATIOS = "GIVE a+c+e by the share of expert knowledge"


def _with_ratio(rows: Rows) -> list[Row]:
    return [row for row in rows if row.get("expert_ratio") is not None]


def ratio_groups(rows: Rows) -> list[list[Row]]:
    """Return the questions with an expert ratio in groups of equal size, lowest ratio first."""
    ordered = sorted(_with_ratio(rows), key=lambda row: (row["expert_ratio"], row["id"]))
    cuts = [round(number * len(ordered) / RATIO_GROUPS) for number in range(RATIO_GROUPS + 1)]
    return [ordered[start:end] for start, end in pairwise(cuts) if end > start]


def _ratio_lines(rows: Rows) -> Iterator[tuple[str, Rows]]:
    for name, some in groups_by(rows, "column"):
        yield from ((f"{name}, group {number}", group) for number, group in enumerate(ratio_groups(some), 1))


def _mean_ratio(rows: Rows) -> Cell:
    return Cell(value=100 * mean([row["expert_ratio"] for row in rows]), n=len(rows))


def _without_ratio(rows: Rows) -> str:
    n = len(rows) - len(_with_ratio(rows))
    return f"Questions without a ratio (failed, or without knowledge between groups): {n}."


def studied_rows(rows: Rows) -> list[Row]:
    """Return the rows of the best p of the paper, or of the last p."""
    by_arm = dict(groups_by(list(filter(is_last, rows)), "arm"))
    best = f"p = {PUBLISHED_BEST}"
    return by_arm[best if best in by_arm else list(by_arm)[-1]] if by_arm else []


def ratio_plot(results: Results) -> Iterator[Plot]:
    """Yield the accuracy of each group of the table of ratios over its mean ratio."""
    for table in results.tables:
        if table.title.startswith(RATIOS):
            groups, (x, y) = list(known_cells(table, *table.columns)), table.columns
            names = dict.fromkeys(line.rpartition(", ")[0] for line, _ in groups)
            series = tuple(
                Series(
                    name=name,
                    points=tuple(
                        (ratio.value or 0.0, hits.value or 0.0)
                        for line, (ratio, hits) in groups
                        if line.startswith(f"{name}, ")
                    ),
                )
                for name in names
            )
            yield Plot(title=RATIOS, kind="scatter", x=x, y=y, series=series)


def ratio_sentences(results: Results) -> Iterator[str]:
    """Yield a sentence for each set with the correlation of ratio and success."""
    for name, rows in groups_by(studied_rows(results.rows), "column"):
        yield from ratio_finding(name, rows)


def ratio_finding(name: str, rows: Rows) -> Iterator[str]:
    """Yield a sentence with the correlation of ratio and success; nothing if one of them does not vary."""
    shown = _with_ratio(rows)
    ratios, hits = [float(row["expert_ratio"]) for row in shown], [float(right(row)) for row in shown]
    if len(set(ratios)) > 1 and len(set(hits)) > 1:
        yield (
            f"{name}: expert ratio and right answers correlate with {correlation(ratios, hits):+.2f} over "
            f"{len(shown)} questions (the paper finds a positive one)."
        )


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
    tests = (replace(accuracy_tests(lambda arms: each_against(arms, arms[0])), arm="arm", where=is_last),)
    plots = (count_lines("p", ADDED), ratio_plot)
    findings = (compared("accuracy"), ratio_sentences)

    def arms_for(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        counts = numbers_in(settings, "counts", COUNTS)
        return [give_arm(settings, f"p = {count}", entities=count) for count in counts]

    def lines(self, arms: Sequence[str]) -> Lines:
        return stage_lines(arms)

    def tables_of(self, settings: Settings) -> Sequence[TableSpec]:
        counts = numbers_in(settings, "counts", COUNTS)
        studied = f"p = {PUBLISHED_BEST if PUBLISHED_BEST in counts else counts[-1]}"
        note = "The paper shows a curve without figures; on every set it is highest at p = 2."
        return [
            *(accuracy_table(f"{name} by {ADDED}", note=note, stage=stage) for stage, name in STAGES.items()),
            TableSpec(
                f"{RATIOS} ({studied})",
                "questions in the order of their share",
                {"mean expert ratio, %": _mean_ratio, "accuracy, %": accuracy},
                _ratio_lines,
                where=lambda row: is_last(row) and row["arm"] == studied,
                note=_without_ratio,
            ),
        ]
