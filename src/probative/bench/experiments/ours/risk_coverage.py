"""How far the verdict and the stated certainty of `ask` can be believed: risk against coverage, reliability,
and each signal by itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.data.sets import find_set
from probative.bench.experiment import Case, Experiment, Lab, Settings
from probative.bench.experiments.ours.leaderboard import read_set
from probative.bench.experiments.ours.named_options import check_known
from probative.bench.experiments.ours.risk_figures import (
    answers_table,
    certainty_findings,
    certainty_plots,
    risk_table,
    signal_table,
)
from probative.bench.judging import judge_answer
from probative.bench.metrics import answer_f1, exact_match, is_right, nearest_spelling
from probative.bench.report import Report
from probative.bench.rows import Row, counted_rows

DATA = ("hotpotqa", "2wikimultihopqa")


class RiskCoverage(Experiment):
    """Answers every question with `ask`, and compares the stated certainty with the share of right answers.

    Without a judge model, "right" is F1 of at least 0.6, or one answer contained in the other. The option
    `data` names other data sets with questions, with commas between them.
    """

    name = "risk-coverage"
    title = "Can the stated certainty of an answer be believed?"
    paper = "ours"
    shown_as = "results, certainty"
    limit_of = "questions of each set"
    data = DATA
    judged = True
    calls_per_case = 3.0

    def data_of(self, settings: Settings) -> tuple[str, ...]:
        names = str(settings.option("data", ",".join(DATA))).split(",")
        return tuple(dict.fromkeys(name.strip() for name in names))

    def cases(self, settings: Settings) -> list[Case]:
        """Return all questions of each set, or `limit` that the seed draws."""
        check_known(settings, ("data",))
        return [
            Case(f"{name}/{question.id}", (name, question))
            for name in self.data_of(settings)
            for question in read_set(find_set(name), settings)
        ]

    def run(self, case: Case, lab: Lab) -> Row:
        name, question = case.content
        answer = lab.session.ask(question.text, question.passages, answer_anyway=True)
        text = answer.answer or ""
        gold = nearest_spelling(text, question.accepted)
        judged = judge_answer(lab, question.text, gold, text)
        return {
            "set": name,
            "answer": text,
            "em": float(exact_match(text, gold)),
            "f1": answer_f1(text, gold),
            "right": is_right(text, gold) if lab.judge is None else judged.right,
            "reply": judged.raw,
            "supported": answer.verdict.value == "supported",
            # An answer without a certainty is the least certain one.
            "certainty": answer.certainty or 0.0,
            "signals": None if answer.signals is None else answer.signals.to_dict(),
            "calls": answer.usage.calls,
            "tokens": answer.usage.tokens,
        }

    def wrong(self, case: Case) -> Row:
        return {
            "set": case.content[0],
            "answer": "",
            "em": 0.0,
            "f1": 0.0,
            "right": False,
            "reply": "",
            "supported": False,
            "certainty": 0.0,
            "signals": None,
        }

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        good = counted_rows(rows)
        sets = {name: [row for row in good if row["set"] == name] for name in self.data_of(settings)}
        sets = {name: own for name, own in sets.items() if own}
        return Report(
            tables=(answers_table(sets), risk_table(sets), signal_table(good)),
            plots=certainty_plots(sets) if good else (),
            findings=tuple(certainty_findings(sets)),
        )
