"""A check: whether the knowledge is complete, and which passage carries which feature."""

from __future__ import annotations

from collections.abc import Sequence

from probative.scope.checks import AnswerCheck
from probative.scope.question import Features
from probative.scope.result import Check
from probative.text.labels import counted, passage_label
from probative.views.blocks import (
    Block,
    Column,
    Fitted,
    Folded,
    Line,
    Notes,
    Span,
    Table,
    columns,
    faint,
    line,
    page,
    screen,
    strong,
)

# More columns than this are hard to read.
MAX_COLUMNS = 12
# The width of a row without its columns: kind, feature and end.
ROW_WIDTH = 38

Carried = tuple[int, Sequence[str]]
"""The index of a passage and the names of the features that it carries."""


def check_view(check: Check) -> Sequence[Block]:
    """Return whether the knowledge is complete, what is missing, and the features with the passages."""
    judgements = [judgement for judgement in check.judgements if judgement.carries]
    carried = [(judgement.index, judgement.carries) for judgement in judgements]
    badge = Span("complete", "badge good") if check.complete else Span("incomplete", "badge bad")
    candidate = line("the answer would be: ", strong(check.candidate or ""))
    rows = [
        (passage_label(judgement.index), judgement.text, ", ".join(judgement.carries))
        for judgement in judgements
    ]
    return [
        page(line(faint(check.question)), line(badge)),
        screen(line(badge, ": ", Span(_reason(check)))),
        page(*checks_table(check.checks), *missing_line(check.missing)),
        screen(*([candidate] if check.candidate is not None else []), *checks_table(check.checks), line()),
        features_table(check.features, carried, check.missing),
        page(Folded("Passages", (Table(rows, columns("", "passage", "carries")),))),
        Notes(check.notes),
        page(line(faint(check.usage.describe()))),
    ]


def _reason(check: Check) -> str:
    if check.complete:
        by_policy = check.completeness is not None
        return "the evidence is enough" if by_policy else "every feature of the question is covered"
    if check.missing:
        return f"{'; '.join(check.missing)} {'is' if len(check.missing) == 1 else 'are'} not covered"
    return check.reason or "the evidence is not enough"


def checks_table(checks: Sequence[AnswerCheck]) -> list[Table]:
    """Return a row for each check: whether it passed, the outcome in words, and its number."""
    rows = [
        (Span("✓", "green") if check.passed else Span("✗", "red"), Span(check.text), check.number)
        for check in checks
    ]
    return (
        [Table(rows, (Column(room="fixed"), Column(), Column(align="right")), gap=1, indent=2)]
        if rows
        else []
    )


def missing_line(features: Sequence[str]) -> list[Line]:
    """Return the features that nothing carries, if there are any."""
    return [line(Span("missing", "badge bad"), " ", "; ".join(features))] if features else []


def features_table(features: Features, carried: Sequence[Carried], missing: Sequence[str]) -> Fitted:
    """Return a row for each feature and a column for each passage.

    If not all passages fit, those that carry the most features have a column, and each row counts the others.
    """

    def table(width: int) -> Sequence[Block]:
        shown = _columns(carried, width)
        others = [passage for passage in carried if passage not in shown]
        rows = []
        for feature in features.listed():
            dots = [
                Span("●", "bold green") if feature.name in names else Span("·", "dim") for _, names in shown
            ]
            more = sum(feature.name in names for _, names in others)
            end = Span("missing", "badge bad") if feature.name in missing else Span(f"+{more:,}" * (more > 0))
            rows.append((Span(feature.kind, "dim"), Span(feature.text), *dots, end))
        labels = [Column(passage_label(index), "center", "fixed") for index, _ in shown]
        titles = (Column(room="fixed"), Column("feature"), *labels, Column(room="fixed"))
        left = f"and {counted(len(others), 'more passage')}, counted at the end of each row"
        return [Table(rows, titles, gap=1), *([line(Span(left, "dim"))] if others else [])]

    return Fitted(table)


def _columns(carried: Sequence[Carried], width: int) -> list[Carried]:
    """Return the passages that have a column, in their order."""
    column_width = max((len(passage_label(index)) + 1 for index, _ in carried), default=1)
    n = max(1, min(MAX_COLUMNS, (width - ROW_WIDTH) // column_width))
    best = sorted(range(len(carried)), key=lambda at: (-len(carried[at][1]), at))[:n]
    return [carried[at] for at in sorted(best)]
