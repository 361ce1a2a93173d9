"""Figure 3: how often each method's answer to a question of TruthfulQA is the nearest to the best one."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

from probative import Graph
from probative.bench.data.graph_qa import TruthfulQuestion, read_truthfulqa
from probative.bench.experiment import Case, Experiment, Lab, Settings
from probative.bench.experiments.give_study.figures import STAGES, method_lines
from probative.bench.experiments.give_study.study import METHOD_OPTIONS, Arm, graph_part, method_arms
from probative.bench.findings import counted, difference_finding, joined
from probative.bench.judging import judged_cell
from probative.bench.metrics import answer_f1, mean
from probative.bench.published import GIVE
from probative.bench.report import Cell, Plot, Report, Series, Table, TableRow
from probative.bench.rows import Row
from probative.bench.statistics import first_against, paired_table, percent_cell
from probative.errors import EmptyError, OutputError
from probative.give.numbered import numbered_list, numbered_replies
from probative.give.result import GraphVerdict
from probative.models.types import Request
from probative.text.prompts import fenced, fill, read_prompt
from probative.types import Value

TOKENS_PER_SCORE = 10
MAX_SCORE = 10.0
_NUMBER = re.compile(r"\d+(?:\.\d+)?")

METHODS = ("direct", "rag", "tog", "give")
# The part of ConceptNet's triples, in percent.
PERCENT = 10
TOGETHER = "GIVE, all stages"


class Contest(Value):
    """The share of the win of each method (they add up to 1, or to 0 if the contest is undecided), whether a
    judge model decided, and its reply.
    """

    shares: dict[str, float]
    judged: bool
    raw: str = ""

    @property
    def decided(self) -> bool:
        """Whether a method won."""
        return any(self.shares.values())


def hold_contest(
    lab: Lab, question: str, best: str, answers: Mapping[str, str | None], draws: random.Random
) -> Contest:
    """Score every answer by how much it means the same as the best one; the highest score wins, and methods
    with equal scores share the win.

    The judge sees equal answers once, in random order, without the names of the methods; no answer scores 0.
    A reply without a score for each answer leaves the contest undecided. Without a judge model the score is
    F1 over words.
    """
    texts = sorted({answer for answer in answers.values() if answer})
    draws.shuffle(texts)
    if lab.judge_model is None:
        by_text = {text: answer_f1(text, best) for text in texts}
        return Contest(shares=shares(answers, by_text), judged=False)
    if not texts:
        return Contest(shares=shares(answers, {}), judged=True)
    prompt = fill(
        read_prompt("probative.bench", "score_answers"),
        question=fenced(question),
        gold=fenced(best),
        answers=numbered_list([fenced(text) for text in texts]),
    )
    request = Request.user(prompt, max_tokens=16 + TOKENS_PER_SCORE * len(texts))
    (reply,) = lab.judge_model.generate([request])
    scores = read_scores(reply.text, len(texts))
    by_text = {} if scores is None else dict(zip(texts, scores, strict=True))
    return Contest(shares=shares(answers, by_text), judged=True, raw=reply.text)


def read_scores(text: str, n: int) -> list[float] | None:
    r"""Return the scores of n numbered answers, or None if one of them has no score between 0 and 10.

    >>> read_scores("1. 7\n2. 10", 2), read_scores("1. 7", 2), read_scores("The second is best.", 2)
    ([7.0, 10.0], None, None)
    """
    replies = numbered_replies(text, n) or ({1: text} if n == 1 else {})
    found = [_NUMBER.search(replies.get(number, "")) for number in range(1, n + 1)]
    scores = [float(match[0]) for match in found if match is not None]
    return scores if len(scores) == n and max(scores) <= MAX_SCORE else None


def shares(answers: Mapping[str, str | None], scores: Mapping[str, float]) -> dict[str, float]:
    """Return the share of the win of each method; nobody wins if no answer scores above 0.

    >>> shares({"RAG": "tar", "ToG": "salt", "CoT": "tar"}, {"tar": 8.0, "salt": 3.0})
    {'RAG': 0.5, 'ToG': 0.0, 'CoT': 0.5}
    """
    reached = {name: scores.get(answer, 0.0) if answer else 0.0 for name, answer in answers.items()}
    highest = max(reached.values(), default=0.0)
    winners: Sequence[str] = [name for name, score in reached.items() if score == highest > 0]
    return {name: 1 / len(winners) if name in winners else 0.0 for name in answers}


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
