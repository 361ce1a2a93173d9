"""How well true triples of a graph are told from corrupted ones: by a model asked in words, by the scores it
gives (`probative.give.scored`), by the veracity learned from the graph, and by both together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from probative.bench.data.graph_qa import open_graph
from probative.bench.families.hidden_triples import (
    HIDDEN,
    REPLACED,
    combined,
    hidden_split,
    learned_row,
    sample,
)
from probative.bench.findings import sentences
from probative.bench.report import Cell
from probative.bench.rows import Row, Rows, rows_of
from probative.bench.study import Case, Lab, Names, Settings, Study
from probative.bench.tables import (
    Metric,
    Metrics,
    Results,
    TableSpec,
    auroc_cell,
    average,
    plot,
    ratio_cell,
    share,
    told_apart,
)
from probative.engine.methods import Tools
from probative.engine.runner import run_searches
from probative.give.extrapolate import statement
from probative.give.query import YES_NO
from probative.give.scored import FAILS, HOLDS, expectations
from probative.models.types import Request
from probative.text.prompts import fill, read_prompt
from probative.types import Triple, Usage

GRAPHS = ("umls", "conceptnet")
# True triples of each graph and part; as many are corrupted.
TRIPLES = 100
KNOWN = {
    "asked: AUROC": told_apart("asked", "true"),
    "asked: says yes": share("says_yes"),
    "scored: AUROC": told_apart("scored", "true"),
    "true of those that hold": share("true", of=lambda row: row["scored"] >= HOLDS),
    "false of those that fail": share(lambda row: not row["true"], of=lambda row: row["scored"] < FAILS),
    "maybe": share(lambda row: FAILS <= row["scored"] < HOLDS),
    "tokens asked": average("tokens_asked"),
    "tokens scored": average("tokens_scored"),
}


def _learned(field: str, cell: Callable[..., Cell]) -> Metric:
    """Return the metric of figures of the learned veracity: none without a hidden triple."""
    return lambda rows: cell(*rows[0][field]) if rows[0]["n"] else Cell(value=None)


LEARNED: Metrics = {
    "hidden triples": lambda rows: f"{rows[0]['n']:,}",
    "AUROC": _learned("auroc", lambda value, low, high: Cell(value=value, low=low, high=high)),
    "true of those that hold": _learned("holds", ratio_cell),
    "false of those that fail": _learned("fails", ratio_cell),
    "maybe": _learned("maybe", ratio_cell),
    "calibration error": lambda rows: Cell(value=rows[0].get("calibration_error")),
}
BOTH = ("model: AUROC", "learned: AUROC", "both: AUROC", "weights of the model")


def _cell(name: str, rows: Rows) -> Cell | str:
    """Return a cell of a line of one row, which has its cells by column."""
    cell: Cell | str = rows[0][name]
    return cell


def _both_cells(figures: Row, rows: Rows) -> tuple[Cell | str, ...]:
    """Return the cells over the pairs of which the model scored both triples."""
    scores = {(row["number"], row["true"]): row["scored"] for row in rows}
    pairs = range(len(figures["true"]))
    numbers = [number for number in pairs if {(number, True), (number, False)} <= scores.keys()]
    if len(numbers) < 2:
        return (*[Cell(value=None)] * 3, "-")
    true, false = ([figures[label][number] for number in numbers] for label in ("true", "false"))
    high, low = ([scores[number, label] for number in numbers] for label in (True, False))
    measured, n = combined((true, false), (high, low)), 2 * len(numbers)
    weights = ", ".join(f"{weight:.1f}" for weight in measured.weights)
    return (auroc_cell(high, low), Cell(value=measured.learned, n=n), Cell(value=measured.both, n=n), weights)


def _is(kind: str) -> Callable[[Row], bool]:
    return lambda row: bool(row["kind"] == kind)


def _reliability(results: Results) -> dict[str, Any]:
    learned = rows_of(results.all_rows, kind="learned")
    return {f"{row['graph']}, {row['hidden']} hidden": row["reliability"] for row in learned}


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
    sets = Names("kinds", ("known", "learned", "hidden"), ("known", "learned", "hidden"))
    verbs = frozenset({"choose", "score"})
    calls_per_case = 3.0
    tables = (
        TableSpec(
            "True and corrupted triples",
            "graph, corrupted part",
            KNOWN,
            "line",
            where=_is("known"),
            note=f"A triple holds from a score of {HOLDS:g} on and fails below {FAILS:g}.",
        ),
        TableSpec(
            "Veracity learned from the graph, on hidden triples",
            "graph, a tenth hidden of, replaced part",
            LEARNED,
            "line",
            where=_is("learned"),
            note="The scorer learns from the rest of the graph and does not know which triples are hidden. "
            "ConceptNet is between its 3,000 most connected entities.",
        ),
        TableSpec(
            "The model, the learned veracity, and both, on the same hidden triples",
            "graph, a tenth hidden of, replaced part",
            {name: partial(_cell, name) for name in BOTH},
            "line",
            where=_is("both"),
            note="The weight is fitted on one half of the triples and measured on the other, and the "
            "reverse.",
        ),
    )
    plots = (
        plot(
            "Reliability of the learned veracity",
            "reliability",
            "stated probability",
            "share of true triples",
            _reliability,
        ),
    )
    findings = (
        sentences(
            "{line}: the model, asked in words, has {0:auroc}; its scores have {1:auroc}.",
            "asked: AUROC",
            "scored: AUROC",
        ),
        sentences("{line}: what the graph teaches has {0:auroc} on hidden triples.", "AUROC"),
        sentences(
            "{line}: on the same {2:n} triples the model has an AUROC of {0:.3f}, what the graph teaches "
            "{1:.3f}, and both together {2:.3f}.",
            *BOTH[:3],
        ),
    )

    def cases(self, settings: Settings) -> list[Case]:
        """Return `limit` true triples of each graph and part (100 without a limit), as many false ones, and
        a case for each veracity that is learned.
        """
        self.check_options(settings)
        n = settings.limit or TRIPLES
        return [
            case
            for kind in self.sets.chosen(settings)
            for graph in GRAPHS
            for case in _cases(kind, graph, settings, n)
        ]

    def answer(self, case: Case, lab: Lab) -> Row:
        kind, graph, *fields = case.key.split("/")
        if kind == "learned":
            split = hidden_split(lab.settings.data, graph, case.content, lab.settings.seed)
            encoder, n = lab.session.sentence_encoder, lab.settings.limit or TRIPLES
            row = learned_row(split, case.content, encoder, n)
            return {"kind": kind, "graph": graph, "hidden": case.content, **row}
        triple: Triple = case.content
        score, usage = _scored(triple, lab)
        row = {"kind": kind, "graph": graph, "scored": score, "tokens_scored": usage.tokens}
        *what, part, number, label = fields
        row = {**row, "part": part, "true": label == "true"}
        if kind == "hidden":
            return {**row, "hidden": what[0], "number": int(number)}
        return {**row, **_asked(triple, lab)}

    def observations(self, rows: Sequence[Row]) -> list[Row]:
        """Return the rows of each table, with the names of their lines."""
        lines = [{**row, "line": f"{row['graph']}, {row['part']}"} for row in rows_of(rows, kind="known")]
        hidden = rows_of(rows, kind="hidden")
        for row in rows_of(rows, kind="learned"):
            graph, what = row["graph"], row["hidden"]
            for part, figures in row["parts"].items():
                line = f"{graph}, {what}, {part}"
                lines.append({"kind": "learned", "line": line, **figures})
                if hidden:
                    scored = rows_of(hidden, graph=graph, hidden=what, part=part)
                    both = zip(BOTH, _both_cells(figures, scored), strict=True)
                    lines.append({"kind": "both", "line": line, **dict(both)})
        return lines


def _cases(kind: str, graph: str, settings: Settings, n: int) -> Iterator[Case]:
    if kind == "known":
        for part in ("relation", "tail"):
            pairs = sample(open_graph(settings.data, graph), part, n, settings.seed)
            yield from _pair_cases(f"{kind}/{graph}/{part}", pairs)
        return
    for what in HIDDEN:
        if kind == "learned":
            yield Case(f"{kind}/{graph}/{what}", what)
        else:
            split = hidden_split(settings.data, graph, what, settings.seed)
            for replaced in REPLACED:
                yield from _pair_cases(f"{kind}/{graph}/{what}/{replaced}", split.sampled(replaced, n))


def _pair_cases(start: str, pairs: Sequence[tuple[Triple, Triple]]) -> Iterator[Case]:
    for number, pair in enumerate(pairs):
        for label, triple in zip(("true", "false"), pair, strict=True):
            yield Case(f"{start}/{number}/{label}", triple)


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
