"""How well a model tells true triples of a graph from corrupted ones: asked in words, and by the scores it
gives (`probative.give.scored`).
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from probative.bench.data.graph_qa import open_graph
from probative.bench.experiment import Case, Experiment, Lab, Settings
from probative.bench.metrics import auroc, auroc_interval, mean
from probative.bench.report import Cell, Report, Table, TableRow
from probative.bench.rows import Row
from probative.bench.statistics import mean_cell, percent_cell
from probative.engine.runner import run_searches
from probative.engine.tools import Tools
from probative.give.extrapolate import statement
from probative.give.query import YES_NO
from probative.give.scored import FAILS, HOLDS, expectations
from probative.graph.graph import Graph
from probative.models.types import Request
from probative.text.prompts import fill, read_prompt
from probative.types import Triple

GRAPHS = ("umls", "conceptnet")
PARTS = ("relation", "tail")
# True triples of each graph and part; as many are corrupted.
TRIPLES = 100


class Veracity(Experiment):
    """Half of the triples are from a graph; in the others the relation or the tail was replaced, so that the
    graph does not have the result.
    """

    name = "veracity"
    title = "Does the model tell true triples from false ones?"
    paper = "ours"
    shown_as = "results, veracity"
    data = GRAPHS
    verbs = frozenset({"choose", "score"})
    calls_per_case = 3.0

    def cases(self, settings: Settings) -> list[Case]:
        """Return `limit` true triples of each graph and part (100 without a limit), and as many false."""
        cases = []
        for name in GRAPHS:
            graph = open_graph(settings.data, name)
            for part in PARTS:
                pairs = sample(graph, part, settings.limit or TRIPLES, settings.seed)
                cases += [
                    Case(f"{name}/{part}/{number}/{label}", triple)
                    for number, pair in enumerate(pairs)
                    for label, triple in zip(("true", "false"), pair, strict=True)
                ]
        return cases

    def run(self, case: Case, lab: Lab) -> Row:
        triple: Triple = case.content
        prompt = fill(read_prompt("probative.give", "judge"), statement=statement(triple))
        (choice,) = lab.model.choose([Request.user(prompt)], [YES_NO])
        tools = Tools(lambda: lab.model, lambda: lab.session.sentence_encoder)
        ((_, finished),) = run_searches([expectations([triple], "veracity")], tools)
        if finished.error is not None:
            raise finished.error
        assert finished.result is not None
        graph, part, _, label = case.key.split("/")
        return {
            "graph": graph,
            "part": part,
            "true": label == "true",
            "asked": choice.probability("yes") - choice.probability("no"),
            "says_yes": choice.best == "yes",
            "scored": finished.result[0],
            "tokens_asked": choice.usage.tokens,
            "tokens_scored": finished.usage.tokens,
        }

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        good = [row for row in rows if "error" not in row]
        table = Table(
            title="True and corrupted triples",
            corner="graph, corrupted part",
            columns=(
                "asked: AUROC",
                "asked: says yes",
                "scored: AUROC",
                "true of those that hold",
                "false of those that fail",
                "maybe",
                "tokens asked",
                "tokens scored",
            ),
            rows=tuple(
                TableRow(
                    name=f"{graph}, {part}",
                    cells=_cells([row for row in good if (row["graph"], row["part"]) == (graph, part)]),
                )
                for graph in GRAPHS
                for part in PARTS
            ),
            note=f"A triple holds from a score of {HOLDS:g} on and fails below {FAILS:g}.",
        )
        return Report(tables=(table,))


def sample(graph: Graph, part: str, n: int, seed: int) -> list[tuple[Triple, Triple]]:
    """Return n true triples, each with the same one whose relation or tail was replaced by another of the
    graph, so that it is no edge of it.
    """
    draw = random.Random(f"{seed} {part}")
    edges = [tuple(edge) for entity in range(graph.entity_count) for edge in graph.out_edges(entity).tolist()]
    known = set(edges)
    pairs = []
    for head, relation, tail in draw.sample(edges, min(n, len(edges))):
        corrupted = next(
            edge
            for other in iter(lambda: draw.choice(edges), None)
            if (edge := (head, other[1], tail) if part == "relation" else (head, relation, other[2]))
            not in known
        )
        pairs.append((graph.triple((head, relation, tail)), graph.triple(corrupted)))
    return pairs


def _cells(rows: Sequence[Row]) -> tuple[Cell, ...]:
    holds = [row for row in rows if row["scored"] >= HOLDS]
    fails = [row for row in rows if row["scored"] < FAILS]
    return (
        _auroc(rows, "asked"),
        percent_cell([float(row["says_yes"]) for row in rows]),
        _auroc(rows, "scored"),
        percent_cell([float(row["true"]) for row in holds]),
        percent_cell([float(not row["true"]) for row in fails]),
        percent_cell([float(FAILS <= row["scored"] < HOLDS) for row in rows]),
        mean_cell([row["tokens_asked"] for row in rows]),
        Cell(value=mean([row["tokens_scored"] for row in rows]) if rows else None, n=len(rows)),
    )


def _auroc(rows: Sequence[Row], field: str) -> Cell:
    high, low = ([row[field] for row in rows if row["true"] is wanted] for wanted in (True, False))
    if not high or not low:
        return Cell(value=None, n=len(rows))
    return Cell(value=auroc(high, low), **auroc_interval(high, low)._asdict(), n=len(rows))
