"""Table 8: time, length of the context and accuracy of RAG, ToG and give; and figure 6, what a question
needs of give.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from probative.bench.data.graph_qa import GRAPHS
from probative.bench.experiment import Settings
from probative.bench.experiments.give_study.arms import Arm, give_arm, method_arms
from probative.bench.experiments.give_study.cells import accuracy, failures
from probative.bench.experiments.give_study.commonsense import parts_in
from probative.bench.experiments.give_study.graphs import WHOLE
from probative.bench.experiments.give_study.study import ALL_SETS, SET_NAMES, GiveStudy, fields_of
from probative.bench.report import Cell, Report, Table, TableRow
from probative.bench.rows import Row
from probative.bench.statistics import mean_cell

GIVE_ARMS = {"GIVE p=1": 1, "GIVE p=2": 2}
COLUMNS = (
    "seconds",
    "words affirmative",
    "words counterfactual",
    "words expert",
    "accuracy a, %",
    "accuracy a+c, %",
    "accuracy a+c+e, %",
    "calls",
    "prompt tokens",
)
Figures = tuple[float | None, ...]
# Seconds, words of the three sets, accuracy of the three stages; the words and the accuracy of a method
# without stages are in the last column of their kind. GPT3.5-turbo, 100 questions.
PUBLISHED: dict[tuple[str, int], dict[str, Figures]] = {
    ("pubmedqa", 100): {
        "RAG": (2.7, None, None, 64.7, None, None, 14),
        "GIVE p=1": (33.6, 192.5, 105.9, 16.1, 35, 45, 45),
        "GIVE p=2": (103.8, 436.3, 486.1, 57.6, 41, None, 48),
    },
    ("bioasq", 100): {
        "RAG": (2.8, None, None, 66.5, None, None, 43),
        "GIVE p=1": (15.3, None, 33.8, 9.0, 79, 81, 83),
        "GIVE p=2": (45.3, 205.5, 176.5, 32.1, 80, 84, 90),
    },
    ("processbank", 100): {
        "ToG": (15.6, None, None, 54.2, None, None, 60),
        "GIVE p=1": (35.2, 151.2, 226.9, 7.5, 67, 68, 68),
        "GIVE p=2": (None, 330.0, None, 28.9, 71, None, None),
    },
    ("csqa", 10): {
        "RAG": (0.6, None, None, 30.0, None, None, 64),
        "ToG": (39.3, None, None, 106.6, None, None, 67),
        "GIVE p=1": (26.5, 41.1, 38.4, 0.1, 70, 71, 71),
        "GIVE p=2": (36.3, 93.2, 83.3, 0.2, 70, 70, 68),
    },
    ("csqa", 50): {
        "RAG": (1.1, None, None, 30.0, None, None, 66),
        "ToG": (102.2, None, None, 217.0, None, None, 67),
        "GIVE p=1": (74.0, 39.9, 43.5, 0.2, 69, 64, 65),
        "GIVE p=2": (82.0, 86.9, 91.6, 0.5, 73, 76, 75),
    },
    ("csqa", 100): {
        "ToG": (125.2, None, None, 213.7, None, None, 63),
        "GIVE p=1": (124.2, 41.8, 45.9, 0.5, 67, 69, 68),
        "GIVE p=2": (129.9, 83.4, 89.9, 0.6, 72, 77, 77),
    },
}
# Section C.1, in words: about 3 groups on biomedical sets and 4 on CommonsenseQA, where two groups have about
# 1 candidate relation; 60% of PubMedQA's questions need an intermediate group.
PUBLISHED_NEEDS: dict[str, Figures] = {
    "pubmedqa": (3, None, 60),
    "bioasq": (3, None, None),
    "processbank": (3, None, None),
    "csqa": (4, 1, None),
}


class Efficiency(GiveStudy):
    """The means for a question, a table for each set and part of its graph. The option "parts" names other
    parts of ConceptNet.
    """

    name = "give-efficiency"
    title = "What do RAG, ToG and give cost on each set, and what for?"
    shown_as = "table 8, figure 6"
    data = ("pubmedqa", "bioasq", "processbank", "umls", "commonsenseqa", "conceptnet")
    questions = 100

    def arms(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        baselines = [arm for arm in method_arms(settings, ("rag", "tog", "give")) if not arm.staged]
        return [*baselines, *(give_arm(settings, name, entities=p) for name, p in GIVE_ARMS.items())]

    def percents(self, set_name: str, settings: Settings) -> Sequence[int]:
        return parts_in(settings) if GRAPHS[set_name] == "conceptnet" else (WHOLE,)

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        rows = [fields_of(row) for row in rows]
        sets = self.sets_in(settings)
        tables = [
            cost_table(rows, name, percent, [arm.name for arm in self.arms(name, settings)])
            for name in sets
            for percent in self.percents(name, settings)
        ]
        return Report(tables=(*tables, needs_table(rows, sets)))


def cost_table(rows: Sequence[Row], set_name: str, percent: int, arms: Sequence[str]) -> Table:
    """Return the costs and accuracies of each arm on one set."""
    mine = [row for row in rows if (row.get("set"), row.get("percent")) == (set_name, percent)]
    cached = sum(row.get("usage", {}).get("cached", 0) > 0 for row in mine)
    notes = [
        "Means for a question. Published: GPT3.5-turbo, 100 questions.",
        f"In {cached} of {len(mine)} answers calls came from the cache and took no time." if cached else "",
        failures(mine),
    ]
    part = f" with {percent}% of ConceptNet" if GRAPHS[set_name] == "conceptnet" else " with UMLS"
    return Table(
        title=SET_NAMES[set_name] + part,
        corner="method",
        columns=COLUMNS,
        rows=tuple(
            TableRow(
                name=arm,
                cells=cost_cells(
                    [row for row in mine if row.get("arm") == arm],
                    PUBLISHED.get((set_name, percent), {}).get(arm, (None,) * 7),
                    staged=arm in GIVE_ARMS,
                ),
            )
            for arm in arms
        ),
        note=" ".join(filter(None, notes)),
    )


def cost_cells(rows: Sequence[Row], published: Figures, *, staged: bool) -> tuple[Cell, ...]:
    """Return the cells of an arm. A failed question counts as wrong, and in no mean."""
    ran = [row for row in rows if row.get("error") is None]

    def of(value: Callable[[Row], float], figure: float | None = None) -> Cell:
        return mean_cell([float(value(row)) for row in ran], figure)

    empty = Cell(value=None)
    seconds, words_a, words_c, words_e, *accuracies = published
    return (
        of(lambda row: row["seconds"], seconds),
        of(lambda row: row["words"].get("affirmative", 0), words_a) if staged else empty,
        of(lambda row: row["words"].get("counterfactual", 0), words_c) if staged else empty,
        of(lambda row: row["words"].get("expert", 0), words_e),
        accuracy(rows, "a", accuracies[0]) if staged else empty,
        accuracy(rows, "ac", accuracies[1]) if staged else empty,
        accuracy(rows, "ace", accuracies[2]),
        of(lambda row: row["usage"]["calls"]),
        of(lambda row: row["usage"]["prompt_tokens"]),
    )


def needs_table(rows: Sequence[Row], sets: Sequence[str]) -> Table:
    """Return what a question needs of give: groups, candidate relations, and an intermediate group."""
    body = []
    for name in (name for name in ALL_SETS if name in sets):
        mine = [
            row
            for row in rows
            if row.get("set") == name and row.get("arm") in GIVE_ARMS and row.get("error") is None
        ]
        groups, relations, intermediate = PUBLISHED_NEEDS[name]
        cells = (
            mean_cell([float(row["groups"]) for row in mine], groups),
            mean_cell([float(row["candidate_relations"]) for row in mine], relations),
            mean_cell([100.0 * row["intermediate"] for row in mine], intermediate),
        )
        body.append(TableRow(name=SET_NAMES[name], cells=cells))
    return Table(
        title="What a question needs of give (figure 6)",
        corner="set",
        columns=("entity groups", "candidate relations of two groups", "with an intermediate group, %"),
        rows=tuple(body),
        note="Over all answers of give in the tables above. Published: about, from the text of section C.1.",
    )
