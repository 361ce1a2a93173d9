"""Comparison questions from gold evidence: the reader alone, earlier rules, and the decomposition.

The gold sentences of each question are its chain. "decomposition" is what `ask` computes: one value for each
option, compared by code. Where nothing is computed, the reader answers, as it does in `ask`. "computed" is
the share of questions with a computed answer, "missing" the share where a value was said to be missing. For
questions that compare nothing, nothing should be computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from probative.bench.arguments import Names, check_known, is_on
from probative.bench.data.files import draw
from probative.bench.data.questions import Question, read_questions
from probative.bench.data.splits import MULTIHOP_FILES
from probative.bench.experiment import Case, Lab, Settings
from probative.bench.experiments.ours.answers import gold_run
from probative.bench.experiments.ours.comparison_rules import compute_by_rule
from probative.bench.findings import difference_finding, share_text
from probative.bench.metrics import exact_match
from probative.bench.report import Cell, Report, Table, TableRow
from probative.bench.rows import Row, counted_rows, finished_rows
from probative.bench.statistics import each_against, mean_cell, percent_cell
from probative.bench.study import Study
from probative.bench.tables import Rows, build_table, paired_rows, rows_of, share
from probative.scope.answer.compare.compute import compute_answer
from probative.scope.answer.make import Evidence, make_answer
from probative.scope.options import ScopeOptions
from probative.scope.run import Run

# Questions of each set, unless --limit says otherwise.
QUESTIONS = 200
SETS = tuple(MULTIHOP_FILES)
READER, RULES, DECOMPOSITION = "reader alone", "earlier rules", "decomposition"


class Comparisons(Study):
    """Answers comparison questions by three methods, and computes for all other questions as well.

    Options: `sets`; `reader=false` lets the reader not answer whole questions; `tuning=true` takes the
    questions that settings were tuned on.
    """

    name = "comparisons"
    title = "Are comparison questions answered better by computing?"
    shown_as = "results, comparison questions"
    limit_of = "questions of each set"
    data = SETS
    sets = Names("sets", SETS, SETS)
    calls_per_case = 3.0
    failure: ClassVar[Row] = {READER: None, RULES: None, DECOMPOSITION: None, "missing": False}

    def cases(self, settings: Settings) -> list[Case]:
        """Return `limit` questions of each set (200 without a limit)."""
        check_known(settings, ("sets", "reader", "tuning"))
        is_on(settings, "reader")
        return [
            Case(f"{name}/{question.id}", (name, question))
            for name in self.sets.chosen(settings)
            for question in draw(
                read_questions(settings.data, name, tuning=is_on(settings, "tuning")),
                settings.limit or QUESTIONS,
                settings.seed,
            )
        ]

    def about(self, case: Case) -> Row:
        name, question = case.content
        return {
            "set": name,
            "question": question.id,
            "comparison": is_comparison(question),
            "right": question.answer,
        }

    def answer(self, case: Case, lab: Lab) -> Row:
        _, question = case.content
        chain = sorted(question.gold)
        computing = lab.session.finish_search(compute_answer(_run(lab, question), chain))
        if computing.error is not None:
            raise computing.error
        outcome, ruled = computing.result, compute_by_rule(_run(lab, question), chain)
        reads = is_comparison(question) and is_on(lab.settings, "reader", default=True)
        reading = lab.session.run_search(make_answer(_run(lab, question), Evidence(chain))) if reads else None
        return {
            READER: reading.answer.text if reading is not None else None,
            RULES: ruled.answer if ruled is not None else None,
            DECOMPOSITION: outcome.answer if outcome is not None else None,
            "missing": bool(outcome is not None and outcome.missing),
            "calls": computing.usage.calls,
        }

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        good = counted_rows(rows)
        tables = []
        for name in self.sets.chosen(settings):
            own = rows_of(good, set=name)
            tables.append(_compared(rows_of(own, comparison=True), name))
            tables.append(_others(rows_of(own, comparison=False), name))
        compared = rows_of(good, comparison=True)
        methods = (READER, RULES, DECOMPOSITION)
        tests = paired_rows(
            "Paired tests of exact match",
            [{**row, "method": method} for row in compared for method in methods],
            lambda row: _exact(row, row["method"]),
            each_against(methods, READER),
        )
        findings = (difference_finding(tests, "exact match"), *_computed(compared))
        return Report(tables=(*tables, *tests), findings=findings)


def _computed(rows: Sequence[Row]) -> list[str]:
    """Return a sentence on how often the decomposition computes an answer, and a right one."""
    if not rows:
        return []
    done = [row for row in rows if row[DECOMPOSITION] is not None]
    share = percent_cell([float(row[DECOMPOSITION] is not None) for row in rows])
    right = percent_cell([_exact(row, DECOMPOSITION) for row in done])
    of_these = f"; {share_text(right)} computed answers are right" if done else ""
    return [f"An answer is computed for {share_text(share)} comparison questions{of_these}."]


def is_comparison(question: Question) -> bool:
    """Return whether the data set calls a question a comparison."""
    return "comparison" in question.kind


def _run(lab: Lab, question: Question) -> Run:
    options = ScopeOptions(
        answering="read" if lab.model.reader else "picked", answer_anyway=True, compare=True
    )
    return gold_run(lab, question, options)


def _compared(rows: Sequence[Row], name: str) -> Table:
    return Table(
        title=f"Comparison questions of {name}",
        corner="method",
        columns=("EM", "computed", "EM of these", "missing", "calls"),
        rows=tuple(
            TableRow(name=method, cells=_cells(rows, method)) for method in (READER, RULES, DECOMPOSITION)
        ),
    )


def _cells(rows: Sequence[Row], method: str) -> tuple[Cell | str, ...]:
    exact = [_exact(row, method) for row in rows]
    computed = [float(row[method] is not None) for row in rows]
    of_these = [right for right, done in zip(exact, computed, strict=True) if done]
    by_code: tuple[Cell | str, ...] = (percent_cell(computed), percent_cell(of_these))
    cost: tuple[Cell | str, ...] = (
        percent_cell([float(row["missing"]) for row in rows]),
        mean_cell([row["calls"] for row in finished_rows(rows)]),
    )
    nothing = ("-", "-")
    return (
        percent_cell(exact),
        *(by_code if method != READER else nothing),
        *(cost if method == DECOMPOSITION else nothing),
    )


def _exact(row: Row, method: str) -> float:
    """Return whether the computed answer, or without one the reader's, is right."""
    return float(exact_match(row[method] or row[READER] or "", row["right"]))


def _others(rows: Rows, name: str) -> Table:
    groups = [
        (method, [{**row, "computed": row[method]} for row in rows]) for method in (RULES, DECOMPOSITION)
    ]
    metrics = {
        "computed": share(_is_computed),
        "EM of these": share(lambda row: exact_match(row["computed"], row["right"]), of=_is_computed),
    }
    return build_table(f"Questions of {name} that compare nothing", "method", metrics, groups)


def _is_computed(row: Row) -> bool:
    return row["computed"] is not None
