"""Figures 7 and 8: which questions give and ToG, or give and RAG, answer right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from probative.bench.families.graph_questions import METHOD_NAMES, SET_NAMES
from probative.bench.families.graph_tables import Comparison, MethodStudy, last_lines, right, set_columns
from probative.bench.findings import counted, difference_finding
from probative.bench.judging import judged_cell
from probative.bench.published import GIVE
from probative.bench.report import Plot, Report, Series, Table, TableRow
from probative.bench.rows import Row
from probative.bench.statistics import first_against
from probative.bench.study import Settings
from probative.bench.tables import rows_of

KINDS = {
    (True, False): "only GIVE right",
    (True, True): "both right",
    (False, False): "both wrong",
    (False, True): "only the other right",
}
"""The kinds of questions, by whether give and the other method are right."""
ONLY_GIVE, BOTH, NEITHER, ONLY_OTHER = KINDS.values()
MISSED = "of the other's right answers, missed by GIVE"
FIGURES = {"tog": "figure 7", "rag": "figure 8"}


class GiveOverlap(MethodStudy):
    """The shares of questions that both, one or none of two methods answer right."""

    name = "give-overlap"
    title = "Which questions does only give answer right, and which only ToG or RAG?"
    paper_reference = "figures 7 and 8"
    methods = ("rag", "tog", "give")

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        sets = self.sets_in(settings)
        names = {arm.name for arm in self.arms_for(sets[0], settings)}
        overlaps = [
            Overlap(other, {name: kinds_of(rows_of(rows, set=name), other) for name in sets})
            for other in FIGURES
            if METHOD_NAMES[other] in names
        ]
        lines = last_lines(METHOD_NAMES[method] for method in ("give", *(own.other for own in overlaps)))
        tests = Comparison(rows, lines, set_columns(sets)).tests(first_against("GIVE", lines))
        return Report(
            tables=(*(overlap.table() for overlap in overlaps), *tests),
            plots=tuple(overlap.plot() for overlap in overlaps),
            findings=(
                difference_finding(tests, "accuracy"),
                *(text for overlap in overlaps for text in overlap.findings()),
            ),
        )


def kinds_of(rows: Sequence[Row], other: str) -> list[str]:
    """Return for each question that both methods were asked which of them is right."""
    give, rival = (
        {row["id"]: right(row) for row in rows_of(rows, arm=METHOD_NAMES[method])}
        for method in ("give", other)
    )
    return [KINDS[give[name], rival[name]] for name in sorted(give.keys() & rival.keys())]


class Overlap(NamedTuple):
    """The kind of each question, by set, of give and another method."""

    other: str
    kinds: Mapping[str, Sequence[str]]

    def named(self, kind: str) -> str:
        """Return a kind with the name of the other method."""
        return kind.replace("the other", METHOD_NAMES[self.other])

    def table(self) -> Table:
        """Return the share of each kind of question in percent, for each set."""
        published = GIVE.overlap[self.other]

        def line(name: str, among: Sequence[str], kind: str) -> TableRow:
            cells = tuple(
                judged_cell(
                    [each == kind for each in own if each in among], published.get(name, {}).get(set_)
                )
                for set_, own in self.kinds.items()
            )
            return TableRow(name=self.named(name), cells=cells)

        every = tuple(KINDS.values())
        return Table(
            title=f"GIVE a+c+e and {METHOD_NAMES[self.other]} ({FIGURES[self.other]})",
            corner="share of questions, %",
            columns=tuple(SET_NAMES[name] for name in self.kinds),
            rows=(*(line(kind, every, kind) for kind in every), line(MISSED, (BOTH, ONLY_OTHER), ONLY_OTHER)),
            note="Published: GPT3.5-turbo; only the shares that our text of the paper shows.",
        )

    def plot(self) -> Plot:
        """Return the shares as bars, a group for each kind."""
        series = []
        for kind in KINDS.values():
            points = [
                (float(at), 100 * own.count(kind) / len(own))
                for at, own in enumerate(self.kinds.values())
                if own
            ]
            series.append(Series(name=self.named(kind), points=tuple(points)))
        return Plot(
            title=f"GIVE a+c+e and {METHOD_NAMES[self.other]}",
            kind="bars",
            x="set",
            y="share of questions, %",
            series=tuple(series),
            ticks=tuple(SET_NAMES[name] for name in self.kinds),
        )

    def findings(self) -> Iterator[str]:
        """Yield how many questions of each set only one of two methods answers right, both, and none."""
        for name, own in self.kinds.items():
            if own:
                yield (
                    f"{SET_NAMES[name]}: of {counted(len(own), 'question')} only GIVE is right on "
                    f"{own.count(ONLY_GIVE)}, only {METHOD_NAMES[self.other]} on {own.count(ONLY_OTHER)}, "
                    f"both on {own.count(BOTH)} and neither on {own.count(NEITHER)}."
                )
