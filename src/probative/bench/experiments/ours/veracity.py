"""How well true triples of a graph are told from corrupted ones: by a model asked in words, by the scores it
gives (`probative.give.scored`), by the veracity learned from the graph, and by both together.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from probative.bench.data.graph_qa import open_graph
from probative.bench.experiment import Case, Experiment, Lab, Settings
from probative.bench.experiments.ours.hidden_triples import HIDDEN, REPLACED, hidden_split, learned_row
from probative.bench.experiments.ours.veracity_findings import (
    combined_findings,
    known_findings,
    learned_findings,
)
from probative.bench.experiments.ours.veracity_tables import (
    combined_table,
    known_table,
    learned_table,
    reliability_plot,
)
from probative.bench.report import Report
from probative.bench.rows import Row
from probative.engine.runner import run_searches
from probative.engine.tools import Tools
from probative.errors import InputError
from probative.give.extrapolate import statement
from probative.give.query import YES_NO
from probative.give.scored import expectations
from probative.graph.graph import Graph
from probative.models.types import Request
from probative.text.prompts import fill, read_prompt
from probative.types import Triple
from probative.usage import Usage

GRAPHS = ("umls", "conceptnet")
CORRUPTED = ("relation", "tail")
# True triples of each graph and part; as many are corrupted.
TRIPLES = 100


class Veracity(Experiment):
    """Half of the triples are from a graph; in the others the relation or the tail was replaced, so that the
    graph does not have the result.

    The option "kinds" names some of: known (the model asked, and its scores), learned (the veracity learned
    from a graph without a tenth of it), hidden (the model's scores of what was hidden, beside the learned).
    """

    name = "veracity"
    title = "Does the model, or what the graph teaches, tell true triples from false ones?"
    paper = "ours"
    shown_as = "results, veracity"
    limit_of = "true triples of each graph, and as many false ones"
    data = GRAPHS
    verbs = frozenset({"choose", "score"})
    calls_per_case = 3.0

    def option_names(self) -> tuple[str, ...]:
        return ("kinds",)

    def cases(self, settings: Settings) -> list[Case]:
        """Return `limit` true triples of each graph and part (100 without a limit), as many false ones, and
        a case for each veracity that is learned.
        """
        n = settings.limit or TRIPLES
        return [case for kind in kinds_in(settings) for case in _CASES[kind](settings, n)]

    def run(self, case: Case, lab: Lab) -> Row:
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
        good = [row for row in rows if "error" not in row]
        known, learned, hidden = (
            [row for row in good if row["kind"] == kind] for kind in ("known", "learned", "hidden")
        )
        return Report(
            tables=(
                *((known_table(known),) if known else ()),
                *((learned_table(learned),) if learned else ()),
                *((combined_table(learned, hidden),) if learned and hidden else ()),
            ),
            plots=(reliability_plot(learned),) if learned else (),
            findings=(
                *known_findings(known),
                *learned_findings(learned),
                *combined_findings(learned, hidden),
            ),
        )


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
