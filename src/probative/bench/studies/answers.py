"""How well whole questions are answered: scope and RAG, gold evidence alone, and evidence that lacks a page.

Figures are of all questions: an answer is required even where the verdict is not `supported`. With
`lacking=true` each question is also asked without one of its gold pages, where the remaining passages cannot
contain the answer. "AUROC answerable" and "AUROC complete" say how well the two cases are separated by the
reader's probability of an answer and by the policy's of a complete chain.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

from probative.bench.data.questions import Question
from probative.bench.families import multihop
from probative.bench.findings import compared, ranked, sentences
from probative.bench.report import Cell
from probative.bench.rows import Groups, Row, Rows, groups_by
from probative.bench.statistics import each_against
from probative.bench.study import Case, Lab, Names, Settings
from probative.bench.tables import Metric, PairedSpec, TableSpec, auroc_cell, average, bars, share

# The title of each method, and the arguments of `ask` (None: gold evidence alone).
METHODS: dict[str, tuple[str, dict[str, Any] | None]] = {
    "rag": ("RAG top-5", {"method": "rag"}),
    "rag-written": ("RAG top-5, written", {"method": "rag", "answering": "written"}),
    "words": ("scope words", {"preset": "words"}),
    "embedded": ("scope learned", {"preset": "embedded"}),
    "embedded-once": ("scope learned, read once", {"preset": "embedded", "extend_if_unanswered": False}),
    "embedded-4": ("scope learned, 4 passages", {"preset": "embedded", "min_passages": 4}),
    "gold": ("gold evidence", None),
}
TITLES = {method: title for method, (title, _) in METHODS.items()}


def _whole(row: Row) -> bool:
    return not row["lacking"]


def _ran(row: Row) -> bool:
    return _whole(row) and "error" not in row


def _separation(field: str) -> Metric:
    """Return the AUROC of a field for questions with all evidence against the same without a page."""

    def metric(rows: Rows) -> Cell:
        known = [row for row in rows if row[field] is not None]
        lacking = {row["question"]: row[field] for row in known if row["lacking"]}
        whole = [row[field] for row in known if _whole(row) and row["question"] in lacking]
        return auroc_cell(whole, list(lacking.values())) if whole else Cell(value=None, n=0)

    return metric


def _lines(rows: Rows) -> Groups:
    """Yield the rows of each method, and the same with computed answers where there are any."""
    for method, own in groups_by(rows, "method"):
        yield TITLES[method], own
        if any(row["computed"] is not None for row in own):
            computed = [{**row, "answer": row["computed"] or row["answer"]} for row in own]
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
    """Answers each question with each method."""

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
        question, (_, arguments) = case.content, METHODS[case.arm]
        if arguments is None:
            return multihop.read_gold(lab, question)
        given = {"answering": multihop.answering(lab), **arguments, "answer_anyway": True}
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
