"""How far the verdict and the stated certainty of `ask` can be believed: risk against coverage, reliability,
and each signal by itself.
"""

from __future__ import annotations

from typing import ClassVar

from probative.bench.data.questions import Question
from probative.bench.families.certainty import (
    COVERAGES,
    METRICS,
    by_signal,
    calibration,
    curves,
    judged_right,
    risk,
)
from probative.bench.families.multihop import read_set
from probative.bench.findings import group_sentences
from probative.bench.judging import judge_answer, undecided_note
from probative.bench.metrics import (
    answer_f1,
    exact_match,
    is_right,
    nearest_spelling,
    reliability,
    risk_coverage,
)
from probative.bench.rows import Row, Rows
from probative.bench.study import Case, Lab, Settings, Study
from probative.bench.tables import TableSpec, plot, share, told_apart

DATA = ("hotpotqa", "2wikimultihopqa")


def _undecided(rows: Rows) -> str:
    return undecided_note([row["right"] for row in rows if row["reply"]])


class RiskCoverage(Study):
    """Answers every question with `ask`, and compares the stated certainty with the share of right answers.

    Without a judge model, "right" is F1 of at least 0.6, or one answer contained in the other. The option
    `data` names other data sets with questions, with commas between them.
    """

    name = "risk-coverage"
    title = "Can the stated certainty of an answer be believed?"
    paper_reference = "results, certainty"
    limit_of = "questions of each set"
    data = DATA
    options = ("data",)
    judged = True
    calls_per_case = 3.0
    failure: ClassVar[Row] = {
        "answer": "",
        "em": 0.0,
        "f1": 0.0,
        "right": False,
        "reply": "",
        "supported": False,
        "certainty": 0.0,
        "signals": None,
    }
    tables = (
        TableSpec("Answers and their verdicts", "data set", METRICS, "set", note=_undecided),
        TableSpec(
            "Wrong answers among the surest",
            "data set",
            {f"surest {percent}%": risk(percent) for percent in COVERAGES},
            "set",
        ),
        TableSpec(
            "Each signal by itself",
            "signal",
            {
                "AUROC": told_apart(lambda row: float(row["value"]), judged_right),
                "known": lambda rows: str(len(rows)),
            },
            by_signal,
        ),
    )
    plots = (
        plot(
            "Risk against coverage",
            "lines",
            "share of questions answered, the surest first",
            "share of these wrong",
            curves(risk_coverage),
        ),
        plot(
            "Reliability of the certainty",
            "reliability",
            "stated certainty",
            "share right",
            curves(reliability),
        ),
    )
    findings = (
        group_sentences(
            "set",
            "{line}: {0:share} answers marked supported are right, and {1:share} other answers.",
            METRICS["right of these"],
            share(judged_right, of=lambda row: not row["supported"]),
        ),
        group_sentences(
            "set",
            "{line}: the certainty tells right from wrong answers with {0:auroc}; {1:share} surest answers "
            "are wrong; the calibration error is {2:.3f}.",
            METRICS["AUROC of the certainty"],
            risk(COVERAGES[0]),
            calibration,
        ),
    )

    def data_of(self, settings: Settings) -> tuple[str, ...]:
        names = str(settings.option("data", ",".join(DATA))).split(",")
        return tuple(dict.fromkeys(name.strip() for name in names))

    def cases(self, settings: Settings) -> list[Case]:
        """Return all questions of each set, or `limit` that the seed draws."""
        self.check_options(settings)
        return [
            Case(f"{name}/{question.id}", question, name)
            for name in self.data_of(settings)
            for question in read_set(name, settings)
        ]

    def answer(self, case: Case, lab: Lab) -> Row:
        question: Question = case.content
        answer = lab.session.ask(question.text, question.passages, answer_anyway=True)
        text = answer.answer or ""
        gold = nearest_spelling(text, question.accepted)
        judged = judge_answer(lab, question.text, gold, text)
        return {
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
