"""Table 4: CommonsenseQA with 10, 50 and 100% of the triples of ConceptNet."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.experiment import Case, Settings
from probative.bench.experiments.give_study.figures import (
    Column,
    MethodStudy,
    accuracy_table,
    right_finding,
    stage_finding,
)
from probative.bench.experiments.give_study.study import METHOD_NAMES, WHOLE, Arm, method_arms, names_in
from probative.bench.published import GIVE
from probative.bench.report import Cell, Report, Table, TableRow
from probative.bench.rows import Row
from probative.bench.tables import rows_of

PARTS = (10, 50, WHOLE)
# The paper leaves GraphRAG out: it summarises the whole graph.
METHODS = ("direct", "cot", "rag", "tog", "give")
# Methods that do not read the graph: their figure is the same for every part.
WITHOUT_GRAPH = tuple(METHOD_NAMES[method] for method in ("direct", "cot"))


class Commonsense(MethodStudy):
    """Accuracy by the part of the graph. The option "parts" names other percentages."""

    name = "give-commonsense"
    own_options = ("parts",)
    title = "Does give help on a sparse and on a large, noisy graph?"
    paper_reference = "table 4"
    data = ("commonsenseqa", "conceptnet")
    sets = ("csqa",)

    def arms(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        return method_arms(settings, METHODS)

    def percents(self, set_name: str, settings: Settings) -> Sequence[int]:
        return parts_in(settings)

    def cases(self, settings: Settings) -> Sequence[Case]:
        """Return the cases; a method that does not read the graph is asked once."""
        first = self.percents("csqa", settings)[0]
        return [
            case
            for case in super().cases(settings)
            if case.content.percent == first or case.content.arm.name not in WITHOUT_GRAPH
        ]

    def shown(self, rows: Sequence[Row], sets: Sequence[str], settings: Settings) -> Report:
        parts = self.percents("csqa", settings)
        columns = [Column(f"{part}%", "csqa", part) for part in parts]
        repeated = [*rows, *_for_other_parts(rows, parts)]
        arms = [arm.name for arm in self.arms("csqa", settings)]
        lines, tests = self.compared(repeated, arms, columns)
        table = accuracy_table(
            "CommonsenseQA by the part of ConceptNet's triples",
            lines,
            columns,
            repeated,
            {line: [figures.get(part) for part in parts] for line, figures in GIVE.commonsense.items()},
            "Published: GPT3.5-turbo with the whole of ConceptNet. I/O prompt and CoT do not read the graph.",
        )
        by_part = (
            right_finding(rows_of(repeated, percent=part), lines, f"{part}% of the graph") for part in parts
        )
        return Report(
            tables=(table, graph_table(rows, parts), *tests),
            findings=(stage_finding(tests), *filter(None, by_part)),
        )


def parts_in(settings: Settings) -> list[int]:
    """Return the parts of the graph, in percent, that the option "parts" names; by default the paper's."""
    return [int(part) for part in names_in(settings.option("parts", ",".join(map(str, PARTS))))]


def _for_other_parts(rows: Sequence[Row], parts: Sequence[int]) -> list[Row]:
    """Return the rows of methods without a graph once more for each part that they were not asked for."""
    return [
        {**row, "percent": part}
        for row in rows
        for part in parts
        if row.get("arm") in WITHOUT_GRAPH and row.get("percent") != part
    ]


def graph_table(rows: Sequence[Row], parts: Sequence[int]) -> Table:
    """Return the size of each part of the graph."""
    sizes = {row["percent"]: row["graph"] for row in rows if "graph" in row}
    return Table(
        title="The parts of the graph (table 2 of the paper)",
        corner="part",
        columns=("entities", "triples"),
        rows=tuple(
            TableRow(
                name=f"{part}%",
                cells=tuple(
                    # The paper has another version of ConceptNet.
                    Cell(value=sizes.get(part, {}).get(name), published=published, comparable=False)
                    for name, published in zip(
                        ("entities", "edges"),
                        GIVE.commonsense_graphs.get(part, (None, None)),
                        strict=True,
                    )
                ),
            )
            for part in parts
        ),
    )
