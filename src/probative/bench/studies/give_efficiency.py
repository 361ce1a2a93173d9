"""Table 8: time, length of the context and accuracy of RAG, ToG and give; and figure 6, what a question
needs of give.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from probative.bench.data.graph_qa import GRAPHS, SET_NAMES
from probative.bench.families.graph_costs import usage_of, words_of
from probative.bench.families.graph_questions import (
    PARTS,
    WHOLE,
    Arm,
    GraphStudy,
    give_arm,
    method_arms,
    numbers_in,
)
from probative.bench.families.graph_tables import accuracy, accuracy_tests, failures, right
from probative.bench.findings import compared
from probative.bench.published import GIVE
from probative.bench.render import number
from probative.bench.report import Cell
from probative.bench.rows import Row, Rows, is_finished
from probative.bench.statistics import first_against, mean_cell
from probative.bench.study import Settings
from probative.bench.tables import Metric, Published, Results, TableSpec, Value, average, known_cells

GIVE_ARMS = {"GIVE p=1": 1, "GIVE p=2": 2}


def _seconds(rows: Rows) -> Cell:
    seconds = mean_cell([row["seconds"] for row in rows if is_finished(row)])
    return seconds.model_copy(update={"comparable": False})


def _finished(value: Value) -> Metric:
    return average(value, of=is_finished)


def _of_give(metric: Metric) -> Metric:
    """Return a metric that a method without stages does not have."""
    return lambda rows: metric(rows) if rows[0]["arm"] in GIVE_ARMS else Cell(value=None)


COSTS: dict[str, Metric] = {
    "seconds": _seconds,
    "words affirmative": _of_give(_finished(words_of("affirmative"))),
    "words counterfactual": _of_give(_finished(words_of("counterfactual"))),
    "words expert": _finished(words_of("expert")),
    "accuracy a, %": _of_give(partial(accuracy, stage="a")),
    "accuracy a+c, %": _of_give(partial(accuracy, stage="ac")),
    "accuracy a+c+e, %": accuracy,
    "calls": _finished(usage_of("calls")),
    "prompt tokens": _finished(usage_of("prompt_tokens")),
}
"""The columns of the tables of costs. A failed question counts as wrong, and in no mean."""
NEEDS = {
    "entity groups": average("groups"),
    "candidate relations of two groups": average("candidate_relations"),
    "with an intermediate group, %": average(lambda row: 100.0 * row["intermediate"]),
}


def _graph_name(row: Row) -> str:
    """Return the set of a row and the graph that it was asked of."""
    graph = f"{row['percent']}% of ConceptNet" if GRAPHS[row["set"]] == "conceptnet" else "UMLS"
    return f"{SET_NAMES[row['set']]} with {graph}"


def _note(rows: Rows) -> str:
    cached = sum(row.get("usage", {}).get("cached", 0) > 0 for row in rows)
    notes = [
        "Means for a question. Published: GPT3.5-turbo, 100 questions.",
        f"In {cached} of {len(rows)} answers calls came from the cache and took no time." if cached else "",
        failures(rows),
    ]
    return " ".join(filter(None, notes))


def _published(rows: Rows) -> Published:
    return GIVE.efficiency[rows[0]["set"]].get(rows[0]["percent"], {})


def _costs(results: Results) -> Iterator[str]:
    """Yield the mean calls and prompt tokens of each arm, a sentence for each table of costs."""
    for table in results.tables:
        if "calls" in table.columns:
            texts = [
                f"{name} makes {number(calls.value or 0.0)} calls with {number(tokens.value or 0.0)} prompt "
                f"tokens (n = {calls.n})"
                for name, (calls, tokens) in known_cells(table, "calls", "prompt tokens")
            ]
            yield f"{table.title}: {'; '.join(texts) or 'no answer was measured'}."


class GiveEfficiency(GraphStudy):
    """The means for a question, a table for each set and part of its graph. The option "parts" names other
    parts of ConceptNet.
    """

    name = "give-efficiency"
    options = ("parts",)
    title = "What do RAG, ToG and give cost on each set, and what for?"
    paper_reference = "table 8, figure 6"
    questions = 100
    tables = (
        TableSpec("{}", "method", COSTS, "arm", "graph_name", note=_note, published=_published),
        TableSpec(
            "What a question needs of give (figure 6)",
            "set",
            NEEDS,
            "set",
            names=SET_NAMES,
            where=lambda row: row["arm"] in GIVE_ARMS and is_finished(row),
            note="Over all answers of give in the tables above. Published: about, from the text of section "
            "C.1.",
            published={SET_NAMES[name]: figures for name, figures in GIVE.needs.items()},
        ),
    )
    tests = (accuracy_tests(partial(first_against, "GIVE p=2")),)
    findings = (_costs, compared("accuracy"))

    def arms_for(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        baselines = [arm for arm in method_arms(settings, ("rag", "tog", "give")) if not arm.staged]
        return [*baselines, *(give_arm(settings, name, entities=p) for name, p in GIVE_ARMS.items())]

    def percents(self, set_name: str, settings: Settings) -> Sequence[int]:
        return numbers_in(settings, "parts", PARTS) if GRAPHS[set_name] == "conceptnet" else (WHOLE,)

    def observations(self, rows: Sequence[Row]) -> list[Row]:
        return [
            {
                **row,
                "column": SET_NAMES[row["set"]] + (f", {row['percent']}%" if row["percent"] != WHOLE else ""),
                "graph_name": _graph_name(row),
                "line": row["arm"],
                "stage": "ace",
                "right": right(row),
            }
            for row in rows
        ]
