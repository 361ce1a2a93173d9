"""GIVE beside RAG and ToG: time, length of the context and accuracy (table 8), what a question needs of give
(figure 6), and which questions each answers right (figures 7 and 8).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from probative.bench.data.graph_qa import GRAPHS, SET_NAMES
from probative.bench.families.graph_questions import (
    METHOD_NAMES,
    PARTS,
    WHOLE,
    Arm,
    GraphStudy,
    MethodStudy,
    give_arm,
    method_arms,
    numbers_in,
)
from probative.bench.families.graph_tables import (
    Lines,
    accuracy,
    accuracy_in,
    accuracy_tests,
    column_bars,
    columns_of,
    failures,
    last_lines,
    right,
    usage_of,
    words_of,
)
from probative.bench.findings import compared, counted
from probative.bench.published import GIVE
from probative.bench.render import number
from probative.bench.report import Cell, Plot
from probative.bench.rows import Groups, Row, Rows, groups_by, is_finished, rows_of
from probative.bench.statistics import first_against, mean_cell
from probative.bench.study import Settings
from probative.bench.tables import SECONDS, Metric, Published, Results, TableSpec, Value, average, known_cells

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
    SECONDS: _seconds,
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


def _cost_note(rows: Rows) -> str:
    notes = ["Means for a question. Published: GPT3.5-turbo, 100 questions.", failures(rows)]
    return " ".join(filter(None, notes))


def _published_costs(rows: Rows) -> Published:
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
    gathers = False
    questions = 100
    tables = (
        TableSpec("{}", "method", COSTS, "arm", "graph_name", note=_cost_note, published=_published_costs),
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


KINDS = {
    (True, False): "only GIVE right",
    (True, True): "both right",
    (False, False): "both wrong",
    (False, True): "only the other right",
}
"""The kinds of questions, by whether give and the other method are right."""
ONLY_GIVE, BOTH, NEITHER, ONLY_OTHER = KINDS.values()
MISSED = "of the other's right answers, missed by GIVE"
OVERLAP_FIGURES = {"tog": "figure 7", "rag": "figure 8"}
OTHERS = {METHOD_NAMES[method]: method for method in OVERLAP_FIGURES}


def _kind_lines(rows: Rows) -> Groups:
    """Yield the share of each kind among all questions, and of those that give missed."""
    kinds = {kind: list(KINDS.values()) for kind in KINDS.values()} | {MISSED: [BOTH, ONLY_OTHER]}
    for line, among in kinds.items():
        kind = ONLY_OTHER if line == MISSED else line
        some = [{**row, "right": row["kind"] == kind} for row in rows if row["kind"] in among]
        yield line.replace("the other", rows[0]["other"]), some


def _published_kinds(rows: Rows) -> Published:
    other = rows[0]["other"]
    return {
        line.replace("the other", other): [
            row.get(name) for name, title in SET_NAMES.items() if title in columns_of(rows)
        ]
        for line, row in GIVE.overlap[OTHERS[other]].items()
    }


def _bars(results: Results) -> Iterator[Plot]:
    for table in results.tables:
        # The last line is a share of other questions.
        shown = table.model_copy(update={"rows": table.rows[:-1]})
        yield column_bars(shown, table.title.partition(" (")[0])


def _kind_counts(results: Results) -> Iterator[str]:
    """Yield how many questions of each set only one of two methods answers right, both, and none."""
    for other, rows in groups_by([row for row in results.rows if row["other"]], "other"):
        for column, some in groups_by(rows, "column"):
            n = Counter(row["kind"] for row in some)
            yield (
                f"{column}: of {counted(n.total(), 'question')} only GIVE is right on {n[ONLY_GIVE]}, only "
                f"{other} on {n[ONLY_OTHER]}, both on {n[BOTH]} and neither on {n[NEITHER]}."
            )


class GiveOverlap(MethodStudy):
    """The shares of questions that both, one or none of two methods answer right."""

    name = "give-overlap"
    title = "Which questions does only give answer right, and which only ToG or RAG?"
    paper_reference = "figures 7 and 8"
    methods = ("rag", "tog", "give")
    tables = (
        TableSpec(
            "GIVE a+c+e and {}",
            "share of questions, %",
            lambda rows: accuracy_in(columns_of(rows)),
            _kind_lines,
            each="other",
            names={name: f"{name} ({OVERLAP_FIGURES[method]})" for name, method in OTHERS.items()},
            where=lambda row: row["other"],
            note="Published: GPT3.5-turbo; only the shares that our text of the paper shows.",
            published=_published_kinds,
        ),
    )
    tests = (replace(accuracy_tests(partial(first_against, "GIVE")), where=lambda row: not row["other"]),)
    plots = (_bars,)
    findings = (compared("accuracy"), _kind_counts)

    def lines(self, arms: Sequence[str]) -> Lines:
        return last_lines(["GIVE", *(name for name in OTHERS if name in arms)])

    def observations(self, rows: Sequence[Row]) -> list[Row]:
        """Return the rows of each line, and for each other method those of the questions that both were
        asked, with their kind.
        """
        answers = [{**row, "other": ""} for row in super().observations(rows) if row["stage"]]
        give = {(row["set"], row["id"]): row for row in rows_of(answers, arm="GIVE")}
        kinds = [
            {**row, "other": other, "kind": KINDS[give[key]["right"], row["right"]]}
            for other in OTHERS
            for row in rows_of(answers, arm=other)
            if (key := (row["set"], row["id"])) in give
        ]
        return [*answers, *kinds]
