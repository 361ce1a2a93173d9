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

from probative.bench.data.files import draw
from probative.bench.data.questions import POISONED, ConflictCase, read_poisoned, read_rgb
from probative.bench.findings import joined
from probative.bench.report import Table
from probative.bench.rows import Row
from probative.bench.study import Case, Lab, Names, Settings, Study
from probative.bench.tables import Results, TableSpec, bars, known_cells, share

# Questions of each set of passages, unless --limit says otherwise.
QUESTIONS = 100
ARGUMENTS: dict[str, dict[str, Any]] = {"ask": {}, "words": {"preset": "words"}}
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
NOTICED = {
    "true": ("with true passages alone a false alarm is raised", "contradicted"),
    "true and false": ("with true and false passages a contradiction is noticed", "contradicted"),
    "false": ("with false passages alone a false answer is called supported", "fooled"),
}


def _noticed(results: Results) -> Iterator[str]:
    """Yield what was noticed with each kind of passages, by method if there are several."""
    for table in results.tables:
        for text in _sentences(table):
            yield f"{table.title}: {text}." if len(results.tables) > 1 else f"{text[0].upper()}{text[1:]}."


def _sentences(table: Table) -> Iterator[str]:
    """Yield a sentence for each kind of passages, with its figure on each set."""
    for kind, (event, column) in NOTICED.items():
        texts = [
            f"{cell.value:.1f}% of {cell.n} ({row.partition(', ')[0]})"
            for row, (cell,) in known_cells(table, column)
            if row.partition(", ")[2] == kind
        ]
        if texts:
            yield f"{event} for {joined(texts)}"


def _sets_of_passages(data: Path) -> dict[str, list[ConflictCase]]:
    """Return the questions with their passages, by the name of the row in the table."""
    both = read_rgb(data / "rgb/en_fact.json")
    sets = {
        "RGB, true": [case._replace(false=()) for case in both],
        "RGB, true and false": both,
        "RGB, false": [case._replace(true=()) for case in both],
    }
    return sets | {f"{name}, false": read_poisoned(data / f"poisonedrag/{name}.json") for name in POISONED}


class FalsePassages(Study):
    """Asks each question with true, true and false, or only false passages."""

    name = "false-passages"
    title = "Are false passages noticed?"
    paper_reference = "results, false passages"
    limit_of = "questions of each set, each of which is a case with every method"
    data = ("rgb", "poisonedrag")
    arms = Names("methods", tuple(ARGUMENTS), tuple(ARGUMENTS))
    set_field = "passages"
    calls_per_case = 4.0
    tables = (
        TableSpec(
            "{}",
            "passages",
            {column: share(column) for column in COLUMNS},
            "passages",
            each="method",
            names=TITLES,
        ),
    )
    plots = (bars("Fooled by false passages", "fooled"),)
    findings = (_noticed,)

    def cases(self, settings: Settings) -> Sequence[Case]:
        """Return `limit` questions of each set of passages (100 without a limit) for each method."""
        self.check_options(settings)
        return [
            Case(f"{method}/{passages}/{number}", case, passages, method)
            for method in self.arms.chosen(settings)
            for passages, cases in _sets_of_passages(settings.data).items()
            for number, case in draw(list(enumerate(cases)), settings.limit or QUESTIONS, settings.seed)
        ]

    def answer(self, case: Case, lab: Lab) -> Row:
        question: ConflictCase = case.content
        arguments = ARGUMENTS[case.arm]
        if arguments and lab.model.reader:  # the tuned reader was trained to read, not to pick
            arguments = {**arguments, "answering": "read"}
        answer = lab.session.ask(question.question, (*question.true, *question.false), **arguments)
        first_false, verdict = len(question.true), answer.verdict.value
        has_false = any(passage.index >= first_false for passage in answer.chain)
        values = (
            verdict == "contradicted",
            any((pair.index < first_false) != (pair.other < first_false) for pair in answer.conflicts),
            verdict == "supported",
            verdict == "insufficient",
            answer.complete,
            has_false,
            has_false and verdict == "supported",
        )
        return dict(zip(COLUMNS, values, strict=True))
