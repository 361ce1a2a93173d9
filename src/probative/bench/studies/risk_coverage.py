"""How far the verdict and the stated certainty of `ask` can be believed: risk against coverage, reliability,
and each signal by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from probative.bench.data.questions import Question
from probative.bench.families.multihop import read_set
from probative.bench.findings import group_sentences
from probative.bench.judging import judge_answer, undecided_note
from probative.bench.metrics import (
    answer_f1,
    calibration_error,
    exact_match,
    is_right,
    nearest_spelling,
    reliability,
    risk_coverage,
)
from probative.bench.report import Cell
from probative.bench.rows import Groups, Row, Rows, groups_by, is_finished
from probative.bench.statistics import percent_cell
from probative.bench.study import Case, Lab, Settings, Study
from probative.bench.tables import Metric, Results, TableSpec, average, plot, score, share, told_apart
from probative.scope.checks import Signals

DATA = ("hotpotqa", "2wikimultihopqa")
# The shares of the questions, in percent, whose risk the table gives.
COVERAGES = (20, 40, 60, 80, 100)


def _is_right(row: Row) -> bool:
    # None is a reply of the judge that was neither yes nor no: it counts as wrong.
    return row["right"] is True


def _chances(rows: Rows) -> tuple[list[float], list[bool]]:
    """Return the certainties of rows, and whether their answers are right."""
    return [float(row["certainty"]) for row in rows], [_is_right(row) for row in rows]


def _calibration(rows: Rows) -> Cell:
    return Cell(value=calibration_error(*_chances(rows)), n=len(rows))


def _risk(percent: int) -> Metric:
    """Return the share of wrong answers among the surest ones."""

    def metric(rows: Rows) -> Cell:
        ranked = sorted(rows, key=lambda row: -float(row["certainty"]))
        surest = ranked[: max(1, round(len(ranked) * percent / 100))]
        return percent_cell([float(not _is_right(row)) for row in surest])

    return metric


def _by_signal(rows: Rows) -> Groups:
    """Yield the value of each signal, where it is known, with whether the answer is right."""
    for name in Signals.model_fields:
        values = [((row["signals"] or {}).get(name), row["right"]) for row in rows]
        if group := [{"value": value, "right": right} for value, right in values if value is not None]:
            yield name, group


def _curves(curve: Callable[[list[float], list[bool]], Any]) -> Callable[[Results], dict[str, Any]]:
    """Return a curve of the certainty for each data set."""
    return lambda results: {name: curve(*_chances(rows)) for name, rows in groups_by(results.rows, "set")}


METRICS: dict[str, Metric] = {
    "EM": share("em"),
    "F1": score("f1"),
    "right": share(_is_right),
    "supported": share("supported"),
    "right of these": share(_is_right, of="supported"),
    "wrong and supported": share(lambda row: row["supported"] and not _is_right(row)),
    "AUROC of the certainty": told_apart(lambda row: float(row["certainty"]), _is_right),
    "calibration error": _calibration,
    "calls": average("calls", of=is_finished),
    "tokens": average("tokens", of=is_finished),
}


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
        **dict.fromkeys(("answer", "reply"), ""),
        **dict.fromkeys(("em", "f1", "certainty"), 0.0),
        **dict.fromkeys(("right", "supported"), False),
        "signals": None,
    }
    tables = (
        TableSpec("Answers and their verdicts", "data set", METRICS, "set", note=_undecided),
        TableSpec(
            "Wrong answers among the surest",
            "data set",
            {f"surest {percent}%": _risk(percent) for percent in COVERAGES},
            "set",
        ),
        TableSpec(
            "Each signal by itself",
            "signal",
            {
                "AUROC": told_apart(lambda row: float(row["value"]), _is_right),
                "known": lambda rows: str(len(rows)),
            },
            _by_signal,
        ),
    )
    plots = (
        plot(
            "Risk against coverage",
            "lines",
            "share of questions answered, the surest first",
            "share of these wrong",
            _curves(risk_coverage),
        ),
        plot(
            "Reliability of the certainty",
            "reliability",
            "stated certainty",
            "share right",
            _curves(reliability),
        ),
    )
    findings = (
        group_sentences(
            "set",
            "{line}: {0:share} answers marked supported are right, and {1:share} other answers.",
            METRICS["right of these"],
            share(_is_right, of=lambda row: not row["supported"]),
        ),
        group_sentences(
            "set",
            "{line}: the certainty tells right from wrong answers with {0:auroc}; {1:share} surest answers "
            "are wrong; the calibration error is {2:.3f}.",
            METRICS["AUROC of the certainty"],
            _risk(COVERAGES[0]),
            _calibration,
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
