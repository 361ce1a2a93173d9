"""The nearest entities: exact for few, the same in two passes, and by words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from probative import Graph, InputError
from probative.graph import nearest
from probative.graph.nearest import EntityIndex, codes_of
from probative.graph.vectors import measured_recall
from probative.graph.veracity.graph_with_index import GraphWithIndex


def unit(rng: np.random.Generator, count: int, dimensions: int = 100) -> NDArray[np.float32]:
    vectors = rng.normal(size=(count, dimensions)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_the_nearest_are_those_of_all_cosines() -> None:
    rng = np.random.default_rng(1)
    vectors, asked = unit(rng, 300), unit(rng, 5)
    found = EntityIndex(vectors).nearest(asked, 4)
    cosines = asked @ vectors.T
    for row, near in zip(cosines, found, strict=True):
        assert [entity for entity, _ in near] == np.argsort(-row)[:4].tolist()
        assert [cosine for _, cosine in near] == pytest.approx(sorted(row, reverse=True)[:4])


def test_two_passes_find_the_same_where_all_are_candidates() -> None:
    rng = np.random.default_rng(2)
    vectors, asked = unit(rng, 500).astype(np.float16), unit(rng, 3)
    exact, two = EntityIndex(vectors), EntityIndex(vectors, exact_below=0)
    assert exact.exact
    assert not two.exact
    for one, other in zip(exact.nearest(asked, 5), two.nearest(asked, 5), strict=True):
        assert [entity for entity, _ in one] == [entity for entity, _ in other]
    assert two.exactly(asked, 5)[0][0][0] == exact.nearest(asked, 5)[0][0][0]


def test_two_passes_find_what_is_near_among_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest, "CANDIDATES", 50)
    rng = np.random.default_rng(3)
    vectors = unit(rng, 5_000, 128)
    asked = vectors[:40] + 0.3 * unit(rng, 40, 128)
    index = EntityIndex(vectors, codes_of(vectors), exact_below=0)
    found = index.nearest(asked, 1)
    assert [near[0][0] for near in found] == list(range(40))
    assert 0.0 <= measured_recall(index) <= 1.0


def test_more_than_there_are_gives_all() -> None:
    index = EntityIndex(np.eye(3, dtype=np.float32), exact_below=0)
    assert [entity for entity, _ in index.nearest(np.eye(3, dtype=np.float32)[:1], 9)[0]] == [0, 1, 2]
    assert index.nearest(np.eye(3, dtype=np.float32)[:1], 0) == [[]]


def test_vectors_of_another_length_are_refused() -> None:
    with pytest.raises(InputError, match="3 dimensions, got 4"):
        EntityIndex(np.eye(3, dtype=np.float32)).nearest(np.eye(4, dtype=np.float32), 1)


def test_vectors_are_given_back() -> None:
    index = EntityIndex(np.eye(3, dtype=np.float16))
    assert index.vectors([2, 0]).tolist() == [[0, 0, 1], [1, 0, 0]]
    assert index.vectors([2]).dtype == np.float32


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=9))
def test_bits_are_counted_without_newer_numpy_too(numbers: list[int]) -> None:
    counted = nearest._bits_by_table(np.array(numbers, dtype=np.uint64))
    assert counted.tolist() == [number.bit_count() for number in numbers]


def test_codes_are_signs() -> None:
    vectors = np.random.default_rng(4).normal(size=(7, 70)).astype(np.float16)
    codes = codes_of(vectors)
    assert codes.shape == (2, 7)
    differing = nearest._differing(codes, codes[:, 0])
    assert differing.tolist() == [int(((row > 0) != (vectors[0] > 0)).sum()) for row in vectors]


def test_an_index_is_opened_when_it_is_needed() -> None:
    opened = []

    def open_index() -> EntityIndex:
        opened.append(1)
        return EntityIndex(np.eye(2, dtype=np.float32))

    indexed = GraphWithIndex(Graph.from_triples([("a", "r", "b")]), open_index)
    assert opened == []
    assert indexed.index is indexed.index
    assert opened == [1]


def test_search_is_by_words_rare_ones_first() -> None:
    graph = Graph.from_triples(
        [("old ferry", "r", "ferry"), ("ferry crossing", "r", "zeppelin ferry"), ("quay", "r", "古い船")]
    )
    found = [graph.entities[number] for number in graph.search("Do ferries and zeppelins cross?", 9)]
    assert found[0] == "zeppelin ferry"
    assert set(found) == {"zeppelin ferry", "ferry crossing", "ferry", "old ferry"}
    assert [graph.entities[number] for number in graph.search("古い", 1)] == ["古い船"]
    assert graph.search("nothing here", 3) == []
    assert graph.search("ferry", 0) == []
