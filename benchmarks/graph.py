"""A graph of ConceptNet's size: importing, opening and asking it, beside networkx in the same run.

    python benchmarks/graph.py                        # made up: 844,158 nodes, 2,085,099 edges
    python benchmarks/graph.py --lines 10000000       # only the import of so many lines
    python benchmarks/graph.py --nearest --data DIR   # only near entities, with names of ConceptNet 100k

Seconds depend on the machine; ratios are measured side by side. Import and opening run in processes of their
own, so that their peak memory is theirs. Every answer is compared with networkx's before it counts.

networkx is asked in two ways: with the functions it has (`edge_boundary`, `successors`, `predecessors`), and
by hand over its inner dictionaries, the quickest way that we could write.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import networkx as nx
import numpy as np

import graph_shape
from benchmark_report import add_keep, show, text_table
from graph_nearest import measure_nearest
from probative import Graph
from probative.bench.report import Table

COLUMNS = "relation,head,tail"
QUESTIONS = 50
SEED = 7
OURS = "probative"

_IMPORT = """
import sys
from probative import Graph
Graph.open(sys.argv[1], columns=sys.argv[3]).save(sys.argv[2])
"""
_OPEN = """
import sys, time
from probative import Graph
started = time.perf_counter()
graph = Graph.open(sys.argv[1])
graph.find(graph.entities[0]), graph.out_edges(0)
print(time.perf_counter() - started)
"""
# The peak memory in KB, as Linux tells it (getrusage would count that of the parent too), and the seconds of
# the processor, as other programs may be at work.
_COST = """
import pathlib, time
status = pathlib.Path("/proc/self/status").read_text().split()
print(status[status.index("VmHWM:") + 1], time.process_time())
"""

Group = list[int]
Rows = list[tuple[int, ...]]


class Question(NamedTuple):
    """Two groups of entities, and their kind."""

    kind: str
    group: Group
    other: Group


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--lines", type=int, help="import so many lines, and nothing else")
    parser.add_argument("--nearest", action="store_true", help="only near entities")
    parser.add_argument("--data", type=Path, default=os.environ.get("PROBATIVE_DATA"))
    parser.add_argument(
        "--vectors", type=Path, help="keep the encoded names in this .npy, and use them again"
    )
    parser.add_argument("--nodes", type=int, default=graph_shape.NODES)
    parser.add_argument("--edges", type=int, default=graph_shape.EDGES)
    add_keep(parser)
    given = parser.parse_args()
    if given.nearest:
        if given.data is None:
            parser.error("--data DIR (or PROBATIVE_DATA) says where conceptnet100k lies")
        table = measure_nearest(given.data / "conceptnet100k", given.vectors, graph_shape.NODES)
        show([table], given, __file__, title="Near entities of a large graph", name="graph-nearest")
        return
    nodes, edges = (given.lines // 5, given.lines) if given.lines else (given.nodes, given.edges)
    with tempfile.TemporaryDirectory() as scratch:
        file, folder = Path(scratch) / "shape.tsv", Path(scratch) / "shape.graph"
        graph_shape.write(file, nodes=nodes, edges=edges)
        seconds, busy, peak, _ = _in_a_process(_IMPORT, str(file), str(folder), COLUMNS)
        size = sum(path.stat().st_size for path in folder.iterdir())
        rows = [("import", f"{seconds:.1f}", f"{busy:.1f}", f"{peak:.2f}")]
        _, busy, peak, printed = _in_a_process(_OPEN, str(folder))
        rows.append(("open", f"{float(printed[0]):.2f}", f"{busy:.1f}", f"{peak:.2f}"))
        text = file.stat().st_size
        sizes = f"{text / 1e6:,.0f} MB of text, {size / 1e6:,.0f} MB on disk"
        columns = ("step", "seconds", "seconds of the processor", "peak memory, GB")
        tables = [text_table(f"{nodes:,} nodes, {edges:,} edges: {sizes}", columns, rows)]
        if not given.lines:
            tables += _compare(Graph.open(folder))
    name = "graph-import" if given.lines else "graph"
    show(tables, given, __file__, title="A large graph: importing, opening and asking it", name=name)


def _in_a_process(code: str, *words: str) -> tuple[float, float, float, list[str]]:
    """Return the seconds of a program, its CPU seconds, its peak memory in GB, and its output."""
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code + _COST, *words], capture_output=True, text=True, check=True
    )
    *printed, peak, busy = done.stdout.split()
    return time.perf_counter() - started, float(busy), int(peak) / 1e6, printed


def _compare(graph: Graph) -> list[Table]:
    """Return a table for each kind of question, each way beside ours."""
    started = time.perf_counter()
    other = nx.MultiDiGraph()
    other.add_edges_from((h, t, r) for h, r, t in graph.edges.rows().tolist())
    built = f"networkx was built in {time.perf_counter() - started:.1f} s."
    degrees = graph.edges.degree(np.arange(graph.entity_count))
    largest = ", ".join(f"{degree:,}" for degree in np.sort(degrees)[::-1][:3].tolist())
    note = f"{built} Edges of an entity: median {np.median(degrees):g}, largest {largest}."
    asked = questions(degrees)
    functions, by_hand = "networkx, its functions", "networkx, by hand"
    edges = {OURS: _our_edges(graph), functions: nx_edges(other), by_hand: raw_edges(other)}
    paths = {OURS: _our_paths(graph), functions: nx_paths(other), by_hand: raw_paths(other)}
    return [
        _timing("Edges between groups", edges, asked, note),
        _timing("Two-hop paths between groups", paths, asked, note),
    ]


Way = Callable[[Group, Group], Rows]


def _timing(what: str, ways: dict[str, Way], asked: list[Question], note: str) -> Table:
    """Time each way on each question, check that the answers are equal, and return a row for each kind."""
    times: dict[tuple[str, str], list[float]] = {}
    for one in asked:
        answers = []
        for way, ask in ways.items():
            seconds, answer = _timed(ask, one)
            for kind in (one.kind, "all"):
                times.setdefault((kind, way), []).append(seconds)
            answers.append(sorted(map(tuple, np.asarray(answer).tolist())))
        assert all(answer == answers[0] for answer in answers), f"{what}: the answers differ"
    rows = []
    for kind in dict.fromkeys(kind for kind, _ in times):
        ours = times[kind, OURS]
        cells = []
        for way in ways:
            took = times[kind, way]
            ratio = sum(took) / sum(ours)
            cells.append(f"{np.median(took) * 1e3:.3f} / {max(took) * 1e3:.2f} / {ratio:.2f}")
        rows.append((kind, *cells))
    title = f"{what}: median ms / slowest ms / time as a multiple of ours"
    return text_table(title, ("entities", *ways), rows, note)


def _timed(ask: Way, one: Question) -> tuple[float, Rows]:
    """Return the best of three tries, since other programs run on the machine too; of one try where it is
    slow.
    """
    best = float("inf")
    for _ in range(3):
        started = time.perf_counter()
        answer = ask(one.group, one.other)
        best = min(best, time.perf_counter() - started)
        if best > 0.1:
            break
    return best, answer


def questions(degrees: Any) -> list[Question]:
    """Return groups of 1 to 10 entities: random ones, random ones by their edges, and the hubs."""
    rng = np.random.default_rng(SEED)
    hubs = np.argsort(-degrees)[:40]
    shares = degrees / degrees.sum()
    asked = []
    for kind in ("any", "by edges", "hubs"):
        for _ in range(QUESTIONS):
            sizes = rng.integers(1, 11, 2)
            if kind == "any":
                drawn = rng.choice(len(degrees), size=sizes.sum(), replace=False)
            elif kind == "by edges":
                drawn = rng.choice(len(degrees), size=sizes.sum(), replace=False, p=shares)
            else:
                drawn = rng.choice(hubs, size=sizes.sum(), replace=False)
            asked.append(Question(kind, drawn[: sizes[0]].tolist(), drawn[sizes[0] :].tolist()))
    return asked


def _our_edges(graph: Graph) -> Callable[[Group, Group], Any]:
    return lambda group, other: graph.edges_between(group, other)


def _our_paths(graph: Graph) -> Callable[[Group, Group], Any]:
    return lambda group, other: graph.paths_between(group, other).rows


def nx_edges(graph: Any) -> Callable[[Group, Group], Rows]:
    """Return edges between groups by networkx's own function; it gives both directions."""

    def ask(group: Group, other: Group) -> Rows:
        heads = set(group)
        found = nx.edge_boundary(graph, group, other, keys=True)
        return [(h, r, t) for h, t, r in found if h in heads]

    return ask


def nx_paths(graph: Any) -> Callable[[Group, Group], Rows]:
    """Return paths by the sets of successors and predecessors."""

    def ask(group: Group, other: Group) -> Rows:
        without = {*group, *other}
        return [
            (h, r, m, s, t)
            for h in group
            for t in other
            for m in (set(graph.successors(h)) & set(graph.predecessors(t))) - without
            for r in graph[h][m]
            for s in graph[m][t]
        ]

    return ask


def raw_edges(graph: Any) -> Callable[[Group, Group], Rows]:
    """Return edges by a look into the inner dictionaries for each pair."""
    inside = graph._succ

    def ask(group: Group, other: Group) -> Rows:
        return [(h, r, t) for h in group for t in other if t in inside[h] for r in inside[h][t]]

    return ask


def raw_paths(graph: Any) -> Callable[[Group, Group], Rows]:
    """Return paths by intersecting the keys of the inner dictionaries, starting from the smaller one."""
    after, before = graph._succ, graph._pred

    def ask(group: Group, other: Group) -> Rows:
        without = {*group, *other}
        return [
            (h, r, m, s, t)
            for h in group
            for t in other
            for m in after[h].keys() & before[t].keys()
            if m not in without
            for r in after[h][m]
            for s in after[m][t]
        ]

    return ask


if __name__ == "__main__":
    main()
