"""How well true triples of a graph are told from corrupted ones: by a model asked in words, by the scores it
gives (`probative.give.scored`), by the veracity learned from the graph, and by both together.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from probative.bench.data.graph_qa import open_graph
from probative.bench.experiment import Case, Lab, Settings
from probative.bench.experiments.ours.hidden_triples import HIDDEN, REPLACED, hidden_split, learned_row
from probative.bench.findings import auroc_text
from probative.bench.metrics import auroc, mean
from probative.bench.report import Cell, Plot, Report, Series, Table, TableRow
from probative.bench.rows import Row, finished_rows
from probative.bench.study import Study
from probative.bench.tables import (
    Metric,
    Rows,
    auroc_cell,
    average,
    build_table,
    groups_by,
    known_cells,
    ratio_cell,
    rows_of,
    share,
)
from probative.engine.runner import run_searches
from probative.engine.tools import Tools
from probative.errors import InputError
from probative.give.extrapolate import statement
from probative.give.query import YES_NO
from probative.give.scored import FAILS, HOLDS, expectations
from probative.graph.graph import Graph
from probative.models.types import Request
from probative.text.prompts import fill, read_prompt
from probative.types import Triple
from probative.usage import Usage

WEIGHTS = tuple(number / 10 for number in range(21))
"""The weights of the model's score that are tried."""
Scores = tuple[Sequence[float], Sequence[float]]
"""The scores of true triples, and of the false ones in the same order."""

GRAPHS = ("umls", "conceptnet")
CORRUPTED = ("relation", "tail")
# True triples of each graph and part; as many are corrupted.
TRIPLES = 100


def known_table(rows: Rows) -> Table:
    """Return how well a model, asked and by its scores, tells the triples of each graph and part apart."""
    named = [{**row, "group": f"{row['graph']}, {row['part']}"} for row in rows]
    return build_table(
        "True and corrupted triples",
        "graph, corrupted part",
        KNOWN,
        groups_by(named, "group"),
        f"A triple holds from a score of {HOLDS:g} on and fails below {FAILS:g}.",
    )


def _told_apart(field: str) -> Metric:
    def metric(rows: Rows) -> Cell:
        return auroc_cell(
            *([row[field] for row in rows if row["true"] is wanted] for wanted in (True, False))
        )

    return metric


def _holds(row: Row) -> bool:
    return bool(row["scored"] >= HOLDS)


def _fails(row: Row) -> bool:
    return bool(row["scored"] < FAILS)


KNOWN: dict[str, Metric] = {
    "asked: AUROC": _told_apart("asked"),
    "asked: says yes": share("says_yes"),
    "scored: AUROC": _told_apart("scored"),
    "true of those that hold": share("true", of=_holds),
    "false of those that fail": share(lambda row: not row["true"], of=_fails),
    "maybe": share(lambda row: FAILS <= row["scored"] < HOLDS),
    "tokens asked": average("tokens_asked"),
    "tokens scored": average("tokens_scored"),
}


def learned_table(rows: Sequence[Row]) -> Table:
    """Return how well the learned veracity tells all hidden triples from false ones."""
    return Table(
        title="Veracity learned from the graph, on hidden triples",
        corner="graph, a tenth hidden of, replaced part",
        columns=(
            "hidden triples",
            "AUROC",
            "true of those that hold",
            "false of those that fail",
            "maybe",
            "calibration error",
        ),
        rows=tuple(
            TableRow(name=f"{row['graph']}, {row['hidden']}, {part}", cells=_learned_cells(figures))
            for row in rows
            for part, figures in row["parts"].items()
        ),
        note="The scorer learns from the rest of the graph and does not know which triples are hidden. "
        "ConceptNet is between its 3,000 most connected entities.",
    )


def _learned_cells(figures: Row) -> tuple[Cell | str, ...]:
    if not figures["n"]:
        return ("0", *[Cell(value=None)] * 5)
    value, low, high = figures["auroc"]
    return (
        f"{figures['n']:,}",
        Cell(value=value, low=low, high=high),
        *(ratio_cell(*figures[name]) for name in ("holds", "fails", "maybe")),
        Cell(value=figures["calibration_error"]),
    )


class Combined(NamedTuple):
    """The AUROC of the learned score alone and of both, and the weights of the model's score."""

    learned: float
    both: float
    weights: tuple[float, float]


def combined(learned: Scores, model: Scores) -> Combined:
    """Return the AUROC of the learned score plus a weight times the model's. The weight is fitted on one half
    of the pairs and measured on the other, and the reverse; the figures are means over both halves.

    >>> combined(([2, 0, 2, 0], [1, 1, 1, 1]), ([0, 9, 0, 9], [0, 0, 0, 0])).both
    1.0
    """
    half = len(learned[0]) // 2
    halves = (slice(0, half), slice(half, None))

    def with_weight(weight: float, part: slice) -> float:
        sums = (
            [a + weight * b for a, b in zip(own[part], other[part], strict=True)]
            for own, other in zip(learned, model, strict=True)
        )
        return auroc(*sums)

    weights = tuple(max(WEIGHTS, key=lambda weight: with_weight(weight, part)) for part in halves)
    both = [with_weight(weights[0], halves[1]), with_weight(weights[1], halves[0])]
    alone = [with_weight(0.0, part) for part in halves]
    return Combined(mean(alone), mean(both), (weights[0], weights[1]))


def combined_table(learned: Rows, hidden: Rows) -> Table:
    """Return the model's score, the learned one, and their weighted sum on the same hidden triples."""
    body = []
    for row in learned:
        graph, what = row["graph"], row["hidden"]
        for part, figures in row["parts"].items():
            own = rows_of(hidden, graph=graph, hidden=what, part=part)
            scores = {(each["number"], each["true"]): each["scored"] for each in own}
            body.append(TableRow(name=f"{graph}, {what}, {part}", cells=_combined_cells(figures, scores)))
    return Table(
        title="The model, the learned veracity, and both, on the same hidden triples",
        corner="graph, a tenth hidden of, replaced part",
        columns=("model: AUROC", "learned: AUROC", "both: AUROC", "weights of the model"),
        rows=tuple(body),
        note="The weight is fitted on one half of the triples and measured on the other, and the reverse.",
    )


def _combined_cells(figures: Row, scores: dict[tuple[int, bool], float]) -> tuple[Cell | str, ...]:
    """Return the cells over the pairs of which both triples were scored."""
    numbers = [
        number
        for number in range(len(figures["true"]))
        if (number, True) in scores and (number, False) in scores
    ]
    if len(numbers) < 2:
        return (Cell(value=None), Cell(value=None), Cell(value=None), "-")
    learned = tuple([figures[label][number] for number in numbers] for label in ("true", "false"))
    model = tuple([scores[number, label] for number in numbers] for label in (True, False))
    found = combined((learned[0], learned[1]), (model[0], model[1]))
    n = 2 * len(numbers)
    return (
        auroc_cell(*model),
        Cell(value=found.learned, n=n),
        Cell(value=found.both, n=n),
        ", ".join(f"{weight:.1f}" for weight in found.weights),
    )


def reliability_plot(rows: Sequence[Row]) -> Plot:
    """Return the share of true triples against the stated probability."""
    return Plot(
        title="Reliability of the learned veracity",
        kind="reliability",
        x="stated probability",
        y="share of true triples",
        series=tuple(
            Series(
                name=f"{row['graph']}, {row['hidden']} hidden",
                points=tuple((float(x), float(y)) for x, y in row["reliability"]),
            )
            for row in rows
        ),
    )


def known_findings(table: Table) -> Iterator[str]:
    """Yield how well the model tells triples of the graph from corrupted ones, asked and by its scores."""
    for name, (asked, scored) in known_cells(table, "asked: AUROC", "scored: AUROC"):
        yield (
            f"{name}: the model, asked in words, has {auroc_text(asked)}; its scores have "
            f"{auroc_text(scored)}."
        )


def learned_findings(table: Table) -> Iterator[str]:
    """Yield how well the learned veracity tells hidden triples from false ones."""
    for name, (learned,) in known_cells(table, "AUROC"):
        yield f"{name}: what the graph teaches has {auroc_text(learned)} on hidden triples."


def combined_findings(table: Table) -> Iterator[str]:
    """Yield whether the model adds anything to the learned veracity."""
    columns = ("model: AUROC", "learned: AUROC", "both: AUROC")
    for name, (model, alone, both) in known_cells(table, *columns):
        yield (
            f"{name}: on the same {both.n} triples the model has an AUROC of {model.value:.3f}, what "
            f"the graph teaches {alone.value:.3f}, and both together {both.value:.3f}."
        )


class Veracity(Study):
    """Half of the triples are from a graph; in the others the relation or the tail was replaced, so that the
    graph does not have the result.

    The option "kinds" names some of: known (the model asked, and its scores), learned (the veracity learned
    from a graph without a tenth of it), hidden (the model's scores of what was hidden, beside the learned).
    """

    name = "veracity"
    title = "Does the model, or what the graph teaches, tell true triples from false ones?"
    paper_reference = "results, veracity"
    limit_of = "true triples of each graph, and as many false ones"
    data = GRAPHS
    verbs = frozenset({"choose", "score"})
    calls_per_case = 3.0
    options = ("kinds",)

    def cases(self, settings: Settings) -> list[Case]:
        """Return `limit` true triples of each graph and part (100 without a limit), as many false ones, and
        a case for each veracity that is learned.
        """
        n = settings.limit or TRIPLES
        return [case for kind in kinds_in(settings) for case in _CASES[kind](settings, n)]

    def answer(self, case: Case, lab: Lab) -> Row:
        kind, *fields = case.key.split("/")
        if kind == "learned":
            graph, what = case.content
            split = hidden_split(lab.settings.data, graph, what, lab.settings.seed)
            row = learned_row(split, what, lab.session.sentence_encoder, lab.settings.limit or TRIPLES)
            return {"kind": kind, "graph": graph, "hidden": what, **row}
        triple: Triple = case.content
        score, usage = _scored(triple, lab)
        row = {"kind": kind, "scored": score, "tokens_scored": usage.tokens, "true": fields[-1] == "true"}
        if kind == "hidden":
            graph, what, part, number, _ = fields
            return {**row, "graph": graph, "hidden": what, "part": part, "number": int(number)}
        return {**row, "graph": fields[0], "part": fields[1], **_asked(triple, lab)}

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        good = finished_rows(rows)
        known, learned, hidden = (rows_of(good, kind=kind) for kind in ("known", "learned", "hidden"))
        tables: list[Table] = []
        findings: list[str] = []
        if known:
            tables.append(known_table(known))
            findings += known_findings(tables[-1])
        if learned:
            tables.append(learned_table(learned))
            findings += learned_findings(tables[-1])
        if learned and hidden:
            tables.append(combined_table(learned, hidden))
            findings += combined_findings(tables[-1])
        plots = (reliability_plot(learned),) if learned else ()
        return Report(tables=tuple(tables), plots=plots, findings=tuple(findings))


def kinds_in(settings: Settings) -> list[str]:
    """Return the kinds of cases that the option "kinds" names, or all; raises `InputError` for an unknown
    one.
    """
    names = [name.strip() for name in str(settings.option("kinds", ",".join(_CASES))).split(",")]
    for name in names:
        if name not in _CASES:
            raise InputError(f"there is no kind {name!r}", hint=f"use some of {', '.join(_CASES)}")
    return names


def _known(settings: Settings, n: int) -> Iterator[Case]:
    for name in GRAPHS:
        graph = open_graph(settings.data, name)
        for part in CORRUPTED:
            yield from _pair_cases(f"known/{name}/{part}", sample(graph, part, n, settings.seed))


def _learned(settings: Settings, n: int) -> Iterator[Case]:
    for name in GRAPHS:
        for what in HIDDEN:
            yield Case(f"learned/{name}/{what}", (name, what))


def _hidden(settings: Settings, n: int) -> Iterator[Case]:
    for name in GRAPHS:
        for what in HIDDEN:
            split = hidden_split(settings.data, name, what, settings.seed)
            for part in REPLACED:
                yield from _pair_cases(f"hidden/{name}/{what}/{part}", split.sampled(part, n))


_CASES: dict[str, Callable[[Settings, int], Iterator[Case]]] = {
    "known": _known,
    "learned": _learned,
    "hidden": _hidden,
}


def _pair_cases(start: str, pairs: Sequence[tuple[Triple, Triple]]) -> Iterator[Case]:
    for number, pair in enumerate(pairs):
        for label, triple in zip(("true", "false"), pair, strict=True):
            yield Case(f"{start}/{number}/{label}", triple)


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


def _asked(triple: Triple, lab: Lab) -> Row:
    prompt = fill(read_prompt("probative.give", "judge"), statement=statement(triple))
    (choice,) = lab.model.choose([Request.user(prompt)], [YES_NO])
    return {
        "asked": choice.probability("yes") - choice.probability("no"),
        "says_yes": choice.best == "yes",
        "tokens_asked": choice.usage.tokens,
    }


def _scored(triple: Triple, lab: Lab) -> tuple[float, Usage]:
    tools = Tools(lambda: lab.model, lambda: lab.session.sentence_encoder)
    ((_, finished),) = run_searches([expectations([triple], "veracity")], tools)
    if finished.error is not None:
        raise finished.error
    assert finished.result is not None
    return finished.result[0], finished.usage
