"""Does a model know which triples are true? Asked in words, and read from what it expects.

Half of the triples are from a graph; in the other half the relation or the tail was replaced by another of
the graph's, so that the graph does not hold the result.

    python -m probative.bench.experiments.veracity --data DIR [--triples 100] [--model embedded]
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import probative
from probative import Graph, LanguageModel, Triple
from probative.bench.data.graph_qa import open_graph
from probative.bench.experiments.verdict import auroc
from probative.engine.runner import run_searches
from probative.engine.tools import Tools
from probative.give.extrapolate import statement
from probative.give.query import YES_NO
from probative.give.scored import FAILS, HOLDS, expectations
from probative.models.types import Request
from probative.text.prompts import fill, read_prompt

# The thresholds were chosen on a draw with another seed.
SEED = 20


def main() -> None:
    """Print AUROC, tokens and what the thresholds do, for both graphs and both kinds of corruption."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--triples", type=int, default=100, help="true ones; as many are corrupted")
    parser.add_argument("--model", default="embedded")
    given = parser.parse_args()
    model = probative.load_model(settings=probative.load_settings({"model": given.model, "cache": False}))
    print(
        "| graph | corrupted | asked: AUROC | says yes | tokens | scored: AUROC | tokens | true of those "
        "that hold | false of those that fail | maybe |"
    )
    print("| --- " * 10 + "|")
    for name in ("umls", "conceptnet"):
        graph = open_graph(given.data, name)
        for part in ("relation", "tail"):
            true, false = sampled(graph, part, given.triples)
            print(row(name, part, true, false, model), flush=True)


def sampled(graph: Graph, part: str, count: int) -> tuple[list[Triple], list[Triple]]:
    """True triples, and each with its relation or tail replaced so that it is no edge."""
    draw = random.Random(SEED)
    rows = [tuple(edge) for entity in range(graph.entity_count) for edge in graph.out_edges(entity).tolist()]
    known = set(rows)
    true, false = draw.sample(rows, count), []
    for head, relation, tail in true:
        while True:
            other = draw.choice(rows)
            made = (head, other[1], tail) if part == "relation" else (head, relation, other[2])
            if made not in known:
                break
        false.append(made)
    return [graph.triple(one) for one in true], [graph.triple(one) for one in false]


def row(name: str, part: str, true: list[Triple], false: list[Triple], model: LanguageModel) -> str:
    """One line of the table."""
    triples = [*true, *false]
    gold = [1] * len(true) + [0] * len(false)
    prompt = read_prompt("probative.give", "judge")
    asked = model.choose(
        [Request.user(fill(prompt, statement=statement(triple))) for triple in triples],
        [YES_NO] * len(triples),
    )
    sure = [choice.probability("yes") - choice.probability("no") for choice in asked]
    yes = sum(choice.best == "yes" for choice in asked) / len(asked)
    tools = Tools(lambda: model, probative.load_encoder)
    ((_, ended),) = run_searches([expectations(triples, "veracity")], tools)
    assert ended.result is not None
    values = ended.result
    holds = [label for value, label in zip(values, gold, strict=True) if value >= HOLDS]
    fails = [1 - label for value, label in zip(values, gold, strict=True) if value < FAILS]
    maybe = 1 - (len(holds) + len(fails)) / len(values)
    spent = sum(choice.usage.tokens for choice in asked) / len(asked)
    return (
        f"| {name} | {part} | {_apart(sure, len(true)):.2f} | {yes:.0%} | {spent:.0f} | "
        f"{_apart(values, len(true)):.2f} | {ended.usage.tokens / len(values):.0f} | {_share(holds)} | "
        f"{_share(fails)} | {maybe:.0%} |"
    )


def _apart(values: list[float], count: int) -> float:
    """How well values tell the first `count` triples, which are true, from the others."""
    return auroc(values[:count], values[count:])


def _share(labels: list[int]) -> str:
    return f"{sum(labels) / len(labels):.0%} of {len(labels)}" if labels else "none"


if __name__ == "__main__":
    main()
