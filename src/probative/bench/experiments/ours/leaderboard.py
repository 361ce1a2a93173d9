"""A leaderboard: every method that answers questions from passages, on one data set."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any

from probative.baselines.passages.methods import ANSWER_METHODS
from probative.bench.data.files import draw
from probative.bench.data.questions import Question
from probative.bench.data.sets import CATALOGUE, DataSet, find_set
from probative.bench.experiment import Case, Lab, Settings
from probative.bench.findings import difference_finding, ranked_finding
from probative.bench.judging import judge_answer, judged_cell, undecided_note
from probative.bench.metrics import nearest_spelling
from probative.bench.report import Plot, Report, Series
from probative.bench.rows import FAILED, Row, counted_rows, failed_count
from probative.bench.statistics import first_against, paired_table, share_cell
from probative.bench.study import Study
from probative.bench.tables import Metric, Rows, build_table, points, rows_of
from probative.errors import InputError
from probative.registry import Registry
from probative.types import Passage

Method = Callable[[str, Sequence[Passage], Lab], str]
"""Takes a question, its passages and the lab; returns the answer."""
AnswerMetric = Callable[[str, str], float]
"""Takes an answer and the right one; returns a figure between 0 and 1."""

METHODS = Registry("method", {}, group="probative.methods", others=ANSWER_METHODS)
"""Methods of other packages; those of `ask` are known by name."""
METRICS = Registry(
    "metric",
    {
        "exact match": "probative.bench.metrics:exact_match",
        "F1": "probative.bench.metrics:answer_f1",
        "right": "probative.bench.metrics:is_right",
    },
    group="probative.metrics",
)
"""Metrics of an answer."""

DATA = "hotpotqa"
EXACT, JUDGED = "exact match", "judged right"
# The method that the others are tested against.
FIRST = "scope"


def answer(method: str, question: str, passages: Sequence[Passage], lab: Lab) -> str:
    """Return the answer of a method: one of `ask`, or a plug-in; raises `InputError` for an unknown name."""
    if method in ANSWER_METHODS:
        changes: dict[str, Any] = {"answer_anyway": True} if method in ("scope", "rag") else {}
        return (
            lab.session.ask(question, passages, method=method, seed=lab.settings.seed, **changes).answer or ""
        )
    plugin: Method = METHODS.load(method)
    return plugin(question, passages, lab)


class Leaderboard(Study):
    """Answers each question with each method; every metric is a column.

    Options: `data` is another data set with questions, `methods` are names with commas between them.
    """

    name = "leaderboard"
    title = "Which method answers multi-hop questions best with this model?"
    shown_as = "a table of all methods and baselines"
    limit_of = "questions, each of which is a case with every method"
    data = (DATA,)
    judged = True
    options = ("data", "methods")
    calls_per_case = 3.0

    def data_of(self, settings: Settings) -> tuple[str, ...]:
        return (str(settings.option("data", DATA)),)

    def shipped_models(self, settings: Settings) -> frozenset[str]:
        """Return the policy if scope, which uses it, or a plug-in runs."""
        others = set(ANSWER_METHODS) - {FIRST}
        return frozenset() if set(methods_of(settings)) <= others else super().shipped_models(settings)

    def cases(self, settings: Settings) -> list[Case]:
        """Return `limit` questions for each method."""
        questions = read_set(find_set(self.data_of(settings)[0]), settings)
        return [
            Case(f"{method}/{question.id}", (method, question))
            for method in methods_of(settings)
            for question in questions
        ]

    def about(self, case: Case) -> Row:
        method, question = case.content
        return {"method": method, "question": question.id}

    def answer(self, case: Case, lab: Lab) -> Row:
        method, question = case.content
        text = answer(method, question.text, question.passages, lab)
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

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        good = counted_rows(rows)
        # A run without a judge has no reply in any row.
        judged = any(row["judged"] is not None or row["reply"] for row in good)
        values = _values(judged)
        metrics = {name: _metric(name, good) for name in METRICS.names()}
        if judged:
            metrics[JUDGED] = lambda own: judged_cell([row["judged"] for row in own])
        by_method = {method: rows_of(good, method=method) for method in methods_of(settings)}
        failures: dict[str, Metric] = {FAILED: lambda own: str(failed_count(own))}
        table = build_table(
            f"Methods on {self.data_of(settings)[0]}",
            "method",
            metrics | failures if failed_count(good) else metrics,
            by_method.items(),
            undecided_note([row["judged"] for row in good if row["reply"]]),
        )
        plot = Plot(
            title=table.title,
            kind="bars",
            x="method",
            y="percent",
            ticks=tuple(by_method),
            series=tuple(
                Series(name=column, points=points([row.cells[at] for row in table.rows]))
                for at, column in enumerate(metrics)
            ),
        )
        # Scope is tested against each other one; in a run without it, the first method.
        first = FIRST if by_method.get(FIRST) else next(iter(by_method), FIRST)
        groups = {
            metric: {
                method: {row["question"]: value(row) for row in own} for method, own in by_method.items()
            }
            for metric, value in values.items()
        }
        tests = paired_table("Paired tests", first_against(first, by_method), groups)
        shown = JUDGED if judged else EXACT
        first_finding = difference_finding(tests, shown, keep=lambda difference: difference.group == shown)
        findings = (ranked_finding(table, shown), first_finding)
        return Report(tables=(table, *tests), plots=(plot,), findings=tuple(filter(None, findings)))


def _metric(name: str, rows: Rows) -> Metric:
    cell_of = share_cell(row["metrics"][name] for row in rows)
    return lambda own: cell_of([row["metrics"][name] for row in own], None)


def _values(judged: bool) -> dict[str, Callable[[Row], float]]:
    """Return the figure of a row for each metric."""

    def value(name: str) -> Callable[[Row], float]:
        return lambda row: float(row["metrics"][name])

    values = {name: value(name) for name in METRICS.names()}
    return values | ({JUDGED: lambda row: float(row["judged"] is True)} if judged else {})


def methods_of(settings: Settings) -> tuple[str, ...]:
    """Return the methods of the option `methods`, or all; raises `InputError` for an unknown name."""
    named = settings.option("methods", None)
    if named is None:
        return METHODS.names()
    chosen = tuple(dict.fromkeys(name.strip() for name in str(named).split(",") if name.strip()))
    for name in chosen:
        if name not in METHODS.names():
            raise METHODS.unknown(name)
    return chosen


def read_set(data_set: DataSet, settings: Settings) -> list[Question]:
    """Return `limit` questions of a data set, drawn by the seed; raises `InputError` if it has none to
    answer.
    """
    module, _, function = data_set.questions.partition(":")
    if not function:
        known = ", ".join(name for name, other in CATALOGUE.items() if other.questions)
        raise InputError(
            f"the data set {data_set.name} has no questions with passages",
            hint=f"use one of {known}, or a data set of your own whose `questions` names a reader",
        )
    questions = getattr(importlib.import_module(module), function)(settings.data)
    return draw(list(questions), settings.limit, settings.seed)
