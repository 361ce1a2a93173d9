"""Tables, paired tests and plots of studies that ask questions of a graph: the accuracy of each line (an arm,
and the stage of give whose answer counts) in each column (a set, or a part of its graph).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from probative.bench.families.graph_questions import ALL_SETS, SET_NAMES, Arm, GraphStudy, method_arms
from probative.bench.findings import counted, difference_finding
from probative.bench.metrics import mean
from probative.bench.report import Cell, Plot, Report, Series, Table, TableRow
from probative.bench.rows import Row, rows_of
from probative.bench.statistics import Pair, first_against, paired_table
from probative.bench.study import Settings
from probative.bench.tables import Metrics, build_table, points, ratio_cell

STAGES = {"a": "GIVE a", "ac": "GIVE a+c", "ace": "GIVE a+c+e"}
"""The three answers of give, and the names of their lines."""
LAST = STAGES["ace"]
FIFTY_QUESTIONS = (
    "Published: GPT3.5-turbo, 50 questions of each set; figures that our text of the paper does not show are "
    "left out."
)
Published = Mapping[str, Sequence[float | None]]
"""Published figures by the name of the line, in the order of the columns."""
Lines = Mapping[str, tuple[str, str]]
"""Lines of a table: the arm and the stage of each. A method without stages has the last."""
Columns = Mapping[str, Mapping[str, Any]]
"""Columns of a table: the values that the fields of their rows have."""


def right(row: Row, stage: str = "ace") -> bool:
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


def accuracy(rows: Sequence[Row], stage: str = "ace") -> Cell:
    """Return the accuracy of a stage in percent, with Wilson's interval. A failed question is wrong."""
    return ratio_cell(sum(right(row, stage) for row in rows), len(rows))


def maybe_share(row: Row) -> float:
    """Return the share of all judged statements that were neither affirmed nor denied."""
    judged = row["triples"]["affirmative"] + row["triples"]["counterfactual"] + row["maybe"]
    return float(row["maybe"] / judged) if judged else 0.0


def floors(rows: Sequence[Row]) -> tuple[float, float]:
    """Return the accuracy of a random answer, and of always giving the commonest answer (or, where questions
    offer different choices, the commonest place), in percent.
    """
    random_answer = 100 * mean([1 / len(row["options"]) for row in rows])
    if len({tuple(row["options"]) for row in rows}) == 1:
        counts = Counter(row["gold"] for row in rows)
    else:
        counts = Counter(row["options"].index(row["gold"]) for row in rows)
    return random_answer, 100 * counts.most_common(1)[0][1] / len(rows)


def set_columns(sets: Iterable[str]) -> Columns:
    """Return a column for each set."""
    return {SET_NAMES[name]: {"set": name} for name in sets}


def last_lines(arms: Iterable[str]) -> Lines:
    """Return a line for each arm: its last answer."""
    return {arm: (arm, "ace") for arm in arms}


def method_lines(arms: Iterable[str]) -> Lines:
    """Return a line for each arm, and three for give."""
    lines: dict[str, tuple[str, str]] = {}
    for arm in arms:
        lines |= (
            {name: (arm, stage) for stage, name in STAGES.items()} if arm == "GIVE" else last_lines([arm])
        )
    return lines


@dataclass(frozen=True)
class Comparison:
    """The accuracy of lines in columns, over the rows of a study."""

    rows: Sequence[Row]
    lines: Lines
    columns: Columns

    def table(self, title: str, published: Published | None = None, note: str = "") -> Table:
        """Return the accuracy in percent, with the published figures; the lines of chance come first."""
        table = build_table(
            title,
            "accuracy, %",
            accuracy_in(self.columns),
            [
                (name, [{**row, "right": right(row, stage)} for row in rows_of(self.rows, arm=arm)])
                for name, (arm, stage) in self.lines.items()
            ],
            " ".join(filter(None, (note, failures(self.rows)))),
            published,
        )
        return table.model_copy(update={"rows": (*self._chance_rows(), *table.rows)})

    def _chance_rows(self) -> list[TableRow]:
        """Return two lines: a random answer, and always the commonest answer (or place of the choices)."""
        chances: list[tuple[float, ...]] = []
        for fields in self.columns.values():
            questions = {row["id"]: row for row in rows_of(self.rows, **fields) if "options" in row}
            chances.append(floors(list(questions.values())) if questions else ())
        return [
            TableRow(name=name, cells=tuple(Cell(value=own[index] if own else None) for own in chances))
            for index, name in enumerate(("random answer", "always the commonest"))
        ]

    def tests(self, pairs: Sequence[Pair]) -> tuple[Table, ...]:
        """Return paired tests of lines with each other; nothing if no pair was asked the same questions."""
        groups = {
            column: {
                line: {
                    str(row["id"]): float(right(row, stage)) for row in rows_of(self.rows, arm=arm, **fields)
                }
                for line, (arm, stage) in self.lines.items()
            }
            for column, fields in self.columns.items()
        }
        return paired_table("Paired tests, accuracy", pairs, groups)

    def last_tests(self) -> tuple[Table, ...]:
        """Return paired tests of the last answer of give with each other line."""
        return self.tests(first_against(LAST, self.lines))

    def finding(self, where: str, **fields: Any) -> Iterable[str]:
        """Yield a sentence with the right answers of each line, the most first; nothing without an answer."""
        counts = {
            name: (sum(right(row, stage) for row in own), len(own))
            for name, (arm, stage) in self.lines.items()
            if (own := rows_of(self.rows, arm=arm, **fields))
        }
        if counts:
            (best, (hits, n)), *others = sorted(counts.items(), key=lambda pair: -pair[1][0] / pair[1][1])
            first = f"{where}: {best} is right on {hits} of {counted(n, 'question')}"
            yield f"{'; '.join([first, *(f'{name} on {hits} of {n}' for name, (hits, n) in others)])}."


def accuracy_in(columns: Columns) -> Metrics:
    """Return the metrics of the share of rows that are `right` among those of each column."""

    def metric(fields: Mapping[str, Any], rows: Sequence[Row]) -> Cell:
        hits = [row["right"] for row in rows_of(rows, **fields)]
        return ratio_cell(sum(hits), len(hits))

    return {name: partial(metric, fields) for name, fields in columns.items()}


def column_bars(table: Table, title: str) -> Plot:
    """Return a plot with bars for each set of a table, a colour for each line."""
    series = tuple(Series(name=row.name, points=points(row.cells)) for row in table.rows)
    return Plot(title=title, kind="bars", x="set", y=table.corner, ticks=table.columns, series=series)


def set_findings(rows: Sequence[Row], arms: Sequence[str], sets: Sequence[str]) -> list[str]:
    """Return a sentence for each set on the right answers of each method; of give the last answer counts."""
    lines = {LAST if arm == "GIVE" else arm: (arm, "ace") for arm in arms}
    compared = Comparison(rows, lines, {})
    return [text for name in sets for text in compared.finding(SET_NAMES[name], set=name)]


def failures(rows: Sequence[Row]) -> str:
    """Return a sentence on the answers that failed or could not be read."""
    failed = sum(row.get("error") is not None for row in rows)
    unread = sum(row.get("error") is None and row.get("answer") is None for row in rows)
    if not failed + unread:
        return ""
    return f"Of {len(rows)} answers {failed} failed and {unread} could not be read; both count as wrong."


def stage_finding(tests: Sequence[Table]) -> str:
    """Return a sentence on the paired tests of the last answer; tests of earlier stages are passed over."""
    return difference_finding(tests, "accuracy", keep=lambda own: own.first.startswith(LAST))


class MethodStudy(GraphStudy):
    """A study that compares give with the baselines: the last answer of give is tested against each line."""

    methods: ClassVar[Sequence[str]]
    table_title: ClassVar[str]

    def arms_for(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        return method_arms(settings, self.methods)

    def published(self, sets: Sequence[str], settings: Settings) -> tuple[Published, str]:
        """Return the published figures, and the note of the table."""
        return {}, ""

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        sets = self.sets_in(settings)
        arms = self.arm_names(sets, settings)
        compared = Comparison(rows, method_lines(arms), set_columns(sets))
        tests = compared.last_tests()
        return Report(
            tables=(compared.table(self.table_title, *self.published(sets, settings)), *tests),
            findings=(stage_finding(tests), *set_findings(rows, arms, sets)),
        )


class StageStudy(GraphStudy):
    """A study of one option of give: the accuracy of every stage with each value of it, each tested against
    the first.
    """

    table_title: ClassVar[str]
    published: ClassVar[Published] = {}
    """The published figures of all sets."""
    note: ClassVar[str] = FIFTY_QUESTIONS

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        sets = self.sets_in(settings)
        first, *others = arms = self.arm_names(sets, settings)
        stages = STAGES.items()
        lines = {f"{name}, {arm}": (arm, stage) for stage, name in stages for arm in arms}
        compared = Comparison(rows, lines, set_columns(sets))
        published = {
            line: [own[ALL_SETS.index(name)] for name in sets] for line, own in self.published.items()
        }
        tests = compared.tests(
            [(f"{name}, {arm}", f"{name}, {first}") for _, name in stages for arm in others]
        )
        table = compared.table(self.table_title, published, self.note)
        return Report(tables=(table, *tests), findings=(stage_finding(tests),))


def count_plot(
    rows: Sequence[Row],
    x: str,
    title: str,
    counts: Mapping[str, Sequence[int]],
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
