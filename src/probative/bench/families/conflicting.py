"""Questions with true and false passages: what `ask` makes of them, in columns and sentences."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from probative.bench.data.questions import POISONED, ConflictCase, read_poisoned, read_rgb
from probative.bench.findings import joined
from probative.bench.report import Table
from probative.bench.rows import Row
from probative.bench.tables import Results, known_cells, share
from probative.session.session import Session

COLUMNS = (
    "contradicted",
    "true against false",
    "supported",
    "insufficient",
    "complete",
    "false one in chain",
    "fooled",
)
METRICS = {column: share(column) for column in COLUMNS}
# What a finding says of each kind of passages, and the column that shows it.
_SAID = {
    "true": ("with true passages alone a false alarm is raised", "contradicted"),
    "true and false": ("with true and false passages a contradiction is noticed", "contradicted"),
    "false": ("with false passages alone a false answer is called supported", "fooled"),
}


def passage_findings(results: Results) -> Iterator[str]:
    """Yield what was noticed with each kind of passages, by method if there are several."""
    for table in results.tables:
        for said in passage_sentences(table):
            yield f"{table.title}: {said}." if len(results.tables) > 1 else f"{said[0].upper()}{said[1:]}."


def passage_sentences(table: Table) -> Iterator[str]:
    """Yield a sentence for each kind of passages, with its figure on each set."""
    for kind, (said, column) in _SAID.items():
        texts = [
            f"{cell.value:.1f}% of {cell.n} ({row.partition(', ')[0]})"
            for row, (cell,) in known_cells(table, column)
            if row.partition(", ")[2] == kind
        ]
        if texts:
            yield f"{said} for {joined(texts)}"


def sets_of_passages(data: Path) -> dict[str, list[ConflictCase]]:
    """Return the questions with their passages, by the name of the row in the table."""
    both = read_rgb(data / "rgb/en_fact.json")
    sets = {
        "RGB, true": [case._replace(false=()) for case in both],
        "RGB, true and false": both,
        "RGB, false": [case._replace(true=()) for case in both],
    }
    return sets | {f"{name}, false": read_poisoned(data / f"poisonedrag/{name}.json") for name in POISONED}


def noticed(session: Session, case: ConflictCase, arguments: dict[str, Any]) -> Row:
    """Ask a question, and return for each column of the table whether it is so."""
    answer = session.ask(case.question, (*case.true, *case.false), **arguments)
    first_false = len(case.true)
    has_false = any(passage.index >= first_false for passage in answer.chain)
    verdict = answer.verdict.value
    opposed = any(
        (conflict.index < first_false) != (conflict.other < first_false) for conflict in answer.conflicts
    )
    verdicts = [verdict == wanted for wanted in ("contradicted", "supported", "insufficient")]
    fooled = has_false and verdict == "supported"
    values = (verdicts[0], opposed, *verdicts[1:], answer.complete, has_false, fooled)
    return dict(zip(COLUMNS, values, strict=True))
