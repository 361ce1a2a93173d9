"""Comparison questions from gold evidence: the reader alone, earlier rules, and the decomposition.

The gold sentences of each question are its chain. "decomposition" is what `ask` computes: one value for each
option, compared by code. Where nothing is computed, the reader answers, as it does in `ask`. "computed" is
the share of questions with a computed answer, "missing" the share where a value was said to be missing. For
questions that compare nothing, nothing should be computed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from probative.bench.families import multihop
from probative.bench.families.comparison_rules import compute_by_rule
from probative.bench.findings import compared, share_text
from probative.bench.rows import Row, is_finished, rows_of
from probative.bench.statistics import each_against
from probative.bench.study import Case, Lab, Settings
from probative.bench.tables import Metric, Metrics, PairedSpec, Results, TableSpec, average, share
from probative.scope.answer.make import Evidence, make_answer
from probative.scope.compute.compute import compute_answer
from probative.scope.run import Run

READER, RULES, DECOMPOSITION = METHODS = ("reader alone", "earlier rules", "decomposition")


def _is_computed(row: Row) -> bool:
    return row["computed"] is not None


def _compares(row: Row) -> bool:
    return bool(row["comparison"])


def _only(metric: Metric, *methods: str) -> Metric:
    """Return a metric that other methods have no figure of."""
    return lambda rows: metric(rows) if rows and rows[0]["method"] in methods else "-"


_share_computed, _right_computed = share(_is_computed), share(multihop.is_exact, of=_is_computed)
COMPARED: Metrics = {
    "EM": share(multihop.is_exact),
    "computed": _only(_share_computed, RULES, DECOMPOSITION),
    "EM of these": _only(_right_computed, RULES, DECOMPOSITION),
    "missing": _only(share("missing"), DECOMPOSITION),
    "calls": _only(average("calls", of=is_finished), DECOMPOSITION),
}


def _computed(results: Results) -> Iterator[str]:
    """Yield how often the decomposition computes an answer, and a right one."""
    rows = rows_of(results.rows, comparison=True, method=DECOMPOSITION)
    if rows:
        right: Any = _right_computed(rows)
        of_these = f"; {share_text(right)} computed answers are right" if right.n else ""
        share_computed: Any = _share_computed(rows)
        yield f"An answer is computed for {share_text(share_computed)} comparison questions{of_these}."


class Comparisons(multihop.MultihopStudy):
    """Answers comparison questions by three methods, and computes for all other questions as well.

    `reader=false` lets the reader not answer whole questions.
    """

    name = "comparisons"
    title = "Are comparison questions answered better by computing?"
    paper_reference = "results, comparison questions"
    limit_of = "questions of each set"
    options = ("reader", "tuning")
    calls_per_case = 3.0
    failure: ClassVar[Row] = {**dict.fromkeys(METHODS), "missing": False}
    tables = (
        TableSpec("Comparison questions of {}", "method", COMPARED, each="set", where=_compares),
        TableSpec(
            "Questions of {} that compare nothing",
            "method",
            {"computed": _share_computed, "EM of these": _right_computed},
            each="set",
            where=lambda row: not _compares(row) and row["method"] != READER,
        ),
    )
    tests = (
        PairedSpec(
            "Paired tests of exact match", multihop.is_exact, each_against(METHODS, READER), where=_compares
        ),
    )
    findings = (compared("exact match"), _computed)

    def cases(self, settings: Settings) -> Sequence[Case]:
        settings.is_on("reader")
        return super().cases(settings)

    def about(self, case: Case) -> Row:
        return {**super().about(case), "comparison": "comparison" in case.content.kind}

    def answer(self, case: Case, lab: Lab) -> Row:
        question = case.content
        chain = sorted(question.gold)

        def run() -> Run:
            return multihop.gold_run(lab, question, compare=True)

        computing = lab.session.finish_search(compute_answer(run(), chain))
        if computing.error is not None:
            raise computing.error
        outcome = computing.result
        reads = "comparison" in question.kind and lab.settings.is_on("reader", default=True)
        reading = lab.session.run_search(make_answer(run(), Evidence(chain))) if reads else None
        return {
            READER: reading.answer.text if reading is not None else None,
            RULES: compute_by_rule(run(), chain),
            DECOMPOSITION: outcome.answer if outcome is not None else None,
            "missing": bool(outcome is not None and outcome.missing),
            "calls": computing.usage.calls,
        }

    def observations(self, rows: Sequence[Row]) -> list[Row]:
        """Return a row for each method: its computed answer, and without one the reader's."""
        return [
            {**row, "method": method, "computed": row[method], "answer": row[method] or row[READER] or ""}
            for row in rows
            for method in METHODS
        ]
