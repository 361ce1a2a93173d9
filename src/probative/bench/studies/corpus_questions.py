"""`ask` over our example corpus: 60 questions over 47 documents in nine formats.

A question is answered by one place, by two, by a comparison or a count; or no document answers it, or
documents contradict one another. "gold at 10" is the share of questions with all gold evidence among the
first ten retrieved passages, "gold in chain" the share with all of it in the chain. "found" is the share
whose answer, or candidate, is right, whatever the verdict.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from probative.bench.data.files import spread
from probative.bench.data.own import CORPUS_FOLDER, CorpusQuestion, read_corpus_questions
from probative.bench.families.corpus_outcomes import evidence_of, is_found, outcome_of
from probative.bench.metrics import wilson_interval
from probative.bench.rows import FAILED, Row, groups_by, is_finished
from probative.bench.study import Case, Lab, Names, Settings, Study
from probative.bench.tables import Results, TableSpec, average, kind_bars, share, shares
from probative.corpus.corpus import Corpus

METHODS = ("scope", "rag")
METRICS = {
    "gold at 10": share("retrieved", of="has_gold"),
    "gold in chain": share("in_chain", of="has_gold"),
    "found": share("found", of="accepted"),
    **shares("outcome", ("right", "wrong and supported", "one side", "insufficient", "contradicted")),
    "supported and right": share("found", of=lambda row: row["verdict"] == "supported"),
}
NOTE = (
    '"found" is of the questions that have an answer, "supported and right" of the answers marked '
    "supported. Where no document answers, giving no supported answer is right; where documents "
    "contradict one another, the verdict contradicted with both sides is right, and "
    '"one side" is an answer by the better source alone.'
)
_CORPORA: dict[Path, Corpus] = {}


def _believed(results: Results) -> Iterator[str]:
    """Yield what is right with each method, and what is wrong and would be believed."""
    for method, own in groups_by(results.rows, "method"):
        right = sum(row["outcome"] == "right" for row in own)
        supported = [row for row in own if row["verdict"] == "supported"]
        wrong = sum(not row["found"] for row in supported)
        low, high = wilson_interval(wrong, len(own))
        yield (
            f"{method}: {right} of {len(own)} outcomes are right; {len(supported)} answers are marked "
            f"supported, {wrong} of them {'is' if wrong == 1 else 'are'} wrong "
            f"({low:.1f} to {high:.1f}% of all questions)."
        )


class CorpusQuestions(Study):
    """Asks each question with each method."""

    name = "corpus-questions"
    title = "Are questions over a folder of documents answered rightly, and is nothing wrong believed?"
    paper_reference = "results, questions over a corpus"
    limit_of = "questions, each of which is a case with every method"
    data = ("example-corpus",)
    arms = Names("methods", METHODS, METHODS)
    verbs = frozenset({"generate", "judge"})
    calls_per_case = 15.0
    failure: ClassVar[Row] = {
        "answer": None,
        "verdict": FAILED,
        "outcome": FAILED,
        "found": False,
        "retrieved": False,
        "in_chain": False,
    }
    tables = (
        TableSpec(
            "Questions over the corpus, {}",
            "questions, %",
            METRICS,
            lambda rows: [("all", rows), *groups_by(rows, "kind")],
            each="method",
            note=NOTE,
        ),
        TableSpec(
            "Cost of a question",
            "method",
            {cost: average(cost, of=is_finished) for cost in ("calls", "tokens", "seconds")},
        ),
    )
    plots = (kind_bars("method"),)
    findings = (_believed,)

    def items(self, settings: Settings, name: str) -> list[CorpusQuestion]:
        return spread(read_corpus_questions(settings.data), settings.limit)

    def about(self, case: Case) -> Row:
        question: CorpusQuestion = case.content
        return {
            **super().about(case),
            "id": question.id,
            "kind": question.kind,
            "question": question.question,
            "accepted": list(question.answers),
            "has_gold": bool(question.gold),
        }

    def answer(self, case: Case, lab: Lab) -> Row:
        question, folder = case.content, lab.settings.data / CORPUS_FOLDER
        if folder not in _CORPORA:  # indexed into the cache and opened once for all cases
            _CORPORA[folder] = Corpus.open(folder, settings=lab.session.settings)
        corpus = _CORPORA[folder]
        answer = lab.session.ask(question.question, corpus=corpus, method=case.arm)
        return {
            "answer": answer.answer,
            "candidate": answer.candidate,
            "verdict": answer.verdict.value,
            "certainty": answer.certainty,
            "reason": answer.reason,
            "found": is_found(question, answer),
            "outcome": outcome_of(question, answer, corpus),
            **evidence_of(question, answer, corpus),
            "calls": answer.usage.calls,
            "tokens": answer.usage.tokens,
            "seconds": answer.usage.seconds,
        }
