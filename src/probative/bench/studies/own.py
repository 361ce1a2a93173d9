"""The verbs on our own documents in six genres, which nothing was trained on.

Each of 60 questions is asked over its whole document, and over all documents of its genre in chunks of three
sentences. Each of 40 claims is judged, and proved, with the sentences of its document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from probative.bench.data import own
from probative.bench.data.files import spread
from probative.bench.data.own import OwnClaim, OwnQuestion
from probative.bench.metrics import is_accepted, wilson_interval
from probative.bench.rows import FAILED, Groups, Row, Rows, groups_by, rows_of
from probative.bench.study import Case, Lab, Names, Settings, Study
from probative.bench.tables import Results, TableSpec, kind_bars, share, shares

OUTCOMES = ("right", "wrong and supported", "insufficient", "contradicted")
VERDICTS = ("supported", "contradicted", "insufficient")
# Questions over documents or chunks; claims that are judged or proved.
PARTS = ("documents", "chunks", "judge", "prove")


def _is_asked(row: Row) -> bool:
    return "outcome" in row


def _is_believed(row: Row) -> bool:
    """Return whether a user would wrongly believe the answer or the claim of a row."""
    if _is_asked(row):
        return bool(row["outcome"] == "wrong and supported")
    return bool(row["verdict"] == "supported" != row["label"])


def _is_right(row: Row) -> bool:
    """Return whether the outcome of a question, or the verdict on a claim, is right."""
    return bool(row["outcome"] == "right" if _is_asked(row) else row["verdict"] == row["label"])


def _by_part_and_kind(rows: Rows) -> Groups:
    """Yield the questions of each part by answerability, genre and kind, where there are any."""
    for part, asked in groups_by(rows, "part"):
        yield f"{part}, all", asked
        for name, answerable in (("answerable", True), ("unanswerable", False)):
            if some := [row for row in asked if bool(row["accepted"]) is answerable]:
                yield f"{part}, {name}", some
        for field in ("genre", "kind"):
            for value, some in groups_by(asked, field):
                yield f"{part}, {field} {value}", some


def _by_label(rows: Rows) -> Groups:
    """Yield the claims of each part by their right verdict."""
    for part, claims in groups_by(rows, "part"):
        for label in VERDICTS:
            yield f"{part}, {label}", rows_of(claims, label=label)


def _believed(results: Results) -> Iterator[str]:
    """Yield a sentence on what is right in each part, and on what is wrong and would be believed."""
    for part in PARTS:
        if rows := rows_of(results.rows, part=part):
            wrong, right = sum(map(_is_believed, rows)), sum(map(_is_right, rows))
            low, high = wilson_interval(wrong, len(rows))
            given = "answers" if _is_asked(rows[0]) else "verdicts"
            yield (
                f"{part}: {right} of {len(rows)} {given} are right; "
                f"{wrong} {'is' if wrong == 1 else 'are'} wrong and marked supported "
                f"({low:.1f} to {high:.1f}%)."
            )


def outcome_of(question: OwnQuestion, answer: str | None, verdict: str) -> str:
    """Return which outcome an answer is; silence about an unanswerable question is right.

    "wrong and supported" is what a user would believe and should not: a wrong answer, or any answer to a
    question that the documents do not answer, with the verdict `supported`.
    """
    if verdict == "supported" and answer is not None:
        right = question.answers and is_accepted(answer, question.answers)
        return "right" if right else "wrong and supported"
    if not question.answers:
        return "right"
    return "contradicted" if verdict == "contradicted" else "insufficient"


class Own(Study):
    """What `ask`, `judge` and `prove` get right on texts as users have them."""

    name = "own"
    title = "Are answers and verdicts on everyday documents right, and is nothing wrong believed?"
    paper_reference = "results, our own documents"
    limit_of = "questions or claims of each part"
    sets = Names("parts", PARTS, PARTS)
    set_field = "part"
    verbs = frozenset({"generate", "judge"})
    calls_per_case = 10.0
    tables = (
        TableSpec(
            "Answers to our questions",
            "questions, %",
            shares("outcome", OUTCOMES),
            _by_part_and_kind,
            where=_is_asked,
            note="Where the documents do not answer a question, giving no answer is right.",
        ),
        TableSpec(
            "Verdicts on our claims",
            "verb, %",
            {
                "right verdict": share(_is_right),
                "wrong and supported": share(_is_believed),
                "a gold sentence cited": share(lambda row: bool({*row["cited"]} & {*row["gold"]}), of="gold"),
            },
            "part",
            where=lambda row: not _is_asked(row),
        ),
        TableSpec(
            "Verdicts by the right verdict",
            "verb, right verdict, %",
            shares("verdict", VERDICTS),
            _by_label,
            where=lambda row: not _is_asked(row),
        ),
    )
    plots = (kind_bars("part"),)
    findings = (_believed,)

    def items(self, settings: Settings, name: str) -> Sequence[OwnQuestion | OwnClaim]:
        items: Sequence[OwnQuestion | OwnClaim]
        items = own.read_own_questions() if name in ("documents", "chunks") else own.read_own_claims()
        return spread(items, settings.limit)

    def about(self, case: Case) -> Row:
        item = case.content
        row = {**super().about(case), "genre": own.read_documents()[item.document].genre, "id": item.id}
        if isinstance(item, OwnQuestion):
            return {**row, "kind": item.kind, "question": item.question, "accepted": list(item.answers)}
        return {**row, "claim": item.claim, "gold": list(item.gold), "label": item.verdict}

    def wrong(self, case: Case) -> Row:
        asked = isinstance(case.content, OwnQuestion)
        return {**self.about(case), "verdict": FAILED, **({"outcome": FAILED} if asked else {"cited": []})}

    def answer(self, case: Case, lab: Lab) -> Row:
        item, documents = case.content, own.read_documents()
        document = documents[item.document]
        if isinstance(item, OwnQuestion):
            over_chunks = case.set == "chunks"
            passages = own.chunks(documents, document.genre) if over_chunks else own.whole(document)
            answer = lab.session.ask(item.question, passages)
            return {
                "answer": answer.answer,
                "verdict": answer.verdict.value,
                "answerable": answer.answerable,
                "missing": list(answer.missing),
                "tokens": answer.usage.tokens,
                "outcome": outcome_of(item, answer.answer, answer.verdict.value),
            }
        if case.set == "judge":
            judged = lab.session.judge(item.claim, list(document.sentences))
            return {
                "verdict": judged.verdict.value,
                "cited": list(judged.deciding),
                "probability": judged.probabilities.of(judged.verdict),
                "tokens": judged.usage.tokens,
            }
        proof = lab.session.prove(item.claim, list(document.sentences), verdict=True)
        return {
            "verdict": str(getattr(proof.verdict, "value", proof.verdict)),
            "cited": list(proof.indexes),
            "tokens": proof.usage.tokens,
        }
