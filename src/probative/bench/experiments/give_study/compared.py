"""Paired tests of give against other methods, or of its options against each other, on the same questions."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.experiments.give_study.answers import right
from probative.bench.experiments.give_study.cells import (
    FIFTY_QUESTIONS,
    STAGES,
    Column,
    Line,
    Published,
    accuracy_table,
    in_sets,
    set_columns,
    stage_lines,
)
from probative.bench.findings import difference_finding
from probative.bench.report import Table
from probative.bench.rows import Row
from probative.bench.significance import Pair, paired_table

TITLE = "Paired tests, accuracy"


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


def stage_tables(
    title: str,
    arms: Sequence[str],
    sets: Sequence[str],
    rows: Sequence[Row],
    published: Published,
    note: str = FIFTY_QUESTIONS,
) -> tuple[Table, ...]:
    """Return the accuracy of every stage with each arm, and paired tests of the others against the first."""
    lines, columns = stage_lines(arms), set_columns(sets)
    table = accuracy_table(title, lines, columns, rows, in_sets(published, sets), note)
    return (table, *paired_accuracy(lines, columns, rows, stage_pairs(arms, arms[0])))


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
