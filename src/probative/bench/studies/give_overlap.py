"""Figures 7 and 8: which questions give and ToG, or give and RAG, answer right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from probative.bench.families.graph_questions import METHOD_NAMES, SET_NAMES
from probative.bench.families.graph_tables import (
    Comparison,
    MethodStudy,
    accuracy_in,
    column_bars,
    last_lines,
    right,
    set_columns,
)
from probative.bench.findings import counted, difference_finding
from probative.bench.published import GIVE
from probative.bench.report import Report, Table
from probative.bench.rows import Row, rows_of
from probative.bench.statistics import first_against
from probative.bench.study import Settings
from probative.bench.tables import build_table

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
        sets, arms = self.sets_in(settings), self.arm_names(self.sets, settings)
        kinds = {
            method: kinds_of(rows, METHOD_NAMES[method]) for method in FIGURES if METHOD_NAMES[method] in arms
        }
        tables = [overlap_table(own, sets, method) for method, own in kinds.items()]
        # The last line is a share of other questions.
        bars = [
            column_bars(table.model_copy(update={"rows": table.rows[:-1]}), table.title.partition(" (")[0])
            for table in tables
        ]
        lines = last_lines(["GIVE", *(METHOD_NAMES[method] for method in kinds)])
        tests = Comparison(rows, lines, set_columns(sets)).tests(first_against("GIVE", lines))
        texts = [text for method, own in kinds.items() for text in overlap_findings(own, sets, method)]
        findings = (difference_finding(tests, "accuracy"), *texts)
        return Report(tables=(*tables, *tests), plots=tuple(bars), findings=findings)


def kinds_of(rows: Sequence[Row], other: str) -> list[Row]:
    """Return the set and the kind of each question that both arms were asked."""
    give, rival = (
        {(row["set"], row["id"]): right(row) for row in rows_of(rows, arm=arm)} for arm in ("GIVE", other)
    )
    both = sorted(give.keys() & rival.keys())
    return [{"set": key[0], "kind": KINDS[give[key], rival[key]]} for key in both]


def overlap_table(kinds: Sequence[Row], sets: Sequence[str], method: str) -> Table:
    """Return the share of each kind of question in percent, for each set."""

    def line(kind: str, among: Iterable[str]) -> list[Row]:
        return [{**row, "right": row["kind"] == kind} for row in kinds if row["kind"] in among]

    other, published = METHOD_NAMES[method], GIVE.overlap[method]
    lines = {kind: line(kind, KINDS.values()) for kind in KINDS.values()}
    lines[MISSED] = line(ONLY_OTHER, (BOTH, ONLY_OTHER))
    return build_table(
        f"GIVE a+c+e and {other} ({FIGURES[method]})",
        "share of questions, %",
        accuracy_in(set_columns(sets)),
        [(name.replace("the other", other), own) for name, own in lines.items()],
        "Published: GPT3.5-turbo; only the shares that our text of the paper shows.",
        {
            name.replace("the other", other): [own.get(set_name) for set_name in sets]
            for name, own in published.items()
        },
    )


def overlap_findings(kinds: Sequence[Row], sets: Sequence[str], method: str) -> Iterator[str]:
    """Yield how many questions of each set only one of two methods answers right, both, and none."""
    for name in sets:
        n = Counter(row["kind"] for row in rows_of(kinds, set=name))
        if n:
            yield (
                f"{SET_NAMES[name]}: of {counted(n.total(), 'question')} only GIVE is right on "
                f"{n[ONLY_GIVE]}, only {METHOD_NAMES[method]} on {n[ONLY_OTHER]}, both on {n[BOTH]} and "
                f"neither on {n[NEITHER]}."
            )
