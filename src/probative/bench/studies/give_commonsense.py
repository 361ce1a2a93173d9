"""Table 4: CommonsenseQA with 10, 50 and 100% of the triples of ConceptNet."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from probative.bench.families.graph_questions import METHOD_NAMES, PARTS, MethodStudy, numbers_in
from probative.bench.families.graph_tables import accuracy_table, observations, right_counts
from probative.bench.findings import compared
from probative.bench.published import GIVE
from probative.bench.report import Cell
from probative.bench.rows import Row, Rows
from probative.bench.study import Case, Settings
from probative.bench.tables import TableSpec

# Methods that do not read the graph: their figure is the same for every part.
WITHOUT_GRAPH = tuple(METHOD_NAMES[method] for method in ("direct", "cot"))


def _size(name: str, rows: Rows) -> Cell:
    # The paper has another version of ConceptNet.
    return Cell(value=rows[-1]["graph"][name], comparable=False)


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
    tables = (
        accuracy_table(
            "CommonsenseQA by the part of ConceptNet's triples",
            {
                line: {f"{part}%": figure for part, figure in row.items()}
                for line, row in GIVE.commonsense.items()
            },
            "Published: GPT3.5-turbo with the whole of ConceptNet. I/O prompt and CoT do not read the graph.",
        ),
        TableSpec(
            "The parts of the graph (table 2 of the paper)",
            "part",
            {"entities": partial(_size, "entities"), "triples": partial(_size, "edges")},
            "column",
            where=lambda row: row.get("graph"),
            published={f"{part}%": figures for part, figures in GIVE.commonsense_graphs.items()},
        ),
    )
    findings = (compared("accuracy"), right_counts("{} of the graph", lambda row: row["stage"]))

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

    def observations(self, rows: Sequence[Row]) -> list[Row]:
        """Return the rows of each line; a method without a graph stands in the column of each part, whichever
        it was asked for.
        """
        parts = list(dict.fromkeys(row["percent"] for row in rows))
        others = [
            {**row, "percent": part, "graph": None}
            for row in rows
            for part in parts
            if row["arm"] in WITHOUT_GRAPH and row["percent"] != part
        ]
        return observations([{**row, "column": f"{row['percent']}%"} for row in (*rows, *others)], self.lines)
