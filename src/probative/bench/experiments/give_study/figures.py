"""What a row keeps of a reasoning, and the tables, paired tests and plots that are made from rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from probative.bench.experiment import Settings
from probative.bench.experiments.give_study.study import ALL_SETS, SET_NAMES, GiveStudy
from probative.bench.findings import counted, difference_finding
from probative.bench.metrics import mean
from probative.bench.report import Cell, Plot, Report, Series, Table, TableRow
from probative.bench.rows import Row
from probative.bench.statistics import Pair, first_against, paired_table
from probative.bench.tables import points, ratio_cell, rows_of

STAGES = {"a": "GIVE a", "ac": "GIVE a+c", "ace": "GIVE a+c+e"}
"""The three answers of give, and the names of their lines."""
FIFTY_QUESTIONS = (
    "Published: GPT3.5-turbo, 50 questions of each set; figures that our text of the paper does not show are "
    "left out."
)
Published = Mapping[str, Sequence[float | None]]
"""Published figures by the name of the line, in the order of the columns."""
TITLE = "Paired tests, accuracy"


def right(row: Row, stage: str) -> bool:
    """Return whether a stage gave the gold answer. The answer of a method without stages counts as the last
    stage, and an answer that was read from the graph, or from similar entities, as every stage.
    """
    if row.get("error") is not None:
        return False
    answer = row["answers"][stage]
    staged = row["answers"]["a"] is not None or row.get("verdict") in (None, "unknown")
    if answer is None and (stage == "ace" or not staged):
        answer = row["answer"]
    return bool(answer is not None and answer.casefold() == row["gold"].casefold())


def maybe_share(row: Row) -> float:
    """Return the share of all judged statements that were neither affirmed nor denied."""
    judged = row["triples"]["affirmative"] + row["triples"]["counterfactual"] + row["maybe"]
    return float(row["maybe"] / judged) if judged else 0.0


def floors(rows: Sequence[Row]) -> tuple[float, float]:
    """Return the accuracy of a random answer, and of always giving the commonest answer (or, where questions
    offer different choices, the commonest place), in percent.

    >>> floors([{"gold": "yes", "options": ["yes", "no"]}] * 2)
    (50.0, 100.0)
    """
    random_answer = 100 * mean([1 / len(row["options"]) for row in rows])
    if len({tuple(row["options"]) for row in rows}) == 1:
        counts = Counter(row["gold"] for row in rows)
    else:
        counts = Counter(row["options"].index(row["gold"]) for row in rows)
    return random_answer, 100 * counts.most_common(1)[0][1] / len(rows)


@dataclass(frozen=True)
class Line:
    """A line of a table: an arm and the stage whose answer counts. A method without stages has the last."""

    name: str
    arm: str
    stage: str = "ace"


@dataclass(frozen=True)
class Column:
    """A column of a table: the rows of a set, over a part of its graph, perhaps of one arm."""

    name: str
    set_name: str
    percent: int | None = None
    arm: str | None = None

    def has(self, row: Row) -> bool:
        """Return whether a row belongs to the column."""
        return (
            row.get("set") == self.set_name
            and self.percent in (None, row.get("percent"))
            and self.arm in (None, row.get("arm"))
        )


def set_columns(sets: Sequence[str]) -> list[Column]:
    """Return a column for each set."""
    return [Column(SET_NAMES[name], name) for name in sets]


def method_lines(arms: Sequence[str]) -> list[Line]:
    """Return a line for each arm, and three for give.

    >>> [line.name for line in method_lines(["RAG", "GIVE"])]
    ['RAG', 'GIVE a', 'GIVE a+c', 'GIVE a+c+e']
    """
    lines = []
    for arm in arms:
        lines += (
            [Line(name, arm, stage) for stage, name in STAGES.items()] if arm == "GIVE" else [Line(arm, arm)]
        )
    return lines


def stage_lines(arms: Sequence[str]) -> list[Line]:
    """Return a line for each stage of give and each arm that changes an option of it.

    >>> [line.name for line in stage_lines(["triples", "text"])][:3]
    ['GIVE a, triples', 'GIVE a, text', 'GIVE a+c, triples']
    """
    return [Line(f"{name}, {arm}", arm, stage) for stage, name in STAGES.items() for arm in arms]


def in_sets(figures: Published, sets: Sequence[str]) -> dict[str, list[float | None]]:
    """Return published figures of all sets, less those of sets that the user left out."""
    return {line: [own[ALL_SETS.index(name)] for name in sets] for line, own in figures.items()}


def accuracy_table(
    title: str,
    lines: Sequence[Line],
    columns: Sequence[Column],
    rows: Sequence[Row],
    published: Published,
    note: str = "",
) -> Table:
    """Return the accuracy in percent of each line on each column, with the published figures; the lines of
    chance come first. A failed question is wrong.
    """
    body = []
    for line in lines:
        own = rows_of(rows, arm=line.arm)
        figures = published.get(line.name) or [None] * len(columns)
        cells = [
            accuracy([row for row in own if column.has(row)], line.stage, figure)
            for column, figure in zip(columns, figures, strict=True)
        ]
        body.append(TableRow(name=line.name, cells=tuple(cells)))
    return Table(
        title=title,
        corner="accuracy, %",
        columns=tuple(column.name for column in columns),
        rows=(*chance_rows(columns, rows), *body),
        note=" ".join(filter(None, (note, failures(rows)))),
    )


def accuracy(rows: Sequence[Row], stage: str = "ace", published: float | None = None) -> Cell:
    """Return the accuracy of a stage in percent, with Wilson's interval."""
    return ratio_cell(sum(right(row, stage) for row in rows), len(rows), published)


def chance_rows(columns: Sequence[Column], rows: Sequence[Row]) -> list[TableRow]:
    """Return two lines: a random answer, and always the commonest answer (or place among the choices)."""
    by_column: list[tuple[float, ...]] = []
    for column in columns:
        questions = {row["id"]: row for row in rows if column.has(row) and "options" in row}
        by_column.append(floors(list(questions.values())) if questions else ())
    return [
        TableRow(
            name=name,
            cells=tuple(Cell(value=chances[index] if chances else None) for chances in by_column),
        )
        for index, name in enumerate(("random answer", "always the commonest"))
    ]


def failures(rows: Sequence[Row]) -> str:
    """Return a sentence on the answers that failed or could not be read.

    >>> failures([{"error": "empty"}, {"error": None, "answer": None}, {"error": None, "answer": "yes"}])
    'Of 3 answers 1 failed and 1 could not be read; both count as wrong.'
    """
    failed = sum(row.get("error") is not None for row in rows)
    unread = sum(row.get("error") is None and row.get("answer") is None for row in rows)
    if not failed + unread:
        return ""
    return f"Of {len(rows)} answers {failed} failed and {unread} could not be read; both count as wrong."


def right_finding(rows: Sequence[Row], lines: Sequence[Line], where: str) -> str | None:
    """Return a sentence with the right answers of each line, the most first; None without an answer.

    >>> row = {"gold": "yes", "answers": {"a": None, "ace": None}}
    >>> rows = [{**row, "arm": "RAG", "answer": "yes"}, {**row, "arm": "CoT", "answer": "no"}]
    >>> right_finding(rows, [Line("CoT", "CoT"), Line("RAG", "RAG")], "BioASQ")
    'BioASQ: RAG is right on 1 of 1 question; CoT on 0 of 1.'
    """
    counts = {
        line.name: (sum(right(row, line.stage) for row in own), len(own))
        for line in lines
        if (own := rows_of(rows, arm=line.arm))
    }
    if not counts:
        return None
    (best, (hits, n)), *others = sorted(counts.items(), key=lambda pair: -pair[1][0] / pair[1][1])
    first = f"{where}: {best} is right on {hits} of {counted(n, 'question')}"
    return f"{'; '.join([first, *(f'{name} on {hits} of {n}' for name, (hits, n) in others)])}."


class MethodStudy(GiveStudy):
    """A study that compares give with the baselines: the last answer of give is tested against each line."""

    def compared(
        self, rows: Sequence[Row], arms: Sequence[str], columns: Sequence[Column]
    ) -> tuple[list[Line], tuple[Table, ...]]:
        """Return the lines of the methods, and the paired tests."""
        lines = method_lines(arms)
        pairs = first_against(STAGES["ace"], [line.name for line in lines])
        return lines, paired_accuracy(lines, columns, rows, pairs)


def set_findings(rows: Sequence[Row], arms: Sequence[str], sets: Sequence[str]) -> list[str]:
    """Return a sentence for each set on the right answers of each method; of give the last answer counts."""
    lines = [Line(STAGES["ace"] if arm == "GIVE" else arm, arm) for arm in arms]
    sentences = (right_finding(rows_of(rows, set=name), lines, SET_NAMES[name]) for name in sets)
    return [sentence for sentence in sentences if sentence]


def paired_accuracy(
    lines: Sequence[Line], columns: Sequence[Column], rows: Sequence[Row], pairs: Sequence[Pair]
) -> tuple[Table, ...]:
    """Return paired tests of lines with each other, for the columns of an accuracy table; nothing if no pair
    was asked the same questions. A failed question is wrong.
    """
    groups = {
        column.name: {
            line.name: {
                str(row["id"]): float(right(row, line.stage))
                for row in rows
                if column.has(row) and row.get("arm") == line.arm
            }
            for line in lines
        }
        for column in columns
    }
    return paired_table(TITLE, pairs, groups)


class StageStudy(GiveStudy):
    """A study of one option of give: the accuracy of every stage with each value of it."""

    table_title: ClassVar[str]
    published: ClassVar[Published] = {}
    note: ClassVar[str] = FIFTY_QUESTIONS

    def arm_names(self, sets: Sequence[str], settings: Settings) -> Sequence[str]:
        """Return the names of the arms; the others are tested against the first."""
        return [arm.name for arm in self.arms(sets[0], settings)]

    def shown(self, rows: Sequence[Row], sets: Sequence[str], settings: Settings) -> Report:
        arms = self.arm_names(sets, settings)
        lines, columns = stage_lines(arms), set_columns(sets)
        published = in_sets(self.published, sets)
        table = accuracy_table(self.table_title, lines, columns, rows, published, self.note)
        tests = paired_accuracy(lines, columns, rows, stage_pairs(arms, arms[0]))
        return Report(tables=(table, *tests), findings=(stage_finding(tests),))


def stage_finding(tests: Sequence[Table]) -> str:
    """Return a sentence on the paired tests of the last answer; tests of earlier stages are passed over."""
    return difference_finding(tests, "accuracy", keep=lambda own: own.first.startswith(STAGES["ace"]))


def stage_pairs(arms: Sequence[str], reference: str) -> list[Pair]:
    """Return each arm with the reference, for every stage of give.

    >>> stage_pairs(["triples", "text"], "triples")[0]
    ('GIVE a, text', 'GIVE a, triples')
    """
    return [
        (f"{name}, {arm}", f"{name}, {reference}")
        for name in STAGES.values()
        for arm in arms
        if arm != reference
    ]


def count_plot(
    rows: Sequence[Row],
    x: str,
    title: str,
    counts: dict[str, list[int]],
    arm_name: Callable[[int], str],
) -> Plot:
    """Return the accuracy of the last answer over the number, a line for each set; `counts` are its values by
    set, and `arm_name` names the arm of each.
    """
    series = tuple(
        Series(
            name=SET_NAMES[name],
            points=points((accuracy(rows_of(rows, set=name, arm=arm_name(n))) for n in own), own),
        )
        for name, own in counts.items()
    )
    return Plot(title=f"GIVE a+c+e by {title}", kind="lines", x=x, y="accuracy, %", series=series)
