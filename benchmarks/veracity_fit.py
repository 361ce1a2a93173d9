"""Seconds and peak memory of fitting the veracity of a large graph, without embedding its entities.

    python benchmarks/veracity_fit.py                                  # 844,158 nodes, 2,100,000 edges
    python benchmarks/veracity_fit.py --nodes 3000 --edges 20000       # a small one

The graph is made up and has a law: each node has one of 40 kinds, and a relation joins two kinds. Its vectors
(384 numbers, float16) lie in a file, as those of a stored graph do: a kind's own direction and noise. The
process that fits does nothing else, so the peak is its own; it includes the pages of the file that it read.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmark_report import add_keep, show, text_table
from graph_shape import NODES
from probative.graph.edges import build_edges
from probative.graph.veracity.fit import fit_veracity

AUROCS = ("held-out AUROC", "AUROC of unseen entities")
EDGES, RELATIONS, KINDS, WIDTH = 2_100_000, 34, 40, 384
# How far a node is from its kind: noise of this length, beside the kind's direction of length 1.
NOISE = 2.0
_BLOCK = 65_536


def write_graph(folder: Path, nodes: int, edges: int) -> None:
    """Write the vectors and the edges of a graph with a law."""
    random = np.random.default_rng(0)
    directions = random.normal(0.0, 1.0, (KINDS, WIDTH)) / np.sqrt(WIDTH)
    kinds = random.integers(KINDS, size=nodes)
    shape = (nodes, WIDTH)
    file = np.lib.format.open_memmap(folder / "vectors.npy", mode="w+", dtype=np.float16, shape=shape)
    for start in range(0, nodes, _BLOCK):
        part = kinds[start : start + _BLOCK]
        noise = random.normal(0.0, NOISE / np.sqrt(WIDTH), (len(part), WIDTH))
        vectors = directions[part] + noise
        file[start : start + _BLOCK] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    file.flush()
    by_kind = [np.flatnonzero(kinds == kind) for kind in range(KINDS)]
    relations = (RELATIONS * random.random(edges) ** 2).astype(np.int32)
    rows = np.empty((edges, 3), dtype=np.int32)
    rows[:, 1] = relations
    for relation in range(RELATIONS):
        at = np.flatnonzero(relations == relation)
        for column, step in ((0, 7), (2, 11)):
            members = by_kind[(step * relation + column) % KINDS]
            # Few nodes have many edges, most have few.
            rows[at, column] = members[(len(members) * random.random(len(at)) ** 3).astype(np.int64)]
    np.save(folder / "rows.npy", rows)


def measure(folder: Path) -> None:
    """Fit, and print the cells of a row: what it took."""
    vectors = np.load(folder / "vectors.npy", mmap_mode="r").view(np.ndarray)
    rows = np.load(folder / "rows.npy")
    edges = build_edges(*rows.T, entities=len(vectors), relations=RELATIONS)
    del rows
    started, busy = time.perf_counter(), time.process_time()
    veracity = fit_veracity(edges, lambda entities: np.asarray(vectors[entities], dtype=np.float32))
    seconds, busy = time.perf_counter() - started, time.process_time() - busy
    status = Path("/proc/self/status").read_text().split()
    peak = int(status[status.index("VmHWM:") + 1]) / 1e6
    aurocs = (f"{veracity.known.auroc:.3f}", f"{veracity.unseen.auroc or float('nan'):.3f}")
    counts = (f"{edges.entities:,}", f"{edges.count:,}")
    print(json.dumps([*counts, f"{seconds:.1f}", f"{busy:.1f}", f"{peak:.2f}", *aurocs]))


def main() -> None:
    """Make the graph, and measure in a process of its own."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--nodes", type=int, default=NODES)
    parser.add_argument("--edges", type=int, default=EDGES)
    parser.add_argument("--measure", type=Path, help=argparse.SUPPRESS)
    add_keep(parser)
    arguments = parser.parse_args()
    if arguments.measure:
        measure(arguments.measure)
        return
    with tempfile.TemporaryDirectory() as folder:
        write_graph(Path(folder), arguments.nodes, arguments.edges)
        command = [sys.executable, __file__, "--measure", folder]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    columns = ("nodes", "edges", "seconds", "seconds of the processor", "peak memory, GB", *AUROCS)
    table = text_table("Fitting the veracity of a made-up graph", columns, [json.loads(done.stdout)])
    show([table], arguments, __file__, title="What it costs to learn a graph's veracity")


if __name__ == "__main__":
    main()
