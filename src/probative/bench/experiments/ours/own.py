"""The verbs on our own documents in six genres, which nothing was trained on.

Each of 60 questions is asked over its whole document, and over all documents of its genre in chunks of three
sentences. Each of 40 claims is judged, and proved, with the sentences of its document.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from probative.bench.data.drawing import spread
from probative.bench.data.own import (
    OwnClaim,
    OwnDocument,
    OwnQuestion,
    chunks,
    is_accepted,
    read_claims,
    read_documents,
    read_questions,
    whole,
)
from probative.bench.experiment import Case, Experiment, Lab, Settings
from probative.bench.experiments.ours.own_tables import (
    answer_table,
    believed,
    claim_table,
    verdict_table,
)
from probative.bench.experiments.ours.shares import kind_plot
from probative.bench.report import Report
from probative.bench.rows import FAILED, Row, counted_rows
from probative.errors import InputError

ASKED = ("documents", "chunks")
CLAIMED = ("judge", "prove")
PARTS = (*ASKED, *CLAIMED)


@dataclass(frozen=True)
class OwnCase:
    """A question or claim, its document, and how it is put: over documents or chunks, judged or proved."""

    part: str
    content: OwnQuestion | OwnClaim
    document: OwnDocument


class Own(Experiment):
    """What `ask`, `judge` and `prove` get right on texts as users have them.

    The option "parts" names some of documents, chunks, judge and prove.
    """

    name = "own"
    title = "Are answers and verdicts on everyday documents right, and is nothing wrong believed?"
    paper = "ours"
    shown_as = "results, our own documents"
    limit_of = "questions or claims of each part"
    data = ()
    verbs = frozenset({"generate", "judge"})
    calls_per_case = 10.0

    def option_names(self) -> tuple[str, ...]:
        return ("parts",)

    def cases(self, settings: Settings) -> list[Case]:
        """Return `limit` questions or claims of each part, evenly spread."""
        documents = read_documents()
        contents: dict[str, Sequence[OwnQuestion | OwnClaim]] = {
            **dict.fromkeys(ASKED, read_questions()),
            **dict.fromkeys(CLAIMED, read_claims()),
        }
        return [
            Case(f"{part}/{content.id}", OwnCase(part, content, documents[content.document]))
            for part in parts_in(settings)
            for content in spread(contents[part], settings.limit)
        ]

    def run(self, case: Case, lab: Lab) -> Row:
        own: OwnCase = case.content
        row = {"part": own.part, "genre": own.document.genre, "id": own.content.id}
        return {**row, **_RUNS[own.part](own, lab)}

    def wrong(self, case: Case) -> Row:
        own: OwnCase = case.content
        row = {"part": own.part, "genre": own.document.genre, "id": own.content.id, "verdict": FAILED}
        if isinstance(own.content, OwnQuestion):
            asked = {"kind": own.content.kind, "accepted": list(own.content.answers), "outcome": FAILED}
            return {**row, **asked}
        return {**row, **_claimed(own.content), "cited": []}

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        good = counted_rows(rows)
        asked, claimed = ([row for row in good if row["part"] in parts] for parts in (ASKED, CLAIMED))
        tables = [answer_table(asked)] if asked else []
        tables += [verdict_table(claimed), claim_table(claimed)] if claimed else []
        return Report(
            tables=tuple(tables),
            plots=(kind_plot(asked, "part"),) if asked else (),
            findings=tuple(
                believed(good, part) for part in PARTS if any(row["part"] == part for row in good)
            ),
        )


def parts_in(settings: Settings) -> list[str]:
    """Return the parts that the option "parts" names, or all; raises `InputError` for an unknown one."""
    names = [name.strip() for name in str(settings.option("parts", ",".join(PARTS))).split(",")]
    for name in names:
        if name not in PARTS:
            raise InputError(f"there is no part {name!r}", hint=f"use some of {', '.join(PARTS)}")
    return names


def outcome_of(question: OwnQuestion, answer: str | None, verdict: str) -> str:
    """Return which outcome an answer is; silence about an unanswerable question is right.

    "wrong and supported" is what a user would believe and should not: a wrong answer, or any answer to a
    question that the documents do not answer, with the verdict `supported`.
    """
    if verdict == "supported" and answer is not None:
        return (
            "right" if question.answers and is_accepted(answer, question.answers) else "wrong and supported"
        )
    if not question.answers:
        return "right"
    return "contradicted" if verdict == "contradicted" else "insufficient"


def _asked(own: OwnCase, lab: Lab) -> Row:
    question = own.content
    assert isinstance(question, OwnQuestion)
    over_chunks = own.part == "chunks"
    passages = chunks(read_documents(), own.document.genre) if over_chunks else whole(own.document)
    answer = lab.session.ask(question.question, passages)
    return {
        "kind": question.kind,
        "question": question.question,
        "accepted": list(question.answers),
        "answer": answer.answer,
        "verdict": answer.verdict.value,
        "answerable": answer.answerable,
        "missing": list(answer.missing),
        "tokens": answer.usage.tokens,
        "outcome": outcome_of(question, answer.answer, answer.verdict.value),
    }


def _judged(own: OwnCase, lab: Lab) -> Row:
    claim = own.content
    assert isinstance(claim, OwnClaim)
    judgement = lab.session.judge(claim.claim, list(own.document.sentences))
    return {
        **_claimed(claim),
        "verdict": judgement.verdict.value,
        "cited": list(judgement.deciding),
        "probability": judgement.probabilities.of(judgement.verdict),
        "tokens": judgement.usage.tokens,
    }


def _proved(own: OwnCase, lab: Lab) -> Row:
    claim = own.content
    assert isinstance(claim, OwnClaim)
    proof = lab.session.prove(claim.claim, list(own.document.sentences), verdict=True)
    return {
        **_claimed(claim),
        "verdict": str(getattr(proof.verdict, "value", proof.verdict)),
        "cited": list(proof.indexes),
        "tokens": proof.usage.tokens,
    }


def _claimed(claim: OwnClaim) -> Row:
    return {"claim": claim.claim, "gold": list(claim.gold), "label": claim.verdict}


_RUNS: dict[str, Callable[[OwnCase, Lab], Row]] = {
    "documents": _asked,
    "chunks": _asked,
    "judge": _judged,
    "prove": _proved,
}
