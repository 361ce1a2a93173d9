"""How often false passages are noticed.

RGB has true passages for each question, and the same passages with a false answer. With the true ones alone,
"contradicted" is a false alarm; with both it is right, and "true against false" is the share of questions in
which a true and a false passage are named as a conflict. PoisonedRAG has only false passages, which agree
with each other: nothing contradicts them. "fooled" is the share supported by a chain with a false passage.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from probative.bench.arguments import Names, check_known
from probative.bench.data.files import draw
from probative.bench.data.questions import POISONED, ConflictCase, read_poisoned, read_rgb
from probative.bench.experiment import Case, Lab, Settings
from probative.bench.findings import joined
from probative.bench.report import Report, Table
from probative.bench.rows import Row, counted_rows
from probative.bench.study import Study
from probative.bench.tables import build_table, groups_by, known_cells, rows_of, share, table_bars
from probative.session.session import Session

# Questions of each set of passages, unless --limit says otherwise.
QUESTIONS = 100
METHODS: dict[str, dict[str, Any]] = {"ask": {}, "words": {"preset": "words"}}
TITLES = {"ask": "ask as it comes for the studied model", "words": "Passages chosen by words"}
COLUMNS = (
    "contradicted",
    "true against false",
    "supported",
    "insufficient",
    "complete",
    "false one in chain",
    "fooled",
)

# What a finding says of each kind of passages, and the column that shows it.
_SAID = {
    "true": ("with true passages alone a false alarm is raised", "contradicted"),
    "true and false": ("with true and false passages a contradiction is noticed", "contradicted"),
    "false": ("with false passages alone a false answer is called supported", "fooled"),
}


class FalsePassages(Study):
    """Asks each question with true, true and false, or only false passages.

    The option `methods` names ask, words or both, with a comma between them.
    """

    name = "false-passages"
    title = "Are false passages noticed?"
    shown_as = "results, false passages"
    limit_of = "questions of each set, each of which is a case with every method"
    data = ("rgb", "poisonedrag")
    arms = Names("methods", tuple(METHODS), tuple(METHODS))
    calls_per_case = 4.0

    def cases(self, settings: Settings) -> list[Case]:
        """Return `limit` questions of each set of passages (100 without a limit) for each method."""
        check_known(settings, ("methods",))
        return [
            Case(f"{method}/{passages}/{number}", (method, passages, case))
            for method in self.arms.chosen(settings)
            for passages, cases in sets_of_passages(settings.data).items()
            for number, case in draw(list(enumerate(cases)), settings.limit or QUESTIONS, settings.seed)
        ]

    def about(self, case: Case) -> Row:
        method, passages, _ = case.content
        return {"method": method, "passages": passages}

    def answer(self, case: Case, lab: Lab) -> Row:
        method, _, asked = case.content
        arguments = dict(METHODS[method])
        if method == "words" and lab.model.reader:
            arguments["answering"] = "read"  # the tuned reader was trained to read, not to pick
        return noticed(lab.session, asked, arguments)

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        good = counted_rows(rows)
        metrics = {column: share(column) for column in COLUMNS}
        tables = tuple(
            build_table(
                TITLES[method], "passages", metrics, groups_by(rows_of(good, method=method), "passages")
            )
            for method in self.arms.chosen(settings)
        )
        return Report(
            tables=tables,
            plots=table_bars("Fooled by false passages", tables, "fooled"),
            findings=tuple(
                f"{table.title}: {said}." if len(tables) > 1 else f"{said[0].upper()}{said[1:]}."
                for table in tables
                for said in _noticed(table)
            ),
        )


def _noticed(table: Table) -> Iterator[str]:
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
    values = (
        verdict == "contradicted",
        opposed,
        verdict == "supported",
        verdict == "insufficient",
        answer.complete,
        has_false,
        has_false and verdict == "supported",
    )
    return dict(zip(COLUMNS, values, strict=True))
