"""`ask` over our example corpus: 60 questions over 47 documents in nine formats.

A question is answered by one place, by two, by a comparison or a count; or no document answers it, or
documents contradict one another. "gold at 10" is the share of questions with all gold evidence among the
first ten retrieved passages, "gold in chain" the share with all of it in the chain. "found" is the share
whose answer, or candidate, is right, whatever the verdict.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from probative.bench.data.files import spread
from probative.bench.data.own import CORPUS_FOLDER, CorpusQuestion, is_within, places, read_corpus_questions
from probative.bench.findings import group_sentences
from probative.bench.metrics import is_accepted
from probative.bench.rows import FAILED, Row, groups_by, is_finished
from probative.bench.study import Case, Lab, Names, Settings, Study
from probative.bench.tables import SECONDS, TableSpec, average, has, kind_bars, share, shares
from probative.corpus.corpus import Corpus
from probative.scope.result import Answer

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


def _is_found(question: CorpusQuestion, answer: Answer) -> bool:
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
    if supported and not _is_found(question, answer):
        return "wrong and supported"
    if question.other_gold:
        if supported:
            return "one side"
        return "right" if _shows_both_sides(question, answer, corpus) else answer.verdict.value
    if supported or not question.answers:
        return "right"
    return answer.verdict.value


def _shows_both_sides(question: CorpusQuestion, answer: Answer, corpus: Corpus) -> bool:
    """Return whether the answer is contradicted, and a conflict quotes a gold sentence of each side."""
    if answer.verdict.value != "contradicted":
        return False
    sides = [
        {cited for cited in (conflict.citation, conflict.other_citation) if cited is not None}
        for conflict in answer.conflicts
        if conflict.blocking
    ]
    both = (places(corpus, question.gold), places(corpus, question.other_gold))
    return any(all(any(is_within(quote, cited) for quote in gold) for gold in both) for cited in sides)


def evidence_of(question: CorpusQuestion, answer: Answer, corpus: Corpus) -> Row:
    """Return whether all gold evidence is among the first ten passages retrieved, and in the chain."""
    gold = places(corpus, question.gold)
    chain = [piece.citation for piece in answer.chain if piece.citation is not None]
    return {
        "retrieved": all(is_within(quote, answer.retrieved[:10]) for quote in gold),
        "in_chain": all(is_within(quote, chain) for quote in gold),
    }


class CorpusQuestions(Study):
    """Asks each question with each method."""

    name = "corpus-questions"
    title = "Are questions over a folder of documents answered rightly, and is nothing wrong believed?"
    paper_reference = "results, questions over a corpus"
    limit_of = "questions, each of which is a case with every method"
    data = ("example-corpus",)
    gathers = False
    arms = Names("methods", METHODS, METHODS)
    verbs = frozenset({"generate", "judge"})
    calls_per_case = 15.0
    failure: ClassVar[Row] = {
        "answer": None,
        **dict.fromkeys(("verdict", "outcome"), FAILED),
        **dict.fromkeys(("found", "retrieved", "in_chain"), False),
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
            {
                **{cost: average(cost, of=is_finished) for cost in ("calls", "tokens")},
                SECONDS: average("seconds", of=is_finished),
            },
        ),
    )
    plots = (kind_bars("method"),)
    findings = (
        group_sentences(
            "method",
            "{line}: {0:count} of {0:n} outcomes are right; {1:count} answers are marked supported, "
            "{2:count} of them {2:is} wrong ({2:interval} of all questions).",
            has("outcome", "right"),
            has("verdict", "supported"),
            share(lambda row: row["verdict"] == "supported" and not row["found"]),
        ),
    )

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
            "found": _is_found(question, answer),
            "outcome": outcome_of(question, answer, corpus),
            **evidence_of(question, answer, corpus),
            "calls": answer.usage.calls,
            "tokens": answer.usage.tokens,
            "seconds": answer.usage.seconds,
        }
