"""Figures 7 and 8: which questions give and ToG, or give and RAG, answer right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from probative.bench.data.graph_qa import SET_NAMES
from probative.bench.families.graph_questions import METHOD_NAMES, MethodStudy
from probative.bench.families.graph_tables import (
    Lines,
    accuracy_in,
    accuracy_tests,
    column_bars,
    columns_of,
    last_lines,
)
from probative.bench.findings import compared, counted
from probative.bench.published import GIVE
from probative.bench.report import Plot
from probative.bench.rows import Groups, Row, Rows, groups_by, rows_of
from probative.bench.statistics import first_against
from probative.bench.tables import Published, Results, TableSpec

KINDS = {
    (True, False): "only GIVE right",
    (True, True): "both right",
    (False, False): "both wrong",
    (False, True): "only the other right",
}
"""The kinds of questions, by whether give and the other method are right."""
ONLY_GIVE, BOTH, NEITHER, ONLY_OTHER = KINDS.values()
MISSED = "of the other's right answers, missed by GIVE"
FIGURES = {"tog": "figure 7", "rag": "figure 8"}
OTHERS = {METHOD_NAMES[method]: method for method in FIGURES}


def _lines(rows: Rows) -> Groups:
    """Yield the share of each kind among all questions, and of those that give missed."""
    kinds = {kind: list(KINDS.values()) for kind in KINDS.values()} | {MISSED: [BOTH, ONLY_OTHER]}
    for line, among in kinds.items():
        kind = ONLY_OTHER if line == MISSED else line
        some = [{**row, "right": row["kind"] == kind} for row in rows if row["kind"] in among]
        yield line.replace("the other", rows[0]["other"]), some


def _published(rows: Rows) -> Published:
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


def _counts(results: Results) -> Iterator[str]:
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
            _lines,
            each="other",
            names={name: f"{name} ({FIGURES[method]})" for name, method in OTHERS.items()},
            where=lambda row: row["other"],
            note="Published: GPT3.5-turbo; only the shares that our text of the paper shows.",
            published=_published,
        ),
    )
    tests = (replace(accuracy_tests(partial(first_against, "GIVE")), where=lambda row: not row["other"]),)
    plots = (_bars,)
    findings = (compared("accuracy"), _counts)

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
