"""A leaderboard: every method that answers questions from passages, on one data set."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence

from probative.baselines.passages.methods import ANSWER_METHODS
from probative.bench.data.drawing import draw
from probative.bench.data.multihop import Question
from probative.bench.data.sets import CATALOGUE, DataSet, find_set
from probative.bench.experiment import Case, Experiment, Lab, Settings
from probative.bench.findings import difference_finding, ranked_finding
from probative.bench.judging import judge_answer, judged_cell, undecided_note
from probative.bench.metrics import nearest_spelling
from probative.bench.plugins import METHODS, METRICS, answer
from probative.bench.report import Plot, Report, Series, Table, TableRow
from probative.bench.rows import FAILED, Row, counted_rows, failed_count
from probative.bench.significance import first_against, paired_table
from probative.bench.statistics import share_cell
from probative.errors import InputError

DATA = "hotpotqa"
EXACT = "exact match"
# The method that the others are tested against.
FIRST = "scope"


class Leaderboard(Experiment):
    """Answers each question with each method; every metric is a column.

    Options: `data` is another data set with questions, `methods` are names with commas between them.
    """

    name = "leaderboard"
    title = "Which method answers multi-hop questions best with this model?"
    paper = "ours"
    shown_as = "a table of all methods and baselines"
    limit_of = "questions, each of which is a case with every method"
    data = (DATA,)
    judged = True
    calls_per_case = 3.0

    def data_of(self, settings: Settings) -> tuple[str, ...]:
        return (str(settings.option("data", DATA)),)

    def option_names(self) -> tuple[str, ...]:
        return ("data", "methods")

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

    def run(self, case: Case, lab: Lab) -> Row:
        method, question = case.content
        text = answer(method, question.text, question.passages, lab)
        gold = nearest_spelling(text, question.accepted)
        judged = judge_answer(lab, question.text, gold, text)
        metrics = {name: float(METRICS.load(name)(text, gold)) for name in METRICS.names()}
        return {
            "method": method,
            "question": question.id,
            "answer": text,
            "metrics": metrics,
            "judged": judged.right if lab.judge is not None else None,
            "reply": judged.raw,
        }

    def wrong(self, case: Case) -> Row:
        method, question = case.content
        none_right = dict.fromkeys(METRICS.names(), 0.0)
        return {
            "method": method,
            "question": question.id,
            "answer": "",
            "metrics": none_right,
            "judged": None,
            "reply": "",
        }

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        good = counted_rows(rows)
        names = METRICS.names()
        # A run without a judge has no reply in any row.
        judged = any(row["judged"] is not None or row["reply"] for row in good)
        by_method = {
            method: [row for row in good if row["method"] == method] for method in methods_of(settings)
        }
        failed = failed_count(good)
        cell_of = {name: share_cell(row["metrics"][name] for row in good) for name in names}
        table = Table(
            title=f"Methods on {self.data_of(settings)[0]}",
            corner="method",
            columns=(*names, *(("judged right",) if judged else ()), *((FAILED,) if failed else ())),
            rows=tuple(
                TableRow(
                    name=method,
                    cells=(
                        *(cell_of[name]([row["metrics"][name] for row in own], None) for name in names),
                        *((judged_cell([row["judged"] for row in own]),) if judged else ()),
                        *((str(failed_count(own)),) if failed else ()),
                    ),
                )
                for method, own in by_method.items()
            ),
            note=undecided_note([row["judged"] for row in good if row["reply"]]),
        )
        plot = Plot(
            title=table.title,
            kind="bars",
            x="method",
            y="percent",
            ticks=tuple(by_method),
            series=tuple(
                Series(name=column, points=_points([row.cells[at] for row in table.rows]))
                for at, column in enumerate(table.columns)
                if column != FAILED
            ),
        )
        tests = _tests(by_method, names, judged=judged)
        shown = "judged right" if judged else EXACT
        first = difference_finding(tests, shown, keep=lambda difference: difference.group == shown)
        findings = (ranked_finding(table, shown), first)
        return Report(tables=(table, *tests), plots=(plot,), findings=tuple(filter(None, findings)))


def _tests(
    by_method: Mapping[str, Sequence[Row]], metrics: Sequence[str], *, judged: bool
) -> tuple[Table, ...]:
    """Return paired tests of scope, or of the first method without it, against each other one."""
    groups = {
        metric: {
            method: {row["question"]: float(row["metrics"][metric]) for row in rows}
            for method, rows in by_method.items()
        }
        for metric in metrics
    }
    if judged:
        groups["judged right"] = {
            method: {row["question"]: float(row["judged"] is True) for row in rows}
            for method, rows in by_method.items()
        }
    first = FIRST if by_method.get(FIRST) else next(iter(by_method), FIRST)
    return paired_table("Paired tests", first_against(first, by_method), groups)


def _points(cells: Sequence[object]) -> tuple[tuple[float, float], ...]:
    return tuple(
        (float(at), value)
        for at, cell in enumerate(cells)
        if (value := getattr(cell, "value", None)) is not None
    )


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
