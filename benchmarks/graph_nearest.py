"""Nearest entities: the time of a query, and the share of the true nearest that it finds."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmark_report import text_table
from probative import Graph, load_encoder
from probative.bench.report import Table
from probative.graph.nearest import EntityIndex, codes_of

ASKED = 300
N = 3
COLUMNS = (
    "names",
    "recall",
    "median ms",
    "median ms of the processor",
    "slowest ms",
    "ms by all cosines, many at once",
    "seconds to make the signs",
    "MB of signs",
)


def measure_nearest(folder: Path, kept: Path | None, many: int) -> Table:
    """Recall of the three nearest, and milliseconds: among the real names of ConceptNet 100k, and among as
    many vectors as ConceptNet has, where all but the real ones are mixtures of two real ones with some noise.

    The names asked for are those of its other files that its training file does not have.
    """
    graph = Graph.open(folder / "train.txt", columns="relation,head,tail")
    others = [Graph.open(folder / name, columns="relation,head,tail") for name in ("test.txt", "valid.txt")]
    unseen = [name for other in others for name in other.entities if graph.find(name) is None]
    encoder = load_encoder()
    asked = encoder.encode(sorted(set(unseen))[:ASKED])
    real = _real(graph, kept, encoder)
    rows = [
        _measure(f"{len(real):,}, all real", real.astype(np.float16), asked),
        _measure(f"{many:,}", mixed(real, many), asked),
    ]
    note = f"Asked for {len(asked)} names that are not among the real ones."
    return text_table("The three nearest names", COLUMNS, rows, note)


def _real(graph: Graph, kept: Path | None, encoder: Any) -> NDArray[np.float32]:
    if kept is not None and kept.is_file():
        stored: NDArray[np.float32] = np.load(kept)
        if len(stored) == graph.entity_count:
            return stored
    started = time.perf_counter()
    vectors: NDArray[np.float32] = encoder.encode(list(graph.entities))
    print(f"encoded {len(vectors):,} names in {time.perf_counter() - started:.0f} s", file=sys.stderr)
    if kept is not None:
        np.save(kept, vectors)
    return vectors


def mixed(real: NDArray[np.float32], count: int, seed: int = 0) -> NDArray[np.float16]:
    """Return the real vectors, and mixtures of two of them with some noise."""
    rng = np.random.default_rng(seed)
    found = np.empty((count, real.shape[1]), dtype=np.float16)
    found[: len(real)] = real
    for start in range(len(real), count, 50_000):
        size = min(50_000, count - start)
        one, two = rng.integers(0, len(real), (2, size))
        share = rng.uniform(0.55, 0.95, (size, 1)).astype(np.float32)
        noise = rng.normal(0, 0.15 / real.shape[1] ** 0.5, (size, real.shape[1])).astype(np.float32)
        block = share * real[one] + (1 - share) * real[two] + noise
        found[start : start + size] = block / np.linalg.norm(block, axis=1, keepdims=True)
    return found


def _measure(name: str, vectors: NDArray[np.float16], asked: NDArray[np.float32]) -> tuple[str, ...]:
    """Return the row of an index of these vectors."""
    started = time.perf_counter()
    codes = codes_of(vectors)
    made = time.perf_counter() - started
    index = EntityIndex(vectors, codes, exact_below=0)
    index.nearest(asked[:1], N)
    times, busy, hits = [], [], 0
    started = time.perf_counter()
    true = index.exactly(asked, N)
    exact = (time.perf_counter() - started) / len(asked)
    for vector, best in zip(asked, true, strict=True):
        started, used = time.perf_counter(), time.process_time()
        (found,) = index.nearest(vector[None, :], N)
        times.append(time.perf_counter() - started)
        busy.append(time.process_time() - used)
        hits += len({entity for entity, _ in found} & {entity for entity, _ in best})
    recall = hits / (N * len(asked))
    middle, slowest, processor = np.median(times) * 1e3, max(times) * 1e3, np.median(busy) * 1e3
    times_ms = (f"{middle:.1f}", f"{processor:.1f}", f"{slowest:.1f}", f"{exact * 1e3:.1f}")
    return (name, f"{recall:.4f}", *times_ms, f"{made:.1f}", f"{codes.nbytes / 1e6:.0f}")
