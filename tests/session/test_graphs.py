"""Vectors of a graph's entities: made once, kept, and taken up again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from word_vectors import WordVectors

from probative import Graph, InputError, StoreError, entity_index, load_settings
from probative.graph import vectors as vectors_module
from probative.graph.summary import EntityLookup, summary
from probative.session.graphs import find_entity, graphs_cache, vectors_stem

TRIPLES = [("grey heron", "calls at", "old quay"), ("grey tern", "nests on", "quay"), ("quay", "near", "sea")]


class Counting(WordVectors):
    """Fails after so many names, if asked to."""

    fails_after: int | None = None

    @property
    def fingerprint(self) -> str:
        return "counting"

    def encode(self, texts: Sequence[str], *, progress: object = None) -> NDArray[np.float32]:
        if self.fails_after is not None and len(self.texts) >= self.fails_after:
            raise KeyboardInterrupt
        return super().encode(texts)


def home_graphs() -> list[str]:
    folder = load_settings().home_folder / "graphs"
    return sorted(path.suffix for path in folder.iterdir()) if folder.exists() else []


def test_vectors_are_made_once_in_the_users_cache() -> None:
    graph, encoder = Graph.from_triples(TRIPLES), Counting()
    told: list[tuple[int, int]] = []
    index = entity_index(graph, encoder, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (5, 5)
    near = index.nearest(encoder.encode(["grey herons"]), 2)[0]
    assert [graph.entities[entity] for entity, _ in near] == ["grey heron", "grey tern"]
    assert near[1][1] == pytest.approx(0.5, abs=1e-3)
    asked = len(encoder.texts)
    again = entity_index(Graph.from_triples(TRIPLES), encoder)
    assert len(encoder.texts) == asked
    assert again.vectors([0]).tolist() == index.vectors([0]).tolist()
    assert home_graphs() == [".json", ".lock", ".npy"]


def test_a_graph_in_memory_keeps_its_index() -> None:
    graph, encoder = Graph.from_triples(TRIPLES), Counting()
    index = entity_index(graph, encoder)
    assert entity_index(graph, encoder) is index
    assert entity_index(graph, WordVectors()) is not index


def test_vectors_of_a_stored_graph_lie_with_it(tmp_path: Path) -> None:
    Graph.from_triples(TRIPLES).save(tmp_path / "g")
    graph = Graph.open(tmp_path / "g")
    entity_index(graph, Counting())
    assert len(list((tmp_path / "g").glob("vectors-*.npy"))) == 1
    assert home_graphs() == []
    assert Graph.open(tmp_path / "g").edge_count == 3


def test_each_distinct_name_is_encoded_once(tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text("1\tgull\n2\tgull\n3\ttern\n4\tgull\n", encoding="utf-8")
    (tmp_path / "a.tsv").write_text("1\tr\t2\n3\tr\t4\n", encoding="utf-8")
    graph, encoder = Graph.open(tmp_path / "a.tsv", names=tmp_path / "names.txt"), Counting()
    index = entity_index(graph, encoder)
    assert sorted(encoder.texts) == ["gull", "tern"]
    assert (index.vectors([0]) == index.vectors([3])).all()
    assert (index.vectors([0]) != index.vectors([2])).any()


def test_an_interrupted_embedding_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors_module, "PART_NAMES", 2)
    graph, encoder = Graph.from_triples(TRIPLES), Counting()
    encoder.fails_after = 2
    with pytest.raises(KeyboardInterrupt):
        entity_index(graph, encoder)
    assert encoder.texts == list(graph.entities[:2])
    encoder.fails_after = None
    index = entity_index(graph, encoder)
    assert encoder.texts == list(graph.entities)
    assert index.vectors(range(5)).any(axis=1).all()
    assert home_graphs() == [".json", ".lock", ".npy"]


@pytest.mark.parametrize("harm", [".json", ".npy"])
def test_harmed_vectors_are_made_again(harm: str) -> None:
    graph, encoder = Graph.from_triples(TRIPLES), Counting()
    entity_index(graph, encoder)
    stem = vectors_stem(graph, encoder.fingerprint)
    file = stem.with_name(stem.name + harm)
    file.write_bytes(file.read_bytes()[:20])
    index = entity_index(Graph.from_triples(TRIPLES), encoder)
    assert len(encoder.texts) == 2 * graph.entity_count
    assert len(index) == 5


@pytest.mark.parametrize("suffix", [".npy", ".codes.npy"])
def test_a_flipped_bit_is_noticed_and_told(suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors_module, "EXACT_BELOW", 3)
    graph, encoder = Graph.from_triples(TRIPLES), Counting()
    index = entity_index(graph, encoder)
    assert index.notes == ()
    before = index.vectors(range(5)).tolist()
    stem = vectors_stem(graph, encoder.fingerprint)
    file = stem.with_name(stem.name + suffix)
    data = bytearray(file.read_bytes())
    data[-2] ^= 64
    file.write_bytes(data)
    encoder.texts.clear()
    index = entity_index(Graph.from_triples(TRIPLES), encoder)
    assert "damaged, and were made again" in index.notes[0]
    assert index.vectors(range(5)).tolist() == before
    assert len(encoder.texts) == (graph.entity_count if suffix == ".npy" else 0)
    assert entity_index(Graph.from_triples(TRIPLES), encoder).notes == ()
    if suffix == ".npy":
        file.write_bytes(data)
        assert "damaged" in find_entity_with(Graph.from_triples(TRIPLES), encoder, monkeypatch).notes[0]


def find_entity_with(graph: Graph, encoder: Counting, monkeypatch: pytest.MonkeyPatch) -> EntityLookup:
    monkeypatch.setattr("probative.models.load_encoder", lambda **_: encoder)
    return find_entity(graph, "quay")


def test_vectors_of_another_graph_are_not_used(tmp_path: Path) -> None:
    Graph.from_triples(TRIPLES).save(tmp_path / "g")
    old, encoder = Graph.open(tmp_path / "g"), Counting()
    entity_index(old, encoder)
    stem = vectors_stem(old, encoder.fingerprint)
    kept = {path: path.read_bytes() for path in stem.parent.glob("vectors-*")}
    Graph.from_triples([(tail, "of", head) for head, _, tail in TRIPLES]).save(tmp_path / "g")
    for path, data in kept.items():  # as if the save had been killed before it could remove them
        path.write_bytes(data)
    new = Graph.open(tmp_path / "g")
    assert summary(new).embedded == ()
    index = entity_index(new, encoder)
    assert index.nearest(encoder.encode(["grey tern"]), 1)[0][0][0] == new.find("grey tern")


def test_an_embedding_that_is_killed_again_and_again_comes_to_an_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    graph = Graph.from_triples([(f"gull {number}", "near", f"tern {number}") for number in range(150)])
    runs = 0
    names: list[str] = []
    while True:
        encoder, runs = Counting(), runs + 1
        encoder.fails_after = 1  # killed during the second part
        try:
            entity_index(graph, encoder)
        except KeyboardInterrupt:
            names += encoder.texts
            continue
        names += encoder.texts
        break
    assert names == list(graph.entities)  # each name was encoded once
    assert runs == -(-graph.entity_count // 16)


def test_damaged_parts_are_not_continued() -> None:
    graph, encoder = (
        Graph.from_triples([(f"gull {number}", "near", "tern") for number in range(40)]),
        Counting(),
    )
    encoder.fails_after = 1
    with pytest.raises(KeyboardInterrupt):
        entity_index(graph, encoder)
    stem = vectors_stem(graph, encoder.fingerprint)
    file = stem.with_name(stem.name + ".npy")
    data = bytearray(file.read_bytes())
    data[130] ^= 1
    file.write_bytes(data)
    encoder.fails_after = None
    encoder.texts.clear()
    assert "unfinished vectors were damaged" in entity_index(graph, encoder).notes[0]
    assert encoder.texts == list(graph.entities)


def test_many_entities_have_codes_and_a_measured_recall(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors_module, "EXACT_BELOW", 3)
    graph, encoder = Graph.from_triples(TRIPLES), Counting()
    index = entity_index(graph, encoder)
    assert index.recall is not None
    stem = vectors_stem(graph, encoder.fingerprint)
    assert stem.with_name(stem.name + ".codes.npy").is_file()
    assert entity_index(Graph.from_triples(TRIPLES), encoder).recall == index.recall


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "blocked").write_text("a file", encoding="utf-8")
    settings = load_settings({"home": tmp_path / "blocked"})
    with pytest.raises(StoreError, match="cannot be written"):
        entity_index(Graph.from_triples(TRIPLES), Counting(), settings=settings)


@pytest.mark.model
def test_a_small_graph_is_searched_by_vectors() -> None:
    found = find_entity(Graph.from_triples(TRIPLES), "Grey_Heron", 2)
    assert (found.name, found.out_count, found.in_count) == ("grey heron", 1, 0)
    assert [str(triple) for triple in found.edges] == ["(grey heron, calls at, old quay)"]
    assert len(found.near) == 2
    assert found.near[0].name == "grey tern"
    assert found.near[0].cosine is not None


@pytest.mark.model
def test_a_large_graph_that_is_not_embedded_is_searched_by_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("probative.session.graphs.AT_ONCE", 2)
    found = find_entity(Graph.from_triples(TRIPLES), "the quays", 3)
    assert found.name is None
    assert found.edges == ()
    assert [near.name for near in found.near] == ["quay", "old quay"]
    assert found.near[0].cosine is None


def test_what_is_no_encoder_or_no_vector_is_said() -> None:
    graph = Graph.from_triples(TRIPLES)
    with pytest.raises(InputError, match="an Encoder, got 'embedded'") as caught:
        entity_index(graph, "embedded")  # type: ignore[arg-type]
    assert "load_encoder" in caught.value.hint
    with pytest.raises(InputError, match=r"a Graph, got .a\.tsv"):
        entity_index("a.tsv", Counting())  # type: ignore[arg-type]
    index = entity_index(graph, Counting())
    with pytest.raises(InputError, match="rows of numbers, got 'pain'"):
        index.nearest("pain", 2)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="n must be a whole number"):
        index.nearest(index.vectors([0]), "2")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="numbers, got"):
        index.vectors([0.5])  # type: ignore[list-item]
    with pytest.raises(InputError, match="the name must be a string"):
        find_entity(graph, 5)  # type: ignore[arg-type]


def test_vectors_in_the_users_cache_are_seen(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("heron\tat\tquay\n", encoding="utf-8")
    graph = Graph.open(tmp_path / "a.tsv")
    assert summary(graph, cache=graphs_cache()).embedded == ()
    entity_index(graph, Counting())
    (stored,) = summary(graph, cache=graphs_cache()).embedded
    assert (stored.encoder, stored.entities) == ("counting", 2)


def test_nothing_is_not_looked_for() -> None:
    with pytest.raises(InputError, match="name is empty"):
        find_entity(Graph.from_triples(TRIPLES), " ")
    with pytest.raises(InputError, match="at least 1, got 0"):
        find_entity(Graph.from_triples(TRIPLES), "quay", 0)
