"""How far the stated certainty of `ask` can be believed: risk against coverage, and reliability."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.data.sets import find_set
from probative.bench.experiment import Case, Experiment, Lab, Settings
from probative.bench.experiments.ours.leaderboard import DATA, read_set
from probative.bench.judging import judge_answer, undecided_note
from probative.bench.metrics import auroc, calibration_error, is_right, reliability, risk_coverage
from probative.bench.report import Cell, Plot, Report, Series, Table, TableRow
from probative.bench.rows import Row
from probative.bench.statistics import percent_cell

# The shares of the questions, in percent, whose risk the table gives.
COVERAGES = (20, 40, 60, 80, 100)


class RiskCoverage(Experiment):
    """Answers every question with `ask`, and compares the stated certainty with the share of right answers.

    Without a judge model, "right" is F1 of at least 0.6, or one answer contained in the other. The option
    `data` is another data set with questions.
    """

    name = "risk-coverage"
    title = "Can the stated certainty of an answer be believed?"
    paper = "ours"
    shown_as = "results, certainty"
    data = (DATA,)
    judged = True
    calls_per_case = 3.0

    def data_of(self, settings: Settings) -> tuple[str, ...]:
        return (str(settings.option("data", DATA)),)

    def cases(self, settings: Settings) -> list[Case]:
        questions = read_set(find_set(self.data_of(settings)[0]), settings)
        return [Case(question.id, question) for question in questions]

    def run(self, case: Case, lab: Lab) -> Row:
        question = case.content
        answer = lab.session.ask(question.text, question.passages, answer_anyway=True)
        text = answer.answer or ""
        judged = judge_answer(lab, question.text, question.answer, text)
        right = is_right(text, question.answer) if lab.judge is None else judged.right
        return {
            "answer": text,
            "right": right,
            "reply": judged.raw,
            "supported": answer.verdict.value == "supported",
            # An answer without a certainty is the least certain one.
            "certainty": answer.certainty or 0.0,
        }

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        good = [row for row in rows if "error" not in row]
        name = self.data_of(settings)[0]
        chances = [float(row["certainty"]) for row in good]
        right = [row["right"] is True for row in good]
        figures = Table(
            title="Answers and their verdicts",
            corner="data set",
            columns=("right", "supported", "right of these", "AUROC of the certainty", "calibration error"),
            rows=(TableRow(name=name, cells=_figures(good, chances, right)),),
            note=undecided_note([row["right"] for row in good if row["reply"]]),
        )
        ranked = sorted(zip(chances, right, strict=True), key=lambda pair: -pair[0])
        risks = Table(
            title="Wrong answers among the surest",
            corner="data set",
            columns=tuple(f"surest {share}%" for share in COVERAGES),
            rows=(
                TableRow(
                    name=name,
                    cells=tuple(
                        percent_cell(
                            [float(not hit) for _, hit in ranked[: round(len(ranked) * share / 100)]]
                        )
                        for share in COVERAGES
                    ),
                ),
            ),
        )
        return Report(tables=(figures, risks), plots=_plots(name, chances, right) if good else ())


def _figures(rows: Sequence[Row], chances: Sequence[float], right: Sequence[bool]) -> tuple[Cell, ...]:
    pairs = list(zip(chances, right, strict=True))
    high, low = ([chance for chance, hit in pairs if hit is wanted] for wanted in (True, False))
    of_these = [float(hit) for row, hit in zip(rows, right, strict=True) if row["supported"]]
    return (
        percent_cell([float(hit) for hit in right]),
        percent_cell([float(row["supported"]) for row in rows]),
        percent_cell(of_these),
        Cell(value=auroc(high, low) if high and low else None, n=len(rows)),
        Cell(value=calibration_error(chances, right) if rows else None, n=len(rows)),
    )


def _plots(name: str, chances: Sequence[float], right: Sequence[bool]) -> tuple[Plot, ...]:
    return (
        Plot(
            title="Risk against coverage",
            kind="lines",
            x="share of questions answered, the surest first",
            y="share of these wrong",
            series=(Series(name=name, points=tuple(risk_coverage(chances, right))),),
        ),
        Plot(
            title="Reliability of the certainty",
            kind="reliability",
            x="stated certainty",
            y="share right",
            series=(Series(name=name, points=tuple(reliability(chances, right))),),
        ),
    )
