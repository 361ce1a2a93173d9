"""How well give answers from a graph, beside the baselines, on four public data sets.

    python -m probative.bench.experiments.give --data DIR --model hf:PATH --methods all --out rows.jsonl
    python -m probative.bench.experiments.give --data DIR --model hf:PATH --sets pubmedqa --ablate
    python -m probative.bench.experiments.give --read rows.jsonl  # only the tables of what was run

The questions come without their texts (see graph_qa_data.py) and are drawn with a fixed seed. "a", "a+c"
and "a+c+e" are the accuracies of give's three answers, and a baseline's one answer stands in the last. An
answer that cannot be read is wrong, and so is a question that failed. Calls and tokens are means a question
and count the encoder's; graphrag's summaries count with its first question. "maybe" is the share of
statements that the model neither affirmed nor denied, "groups" and "relations" are the entity groups of a
question and the candidate relations from one group to another, "intermediate" is the share of questions
with an intermediate group.

Started again with the same --out, it goes on where it stopped. --part 0/8 takes every eighth question.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import probative
from probative.baselines.graphs.methods import GRAPH_BASELINES
from probative.bench.data.graph_qa import GRAPHS, SETS, Case, drawn, open_graph, read_cases
from probative.bench.experiments.give_table import Row, read_rows, tables

METHODS = ("give", *GRAPH_BASELINES)
# Summaries of all communities of a large graph are beyond a small machine, and the paper leaves it out too.
NOT_ON = {"graphrag": ("conceptnet",)}

# What the paper varies (sections 4.7 and B, C.1). Each row changes one thing.
ABLATIONS: dict[str, dict[str, Any]] = {
    "p = 0": {"entities": 0},
    "p = 1": {"entities": 1},
    "p = 2": {"entities": 2},
    "p = 3": {"entities": 3},
    "inner only": {"connections": "inner"},
    "inter only": {"connections": "inter"},
    "no intermediate group": {"intermediate": False},
    "text instead of triples": {"shape": "text"},
    "no open relations": {"open_relations": False},
    "summarised": {"summarise": True},
    "0 examples": {"examples": 0},
    "1 example": {"examples": 1},
    "2 examples": {"examples": 2},
    "3 examples": {"examples": 3},
    "4 examples": {"examples": 4},
    "5 examples": {"examples": 5},
    "k = 1": {"batch": 1},
    "k = 5": {"batch": 5},
    "k = 10": {"batch": 10},
    "k = 20": {"batch": 20},
}


def rows_of(
    methods: Sequence[str], entities: Sequence[int], preset: str | None, answering: str | None = None
) -> dict[str, dict[str, Any]]:
    """The rows to run, by name: what each passes to `reason_all`.

    >>> rows_of(["give", "cot"], [1], "paper")
    {'give, paper, p = 1': {'preset': 'paper', 'entities': 1}, 'cot': {'method': 'cot'}}
    >>> rows_of(["cot"], [1], None, "chosen")
    {'cot, chosen': {'method': 'cot', 'answering': 'chosen'}}
    """
    rows: dict[str, dict[str, Any]] = {}
    for method in methods:
        for count in entities if method == "give" else [None]:
            name, settings = _start(method, count, preset, answering)
            rows[name] = settings
    return rows


def ablations(
    names: Sequence[str], entities: int, preset: str | None, answering: str | None = None
) -> dict[str, dict[str, Any]]:
    """The rows that change one thing each, with so many entities a group otherwise.

    >>> ablations(["p = 0"], 1, None)
    {'give, p = 1: p = 0': {'entities': 0}}
    """
    start, settings = _start("give", entities, preset, answering)
    return {f"{start}: {name}": {**settings, **ABLATIONS[name]} for name in names}


def _start(
    method: str, entities: int | None, preset: str | None, answering: str | None
) -> tuple[str, dict[str, Any]]:
    """A row's name, and what it passes on."""
    give = method == "give"
    settings: dict[str, Any] = {} if give else {"method": method}
    settings |= {"preset": preset} if give and preset else {}
    settings |= {"entities": entities} if give else {}
    settings |= {"answering": answering} if answering else {}
    name = f"{method}, {preset}" if give and preset else method
    name += f", {answering}" if answering else ""
    return (f"{name}, p = {entities}" if give else name), settings


def answered(
    cases: Sequence[Case],
    graph: probative.Graph,
    settings: dict[str, Any],
    *,
    model: Any,
    encoder: Any,
    max_active: int,
) -> Iterator[Row]:
    """A row for each question, as it is answered."""
    if settings.get("method") == "graphrag" and len(cases) > 1:
        # The summaries of the graph are made with the first question, and kept for the others.
        for some in (cases[:1], cases[1:]):
            yield from answered(some, graph, settings, model=model, encoder=encoder, max_active=max_active)
        return
    asked = [
        {"question": one.question, "choices": list(one.choices) if one.choices else None, "form": one.form}
        for one in cases
    ]
    started = time.perf_counter()
    found = probative.reason_all(
        asked, graph, model=model, encoder=encoder, max_active=max_active, **settings
    )
    for done, (number, outcome) in enumerate(found, 1):
        case = cases[number]
        row: Row = {"id": case.id, "gold": case.gold, "options": list(case.options), "model": None}
        if isinstance(outcome, probative.ProbativeError):
            if not isinstance(outcome, probative.ModelError):
                raise outcome
            yield {**row, "error": str(outcome)[:300]}
            continue
        seconds = (time.perf_counter() - started) / done
        yield {**row, **figures(outcome, graph), "seconds": round(seconds, 3), "error": None}


def figures(found: probative.Reasoning, graph: probative.Graph) -> Row:
    """What the tables need of a result; none of the question's own text."""
    return {
        "model": found.model,
        "answer": found.answer,
        "answers": found.answers.to_dict(),
        "usage": found.usage.to_dict(),
        "words": found.knowledge.words,
        "triples": {
            "affirmative": len(found.knowledge.affirmative),
            "counterfactual": len(found.knowledge.counterfactual),
            "expert": len(found.knowledge.expert),
        },
        "expert_ratio": found.expert_ratio,
        "maybe": found.maybe,
        "groups": len(found.groups),
        "candidate_relations": candidate_relations(found, graph),
        "intermediate": any(group.intermediate for group in found.groups),
    }


def candidate_relations(found: probative.Reasoning, graph: probative.Graph) -> float:
    """How many relations could lead from one group to another, on average: the graph's and the question's."""
    members = [
        [member.entity for member in group.members if member.entity is not None] for group in found.groups
    ]
    counts = []
    for place, group in enumerate(members):
        for other in (one for at, one in enumerate(members) if at != place):
            edges = graph.edges_between(group, other)
            between = {graph.relations[int(relation)] for relation in edges[:, 1]}
            counts.append(len(between | set(found.relations)))
    return sum(counts) / len(counts) if counts else 0.0


def run(
    data: Path,
    sets: Sequence[str],
    rows: dict[str, dict[str, Any]],
    *,
    model: Any,
    encoder: Any,
    questions: int,
    seed: int,
    part: tuple[int, int],
    max_active: int,
    out: Path,
) -> None:
    """Run the rows on the sets and append what is found to a file; what it already holds is not run again."""
    done = {(row["set"], row["row"], row["id"]) for row in read_rows([out])} if out.exists() else set()
    graphs: dict[str, probative.Graph] = {}
    for name in sets:
        cases = drawn(read_cases(data, name), questions, seed)[part[0] :: part[1]]
        for row, settings in rows.items():
            left = [case for case in cases if (name, row, case.id) not in done]
            if not left or GRAPHS[name] in NOT_ON.get(settings.get("method", "give"), ()):
                continue
            graph = graphs.setdefault(GRAPHS[name], open_graph(data, GRAPHS[name]))
            found = answered(left, graph, settings, model=model, encoder=encoder, max_active=max_active)
            for count, line in enumerate(found, 1):
                with out.open("a", encoding="utf-8") as stream:
                    stream.write(json.dumps({"set": name, "row": row, **line}, ensure_ascii=False) + "\n")
                if sys.stderr.isatty():
                    print(f"\r{name}, {row}: {count}/{len(left)} ", end="", file=sys.stderr)


def _part(text: str) -> tuple[int, int]:
    which, of = (int(one) for one in text.split("/"))
    if not 0 <= which < of:
        raise ValueError(text)
    return which, of


def main() -> None:
    """Run, and print the tables of all rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("PROBATIVE_DATA"))
    parser.add_argument("--model", default=None, help="embedded (the default), embedded:plain, hf:NAME, …")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--methods", default="give", help=f"all, none, or some of {', '.join(METHODS)}")
    parser.add_argument("--questions", type=int, default=50, help="questions of each set")
    parser.add_argument("--entities", default="1,2", help="p, entities that join a group; several make rows")
    parser.add_argument("--preset", default=None, help="give's preset; without it the model's default")
    parser.add_argument(
        "--answering", choices=("written", "chosen"), default=None, help="how every row answers"
    )
    parser.add_argument(
        "--ablate", nargs="?", const="all", default=None, help=f"all, or some of: {'; '.join(ABLATIONS)}"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--part", type=_part, default=(0, 1), metavar="I/N", help="deal the questions out")
    parser.add_argument("--max-active", type=int, default=64, help="questions under way at once")
    parser.add_argument("--out", type=Path, default=Path("give-rows.jsonl"))
    parser.add_argument("--read", type=Path, nargs="+", help="only print the tables of these files")
    arguments = parser.parse_args()
    if arguments.read:
        print(tables(read_rows(arguments.read)))
        return
    if arguments.data is None:
        parser.error("--data DIR (or PROBATIVE_DATA) says where the data sets lie; see graph_qa_data.py")
    methods = {"all": list(METHODS), "none": []}.get(arguments.methods, arguments.methods.split(","))
    entities = [int(one) for one in arguments.entities.split(",")]
    rows = rows_of(methods, entities, arguments.preset, arguments.answering)
    if arguments.ablate:
        names = list(ABLATIONS) if arguments.ablate == "all" else arguments.ablate.split(";")
        names = [name.strip() for name in names]
        rows |= ablations(names, entities[0], arguments.preset, arguments.answering)
    run(
        arguments.data,
        arguments.sets.split(","),
        rows,
        model=probative.load_model(arguments.model, cache=False),
        encoder=probative.load_encoder(),
        questions=arguments.questions,
        seed=arguments.seed,
        part=arguments.part,
        max_active=arguments.max_active,
        out=arguments.out,
    )
    print(tables(read_rows([arguments.out])))


if __name__ == "__main__":
    main()
