"""Figure 3: how often each method's answer to a question of TruthfulQA is the nearest to the best one."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

from probative import Reasoning
from probative.bench.data.graph_qa import TruthfulQuestion, read_truthfulqa
from probative.bench.families.graph_questions import (
    METHOD_OPTIONS,
    Arm,
    data_with_graph,
    graph_part,
    method_arms,
)
from probative.bench.families.graph_tables import LAST, STAGES, method_lines
from probative.bench.findings import counted, difference_finding, joined
from probative.bench.judging import judged_cell
from probative.bench.metrics import answer_f1, mean
from probative.bench.published import GIVE
from probative.bench.report import Cell, Plot, Report, Series, Table, TableRow
from probative.bench.rows import Row, finished_rows
from probative.bench.statistics import first_against, paired_table, percent_cell
from probative.bench.study import Case, Lab, Settings, Study
from probative.bench.tables import points
from probative.errors import EmptyError, OutputError
from probative.give.numbered import numbered_list, numbered_replies
from probative.give.result import GraphVerdict
from probative.models.types import Request
from probative.text.prompts import fenced, fill, read_prompt

TOKENS_PER_SCORE = 10
MAX_SCORE = 10.0
_NUMBER = re.compile(r"\d+(?:\.\d+)?")

METHODS = ("direct", "rag", "tog", "give")
# The part of ConceptNet's triples, in percent.
PERCENT = 10
TOGETHER = "GIVE, all stages"
NO_JUDGE = (
    "No judge model was given: the answer with the highest F1 over words wins, which says little about "
    "meaning."
)
PUBLISHED = "Equal scores share a win. Published: GPT3.5-turbo, judged by GPT4o."


class GiveTruthful(Study):
    """The win rate of every answer: those of give's three stages count one by one, and together.

    A case is a question to all methods. The options "methods" and "percent" change the methods and the part
    of the graph; options of give and its baselines go to every method.
    """

    name = "give-truthful"
    title = "Whose answers to open questions are nearest to the true one?"
    paper = "GIVE"
    paper_reference = "figure 3"
    limit_of = "questions"
    data = ("truthfulqa", "conceptnet")
    options = ("methods", "percent", *METHOD_OPTIONS)
    judged = True
    calls_per_case = 100.0

    def data_of(self, settings: Settings) -> tuple[str, ...]:
        return data_with_graph(self.data, settings)

    def cases(self, settings: Settings) -> Sequence[Case]:
        questions = read_truthfulqa(settings.data)
        random.Random(settings.seed).shuffle(questions)
        return [Case(question.id, question) for question in questions[: settings.limit]]

    def answer(self, case: Case, lab: Lab) -> Row:
        question: TruthfulQuestion = case.content
        percent = int(lab.settings.option("percent", PERCENT))
        graph = graph_part(lab.settings, "conceptnet", percent)
        answers: dict[str, str | None] = {}
        failed: dict[str, str] = {}
        for arm in method_arms(lab.settings, METHODS):
            try:
                reasoning = lab.session.reason(question.question, graph, form="text", **arm.keywords)
                answers |= answers_of(arm, reasoning)
            except (OutputError, EmptyError) as error:
                failed[arm.name] = str(error)[:300]
                answers |= dict.fromkeys(method_lines([arm.name]))
        contest = hold_contest(lab, question, answers, lab.draws(case))
        return {"id": question.id, "answers": answers, "failed": failed, **contest}

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        lines = tuple(method_lines(arm.name for arm in method_arms(settings, METHODS)))
        give = [name for name in STAGES.values() if name in lines]
        # A case that broke off counts as a question that nobody won.
        shares = [row.get("shares", {}) for row in rows]
        wins = {line: [contest.get(line, 0.0) for contest in shares] for line in lines}
        together = [sum(contest.get(name, 0.0) for name in give) for contest in shares]
        empty, finished = Cell(value=None), finished_rows(rows)
        body = {
            line: (percent_cell(won), judged_cell([not row["answers"].get(line) for row in finished]))
            for line, won in wins.items()
        }
        if give:
            body[TOGETHER] = (percent_cell(together, GIVE.truthful), empty)
        body["undecided"] = (judged_cell([not any(contest.values()) for contest in shares]), empty)
        table = Table(
            title="Win rate on TruthfulQA",
            corner="method",
            columns=("wins, %", "without an answer, %"),
            rows=tuple(TableRow(name=name, cells=cells) for name, cells in body.items()),
            note=_note(rows),
        )
        bars = Series(name="wins", points=points([body[line][0] for line in lines]))
        plot = Plot(title=table.title, kind="bars", x="method", y="wins, %", series=(bars,), ticks=lines)
        by_line = {
            line: {str(row["id"]): share for row, share in zip(rows, won, strict=True) if "id" in row}
            for line, won in wins.items()
        }
        tests = paired_table("Paired tests, share of a win", first_against(LAST, lines), {"wins": by_line})
        rates = joined(f"{name} {100 * mean(won):.1f}%" for name, won in {**wins, TOGETHER: together}.items())
        findings = (
            *([f"Of {counted(len(rows), 'question')} each wins: {rates}."] if rows else []),
            difference_finding(tests, "share of wins"),
        )
        return Report(tables=(table, *tests), plots=(plot,), findings=findings)


def answers_of(arm: Arm, reasoning: Reasoning) -> dict[str, str | None]:
    """Return the answer of an arm, or its three answers, by the names of their lines."""
    if not arm.staged:
        return {arm.name: reasoning.answer}
    stages = reasoning.answers.to_dict()
    if stages["a"] is None and reasoning.verdict in (GraphVerdict.READ, GraphVerdict.EXTRAPOLATED):
        # An answer that was read from the graph, or from similar entities, has no stages.
        return dict.fromkeys(STAGES.values(), reasoning.answer)
    return {name: stages[stage] for stage, name in STAGES.items()}


def hold_contest(
    lab: Lab, question: TruthfulQuestion, answers: Mapping[str, str | None], draws: random.Random
) -> Row:
    """Score every answer by how much it means the same as the best one; the highest score wins, and methods
    with equal scores share the win. Return the `shares` (which add up to 1, or to 0 if the contest is
    undecided), whether a judge model decided (`judged`), and its reply (`raw`).

    The judge sees equal answers once, in random order, without the names of the methods; no answer scores 0.
    A reply without a score for each answer leaves the contest undecided. Without a judge model the score is
    F1 over words.
    """
    texts = sorted({answer for answer in answers.values() if answer})
    draws.shuffle(texts)
    raw, scores = "", [0.0] * len(texts)
    if lab.judge_model is None:
        scores = [answer_f1(text, question.best) for text in texts]
    elif texts:
        prompt = fill(
            read_prompt("probative.bench", "score_answers"),
            question=fenced(question.question),
            gold=fenced(question.best),
            answers=numbered_list([fenced(text) for text in texts]),
        )
        (reply,) = lab.judge_model.generate(
            [Request.user(prompt, max_tokens=16 + TOKENS_PER_SCORE * len(texts))]
        )
        raw, scores = reply.text, read_scores(reply.text, len(texts)) or scores
    shares = win_shares(answers, dict(zip(texts, scores, strict=True)))
    return {"shares": shares, "judged": lab.judge_model is not None, "raw": raw}


def read_scores(text: str, n: int) -> list[float] | None:
    r"""Return the scores of n numbered answers, or None if one of them has no score between 0 and 10.

    >>> read_scores("1. 7\n2. 10", 2), read_scores("1. 7", 2), read_scores("The second is best.", 2)
    ([7.0, 10.0], None, None)
    """
    replies = numbered_replies(text, n) or ({1: text} if n == 1 else {})
    matches = [_NUMBER.search(replies.get(number, "")) for number in range(1, n + 1)]
    scores = [float(match[0]) for match in matches if match is not None]
    return scores if len(scores) == n and max(scores) <= MAX_SCORE else None


def win_shares(answers: Mapping[str, str | None], scores: Mapping[str, float]) -> dict[str, float]:
    """Return the share of the win of each method; nobody wins if no answer scores above 0.

    >>> win_shares({"RAG": "tar", "ToG": "salt", "CoT": "tar"}, {"tar": 8.0, "salt": 3.0})
    {'RAG': 0.5, 'ToG': 0.0, 'CoT': 0.5}
    """
    reached = {name: scores[answer] if answer else 0.0 for name, answer in answers.items()}
    highest = max(reached.values(), default=0.0)
    winners = [name for name, score in reached.items() if score == highest > 0]
    return {name: 1 / len(winners) if name in winners else 0.0 for name in answers}


def _note(rows: Sequence[Row]) -> str:
    """Return who decided, and what could not be decided."""
    judged = [row for row in rows if row.get("judged")]
    sentences = [PUBLISHED] if judged else [NO_JUDGE, PUBLISHED]
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
