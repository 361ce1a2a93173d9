"""Measure how well true triples are told from false ones: by a model that is asked in words, by the
log-probabilities it assigns, and by the veracity learned from the graph.

Half of the triples are from a graph; in the other half the relation or the tail was replaced by another one
of the graph, so that the graph does not contain the result. The second table is for the learned veracity
(`bench.learned_veracity`); its columns "model", "learned" and "both" compare them on `--triples` hidden ones.

    python -m probative.bench.experiments.veracity --data DIR [--triples 100] [--model embedded:plain]
    python -m probative.bench.experiments.veracity --data DIR --model none  # only the learned veracity

The default is the plain embedded model, for which the thresholds HOLDS and FAILS were chosen.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import probative
from probative import Graph, LanguageModel, Triple
from probative.bench.arguments import data_folder, experiment_parser
from probative.bench.data.graph_qa import open_graph
from probative.bench.learned_veracity import learned_rows, reliability_svg, veracity_data
from probative.bench.metrics import auroc
from probative.bench.rows import print_cells, print_header
from probative.engine.runner import run_searches
from probative.engine.tools import Tools
from probative.give.extrapolate import statement
from probative.give.query import YES_NO
from probative.give.scored import FAILS, HOLDS, expectations
from probative.models.types import Request
from probative.text.prompts import fill, read_prompt
from probative.usage import Usage

# The thresholds were chosen on triples drawn with another seed.
SEED = 20
MODEL = "embedded:plain"
COLUMNS = (
    "graph",
    "corrupted",
    "asked: AUROC",
    "says yes",
    "tokens",
    "scored: AUROC",
    "tokens",
    "true of those that hold",
    "false of those that fail",
    "maybe",
)
LEARNED_COLUMNS = (
    "graph",
    "hidden",
    "replaced",
    "true triples",
    "learned: AUROC",
    "true of those that hold",
    "false of those that fail",
    "maybe",
    "calibration error",
    "model",
    "learned",
    "both",
    "seconds",
)
GRAPHS = ("umls", "conceptnet")


def main() -> None:
    """Print AUROC, tokens and the effect of the thresholds, for both graphs and both kinds of corruption."""
    parser = experiment_parser(__doc__, recorded=False)
    parser.add_argument("--triples", type=int, default=100, help="true triples; as many are corrupted")
    parser.add_argument("--model", default=MODEL, help=f"the language model; {MODEL} by default")
    parser.add_argument("--learned", action="store_true", help="only the table of the learned veracity")
    parser.add_argument("--curve", type=Path, help="write the reliability diagram to this SVG")
    arguments = parser.parse_args()
    data = data_folder(parser, arguments)
    model = None if arguments.model == "none" else probative.load_model(arguments.model, cache=False)
    if model is not None and not arguments.learned:
        print(f"model: {model.name}\n")
        print_header(COLUMNS)
        for name in GRAPHS:
            graph = open_graph(data, name)
            for part in ("relation", "tail"):
                true, false = sample(graph, part, arguments.triples)
                print_cells([name, part, *figures(true, false, model)])
        print()
    encoder = probative.load_encoder()
    score = None if model is None else lambda triples: _model_scores(triples, model)
    print_header(LEARNED_COLUMNS)
    rows = []
    for name in GRAPHS:
        for row in learned_rows(name, veracity_data(data, name, encoder), score, arguments.triples):
            print_cells(row.cells)
            rows.append(row)
    if arguments.curve:
        arguments.curve.write_text(reliability_svg(rows), encoding="utf-8")


def sample(graph: Graph, part: str, n: int) -> tuple[list[Triple], list[Triple]]:
    """Return n true triples, and each with its relation or tail replaced so that it is no edge of the
    graph.
    """
    draw = random.Random(SEED)
    edges = [tuple(edge) for entity in range(graph.entity_count) for edge in graph.out_edges(entity).tolist()]
    known = set(edges)
    true, false = draw.sample(edges, n), []
    for head, relation, tail in true:
        while True:
            other = draw.choice(edges)
            corrupted = (head, other[1], tail) if part == "relation" else (head, relation, other[2])
            if corrupted not in known:
                break
        false.append(corrupted)
    return [graph.triple(edge) for edge in true], [graph.triple(edge) for edge in false]


def figures(true: Sequence[Triple], false: Sequence[Triple], model: LanguageModel) -> list[str]:
    """Return the figures of one row of the table."""
    triples = [*true, *false]
    labels = [1] * len(true) + [0] * len(false)
    prompt = read_prompt("probative.give", "judge")
    choices = model.choose(
        [Request.user(fill(prompt, statement=statement(triple))) for triple in triples],
        [YES_NO] * len(triples),
    )
    margins = [choice.probability("yes") - choice.probability("no") for choice in choices]
    yes = sum(choice.best == "yes" for choice in choices) / len(choices)
    values, usage = _expected(triples, model)
    holds = [label for value, label in zip(values, labels, strict=True) if value >= HOLDS]
    fails = [1 - label for value, label in zip(values, labels, strict=True) if value < FAILS]
    maybe = 1 - (len(holds) + len(fails)) / len(values)
    tokens = sum(choice.usage.tokens for choice in choices) / len(choices)
    n = len(true)
    return [
        f"{auroc(margins[:n], margins[n:]):.2f}",
        f"{yes:.0%}",
        f"{tokens:.0f}",
        f"{auroc(values[:n], values[n:]):.2f}",
        f"{usage.tokens / len(values):.0f}",
        _share(holds),
        _share(fails),
        f"{maybe:.0%}",
    ]


def _expected(triples: Sequence[Triple], model: LanguageModel) -> tuple[list[float], Usage]:
    """Return the model's score of each triple, and their cost."""
    tools = Tools(lambda: model, probative.load_encoder)
    ((_, finished),) = run_searches([expectations(triples, "veracity")], tools)
    assert finished.result is not None
    return finished.result, finished.usage


def _model_scores(triples: Sequence[Triple], model: LanguageModel) -> list[float]:
    return _expected(triples, model)[0]


def _share(labels: Sequence[int]) -> str:
    return f"{sum(labels) / len(labels):.0%} of {len(labels)}" if labels else "none"


if __name__ == "__main__":
    main()
