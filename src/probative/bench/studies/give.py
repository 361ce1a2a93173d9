"""Tables 3 to 7 and figure 5 of GIVE: its methods on each set, and give with one thing changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from probative.bench.data.graph_qa import SET_NAMES
from probative.bench.families.graph_questions import (
    BIOMEDICAL,
    METHOD_NAMES,
    PARTS,
    Arm,
    Asked,
    GraphStudy,
    MethodStudy,
    StageStudy,
    give_arm,
    numbers_in,
)
from probative.bench.families.graph_tables import (
    Lines,
    accuracy_table,
    accuracy_tests,
    by_set,
    count_lines,
    observations,
    right_counts,
    stage_lines,
)
from probative.bench.findings import compared
from probative.bench.published import GIVE
from probative.bench.report import Cell, Table
from probative.bench.rows import Row, Rows
from probative.bench.statistics import each_against
from probative.bench.study import Case, Lab, Settings
from probative.bench.tables import Results, TableSpec, line_bars
from probative.errors import InputError
from probative.models.encoder import Encoder
from probative.session.session import Session

FIFTY_QUESTIONS = (
    "Published: GPT3.5-turbo, 50 questions of each set; figures that our text of the paper does not show are "
    "left out."
)


ANSWERED = "Biomedical questions with UMLS"


def _set_columns(results: Results) -> Iterator[tuple[str, Table, str]]:
    """Yield the column of each set."""
    table = results.tables[0]
    yield from ((column, table, column) for column in table.columns)


class GiveBiomedical(MethodStudy):
    """Accuracy of each method on each set. The option "beside" names the model whose published figures stand
    beside ours.
    """

    name = "give-biomedical"
    options = ("beside",)
    title = "Does give answer biomedical questions better than the baselines, from a graph of 135 entities?"
    paper_reference = "table 3"
    data = (*BIOMEDICAL, "umls")
    sets = BIOMEDICAL
    methods = tuple(METHOD_NAMES)
    plots = (line_bars(ANSWERED, "accuracy, %", _set_columns),)

    def tables_of(self, settings: Settings) -> Sequence[TableSpec]:
        model = str(settings.option("beside", "GPT3.5-turbo"))
        if model not in GIVE.biomedical:
            raise InputError(
                f"the paper has no figures of {model!r} in table 3",
                hint=f"use one of {', '.join(GIVE.biomedical)}",
            )
        note = f"Published: {model}, all questions of the sets."
        return [accuracy_table(ANSWERED, by_set(GIVE.biomedical[model]), note)]


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


CONNECTIONS = {
    "Inner-group only": {"connections": "inner"},
    "Inter-group only": {"connections": "inter"},
    "Inner and inter group": {"connections": "both"},
}


class GiveConnections(GraphStudy):
    """Accuracy of the last answer by the kind of connections."""

    name = "give-connections"
    title = "What do the connections within and between groups contribute?"
    paper_reference = "table 5"
    questions = 100
    changes = CONNECTIONS
    tables = (
        accuracy_table(
            "Connections within and between groups",
            {
                line: {SET_NAMES[name]: figure for name, figure in row.items()}
                for line, row in GIVE.connections.items()
            },
            "The answer a+c+e. Published: GPT3.5-turbo, 100 questions of each set.",
        ),
    )
    tests = (accuracy_tests(each_against(CONNECTIONS, "Inner and inter group")),)
    findings = (compared("accuracy"),)


SHAPES = {shape: {"shape": shape} for shape in ("triples", "text")}


class GiveShapes(StageStudy):
    """Accuracy of each stage by the form of the knowledge."""

    name = "give-shapes"
    title = "Does a model read knowledge better as triples or as text?"
    paper_reference = "table 6"
    questions = 50
    changes = SHAPES
    tables = (accuracy_table("Knowledge as triples or as text", by_set(GIVE.shapes), FIFTY_QUESTIONS),)


EMBEDDED = "all-MiniLM-L6-v2"
"""The embedded encoder is this model."""


class GiveEncoders(StageStudy):
    """Accuracy of each stage by the encoder. The option "encoders" names them, for example
    ``embedded,hf:sentence-transformers/all-mpnet-base-v2``; by default only the embedded one.
    """

    name = "give-encoders"
    options = ("encoders",)
    title = "Does a larger encoder find better groups of entities?"
    paper_reference = "table 7"
    questions = 50
    tables = (accuracy_table("Encoders that find near entities", by_set(GIVE.encoders), FIFTY_QUESTIONS),)

    def arms_for(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        return [give_arm(settings, name) for name in encoders_in(settings)]

    def session_for(self, asked: Asked, lab: Lab) -> Session:
        return lab.session.with_encoder(encoders_in(lab.settings)[asked.arm.name])


def encoders_in(settings: Settings) -> dict[str, Encoder | str]:
    """Return the encoders of the option "encoders", names or opened ones, by their names in the paper: those
    of the models without backend and folder.

    >>> from pathlib import Path
    >>> encoders_in(Settings(Path("."), options={"encoders": "embedded, hf:/models/all-mpnet-base-v2/"}))
    {'all-MiniLM-L6-v2': 'embedded', 'all-mpnet-base-v2': 'hf:/models/all-mpnet-base-v2/'}
    """
    given = settings.option("encoders", "embedded")
    encoders = [part.strip() for part in given.split(",")] if isinstance(given, str) else given
    names = (each if isinstance(each, str) else each.name for each in encoders)
    short = (
        EMBEDDED if name == "embedded" else name.rstrip("/").split("/")[-1].split(":")[-1] for name in names
    )
    return dict(zip(short, encoders, strict=True))


YES_NO_COUNTS = (0, 1, 2, 3, 4, 5)
CHOICE_COUNTS = (0, 1, 3, 5, 7, 10)


class GiveExamples(StageStudy):
    """Accuracy by the number of examples: 0 to 5 for yes-no questions, 0 to 10 for choices. The option
    "counts" names other numbers.
    """

    name = "give-examples"
    options = ("counts",)
    title = "How many worked examples does give need?"
    paper_reference = "figure 5"
    questions = 50
    tables = (
        accuracy_table(
            "GIVE by the number of worked examples",
            note="The paper shows curves without figures: most of the gain comes with the first example. The "
            "examples are the first of Probative's own.",
        ),
    )
    plots = (count_lines("worked examples", "the number of worked examples"),)

    def arms_for(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        default = YES_NO_COUNTS if set_name in ("pubmedqa", "bioasq") else CHOICE_COUNTS
        counts = numbers_in(settings, "counts", default)
        return [give_arm(settings, f"{n} example{'' if n == 1 else 's'}", examples=n) for n in counts]

    def lines(self, arms: Sequence[str]) -> Lines:
        """Return the lines in the order of the numbers, which differ from set to set."""
        return stage_lines(sorted(arms, key=lambda arm: int(arm.split()[0])))
