"""Table 8: time, length of the context and accuracy of RAG, ToG and give; and figure 6, what a question
needs of give.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from probative.bench.data.graph_qa import GRAPHS
from probative.bench.families.graph_questions import (
    PARTS,
    SET_NAMES,
    WHOLE,
    Arm,
    GraphStudy,
    give_arm,
    method_arms,
    numbers_in,
)
from probative.bench.families.graph_tables import Comparison, accuracy, failures, last_lines
from probative.bench.findings import difference_finding
from probative.bench.published import GIVE
from probative.bench.render import number
from probative.bench.report import Cell, Report, Table
from probative.bench.rows import Row, is_finished, rows_of
from probative.bench.statistics import first_against, mean_cell
from probative.bench.study import Settings
from probative.bench.tables import Metric, average, build_table, known_cells

GIVE_ARMS = {"GIVE p=1": 1, "GIVE p=2": 2}


def _seconds(rows: Sequence[Row]) -> Cell:
    seconds = mean_cell([row["seconds"] for row in rows if is_finished(row)])
    return seconds.model_copy(update={"comparable": False})


def _words(kind: str) -> Metric:
    return average(lambda row: row["words"].get(kind, 0), of=is_finished)


COSTS: dict[str, Metric] = {
    "seconds": _seconds,
    "words affirmative": _words("affirmative"),
    "words counterfactual": _words("counterfactual"),
    "words expert": _words("expert"),
    "accuracy a, %": partial(accuracy, stage="a"),
    "accuracy a+c, %": partial(accuracy, stage="ac"),
    "accuracy a+c+e, %": accuracy,
    "calls": average(lambda row: row["usage"]["calls"], of=is_finished),
    "prompt tokens": average(lambda row: row["usage"]["prompt_tokens"], of=is_finished),
}
"""The columns of the tables of costs. A failed question counts as wrong, and in no mean."""
STAGED = ("words affirmative", "words counterfactual", "accuracy a, %", "accuracy a+c, %")
"""Those that a method without stages does not have."""
NEEDS = {
    "entity groups": average("groups"),
    "candidate relations of two groups": average("candidate_relations"),
    "with an intermediate group, %": average(lambda row: 100.0 * row["intermediate"]),
}


class GiveEfficiency(GraphStudy):
    """The means for a question, a table for each set and part of its graph. The option "parts" names other
    parts of ConceptNet.
    """

    name = "give-efficiency"
    options = ("parts",)
    title = "What do RAG, ToG and give cost on each set, and what for?"
    paper_reference = "table 8, figure 6"
    questions = 100

    def arms_for(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        baselines = [arm for arm in method_arms(settings, ("rag", "tog", "give")) if not arm.staged]
        return [*baselines, *(give_arm(settings, name, entities=p) for name, p in GIVE_ARMS.items())]

    def percents(self, set_name: str, settings: Settings) -> Sequence[int]:
        return numbers_in(settings, "parts", PARTS) if GRAPHS[set_name] == "conceptnet" else (WHOLE,)

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        sets = self.sets_in(settings)
        arms = self.arm_names(sets, settings)
        parts = [(name, percent) for name in sets for percent in self.percents(name, settings)]
        tables = [
            cost_table(rows_of(rows, set=name, percent=percent), name, percent, arms)
            for name, percent in parts
        ]
        columns = {
            SET_NAMES[name] + (f", {percent}%" if percent != WHOLE else ""): {"set": name, "percent": percent}
            for name, percent in parts
        }
        tests = Comparison(rows, last_lines(arms), columns).tests(first_against("GIVE p=2", arms))
        findings = (*map(_cost, tables), difference_finding(tests, "accuracy"))
        return Report(tables=(*tables, needs_table(rows, sets), *tests), findings=findings)


def cost_table(rows: Sequence[Row], set_name: str, percent: int, arms: Sequence[str]) -> Table:
    """Return the costs and accuracies of each arm on one set."""
    cached = sum(row.get("usage", {}).get("cached", 0) > 0 for row in rows)
    notes = [
        "Means for a question. Published: GPT3.5-turbo, 100 questions.",
        f"In {cached} of {len(rows)} answers calls came from the cache and took no time." if cached else "",
        failures(rows),
    ]
    part = f"{percent}% of ConceptNet" if GRAPHS[set_name] == "conceptnet" else "UMLS"
    baseline = COSTS | dict.fromkeys(STAGED, lambda rows: Cell(value=None))
    tables = [
        build_table(
            f"{SET_NAMES[set_name]} with {part}",
            "method",
            COSTS if arm in GIVE_ARMS else baseline,
            [(arm, rows_of(rows, arm=arm))],
            " ".join(filter(None, notes)),
            GIVE.efficiency[set_name].get(percent),
        )
        for arm in arms
    ]
    return tables[0].model_copy(update={"rows": tuple(row for table in tables for row in table.rows)})


def _cost(table: Table) -> str:
    """Return the mean calls and prompt tokens of each arm."""
    texts = [
        f"{name} makes {number(calls.value or 0.0)} calls with {number(tokens.value or 0.0)} prompt "
        f"tokens (n = {calls.n})"
        for name, (calls, tokens) in known_cells(table, "calls", "prompt tokens")
    ]
    return f"{table.title}: {'; '.join(texts) or 'no answer was measured'}."


def needs_table(rows: Sequence[Row], sets: Sequence[str]) -> Table:
    """Return what a question needs of give: groups, candidate relations, and an intermediate group."""
    answered = [row for row in rows if row.get("arm") in GIVE_ARMS and is_finished(row)]
    return build_table(
        "What a question needs of give (figure 6)",
        "set",
        NEEDS,
        [(SET_NAMES[name], rows_of(answered, set=name)) for name in sets],
        "Over all answers of give in the tables above. Published: about, from the text of section C.1.",
        {SET_NAMES[name]: GIVE.needs[name] for name in sets},
    )
