"""A leaderboard: every method that answers questions from passages, on one data set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from probative.bench.data.questions import Question
from probative.bench.families.multihop import answer_anyway, read_set
from probative.bench.findings import difference_finding, ranked_finding
from probative.bench.judging import judge_answer, judged_cell, undecided_note
from probative.bench.metrics import nearest_spelling
from probative.bench.rows import FAILED, Row, Rows, failed_count
from probative.bench.statistics import Pair, first_against, share_cell
from probative.bench.study import Case, Lab, Settings, Study
from probative.bench.tables import (
    Metric,
    Metrics,
    PairedSpec,
    Results,
    TableSpec,
    column_points,
    line_names,
    plot,
)
from probative.registry import Registry
from probative.verbs.ask import METHODS

METRICS = Registry(
    "metric",
    {
        "exact match": "probative.bench.metrics:exact_match",
        "F1": "probative.bench.metrics:answer_f1",
        "right": "probative.bench.metrics:is_right",
    },
    group="probative.metrics",
)
"""Metrics of an answer: each takes an answer and the right one, and returns a figure between 0 and 1."""

DATA = "hotpotqa"
EXACT, JUDGED = "exact match", "judged right"
# The method that the others are tested against.
FIRST = "scope"


def methods_of(settings: Settings) -> tuple[str, ...]:
    """Return the methods of the option `methods`, or all; raises `InputError` for an unknown name."""
    names = METHODS.names()
    named = settings.option("methods", ",".join(names))
    chosen = tuple(dict.fromkeys(name.strip() for name in str(named).split(",") if name.strip()))
    if unknown := [name for name in chosen if name not in names]:
        raise METHODS.unknown(unknown[0])
    return chosen


def _metrics(rows: Rows) -> Metrics:
    """Return every metric, the judge's if it was asked in some row, and the failures if there are any."""
    metrics: dict[str, Metric] = {name: _metric(name, rows) for name in METRICS.names()}
    if any(row["has_judge"] for row in rows):
        metrics[JUDGED] = lambda some: judged_cell([row["judged"] for row in some])
    if failed_count(rows):
        metrics[FAILED] = lambda some: str(failed_count(some))
    return metrics


def _metric(name: str, rows: Rows) -> Metric:
    cell_of = share_cell(row["metrics"][name] for row in rows)
    return lambda some: cell_of([row["metrics"][name] for row in some], None)


def _value(name: str) -> Callable[[Row], float]:
    return lambda row: float(row["metrics"][name])


def _judged_right(row: Row) -> bool | None:
    return row["judged"] is True if row["has_judge"] else None


def _pairs(methods: Sequence[str]) -> list[Pair]:
    """Return scope against each other method; in a run without it, the first method."""
    return first_against(FIRST if FIRST in methods else methods[0], methods)


def _series(results: Results) -> dict[str, Any]:
    columns = [column for column in results.tables[0].columns if column != FAILED]
    return {column: column_points(results, column) for column in columns}


def _best(results: Results) -> Iterator[str]:
    (table,) = results.tables
    column = JUDGED if JUDGED in table.columns else EXACT
    if (best := ranked_finding(table, column)) is not None:
        yield best
    yield difference_finding(results.tests, column, keep=lambda difference: difference.group == column)


class Leaderboard(Study):
    """Answers each question with each method; every metric is a column.

    Options: `data` is another data set with questions, `methods` are names with commas between them.
    """

    name = "leaderboard"
    title = "Which method answers multi-hop questions best with this model?"
    paper_reference = "a table of all methods and baselines"
    limit_of = "questions, each of which is a case with every method"
    data = (DATA,)
    judged = True
    options = ("data", "methods")
    calls_per_case = 3.0
    plots = (plot("{0}", "bars", "method", "percent", _series, line_names),)
    findings = (_best,)

    def data_of(self, settings: Settings) -> tuple[str, ...]:
        return (str(settings.option("data", DATA)),)

    def shipped_models(self, settings: Settings) -> frozenset[str]:
        """Return the policy if scope, which uses it, or a plug-in runs: our baselines do not."""
        methods = METHODS.entries()
        without = all(methods[name].startswith("probative.baselines.") for name in methods_of(settings))
        return frozenset() if without else super().shipped_models(settings)

    def items(self, settings: Settings, name: str) -> list[Question]:
        return read_set(self.data_of(settings)[0], settings)

    def arms_of(self, settings: Settings, name: str) -> tuple[str, ...]:
        return methods_of(settings)

    def about(self, case: Case) -> Row:
        return {**super().about(case), "question": case.content.id}

    def answer(self, case: Case, lab: Lab) -> Row:
        question = case.content
        asked = {"method": case.arm, "seed": lab.settings.seed, **answer_anyway(case.arm)}
        text = lab.session.ask(question.text, question.passages, **asked).answer or ""
        gold = nearest_spelling(text, question.accepted)
        judged = judge_answer(lab, question.text, gold, text)
        return {
            "answer": text,
            "metrics": {name: float(METRICS.load(name)(text, gold)) for name in METRICS.names()},
            "judged": judged.right if lab.judge is not None else None,
            "reply": judged.raw,
        }

    def wrong(self, case: Case) -> Row:
        none_right = dict.fromkeys(METRICS.names(), 0.0)
        return {**self.about(case), "answer": "", "metrics": none_right, "judged": None, "reply": ""}

    def tables_of(self, settings: Settings) -> tuple[TableSpec, ...]:
        def undecided(rows: Rows) -> str:
            return undecided_note([row["judged"] for row in rows if row["reply"]])

        return (TableSpec(f"Methods on {self.data_of(settings)[0]}", "method", _metrics, note=undecided),)

    def tests_of(self, settings: Settings) -> tuple[PairedSpec, ...]:
        values = {name: _value(name) for name in METRICS.names()}
        return (PairedSpec("Paired tests", {**values, JUDGED: _judged_right}, _pairs, by=None),)

    def observations(self, rows: Sequence[Row]) -> list[Row]:
        """Return the rows, with whether the run had a judge: without one no row has a reply."""
        has_judge = any(row["judged"] is not None or row["reply"] for row in rows)
        return [{**row, "has_judge": has_judge} for row in rows]
