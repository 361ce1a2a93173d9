"""Tables, paired tests and plots of studies that ask questions of a graph: the accuracy of each line (an arm,
and the stage of give whose answer counts) in each column (a set, or a part of its graph).

They are made from observations: rows with their `line`, `stage` and `column`, and whether they are `right`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from probative.bench.data.graph_qa import SET_NAMES
from probative.bench.findings import counted
from probative.bench.metrics import mean
from probative.bench.report import Cell, Plot, Series, Table
from probative.bench.rows import Row, Rows, groups_by, rows_of
from probative.bench.statistics import Pair
from probative.bench.tables import (
    Finding,
    Metrics,
    PairedSpec,
    PlotSpec,
    Published,
    Results,
    TableSpec,
    points,
    ratio_cell,
)

STAGES = {"a": "GIVE a", "ac": "GIVE a+c", "ace": "GIVE a+c+e"}
"""The three answers of give, and the names of their lines."""
LAST = STAGES["ace"]
CHANCE = ("random answer", "always the commonest")
"""The first lines of a table."""
Lines = Mapping[str, tuple[str, str]]
"""Lines of a table: the arm and the stage of each. A method without stages has the last."""


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


def accuracy(rows: Rows, stage: str = "ace") -> Cell:
    """Return the accuracy of a stage in percent, with Wilson's interval. A failed question is wrong."""
    return ratio_cell(sum(right(row, stage) for row in rows), len(rows))


def floors(rows: Rows) -> tuple[float, float]:
    """Return the accuracy of a random answer, and of always giving the commonest answer (or, where questions
    offer different choices, the commonest place), in percent.
    """
    random_answer = 100 * mean([1 / len(row["options"]) for row in rows])
    if len({tuple(row["options"]) for row in rows}) == 1:
        counts = Counter(row["gold"] for row in rows)
    else:
        counts = Counter(row["options"].index(row["gold"]) for row in rows)
    return random_answer, 100 * counts.most_common(1)[0][1] / len(rows)


def last_lines(arms: Iterable[str]) -> Lines:
    """Return a line for each arm: its last answer."""
    return {arm: (arm, "ace") for arm in arms}


def method_lines(arms: Iterable[str]) -> Lines:
    """Return a line for each arm, and three for give."""
    give = {name: ("GIVE", stage) for stage, name in STAGES.items()}
    return {
        line: arm_stage
        for arm in arms
        for line, arm_stage in (give if arm == "GIVE" else last_lines([arm])).items()
    }


def stage_lines(arms: Sequence[str]) -> Lines:
    """Return a line for each stage of each arm, all of which are give with different options."""
    return {f"{name}, {arm}": (arm, stage) for stage, name in STAGES.items() for arm in arms}


def stage_pairs(lines: Sequence[str]) -> list[Pair]:
    """Return a pair of each line of a stage with the first of the stage."""
    stages = groups_by([{"stage": line.partition(", ")[0], "line": line} for line in lines], "stage")
    return [(row["line"], first["line"]) for _, (first, *others) in stages for row in others]


def observations(rows: Rows, lines: Callable[[Sequence[str]], Lines]) -> list[Row]:
    """Return the rows of the lines, of which each has its `column`, after those of chance."""
    chances = []
    for column, some in groups_by(rows, "column"):
        for line, value in zip(CHANCE, floors(list({row["id"]: row for row in some}.values())), strict=True):
            chances.append({"line": line, "arm": line, "stage": None, "column": column, "right": value})
    return [
        *sorted(chances, key=lambda row: CHANCE.index(row["line"])),
        *(
            {**row, "line": line, "stage": stage, "right": right(row, stage)}
            for line, (arm, stage) in lines(list(dict.fromkeys(row["arm"] for row in rows))).items()
            for row in rows_of(rows, arm=arm)
        ),
    ]


def is_last(row: Row) -> bool:
    """Return whether an observation is that of the last answer of an arm: each row has one."""
    return bool(row["stage"] == "ace")


def accuracy_in(columns: Iterable[str]) -> Metrics:
    """Return the metrics of the share of rows that are `right` among those of each column."""

    def metric(column: str, rows: Rows) -> Cell:
        hits = [row["right"] for row in rows_of(rows, column=column)]
        if rows and rows[0]["stage"] is None:
            return Cell(value=hits[0] if hits else None)
        return ratio_cell(sum(hits), len(hits))

    return {column: partial(metric, column) for column in columns}


def columns_of(rows: Rows) -> list[str]:
    """Return the columns of observations."""
    return list(dict.fromkeys(row["column"] for row in rows))


def accuracy_table(
    title: str,
    published: Mapping[str, Mapping[str, float | None]] | None = None,
    note: str = "",
    stage: str = "",
) -> TableSpec:
    """Return the table of the accuracy of each line, or of each arm in one stage. `published` has the figures
    of a line by column.
    """

    def figures(rows: Rows) -> Published:
        columns = columns_of(rows)
        return {line: [row.get(column) for column in columns] for line, row in (published or {}).items()}

    return TableSpec(
        title,
        "accuracy, %",
        lambda rows: accuracy_in(columns_of(rows)),
        "arm" if stage else "line",
        where=(lambda row: row["stage"] in (None, stage)) if stage else None,
        note=lambda rows: " ".join(filter(None, (note, failures(rows)))),
        published=figures,
    )


def by_set(figures: Published) -> dict[str, dict[str, float | None]]:
    """Return published figures, which stand in the order of the sets, by the names of the sets."""
    return {line: dict(zip(SET_NAMES.values(), row, strict=False)) for line, row in figures.items()}


def accuracy_tests(pairs: Sequence[Pair] | Callable[[Sequence[str]], Sequence[Pair]]) -> PairedSpec:
    """Return the paired tests of the accuracy of lines."""
    return PairedSpec(
        "Paired tests, accuracy",
        "right",
        pairs,
        "column",
        arm="line",
        case="id",
        where=lambda row: row["stage"],
    )


def right_counts(where: str = "{}", shown: Callable[[Row], Any] = is_last) -> Finding:
    """Return the finding with a sentence for each column: the right answers of each line, the most first."""

    def sentences(results: Results) -> Iterator[str]:
        for column, rows in groups_by([row for row in results.rows if shown(row)], "column"):
            counts = {
                line: (sum(row["right"] for row in some), len(some)) for line, some in groups_by(rows, "line")
            }
            (best, (hits, n)), *others = sorted(counts.items(), key=lambda pair: -pair[1][0] / pair[1][1])
            first = f"{where.format(column)}: {best} is right on {hits} of {counted(n, 'question')}"
            yield f"{'; '.join([first, *(f'{name} on {hits} of {n}' for name, (hits, n) in others)])}."

    return sentences


def column_bars(table: Table, title: str) -> Plot:
    """Return a plot with bars for each set of a table, a colour for each line."""
    series = tuple(Series(name=row.name, points=points(row.cells)) for row in table.rows)
    return Plot(title=title, kind="bars", x="set", y=table.corner, ticks=table.columns, series=series)


def count_lines(x: str, title: str) -> PlotSpec:
    """Return the plot of the accuracy of the last answer over the number in the name of each arm, a line for
    each column.
    """

    def plots(results: Results) -> Iterator[Plot]:
        series = []
        for column, rows in groups_by(list(filter(is_last, results.rows)), "column"):
            arms = dict(groups_by(rows, "arm"))
            counts = [float(re.sub(r"\D", "", arm)) for arm in arms]
            series.append(Series(name=column, points=points(map(accuracy, arms.values()), counts)))
        yield Plot(title=f"GIVE a+c+e by {title}", kind="lines", x=x, y="accuracy, %", series=tuple(series))

    return plots


def failures(rows: Rows) -> str:
    """Return a sentence on the answers that failed or could not be read."""
    fields = ("set", "percent", "arm", "id")
    answers = {tuple(row[field] for field in fields): row for row in rows if row["stage"]}.values()
    failed = sum(row.get("error") is not None for row in answers)
    unread = sum(row.get("error") is None and row.get("answer") is None for row in answers)
    if not failed + unread:
        return ""
    return f"Of {len(answers)} answers {failed} failed and {unread} could not be read; both count as wrong."


def usage_of(count: str) -> Callable[[Row], float]:
    """Return the function that takes a count of calls or tokens from a row."""
    return lambda row: float(row["usage"][count])


def words_of(knowledge: str) -> Callable[[Row], float]:
    """Return the function that takes the number of words of a kind of knowledge from a row."""
    return lambda row: float(row["words"].get(knowledge, 0))
