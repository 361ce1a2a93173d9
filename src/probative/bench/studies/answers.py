"""Answers to multi-hop questions: by scope and RAG, from gold evidence, from evidence that lacks a page; and
to comparison questions, read or computed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from probative.bench.data.questions import Question
from probative.bench.families import multihop
from probative.bench.families.arms import read_arms
from probative.bench.findings import compared, ranked, sentences, share_text
from probative.bench.report import Cell
from probative.bench.rows import Groups, Row, Rows, groups_by, is_finished, rows_of
from probative.bench.statistics import each_against
from probative.bench.study import Case, Lab, Names, Settings
from probative.bench.tables import (
    Metric,
    Metrics,
    PairedSpec,
    Results,
    TableSpec,
    auroc_cell,
    average,
    bars,
    share,
)
from probative.scope.answer.make import Evidence, make_answer
from probative.scope.run import Run

METHODS = read_arms("answers")
TITLES = {method: str(arm["title"]) for method, arm in METHODS.items()}


def _whole(row: Row) -> bool:
    return not row["lacking"]


def _ran(row: Row) -> bool:
    return _whole(row) and "error" not in row


def _separation(field: str) -> Metric:
    """Return the AUROC of a field for questions with all evidence against the same without a page."""

    def metric(rows: Rows) -> Cell:
        measured = [row for row in rows if row[field] is not None]
        lacking = {row["question"]: row[field] for row in measured if row["lacking"]}
        whole = [row[field] for row in measured if _whole(row) and row["question"] in lacking]
        return auroc_cell(whole, list(lacking.values())) if whole else Cell(value=None, n=0)

    return metric


def _lines(rows: Rows) -> Groups:
    """Yield the rows of each method, and the same with computed answers where there are any."""
    for method, group in groups_by(rows, "method"):
        yield TITLES[method], group
        if any(row["computed"] is not None for row in group):
            computed = [{**row, "answer": row["computed"] or row["answer"]} for row in group]
            yield f"{TITLES[method]}, with what is computed", computed


METRICS = {
    **multihop.answer_metrics(_whole),
    "all gold": share("all_gold", of=_whole),
    "pieces": average("pieces", of=_whole),
    "AUROC answerable": _separation("answerable"),
    "AUROC complete": _separation("completeness"),
    "calls": average("calls", of=_ran),
    "tokens": average("tokens", of=_ran),
}
TRUSTED = sentences(
    "{title}, {line}: {0:share} answers marked supported match exactly.",
    "EM of these",
    line=TITLES["embedded"],
)


class Answers(multihop.MultihopStudy):
    """Answers each question with each method.

    Figures are of all questions: an answer is required even where the verdict is not `supported`. With
    `lacking=true` each question is also asked without one of its gold pages, where the remaining passages
    cannot contain the answer. "AUROC answerable" and "AUROC complete" say how well the two cases are
    separated by the reader's probability of an answer and by the policy's of a complete chain.
    """

    name = "answers"
    title = "How well are multi-hop questions answered, and is missing evidence noticed?"
    paper_reference = "results, answers"
    arms = Names("methods", ("rag", "words", "embedded", "gold"), tuple(METHODS))
    options = ("lacking", "tuning")
    calls_per_case = 4.0
    failure: ClassVar[Row] = {
        **dict.fromkeys(("computed", "completeness", "answerable")),
        "answer": "",
        "supported": False,
        "all_gold": False,
        "pieces": 0,
    }
    tables = (TableSpec("Answers on {}", "method", METRICS, _lines, each="set"),)
    tests = (
        PairedSpec(
            "Paired tests of exact match",
            multihop.is_exact,
            lambda titles: each_against(titles, titles[0]),
            arm=lambda row: TITLES[row["method"]],
            where=_whole,
        ),
    )
    plots = (bars("Exact match", "EM"),)
    findings = (ranked("EM", "exact match"), compared("exact match"), TRUSTED)

    def items(self, settings: Settings, name: str) -> Iterator[Question]:
        for question in super().items(settings, name):
            yield replace(question, id=f"{question.id}/whole")
            if settings.is_on("lacking") and (lacking := multihop.without_gold_page(question)) is not None:
                yield replace(lacking, id=f"{question.id}/lacking")

    def about(self, case: Case) -> Row:
        question, _, variant = case.content.id.rpartition("/")
        return {**super().about(case), "question": question, "lacking": variant == "lacking"}

    def answer(self, case: Case, lab: Lab) -> Row:
        question, arm = case.content, METHODS[case.arm]
        if "arguments" not in arm:
            return multihop.read_gold(lab, question)
        given = {"answering": multihop.answering(lab), **arm["arguments"], "answer_anyway": True}
        answer = lab.session.ask(question.text, question.passages, **given)
        return {
            "answer": answer.answer or "",
            "computed": None,
            "supported": answer.verdict.value == "supported",
            "all_gold": question.gold <= {passage.index for passage in answer.chain},
            "pieces": len(answer.chain),
            "completeness": answer.completeness,
            "answerable": answer.answerable,
            "calls": answer.usage.calls,
            "tokens": answer.usage.tokens,
        }


READER, DECOMPOSITION = COMPARING = ("reader alone", "decomposition")


def _is_computed(row: Row) -> bool:
    return row["computed"] is not None


def _compares(row: Row) -> bool:
    return bool(row["comparison"])


def _only(metric: Metric) -> Metric:
    """Return a metric that the reader alone has no figure of."""
    return lambda rows: metric(rows) if rows and rows[0]["method"] == DECOMPOSITION else "-"


_share_computed, _right_computed = share(_is_computed), share(multihop.is_exact, of=_is_computed)
COMPARED: Metrics = {
    "EM": share(multihop.is_exact),
    "computed": _only(_share_computed),
    "EM of these": _only(_right_computed),
    "missing": _only(share("missing")),
    "calls": _only(average("calls", of=is_finished)),
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
    """Answers comparison questions from gold evidence by two methods: the reader alone, and the
    plan. It computes for all other questions as well, where nothing should be computed.

    The gold sentences of each question are its passages. "decomposition" is what `ask` computes by its plan:
    each value is looked up, and code compares them. Where nothing is computed, the reader answers.
    "computed" is the share of questions with a computed answer, "missing" the share where a value was said to
    be missing. `reader=false` lets the reader not answer whole questions.
    """

    name = "comparisons"
    title = "Are comparison questions answered better by computing?"
    paper_reference = "results, comparison questions"
    limit_of = "questions of each set"
    options = ("reader", "tuning")
    calls_per_case = 3.0
    failure: ClassVar[Row] = {**dict.fromkeys(COMPARING), "missing": False}
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
            "Paired tests of exact match", multihop.is_exact, each_against(COMPARING, READER), where=_compares
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

        computing = lab.session.finish_search(multihop.compute_gold(run(), chain))
        if computing.error is not None:
            raise computing.error
        outcome = computing.result
        reads = "comparison" in question.kind and lab.settings.is_on("reader", default=True)
        reading = lab.session.run_search(make_answer(run(), Evidence(chain))) if reads else None
        return {
            READER: reading.answer.text if reading is not None else None,
            DECOMPOSITION: outcome.answer if outcome is not None else None,
            "missing": bool(outcome is not None and outcome.missing),
            "calls": computing.usage.calls,
        }

    def observations(self, rows: Sequence[Row]) -> list[Row]:
        """Return a row for each method: its computed answer, and without one the reader's."""
        return [
            {**row, "method": method, "computed": row[method], "answer": row[method] or row[READER] or ""}
            for row in rows
            for method in COMPARING
        ]
