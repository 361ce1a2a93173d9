"""Answers and verdicts on our own documents: what is right, and what is wrongly believed."""

from __future__ import annotations

from collections.abc import Iterator

from probative.bench.data.own import OwnQuestion
from probative.bench.metrics import is_accepted, wilson_interval
from probative.bench.rows import Groups, Row, Rows, groups_by, rows_of
from probative.bench.tables import Results

OUTCOMES = ("right", "wrong and supported", "insufficient", "contradicted")
VERDICTS = ("supported", "contradicted", "insufficient")
# Questions over documents or chunks; claims that are judged or proved.
PARTS = ("documents", "chunks", "judge", "prove")


def is_asked(row: Row) -> bool:
    """Return whether a row is of a question."""
    return "outcome" in row


def is_claim(row: Row) -> bool:
    """Return whether a row is of a claim."""
    return "outcome" not in row


def is_believed(row: Row) -> bool:
    """Return whether a user would wrongly believe the answer or the claim of a row."""
    if is_asked(row):
        return bool(row["outcome"] == "wrong and supported")
    return bool(row["verdict"] == "supported" != row["label"])


def is_right(row: Row) -> bool:
    """Return whether the outcome of a question, or the verdict on a claim, is right."""
    return bool(row["outcome"] == "right" if is_asked(row) else row["verdict"] == row["label"])


def cites_gold(row: Row) -> bool:
    """Return whether a gold sentence is cited."""
    return not set(row["cited"]).isdisjoint(row["gold"])


def by_part_and_kind(rows: Rows) -> Groups:
    """Yield the questions of each part by answerability, genre and kind, where there are any."""
    for part, mine in groups_by(rows, "part"):
        yield f"{part}, all", mine
        for name, wanted in (("answerable", True), ("unanswerable", False)):
            if some := [row for row in mine if bool(row["accepted"]) is wanted]:
                yield f"{part}, {name}", some
        for field in ("genre", "kind"):
            for value, some in groups_by(mine, field):
                yield f"{part}, {field} {value}", some


def by_label(rows: Rows) -> Groups:
    """Yield the claims of each part by their right verdict."""
    for part, mine in groups_by(rows, "part"):
        for label in VERDICTS:
            yield f"{part}, {label}", rows_of(mine, label=label)


def believed(results: Results) -> Iterator[str]:
    """Yield a sentence on what is right in each part, and on what is wrong and would be believed."""
    for part in PARTS:
        if mine := rows_of(results.rows, part=part):
            wrong, right = sum(map(is_believed, mine)), sum(map(is_right, mine))
            low, high = wilson_interval(wrong, len(mine))
            given = "answers" if is_asked(mine[0]) else "verdicts"
            yield (
                f"{part}: {right} of {len(mine)} {given} are right; "
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
