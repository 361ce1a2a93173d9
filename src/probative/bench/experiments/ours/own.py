"""The verbs on our own documents in six genres, which nothing was trained on.

Each of 60 questions is asked over its whole document, and over all documents of its genre in chunks of three
sentences. Each of 40 claims is judged, and proved, with the sentences of its document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from probative.bench.data.files import spread
from probative.bench.data.own import (
    OwnClaim,
    OwnDocument,
    OwnQuestion,
    chunks,
    read_documents,
    read_own_claims,
    read_own_questions,
    whole,
)
from probative.bench.experiment import Case, Lab, Settings
from probative.bench.metrics import is_accepted, wilson_interval
from probative.bench.report import Report, Table
from probative.bench.rows import FAILED, Row, counted_rows
from probative.bench.study import Study
from probative.bench.tables import Metric, build_table, groups_by, kind_plot, rows_of, share, share_table
from probative.errors import InputError

OUTCOMES = ("right", "wrong and supported", "insufficient", "contradicted")
VERDICTS = ("supported", "contradicted", "insufficient")

ASKED = ("documents", "chunks")
CLAIMED = ("judge", "prove")
PARTS = (*ASKED, *CLAIMED)


def answer_table(rows: Sequence[Row]) -> Table:
    """Return the outcomes of the questions by part, answerability, genre and kind."""
    return share_table(
        "Answers to our questions",
        "questions, %",
        [(name, own) for name, own in _groups(rows) if own],
        OUTCOMES,
        note="Where the documents do not answer a question, giving no answer is right.",
    )


def _groups(rows: Sequence[Row]) -> Iterator[tuple[str, list[Row]]]:
    """Yield the groups of rows that the table has lines for, by name."""
    for part, mine in groups_by(rows, "part"):
        yield f"{part}, all", mine
        yield f"{part}, answerable", [row for row in mine if row["accepted"]]
        yield f"{part}, unanswerable", [row for row in mine if not row["accepted"]]
        for field in ("genre", "kind"):
            for value, own in groups_by(mine, field):
                yield f"{part}, {field} {value}", own


def claim_table(rows: Sequence[Row]) -> Table:
    """Return how often each verdict was given to the claims of each label."""
    groups = [
        (f"{part}, {label}", [row for row in mine if row["label"] == label])
        for part, mine in groups_by(rows, "part")
        for label in VERDICTS
    ]
    return share_table("Verdicts by the right verdict", "verb, right verdict, %", groups, VERDICTS, "verdict")


def is_believed(row: Row) -> bool:
    """Return whether a user would wrongly believe the answer or the claim of a row."""
    if "outcome" in row:
        return bool(row["outcome"] == "wrong and supported")
    return bool(row["verdict"] == "supported" != row["label"])


def is_right(row: Row) -> bool:
    """Return whether the outcome of a question, or the verdict on a claim, is right."""
    return bool(row["outcome"] == "right" if "outcome" in row else row["verdict"] == row["label"])


def believed(rows: Sequence[Row], part: str) -> str:
    """Return a sentence on what is right in a part, and on what is wrong and would be believed."""
    mine = [row for row in rows if row["part"] == part]
    wrong = sum(map(is_believed, mine))
    right = sum(is_right(row) for row in mine)
    low, high = wilson_interval(wrong, len(mine))
    return (
        f"{part}: {right} of {len(mine)} {'answers' if 'outcome' in mine[0] else 'verdicts'} are right; "
        f"{wrong} {'is' if wrong == 1 else 'are'} wrong and marked supported ({low:.1f} to {high:.1f}%)."
    )


@dataclass(frozen=True)
class OwnCase:
    """A question or claim, its document, and how it is put: over documents or chunks, judged or proved."""

    part: str
    content: OwnQuestion | OwnClaim
    document: OwnDocument


CLAIM_METRICS: dict[str, Metric] = {
    "right verdict": share(lambda row: row["verdict"] == row["label"]),
    "wrong and supported": share(is_believed),
    "a gold sentence cited": share(lambda row: bool(set(row["cited"]) & set(row["gold"])), of="gold"),
}


class Own(Study):
    """What `ask`, `judge` and `prove` get right on texts as users have them.

    The option "parts" names some of documents, chunks, judge and prove.
    """

    name = "own"
    title = "Are answers and verdicts on everyday documents right, and is nothing wrong believed?"
    shown_as = "results, our own documents"
    limit_of = "questions or claims of each part"
    data = ()
    verbs = frozenset({"generate", "judge"})
    calls_per_case = 10.0
    options = ("parts",)

    def cases(self, settings: Settings) -> list[Case]:
        """Return `limit` questions or claims of each part, evenly spread."""
        documents = read_documents()
        contents: dict[str, Sequence[OwnQuestion | OwnClaim]] = {
            **dict.fromkeys(ASKED, read_own_questions()),
            **dict.fromkeys(CLAIMED, read_own_claims()),
        }
        return [
            Case(f"{part}/{content.id}", OwnCase(part, content, documents[content.document]))
            for part in parts_in(settings)
            for content in spread(contents[part], settings.limit)
        ]

    def about(self, case: Case) -> Row:
        own: OwnCase = case.content
        return {"part": own.part, "genre": own.document.genre, "id": own.content.id}

    def answer(self, case: Case, lab: Lab) -> Row:
        own: OwnCase = case.content
        return _RUNS[own.part](own, lab)

    def wrong(self, case: Case) -> Row:
        content = case.content.content
        if isinstance(content, OwnQuestion):
            known = {"kind": content.kind, "accepted": list(content.answers), "outcome": FAILED}
        else:
            known = {**_claimed(content), "cited": []}
        return {**self.about(case), "verdict": FAILED, **known}

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        good = counted_rows(rows)
        asked, claimed = ([row for row in good if row["part"] in parts] for parts in (ASKED, CLAIMED))
        tables = [answer_table(asked)] if asked else []
        if claimed:
            by_part = groups_by(claimed, "part")
            tables += [build_table("Verdicts on our claims", "verb, %", CLAIM_METRICS, by_part)]
            tables += [claim_table(claimed)]
        return Report(
            tables=tuple(tables),
            plots=(kind_plot(asked, "part"),) if asked else (),
            findings=tuple(believed(good, part) for part in PARTS if rows_of(good, part=part)),
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
