"""Tables of the experiment `own`, made from its rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from probative.bench.experiments.ours.shares import groups_by, share_table
from probative.bench.metrics import wilson_interval
from probative.bench.report import Table, TableRow
from probative.bench.rows import Row
from probative.bench.statistics import percent_cell

OUTCOMES = ("right", "wrong and supported", "insufficient", "contradicted")
VERDICTS = ("supported", "contradicted", "insufficient")


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


def verdict_table(rows: Sequence[Row]) -> Table:
    """Return how often the verdicts on all claims are right, and how often a wrong one would be believed."""
    body = []
    for part, mine in groups_by(rows, "part"):
        decided = [row for row in mine if row["gold"]]
        body.append(
            TableRow(
                name=part,
                cells=(
                    percent_cell([float(row["verdict"] == row["label"]) for row in mine]),
                    percent_cell([float(is_believed(row)) for row in mine]),
                    percent_cell([float(bool(set(row["cited"]) & set(row["gold"]))) for row in decided]),
                ),
            )
        )
    return Table(
        title="Verdicts on our claims",
        corner="verb, %",
        columns=("right verdict", "wrong and supported", "a gold sentence cited"),
        rows=tuple(body),
    )


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
