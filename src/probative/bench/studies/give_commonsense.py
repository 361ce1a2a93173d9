"""Table 4: CommonsenseQA with 10, 50 and 100% of the triples of ConceptNet."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from probative.bench.families.graph_questions import METHOD_NAMES, PARTS, numbers_in
from probative.bench.families.graph_tables import Comparison, MethodStudy, method_lines, stage_finding
from probative.bench.published import GIVE
from probative.bench.report import Cell, Report, Table
from probative.bench.rows import Row, rows_of
from probative.bench.study import Case, Settings
from probative.bench.tables import build_table

# Methods that do not read the graph: their figure is the same for every part.
WITHOUT_GRAPH = tuple(METHOD_NAMES[method] for method in ("direct", "cot"))


class GiveCommonsense(MethodStudy):
    """Accuracy by the part of the graph. The option "parts" names other percentages."""

    name = "give-commonsense"
    options = ("parts",)
    title = "Does give help on a sparse and on a large, noisy graph?"
    paper_reference = "table 4"
    data = ("commonsenseqa", "conceptnet")
    sets = ("csqa",)
    # The paper leaves GraphRAG out: it summarises the whole graph.
    methods = ("direct", "cot", "rag", "tog", "give")

    def percents(self, set_name: str, settings: Settings) -> Sequence[int]:
        return numbers_in(settings, "parts", PARTS)

    def cases(self, settings: Settings) -> Sequence[Case]:
        """Return the cases; a method that does not read the graph is asked once."""
        first = self.percents("csqa", settings)[0]
        return [
            case
            for case in super().cases(settings)
            if case.content.percent == first or case.arm not in WITHOUT_GRAPH
        ]

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        parts = self.percents("csqa", settings)
        # A method without a graph stands in the column of each part, whichever it was asked for.
        others = [
            {**row, "percent": part}
            for row in rows
            for part in parts
            if row.get("arm") in WITHOUT_GRAPH and row.get("percent") != part
        ]
        lines = method_lines(self.arm_names(["csqa"], settings))
        columns = {f"{part}%": {"set": "csqa", "percent": part} for part in parts}
        compared = Comparison([*rows, *others], lines, columns)
        table = compared.table(
            "CommonsenseQA by the part of ConceptNet's triples",
            {line: [figures.get(part) for part in parts] for line, figures in GIVE.commonsense.items()},
            "Published: GPT3.5-turbo with the whole of ConceptNet. I/O prompt and CoT do not read the graph.",
        )
        tests = compared.last_tests()
        by_part = (text for part in parts for text in compared.finding(f"{part}% of the graph", percent=part))
        return Report(
            tables=(table, graph_table(rows, parts), *tests), findings=(stage_finding(tests), *by_part)
        )


def graph_table(rows: Sequence[Row], parts: Sequence[int]) -> Table:
    """Return the size of each part of the graph."""
    return build_table(
        "The parts of the graph (table 2 of the paper)",
        "part",
        {"entities": partial(_size, "entities"), "triples": partial(_size, "edges")},
        [(f"{part}%", rows_of(rows, percent=part)) for part in parts],
        published={f"{part}%": figures for part, figures in GIVE.commonsense_graphs.items()},
    )


def _size(name: str, rows: Sequence[Row]) -> Cell:
    sizes = [row["graph"][name] for row in rows if "graph" in row]
    # The paper has another version of ConceptNet.
    return Cell(value=sizes[-1] if sizes else None, comparable=False)
