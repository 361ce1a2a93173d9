"""How often false passages are noticed, and how many of them it takes to make a false answer supported.

RGB has true passages for each question, and the same passages with a false answer. With the true ones alone,
"contradicted" is a false alarm; with both it is right, and "true against false" is the share of questions in
which a true and a false passage are named as a conflict. PoisonedRAG has only false passages, which agree
with each other: nothing contradicts them. "fooled" is the share supported by a chain with a false passage.

`false-sources` asks each question with some true and some false passages, for each number of sources that
must state the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from probative.bench.data import own
from probative.bench.data.files import draw
from probative.bench.data.questions import (
    POISONED,
    ConflictCase,
    read_half_poisoned,
    read_poisoned,
    read_rgb,
)
from probative.bench.findings import joined
from probative.bench.metrics import is_accepted
from probative.bench.report import Table
from probative.bench.rows import Groups, Row, Rows, groups_by
from probative.bench.study import Case, Lab, Names, Settings, Study
from probative.bench.tables import Metrics, Results, TableSpec, bars, known_cells, share
from probative.types import Verdict

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


# How many sources must state the answer, and how many false passages there are.
MIN_SOURCES = ("1", "2", "3")
FALSE = (1, 2, 3)
FALSE_OF_POISONED = (1, 2)


class Liars(NamedTuple):
    """A question with its passages, the last `n_false` of which are false."""

    question: str
    passages: tuple[str, ...]
    n_false: int
    answers: tuple[str, ...]


def _with(cases: Sequence[ConflictCase], n_true: int, n_false: int) -> list[Liars]:
    """Return the questions with enough passages of both kinds: the first true ones, and the last false ones.
    The false passages of RGB are its true ones with another answer, in the same order.
    """
    return [
        Liars(case.question, (*case.true[:n_true], *case.false[-n_false:]), n_false, case.answers)
        for case in cases
        if len(case.true) >= n_true and len(case.false) >= n_false
    ]


def _sets_of_sources(data: Path) -> dict[str, list[Liars]]:
    """Return the questions with their passages, by the name of the row in the tables."""
    rgb = read_rgb(data / "rgb/en_fact.json")
    poisoned = read_half_poisoned(data, own.FOLDER / "true_passages.jsonl")
    sets = {f"RGB, 1 true, {n} false": _with(rgb, 1, n) for n in FALSE}
    sets |= {f"RGB, {n + 1} true, {n} false": _with(rgb, n + 1, n) for n in FALSE}
    return sets | {f"PoisonedRAG, 3 true, {n} false": _with(poisoned, 3, n) for n in FALSE_OF_POISONED}


def _by_liars(rows: Rows) -> Groups:
    """Yield the rows of each number of sources that must agree, by whether fewer sources are false."""
    for needed, some in groups_by(rows, "min_sources"):
        for fewer, group in groups_by(some, "fewer"):
            yield f"{needed}; {fewer}", group


def _wrong_by_liars(results: Results) -> Iterator[str]:
    for table in results.tables[:1]:
        for line, (cell,) in known_cells(table, "wrong and supported"):
            yield f"min_sources={line}: {cell.value:.1f}% of {cell.n} get a wrong answer that is supported."


BELIEVED: Metrics = {
    "wrong and supported": share("wrong"),
    "right and supported": share("right"),
    "answers lost": share(lambda row: row["before"] and not row["right"]),
    "contradicted": share("contradicted"),
    "insufficient": share("insufficient"),
}


class FalseSources(Study):
    """Asks each question with true and false passages, each a source, and counts what is believed."""

    name = "false-sources"
    title = "How many sources must lie?"
    paper_reference = "results, false sources"
    limit_of = "questions of each set, each of which is a case with every number of sources"
    data = ("rgb", "poisonedrag")
    arms = Names("min_sources", MIN_SOURCES, MIN_SOURCES)
    set_field = "passages"
    calls_per_case = 8.0
    tables = (
        TableSpec("By how many lie", "min_sources; false sources", BELIEVED, _by_liars),
        TableSpec("min_sources={}", "passages", BELIEVED, "passages", each="min_sources"),
    )
    findings = (_wrong_by_liars,)

    def cases(self, settings: Settings) -> Sequence[Case]:
        """Return `limit` questions of each set (100 without a limit) for each number of sources. Sets take
        turns, so that a part of a run has as many questions of each.
        """
        self.check_options(settings)
        sets = [
            [(passages, number, case) for number, case in enumerate(cases)]
            for passages, cases in _sets_of_sources(settings.data).items()
        ]
        drawn = [draw(cases, settings.limit or QUESTIONS, settings.seed) for cases in sets]
        return [
            Case(f"{passages}/{number}/{needed}", case, passages, needed)
            for turn in zip_longest(*drawn)
            for passages, number, case in filter(None, turn)
            for needed in self.arms.chosen(settings)
        ]

    def about(self, case: Case) -> Row:
        asked: Liars = case.content
        fewer = "fewer than must agree" if asked.n_false < int(case.arm) else "as many or more"
        return {"passages": case.set, "min_sources": case.arm, "fewer": fewer, "question": asked.question}

    def answer(self, case: Case, lab: Lab) -> Row:
        asked: Liars = case.content
        answer = lab.session.ask(asked.question, asked.passages, min_sources=int(case.arm))
        supported = answer.verdict is Verdict.SUPPORTED
        right = is_accepted(answer.answer or "", asked.answers)
        return {
            "answer": answer.answer or answer.candidate,
            "right": supported and right,
            "wrong": supported and not right,
            "contradicted": answer.verdict is Verdict.CONTRADICTED,
            "insufficient": answer.verdict is Verdict.INSUFFICIENT,
            "robustness": None if answer.robustness is None else answer.robustness.to_dict(),
        }

    def observations(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Return the rows with what one source is enough for: "answers lost" are right then, and not with
        more.
        """
        right = {
            (row["passages"], row["question"]) for row in rows if row["min_sources"] == "1" and row["right"]
        }
        return [{**row, "before": (row["passages"], row["question"]) in right} for row in rows]
