"""How far the verdict and the stated certainty of `ask` can be believed: risk against coverage, reliability,
and each signal by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from probative.bench.arguments import check_known
from probative.bench.data.sets import find_set
from probative.bench.experiment import Case, Lab, Settings
from probative.bench.experiments.ours.leaderboard import read_set
from probative.bench.findings import auroc_text, share_text
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
from probative.bench.report import Cell, Plot, Report, Series, Table, TableRow
from probative.bench.rows import Row, counted_rows, is_finished
from probative.bench.statistics import percent_cell
from probative.bench.study import Study
from probative.bench.tables import Metric, Rows, auroc_cell, average, build_table, rows_of, score, share
from probative.scope.signals import Signals

# The shares of the questions, in percent, whose risk the table gives.
COVERAGES = (20, 40, 60, 80, 100)
Sets = Mapping[str, Rows]

DATA = ("hotpotqa", "2wikimultihopqa")


def signal_table(rows: Sequence[Row]) -> Table:
    """Return how well each signal by itself tells right from wrong answers."""
    known = [(Signals.from_dict(row["signals"]), row["right"] is True) for row in rows if row["signals"]]
    lines = []
    for name in (*Signals.model_fields, "same_answer", "any_answer"):
        pairs = [(getattr(own, name), right) for own, right in known if getattr(own, name) is not None]
        if pairs:
            cell = _told_apart([float(value) for value, _ in pairs], [right for _, right in pairs])
            lines.append(TableRow(name=name, cells=(cell, str(len(pairs)))))
    return Table(
        title="Each signal by itself", corner="signal", columns=("AUROC", "known"), rows=tuple(lines)
    )


def certainty_plots(sets: Sets) -> tuple[Plot, ...]:
    """Return the risk-coverage curve and the reliability of the certainty, a series for each data set."""
    pairs = {name: (_certainty(own), _right(own)) for name, own in sets.items()}
    return (
        Plot(
            title="Risk against coverage",
            kind="lines",
            x="share of questions answered, the surest first",
            y="share of these wrong",
            series=tuple(
                Series(name=name, points=tuple(risk_coverage(*pair))) for name, pair in pairs.items()
            ),
        ),
        Plot(
            title="Reliability of the certainty",
            kind="reliability",
            x="stated certainty",
            y="share right",
            series=tuple(Series(name=name, points=tuple(reliability(*pair))) for name, pair in pairs.items()),
        ),
    )


def certainty_findings(sets: Sets) -> Iterator[str]:
    """Yield how often supported and other answers are right, and how well the certainty ranks them."""
    for name, rows in sets.items():
        supported, others = (
            percent_cell([float(row["right"] is True) for row in rows if bool(row["supported"]) is wanted])
            for wanted in (True, False)
        )
        yield (
            f"{name}: {share_text(supported)} answers marked supported are right, and {share_text(others)} "
            "other answers."
        )
    for name, rows in sets.items():
        chances, right = _certainty(rows), _right(rows)
        surest = RISKS[f"surest {COVERAGES[0]}%"](rows)
        assert isinstance(surest, Cell)
        yield (
            f"{name}: the certainty tells right from wrong answers with "
            f"{auroc_text(_told_apart(chances, right))}; "
            f"{share_text(surest)} surest answers are wrong; the calibration error is "
            f"{calibration_error(chances, right):.3f}."
        )


def _certainty(rows: Sequence[Row]) -> list[float]:
    return [float(row["certainty"]) for row in rows]


def _right(rows: Rows) -> list[bool]:
    return [_is_right(row) for row in rows]


def _is_right(row: Row) -> bool:
    # None is a reply of the judge that was neither yes nor no: it counts as wrong.
    return row["right"] is True


def _told_apart(values: Sequence[float], right: Sequence[bool]) -> Cell:
    pairs = list(zip(values, right, strict=True))
    return auroc_cell(*([value for value, hit in pairs if hit is wanted] for wanted in (True, False)))


def _calibration(rows: Rows) -> Cell:
    return Cell(value=calibration_error(_certainty(rows), _right(rows)), n=len(rows))


def _risk(percent: int) -> Metric:
    """Return the share of wrong answers among the surest ones."""

    def metric(rows: Rows) -> Cell:
        ranked = sorted(rows, key=lambda row: -float(row["certainty"]))
        surest = ranked[: max(1, round(len(ranked) * percent / 100))]
        return percent_cell([float(not _is_right(row)) for row in surest])

    return metric


METRICS: dict[str, Metric] = {
    "EM": share("em"),
    "F1": score("f1"),
    "right": share(_is_right),
    "supported": share("supported"),
    "right of these": share(_is_right, of="supported"),
    "wrong and supported": share(lambda row: row["supported"] and not _is_right(row)),
    "AUROC of the certainty": lambda rows: _told_apart(_certainty(rows), _right(rows)),
    "calibration error": _calibration,
    "calls": average("calls", of=is_finished),
    "tokens": average("tokens", of=is_finished),
}
RISKS = {f"surest {percent}%": _risk(percent) for percent in COVERAGES}


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

    def about(self, case: Case) -> Row:
        return {"set": case.content[0]}

    def answer(self, case: Case, lab: Lab) -> Row:
        question = case.content[1]
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

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        good = counted_rows(rows)
        sets = {name: own for name in self.data_of(settings) if (own := rows_of(good, set=name))}
        judged = [row["right"] for own in sets.values() for row in own if row["reply"]]
        note = undecided_note(judged)
        answers = build_table("Answers and their verdicts", "data set", METRICS, sets.items(), note)
        risks = build_table("Wrong answers among the surest", "data set", RISKS, sets.items())
        return Report(
            tables=(answers, risks, signal_table(good)),
            plots=certainty_plots(sets) if good else (),
            findings=tuple(certainty_findings(sets)),
        )
