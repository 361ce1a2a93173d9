"""The benchmark asks what it says: a graph of the right shape, and the same answers from networkx."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import numpy as np

import graph as benchmark
import graph_shape
from graph_nearest import mixed
from probative import Graph


def test_the_shape_has_every_node_no_edge_twice_and_hubs(tmp_path: Path) -> None:
    graph_shape.write(tmp_path / "a.tsv", nodes=800, edges=2_000)
    graph = Graph.open(tmp_path / "a.tsv", columns=benchmark.COLUMNS)
    assert graph.report is not None
    assert (graph.entity_count, graph.edge_count, graph.report.duplicates) == (800, 2_000, 0)
    degrees = graph.edges.degree(np.arange(800))
    assert degrees.min() >= 1
    assert degrees.max() > 20 * np.median(degrees)
    assert {len(name.split()) for name in graph.entities} == {1, 2, 3}


def test_networkx_gives_the_same_answers(tmp_path: Path) -> None:
    graph_shape.write(tmp_path / "a.tsv", nodes=300, edges=2_000)
    graph = Graph.open(tmp_path / "a.tsv", columns=benchmark.COLUMNS)
    other = nx.MultiDiGraph()
    other.add_edges_from((h, t, r) for h, r, t in graph.edges.rows().tolist())
    asked = benchmark.questions(graph.edges.degree(np.arange(300)))
    assert {one.kind for one in asked} == {"any", "by edges", "hubs"}
    found = 0
    for one in asked[::5]:
        edges = [tuple(row) for row in graph.edges_between(one.group, one.other).tolist()]
        paths = [tuple(row) for row in graph.paths_between(one.group, one.other).rows.tolist()]
        for way in (benchmark.nx_edges(other), benchmark.raw_edges(other)):
            assert sorted(way(one.group, one.other)) == edges
        for way in (benchmark.nx_paths(other), benchmark.raw_paths(other)):
            assert sorted(way(one.group, one.other)) == paths
        found += len(edges) + len(paths)
    assert found > 100


def test_mixed_vectors_keep_the_real_ones_and_have_length_one() -> None:
    real = np.eye(8, dtype=np.float32)
    vectors = mixed(real, 50).astype(np.float32)
    assert (vectors[:8] == real).all()
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-2)
