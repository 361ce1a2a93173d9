"""`ask` over our example corpus: 60 questions over 47 documents in nine formats.

A question is answered by one place, by two, by a comparison or a count; or no document answers it, or
documents contradict one another. "gold at 10" is the share of questions with all gold evidence among the
first ten retrieved passages, "gold in chain" the share with all of it in the chain. "found" is the share
whose answer, or candidate, is right, whatever the verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from probative.bench.arguments import Names, check_known
from probative.bench.data.files import spread
from probative.bench.data.own import CORPUS_FOLDER, CorpusQuestion, is_within, places, read_corpus_questions
from probative.bench.experiment import Case, Lab, Settings
from probative.bench.metrics import is_accepted, wilson_interval
from probative.bench.report import Report, Table
from probative.bench.rows import FAILED, Row, counted_rows, is_finished
from probative.bench.study import Study
from probative.bench.tables import (
    Metric,
    Rows,
    average,
    build_table,
    groups_by,
    has,
    kind_plot,
    rows_of,
    share,
)
from probative.corpus.corpus import Corpus
from probative.scope.result import Answer
from probative.settings import Settings as ModelSettings

OUTCOMES = ("right", "wrong and supported", "one side", "insufficient", "contradicted")
METRICS: dict[str, Metric] = {
    "gold at 10": share("retrieved", of="has_gold"),
    "gold in chain": share("in_chain", of="has_gold"),
    "found": share("found", of="accepted"),
    **{outcome: has("outcome", outcome) for outcome in OUTCOMES},
    "supported and right": share("found", of=lambda row: row["verdict"] == "supported"),
}
COSTS = {cost: average(cost, of=is_finished) for cost in ("calls", "tokens", "seconds")}

METHODS = ("scope", "rag")
AT = 10
_CORPORA: dict[Path, Corpus] = {}


def question_table(rows: Rows, method: str) -> Table:
    """Return evidence and outcomes of a method, for all questions and by kind."""
    own = rows_of(rows, method=method)
    return build_table(
        f"Questions over the corpus, {method}",
        "questions, %",
        METRICS,
        [("all", own), *groups_by(own, "kind")],
        '"found" is of the questions that have an answer, "supported and right" of the answers marked '
        "supported. Where no document answers, giving no supported answer is right; where documents "
        "contradict one another, the verdict contradicted with both sides is right, and "
        '"one side" is an answer by the better source alone.',
    )


def believed(rows: Sequence[Row], method: str) -> str:
    """Return a sentence on what is right with a method, and on what is wrong and would be believed."""
    own = [row for row in rows if row["method"] == method]
    right = sum(row["outcome"] == "right" for row in own)
    supported = [row for row in own if row["verdict"] == "supported"]
    wrong = sum(not row["found"] for row in supported)
    low, high = wilson_interval(wrong, len(own))
    return (
        f"{method}: {right} of {len(own)} outcomes are right; {len(supported)} answers are marked supported, "
        f"{wrong} of them {'is' if wrong == 1 else 'are'} wrong ({low:.1f} to {high:.1f}% of all questions)."
    )


class CorpusQuestions(Study):
    """Asks each question with each method.

    The option `methods` names some of scope and rag, with commas between them.
    """

    name = "corpus-questions"
    title = "Are questions over a folder of documents answered rightly, and is nothing wrong believed?"
    shown_as = "results, questions over a corpus"
    limit_of = "questions, each of which is a case with every method"
    data = ("example-corpus",)
    arms = Names("methods", METHODS, METHODS)
    verbs = frozenset({"generate", "judge"})
    calls_per_case = 15.0
    failure: ClassVar[Row] = {
        "answer": None,
        "verdict": FAILED,
        "found": False,
        "outcome": FAILED,
        "retrieved": False,
        "in_chain": False,
    }

    def cases(self, settings: Settings) -> list[Case]:
        """Return `limit` questions, evenly spread, for each method."""
        check_known(settings, ("methods",))
        questions = spread(read_corpus_questions(settings.data), settings.limit)
        return [
            Case(f"{method}/{question.id}", (method, question))
            for method in self.arms.chosen(settings)
            for question in questions
        ]

    def about(self, case: Case) -> Row:
        method, question = case.content
        return {
            "method": method,
            "id": question.id,
            "kind": question.kind,
            "question": question.question,
            "accepted": list(question.answers),
            "has_gold": bool(question.gold),
        }

    def answer(self, case: Case, lab: Lab) -> Row:
        method, question = case.content
        corpus = _corpus(lab.settings.data / CORPUS_FOLDER, lab.session.settings)
        answer = lab.session.ask(question.question, corpus=corpus, method=method)
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

    def asked(self, case: Case) -> Any:
        return case.content[1]

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        good = counted_rows(rows)
        by_method = list(groups_by(good, "method"))
        costs = build_table("Cost of a question", "method", COSTS, by_method)
        return Report(
            tables=(*(question_table(good, method) for method, _ in by_method), costs),
            plots=(kind_plot(good, "method"),),
            findings=tuple(believed(good, method) for method, _ in by_method),
        )


def is_found(question: CorpusQuestion, answer: Answer) -> bool:
    """Return whether the answer, or the candidate that was not supported, is right."""
    text = answer.answer or answer.candidate
    return text is not None and bool(question.answers) and is_accepted(text, question.answers)


def outcome_of(question: CorpusQuestion, answer: Answer, corpus: Corpus) -> str:
    """Return which outcome an answer is.

    Right are: a supported answer that is accepted; no supported answer where no document answers; and, where
    documents contradict one another, the verdict `contradicted` with both sides shown. "one side" is a
    supported answer by the better source there, which leaves the other source out.
    """
    supported = answer.verdict.value == "supported" and answer.answer is not None
    if supported and not is_found(question, answer):
        return "wrong and supported"
    if question.other_gold:
        if supported:
            return "one side"
        return "right" if shows_both_sides(question, answer, corpus) else answer.verdict.value
    if supported or not question.answers:
        return "right"
    return answer.verdict.value


def shows_both_sides(question: CorpusQuestion, answer: Answer, corpus: Corpus) -> bool:
    """Return whether the answer is contradicted, and a conflict quotes a gold sentence of each side."""
    if answer.verdict.value != "contradicted":
        return False
    sides = [
        {cited for cited in (conflict.citation, conflict.other_citation) if cited is not None}
        for conflict in answer.conflicts
        if conflict.blocking
    ]
    gold, other = places(corpus, question.gold), places(corpus, question.other_gold)
    return any(
        any(is_within(place, cited) for place in gold) and any(is_within(place, cited) for place in other)
        for cited in sides
    )


def evidence_of(question: CorpusQuestion, answer: Answer, corpus: Corpus) -> Row:
    """Return whether all gold evidence is among the first passages retrieved, and whether it is in the
    chain.
    """
    gold = places(corpus, question.gold)
    chain = [piece.citation for piece in answer.chain if piece.citation is not None]
    return {
        "retrieved": all(is_within(place, answer.retrieved[:AT]) for place in gold),
        "in_chain": all(is_within(place, chain) for place in gold),
    }


def _corpus(folder: Path, settings: ModelSettings) -> Corpus:
    """Return the corpus, indexed into the cache and opened once for all cases."""
    if folder not in _CORPORA:
        _CORPORA[folder] = Corpus.open(folder, settings=settings)
    return _CORPORA[folder]
