"""Table 8: time, length of the context and accuracy of RAG, ToG and give; and figure 6, what a question
needs of give.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from probative.bench.data.graph_qa import GRAPHS
from probative.bench.experiment import Settings
from probative.bench.experiments.give_study.commonsense import parts_in
from probative.bench.experiments.give_study.figures import Column, Line, accuracy, failures, paired_accuracy
from probative.bench.experiments.give_study.study import (
    ALL_SETS,
    SET_NAMES,
    WHOLE,
    Arm,
    GiveStudy,
    give_arm,
    method_arms,
)
from probative.bench.findings import difference_finding
from probative.bench.published import GIVE
from probative.bench.render import number
from probative.bench.report import Cell, Report, Table, TableRow
from probative.bench.rows import Row
from probative.bench.statistics import first_against, mean_cell
from probative.bench.tables import (
    known_cells,
    rows_of,
)

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


class Efficiency(GiveStudy):
    """The means for a question, a table for each set and part of its graph. The option "parts" names other
    parts of ConceptNet.
    """

    name = "give-efficiency"
    own_options = ("parts",)
    title = "What do RAG, ToG and give cost on each set, and what for?"
    shown_as = "table 8, figure 6"
    questions = 100

    def arms(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        baselines = [arm for arm in method_arms(settings, ("rag", "tog", "give")) if not arm.staged]
        return [*baselines, *(give_arm(settings, name, entities=p) for name, p in GIVE_ARMS.items())]

    def percents(self, set_name: str, settings: Settings) -> Sequence[int]:
        return parts_in(settings) if GRAPHS[set_name] == "conceptnet" else (WHOLE,)

    def shown(self, rows: Sequence[Row], sets: Sequence[str], settings: Settings) -> Report:
        tables = [
            cost_table(rows, name, percent, [arm.name for arm in self.arms(name, settings)])
            for name in sets
            for percent in self.percents(name, settings)
        ]
        tests = self._tests(rows, sets, settings)
        findings = (*(_cost(table) for table in tables), difference_finding(tests, "accuracy"))
        return Report(tables=(*tables, needs_table(rows, sets), *tests), findings=findings)

    def _tests(self, rows: Sequence[Row], sets: Sequence[str], settings: Settings) -> tuple[Table, ...]:
        names = [arm.name for arm in self.arms(sets[0], settings)]
        columns = [
            Column(SET_NAMES[name] + (f", {percent}%" if percent != WHOLE else ""), name, percent)
            for name in sets
            for percent in self.percents(name, settings)
        ]
        pairs = first_against(list(GIVE_ARMS)[-1], names)
        return paired_accuracy([Line(name, name) for name in names], columns, rows, pairs)


def cost_table(rows: Sequence[Row], set_name: str, percent: int, arms: Sequence[str]) -> Table:
    """Return the costs and accuracies of each arm on one set."""
    mine = rows_of(rows, set=set_name, percent=percent)
    cached = sum(row.get("usage", {}).get("cached", 0) > 0 for row in mine)
    notes = [
        "Means for a question. Published: GPT3.5-turbo, 100 questions.",
        f"In {cached} of {len(mine)} answers calls came from the cache and took no time." if cached else "",
        failures(mine),
    ]
    part = f" with {percent}% of ConceptNet" if GRAPHS[set_name] == "conceptnet" else " with UMLS"
    published = GIVE.efficiency[set_name].get(percent, {})
    body = []
    for arm in arms:
        own, figures = rows_of(mine, arm=arm), published.get(arm, (None,) * 7)
        body.append(TableRow(name=arm, cells=cost_cells(own, figures, staged=arm in GIVE_ARMS)))
    return Table(
        title=SET_NAMES[set_name] + part,
        corner="method",
        columns=COLUMNS,
        rows=tuple(body),
        note=" ".join(filter(None, notes)),
    )


def _cost(table: Table) -> str:
    """Return the mean calls and prompt tokens of each arm."""
    texts = [
        f"{name} makes {number(calls.value or 0.0)} calls with {number(tokens.value or 0.0)} prompt "
        f"tokens (n = {calls.n})"
        for name, (calls, tokens) in known_cells(table, "calls", "prompt tokens")
    ]
    return f"{table.title}: {'; '.join(texts) or 'no answer was measured'}."


def cost_cells(rows: Sequence[Row], published: Sequence[float | None], *, staged: bool) -> tuple[Cell, ...]:
    """Return the cells of an arm. A failed question counts as wrong, and in no mean."""
    ran = [row for row in rows if row.get("error") is None]

    def of(value: Callable[[Row], float], figure: float | None = None) -> Cell:
        return mean_cell([float(value(row)) for row in ran], figure)

    empty = Cell(value=None)
    seconds, words_a, words_c, words_e, *accuracies = published
    return (
        of(lambda row: row["seconds"], seconds).model_copy(update={"comparable": False}),
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
    ran = [row for row in rows if row.get("arm") in GIVE_ARMS and row.get("error") is None]
    body = []
    for name in (name for name in ALL_SETS if name in sets):
        mine, (groups, relations, intermediate) = rows_of(ran, set=name), GIVE.needs[name]
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
