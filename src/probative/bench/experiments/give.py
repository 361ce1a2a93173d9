r"""Measure how well give and the baselines answer from a graph, on four public data sets.

    python -m probative.bench.experiments.give --data DIR --model hf:PATH --methods all --out rows.jsonl
    python -m probative.bench.experiments.give --data DIR --model hf:PATH --sets pubmedqa --ablate
    python -m probative.bench.experiments.give --read rows.jsonl  # only the tables of recorded rows

The questions come without their texts (`probative.bench.data.graph_qa`) and are drawn with a fixed seed.
"a", "a+c" and "a+c+e" are the accuracies of give's three answers; a baseline's only answer is in the last
column. An answer that cannot be parsed is wrong, and so is a question that failed. Calls and tokens are
means per question and include the encoder's; graphrag's summaries count with its first question. "maybe" is
the share of statements that the model neither affirmed nor denied, "groups" and "relations" are the entity
groups of a question and the candidate relations from one group to another, "intermediate" is the share of
questions with an intermediate group.

Started again with the same --out, it continues where it stopped. --part 0/8 takes every eighth question; the
first part embeds the graphs and learns their veracity, and the others wait for it. In 8 processes:

    export PROBATIVE_THREADS=2 PROBATIVE_DATA=DIR
    for i in 0 1 2 3 4 5 6 7; do
      python -m probative.bench.experiments.give --entities 1 --answering chosen --part $i/8 --out $i.jsonl \
        --methods give,direct,cot,rag &
    done; wait
    python -m probative.bench.experiments.give --read ?.jsonl
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import probative
from probative.baselines.graphs.methods import GRAPH_BASELINES
from probative.bench.arguments import data_folder, experiment_parser, show_progress, take_part
from probative.bench.data.graph_qa import GRAPHS, SETS, Case, drawn, open_graph, read_cases
from probative.bench.experiments.give_table import KEY, tables
from probative.bench.metrics import mean
from probative.bench.rows import Row, append_rows, read_rows

METHODS = ("give", *GRAPH_BASELINES)
# A small machine cannot summarise all communities of a large graph; the paper leaves this out too.
NOT_ON = {"graphrag": ("conceptnet",)}

# The paper's ablations (sections 4.7, B and C.1). Each row changes one option.
ABLATIONS: dict[str, dict[str, Any]] = {
    "without facts": {"facts": False},
    "scored by the model, without facts": {"facts": False, "veracity": "scored"},
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
    """Return the rows to run by name, each with the keyword arguments of `reason_all`.

    >>> rows_of(["give", "cot"], [1], "paper")
    {'give, paper, p = 1': {'preset': 'paper', 'entities': 1}, 'cot': {'method': 'cot'}}
    >>> rows_of(["cot"], [1], None, "chosen")
    {'cot, chosen': {'method': 'cot', 'answering': 'chosen'}}
    """
    rows: dict[str, dict[str, Any]] = {}
    for method in methods:
        for n in entities if method == "give" else [None]:
            name, settings = _start(method, n, preset, answering)
            rows[name] = settings
    return rows


def ablations(
    names: Sequence[str], entities: int, preset: str | None, answering: str | None = None
) -> dict[str, dict[str, Any]]:
    """Return the rows that change one option each, by name; `entities` is p in the others.

    >>> ablations(["p = 0"], 1, None)
    {'give, p = 1: p = 0': {'entities': 0}}
    """
    start, settings = _start("give", entities, preset, answering)
    return {f"{start}: {name}": {**settings, **ABLATIONS[name]} for name in names}


def _start(
    method: str, entities: int | None, preset: str | None, answering: str | None
) -> tuple[str, dict[str, Any]]:
    """Return the name of a row and its keyword arguments."""
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
    """Yield a row for each question, as it is answered."""
    if settings.get("method") == "graphrag" and len(cases) > 1:
        # The first question pays for the summaries of the graph; the others reuse them.
        for group in (cases[:1], cases[1:]):
            yield from answered(group, graph, settings, model=model, encoder=encoder, max_active=max_active)
        return
    asked = [
        {
            "question": case.question,
            "choices": list(case.choices) if case.choices else None,
            "form": case.form,
        }
        for case in cases
    ]
    started = time.perf_counter()
    outcomes = probative.reason_all(
        asked, graph, model=model, encoder=encoder, max_active=max_active, **settings
    )
    for done, (index, outcome) in enumerate(outcomes, 1):
        case = cases[index]
        row: Row = {"id": case.id, "gold": case.gold, "options": list(case.options), "model": None}
        if isinstance(outcome, probative.ProbativeError):
            if not isinstance(outcome, probative.ModelError):
                raise outcome
            yield {**row, "error": str(outcome)[:300]}
            continue
        seconds = (time.perf_counter() - started) / done
        yield {**row, **figures(outcome, graph), "seconds": round(seconds, 3), "error": None}


def figures(reasoning: probative.Reasoning, graph: probative.Graph) -> Row:
    """Return the parts of a result that the tables need, without the question's text."""
    return {
        "model": reasoning.model,
        "answer": reasoning.answer,
        "verdict": reasoning.verdict,
        "strength": reasoning.strength,
        "answers": reasoning.answers.to_dict(),
        "usage": reasoning.usage.to_dict(),
        "words": reasoning.knowledge.words,
        "triples": {
            "affirmative": len(reasoning.knowledge.affirmative),
            "counterfactual": len(reasoning.knowledge.counterfactual),
            "expert": len(reasoning.knowledge.expert),
        },
        "expert_ratio": reasoning.expert_ratio,
        "maybe": reasoning.maybe,
        "groups": len(reasoning.groups),
        "candidate_relations": candidate_relations(reasoning, graph),
        "intermediate": any(group.intermediate for group in reasoning.groups),
    }


def candidate_relations(reasoning: probative.Reasoning, graph: probative.Graph) -> float:
    """Return the mean number of relations, the graph's and the question's, from one group to another."""
    groups = [
        [member.entity for member in group.members if member.entity is not None] for group in reasoning.groups
    ]
    counts = []
    for index, group in enumerate(groups):
        for other in (other for at, other in enumerate(groups) if at != index):
            edges = graph.edges_between(group, other)
            relations = {graph.relations[int(relation)] for relation in edges[:, 1]}
            counts.append(len(relations | set(reasoning.relations)))
    return mean(counts)


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
    """Run the rows on the sets and append the results to a file, except those that the file already holds."""
    done = {(row["set"], row["row"], row["id"]) for row in read_rows([out], KEY)} if out.exists() else set()
    graphs: dict[str, probative.Graph] = {}
    for name in sets:
        cases = take_part(drawn(read_cases(data, name), questions, seed), part)
        for row, settings in rows.items():
            left = [case for case in cases if (name, row, case.id) not in done]
            if not left or GRAPHS[name] in NOT_ON.get(settings.get("method", "give"), ()):
                continue
            graph = graphs.setdefault(GRAPHS[name], open_graph(data, GRAPHS[name]))
            lines = answered(left, graph, settings, model=model, encoder=encoder, max_active=max_active)
            for count, line in enumerate(lines, 1):
                append_rows(out, [{"set": name, "row": row, **line}])
                show_progress(f"{name}, {row}", count, len(left))


def main() -> None:
    """Run, and print the tables of all rows."""
    parser = experiment_parser(__doc__)
    parser.set_defaults(out=Path("give-rows.jsonl"))
    parser.add_argument("--model", default=None, help="embedded (the default), embedded:plain, hf:NAME, …")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--methods", default="give", help=f"all, none, or some of {', '.join(METHODS)}")
    parser.add_argument("--questions", type=int, default=50, help="questions of each set")
    parser.add_argument(
        "--entities", default="1,2", help="p, the entities added to a group; several values make several rows"
    )
    parser.add_argument("--preset", default=None, help="give's preset; by default the model's")
    parser.add_argument(
        "--answering", choices=("written", "chosen"), default=None, help="how every row answers"
    )
    parser.add_argument(
        "--ablate", nargs="?", const="all", default=None, help=f"all, or some of: {'; '.join(ABLATIONS)}"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--max-active", type=int, default=64, help="questions in progress at once")
    arguments = parser.parse_args()
    if arguments.read:
        print(tables(read_rows(arguments.read, KEY)))
        return
    data = data_folder(parser, arguments)
    methods = {"all": list(METHODS), "none": []}.get(arguments.methods, arguments.methods.split(","))
    entities = [int(n) for n in arguments.entities.split(",")]
    rows = rows_of(methods, entities, arguments.preset, arguments.answering)
    if arguments.ablate:
        names = list(ABLATIONS) if arguments.ablate == "all" else arguments.ablate.split(";")
        names = [name.strip() for name in names]
        rows |= ablations(names, entities[0], arguments.preset, arguments.answering)
    run(
        data,
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
    print(tables(read_rows([arguments.out], KEY)))


if __name__ == "__main__":
    main()
