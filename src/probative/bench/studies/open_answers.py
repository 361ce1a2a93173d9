"""Chains and answers over an open collection: `ask` with the pages of all questions as the corpus.

Figures are of all questions: an answer is required even where the verdict is not `supported`. "pages" is the
share of questions with all gold pages in the chain, "gold sentences" the share of gold sentences in its
passages, and "cited F1" compares the sentences that the answer rests on with the gold ones.
"""

from __future__ import annotations

from typing import ClassVar

from probative.bench.families import multihop, open_pages
from probative.bench.findings import compared
from probative.bench.rows import Row, is_finished
from probative.bench.study import Case, Lab, Names
from probative.bench.tables import PairedSpec, TableSpec, average, score, share

METHODS = ("scope", "rag")
METRICS = {
    **multihop.answer_metrics(),
    "pages": share("pages"),
    "gold sentences": score("gold_sentences"),
    "cited F1": score("cited_f1"),
    **{cost: average(cost, of=is_finished) for cost in ("pieces", "calls", "tokens")},
}


class OpenAnswers(multihop.MultihopStudy):
    """Answers each question from the pages of all questions."""

    name = "open-answers"
    title = "How well are multi-hop questions answered from a whole collection?"
    paper_reference = "results, questions over a corpus"
    data = (*multihop.SETS, multihop.PAGES)
    questions = None
    arms = Names("methods", METHODS, METHODS)
    verbs = frozenset({"generate", "judge"})
    calls_per_case = 12.0
    failure: ClassVar[Row] = {"answer": "", "supported": False, **open_pages.NOTHING_FOUND}
    tables = (TableSpec("Answers over {}", "method", METRICS, each="set"),)
    tests = (PairedSpec("Paired tests of exact match", multihop.is_exact, [METHODS]),)
    findings = (open_pages.trusted, compared("exact match"))

    def answer(self, case: Case, lab: Lab) -> Row:
        question = case.content
        corpus = open_pages.corpus_of(lab.settings.data, case.set, lab.session.settings)
        answer = lab.session.ask(question.text, corpus=corpus, method=case.arm, answer_anyway=True)
        return {
            "answer": answer.answer or "",
            "supported": answer.verdict.value == "supported",
            **open_pages.evidence_of(question, answer),
            "pieces": len(answer.chain),
            "calls": answer.usage.calls,
            "tokens": answer.usage.tokens,
        }
