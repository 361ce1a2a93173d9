"""Veracity learned from graphs whose law is known, and from graphs with nothing to learn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from probative import Graph
from probative.graph.nearest import EntityIndex
from probative.graph.veracity.fit import fit_veracity
from probative.graph.veracity.model import Veracity
from probative.graph.veracity.negatives import PARTS, Corruptor
from probative.graph.veracity.stored import StoredVeracity

WIDTH = 16


def fleet(ships: int = 60, seed: int = 0) -> tuple[Graph, EntityIndex]:
    """A graph with a law: ships carry cargo, and cargo is stored in halls; names of a kind are near."""
    random = np.random.default_rng(seed)
    triples = []
    for number in range(ships):
        for cargo in random.choice(20, 3, replace=False):
            triples.append((f"ship {number}", "carries", f"cargo {cargo}"))
    for cargo in range(20):
        for hall in random.choice(10, 4, replace=False):
            triples.append((f"cargo {cargo}", "is stored in", f"hall {hall}"))
    graph = Graph.from_triples(triples)
    return graph, EntityIndex(np.array([vector(name) for name in graph.entities], dtype=np.float32))


def vector(name: str) -> np.ndarray:
    kind, number = name.split()
    noise = np.random.default_rng(int(number) + 1000 * len(kind)).normal(0.0, 0.15, WIDTH)
    noise[["ship", "cargo", "hall"].index(kind)] += 1.0
    return noise / np.linalg.norm(noise)


@pytest.fixture(scope="module")
def learned() -> tuple[Graph, Veracity]:
    graph, index = fleet()
    return graph, fit_veracity(graph.edges, index.take)


def probability(veracity: Veracity, graph: Graph, head: str, relation: str, tail: str) -> float:
    heads, tails = vector(head)[None].astype(np.float32), vector(tail)[None].astype(np.float32)
    number = list(graph.relations).index(relation)
    return float(veracity.probabilities(heads, [number], tails, [False])[0])


def test_entities_that_the_graph_does_not_have_are_scored_by_what_they_are_like(
    learned: tuple[Graph, Veracity],
) -> None:
    graph, veracity = learned
    likely = [
        probability(veracity, graph, f"ship {900 + n}", "carries", f"cargo {950 + n}") for n in range(20)
    ]
    absurd = [
        probability(veracity, graph, f"hall {900 + n}", "carries", f"ship {950 + n}") for n in range(20)
    ]
    assert np.mean(likely) > np.mean(absurd) + 0.2
    assert all(veracity.judge(p, known=False) != "yes" for p in absurd)


def test_held_out_edges_say_how_good_the_scorer_is(learned: tuple[Graph, Veracity]) -> None:
    _, veracity = learned
    assert veracity.known.held_out > 20
    assert veracity.unseen.held_out > 5
    assert veracity.known.auroc is not None
    assert veracity.known.auroc > 0.7


def test_the_same_seed_gives_the_same_scorer() -> None:
    graph, index = fleet(20)
    first, second = (fit_veracity(graph.edges, index.take) for _ in range(2))
    for one, other in zip(first.members, second.members, strict=True):
        assert all(
            (a == b).all() for a, b in zip(one.arrays().values(), other.arrays().values(), strict=True)
        )
    assert first.known == second.known


@pytest.mark.parametrize("count", [1, 2, 10])
def test_a_graph_of_a_few_triples_leaves_everything_uncertain_and_says_so(count: int) -> None:
    graph = Graph.from_triples([(f"ship {n}", "carries", f"cargo {n}") for n in range(count)])
    index = EntityIndex(np.array([vector(name) for name in graph.entities], dtype=np.float32))
    veracity = fit_veracity(graph.edges, index.take)
    p = probability(veracity, graph, "ship 900", "carries", "cargo 901")
    assert veracity.judge(p, known=True) == veracity.judge(p, known=False) == "maybe"
    assert "uncertain" in veracity.notes[0]


def test_a_graph_with_one_relation_learns_its_entities() -> None:
    triples = [(f"ship {n}", "carries", f"cargo {m}") for n in range(40) for m in range(n % 3, 12, 3)]
    graph = Graph.from_triples(triples)
    index = EntityIndex(np.array([vector(name) for name in graph.entities], dtype=np.float32))
    veracity = fit_veracity(graph.edges, index.take)
    right = probability(veracity, graph, "ship 900", "carries", "cargo 901")
    wrong = probability(veracity, graph, "cargo 901", "carries", "ship 900")
    assert right > wrong


@pytest.mark.parametrize("part", PARTS)
def test_a_corrupted_triple_differs_in_one_part_and_is_no_edge(part: str) -> None:
    graph, _ = fleet(20)
    rows = graph.edges.rows().astype(np.int64)
    corruptor = Corruptor(rows, graph.entity_count, graph.relation_count)
    corrupted, false = corruptor.draw(rows, part, np.random.default_rng(0))  # type: ignore[arg-type]
    if part == "reversed":
        assert (corrupted == rows[:, ::-1]).all()
    else:
        column = {"head": 0, "relation": 1, "tail": 2, "same relation": 2}[part]
        others = [number for number in range(3) if number != column]
        assert (corrupted[:, others] == rows[:, others]).all()
    edges = {tuple(row) for row in rows.tolist()}
    assert [tuple(row) not in edges for row in corrupted.tolist()] == false.tolist()
    if part == "same relation":
        tails = {relation: set(rows[rows[:, 1] == relation, 2]) for relation in range(graph.relation_count)}
        assert all(row[2] in tails[row[1]] for row in corrupted)


def test_a_stored_veracity_is_read_again_and_a_damaged_one_made_again(tmp_path: Path) -> None:
    graph, index = fleet(20)
    stored = StoredVeracity(tmp_path / "vectors-x.veracity.npz", graph.fingerprint, "encoder")
    reported: list[tuple[int, int]] = []
    first = stored.open(graph, index, lambda done, total: reported.append((done, total)))
    assert reported[-1][0] == reported[-1][1]
    reported.clear()
    again = stored.open(graph, index, lambda done, total: reported.append((done, total)))
    assert not reported
    assert again.known == first.known
    (tmp_path / "vectors-x.veracity.npz").write_bytes(b"half a file")
    assert stored.open(graph, index).known == first.known
    other = StoredVeracity(tmp_path / "vectors-x.veracity.npz", "another graph", "encoder")
    assert other._read() is None
