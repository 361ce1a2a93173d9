"""Figure 3: how often each method's answer to a question of TruthfulQA is the nearest to the best one."""

from __future__ import annotations

import random
from collections.abc import Sequence

from probative import Graph
from probative.bench.data.truthfulqa import TruthfulQuestion, read_truthfulqa
from probative.bench.experiment import Case, Experiment, Lab, Settings
from probative.bench.experiments.give_study.arms import METHOD_OPTIONS, Arm, method_arms
from probative.bench.experiments.give_study.cells import STAGES, method_lines
from probative.bench.experiments.give_study.graphs import graph_part
from probative.bench.experiments.give_study.winners import hold_contest
from probative.bench.findings import counted, difference_finding, joined
from probative.bench.judging import judged_cell
from probative.bench.metrics import mean
from probative.bench.published import GIVE
from probative.bench.report import Cell, Plot, Report, Series, Table, TableRow
from probative.bench.rows import Row
from probative.bench.significance import first_against, paired_table
from probative.bench.statistics import percent_cell
from probative.errors import EmptyError, OutputError
from probative.give.result import GraphVerdict

METHODS = ("direct", "rag", "tog", "give")
# The part of ConceptNet's triples, in percent.
PERCENT = 10
TOGETHER = "GIVE, all stages"


class Truthful(Experiment):
    """The win rate of every answer: those of give's three stages count one by one, and together.

    A case is a question to all methods. The options "methods" and "percent" change the methods and the part
    of the graph; options of give and its baselines go to every method.
    """

    name = "give-truthful"
    title = "Whose answers to open questions are nearest to the true one?"
    paper = "GIVE"
    shown_as = "figure 3"
    limit_of = "questions"
    data = ("truthfulqa", "conceptnet")
    judged = True
    calls_per_case = 100.0

    def option_names(self) -> tuple[str, ...]:
        return ("methods", "percent", *METHOD_OPTIONS)

    def cases(self, settings: Settings) -> Sequence[Case]:
        questions = read_truthfulqa(settings.data)
        random.Random(settings.seed).shuffle(questions)
        return [Case(question.id, question) for question in questions[: settings.limit]]

    def run(self, case: Case, lab: Lab) -> Row:
        question: TruthfulQuestion = case.content
        graph = graph_part(
            lab.settings.data,
            "conceptnet",
            int(lab.settings.option("percent", PERCENT)),
            lab.settings.seed,
        )
        answers: dict[str, str | None] = {}
        failed: dict[str, str] = {}
        for arm in method_arms(lab.settings, METHODS):
            try:
                answers |= answers_of(arm, question.question, graph, lab)
            except (OutputError, EmptyError) as error:
                failed[arm.name] = str(error)[:300]
                answers |= {line.name: None for line in method_lines([arm.name])}
        contest = hold_contest(lab, question.question, question.best, answers, lab.draws(case))
        return {"id": question.id, "answers": answers, "failed": failed, **contest.to_dict()}

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        lines = [line.name for line in method_lines([arm.name for arm in method_arms(settings, METHODS)])]
        held = [row for row in rows if row.get("error") is None]
        # A case that broke off counts as a question that nobody won.
        wins = {line: [row.get("shares", {}).get(line, 0.0) for row in rows] for line in lines}
        give = [name for name in STAGES.values() if name in lines]
        together = [sum(row.get("shares", {}).get(name, 0.0) for name in give) for row in rows]
        body = [
            TableRow(name=line, cells=(percent_cell(wins[line]), no_answers(held, line))) for line in lines
        ]
        if give:
            cells = (percent_cell(together, GIVE.truthful), Cell(value=None))
            body.append(TableRow(name=TOGETHER, cells=cells))
        undecided = judged_cell([not any(row.get("shares", {}).values()) for row in rows])
        body.append(TableRow(name="undecided", cells=(undecided, Cell(value=None))))
        table = Table(
            title="Win rate on TruthfulQA",
            corner="method",
            columns=("wins, %", "without an answer, %"),
            rows=tuple(body),
            note=note(rows),
        )
        points = [
            (float(place), 100 * sum(wins[line]) / max(1, len(rows))) for place, line in enumerate(lines)
        ]
        plot = Plot(
            title=table.title,
            kind="bars",
            x="method",
            y="wins, %",
            series=(Series(name="wins", points=tuple(points)),),
            ticks=tuple(lines),
        )
        by_line = {line: _by_question(rows, line) for line in lines}
        pairs = first_against(STAGES["ace"], lines)
        tests = paired_table("Paired tests, share of a win", pairs, {"wins": by_line})
        won = joined(f"{name} {100 * mean(own):.1f}%" for name, own in {**wins, TOGETHER: together}.items())
        findings = (
            *([f"Of {counted(len(rows), 'question')} each wins: {won}."] if rows else []),
            difference_finding(tests, "share of wins"),
        )
        return Report(tables=(table, *tests), plots=(plot,), findings=findings)


def _by_question(rows: Sequence[Row], line: str) -> dict[str, float]:
    return {str(row["id"]): row.get("shares", {}).get(line, 0.0) for row in rows if "id" in row}


def answers_of(arm: Arm, question: str, graph: Graph, lab: Lab) -> dict[str, str | None]:
    """Return the answer of an arm, or its three answers, by the names of their lines."""
    reasoning = lab.session.reason(question, graph, form="text", **arm.keywords)
    if not arm.staged:
        return {arm.name: reasoning.answer}
    stages = reasoning.answers.to_dict()
    if stages["a"] is None and reasoning.verdict in (GraphVerdict.READ, GraphVerdict.EXTRAPOLATED):
        # An answer that was read from the graph, or from similar entities, has no stages.
        return dict.fromkeys(STAGES.values(), reasoning.answer)
    return {name: stages[stage] for stage, name in STAGES.items()}


def no_answers(rows: Sequence[Row], line: str) -> Cell:
    """Return the share of questions for which a method gave no answer."""
    return judged_cell([not row["answers"].get(line) for row in rows])


def note(rows: Sequence[Row]) -> str:
    """Return who decided, and what could not be decided."""
    judged = [row for row in rows if row.get("judged")]
    sentences = [
        "Equal scores share a win. Published: GPT3.5-turbo, judged by GPT4o."
        if judged
        else "No judge model was given: the answer with the highest F1 over words wins, which says little "
        "about meaning. Equal scores share a win. Published: GPT3.5-turbo, judged by GPT4o."
    ]
    unread = sum(bool(row.get("raw")) and not any(row["shares"].values()) for row in judged)
    if unread:
        sentences.append(
            f"{unread} of {len(judged)} replies of the judge scored no answer above 0, or not every answer: "
            "nobody wins."
        )
    failed = sum(bool(row.get("failed")) for row in rows) + sum(row.get("error") is not None for row in rows)
    if failed:
        sentences.append(f"In {failed} of {len(rows)} questions a method failed.")
    return " ".join(sentences)
