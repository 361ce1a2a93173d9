"""A graph in a folder: the same after as before, whole or not at all, and never silently wrong."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probative import Graph, InputError, StoreError
from probative.graph import edges as edge_arrays
from probative.graph import save, store
from probative.text.words import clean

TRIPLES = [("ferry", "part of", "fleet"), ("fleet", "owned by", "Sund Line"), ("ferry", "is", "ferry")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "sund.graph"
    Graph.from_triples(TRIPLES).save(place)
    return place


def test_what_is_saved_is_opened(folder: Path) -> None:
    graph, before = Graph.open(folder), Graph.from_triples(TRIPLES)
    assert list(graph.entities) == list(before.entities)
    assert list(graph.relations) == list(before.relations)
    assert graph.edges.rows().tolist() == before.edges.rows().tolist()
    assert graph.fingerprint == before.fingerprint
    assert graph.find("SUND_line") == 2
    assert graph.search("the line of Sund", 1) == [2]
    assert graph.in_edges(1).tolist() == before.in_edges(1).tolist()
    assert graph.folder == folder
    assert before.folder is None


names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6).filter(clean)


@settings(max_examples=15, deadline=None)  # each is written to the disk
@given(st.lists(st.tuples(names, names, names), min_size=1, max_size=10))
def test_any_graph_comes_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, str]]
) -> None:
    place, before = tmp_path_factory.mktemp("any") / "g", Graph.from_triples(rows)
    before.save(place)
    after = Graph.open(place)
    assert list(after.entities) == list(before.entities)
    assert after.edges.rows().tolist() == before.edges.rows().tolist()
    assert [after.find(name) for name in before.entities] == list(range(before.entity_count))


def test_what_is_for_files_is_refused_for_a_stored_graph(folder: Path) -> None:
    with pytest.raises(InputError, match="is a stored graph"):
        Graph.open(folder, columns="relation,head,tail")


def test_the_report_stays_with_the_graph(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("a\tr\tb\nbad\n", encoding="utf-8")
    graph = Graph.open(tmp_path / "a.tsv")
    graph.save(tmp_path / "g")
    assert Graph.open(tmp_path / "g").report == graph.report


def test_a_graph_is_replaced_and_a_foreign_folder_is_not(folder: Path, tmp_path: Path) -> None:
    (folder / "vectors-x.npy").write_bytes(b"kept")
    Graph.from_triples(TRIPLES).save(folder)
    assert (folder / "vectors-x.npy").read_bytes() == b"kept"  # the same content has the same vectors
    Graph.from_triples(TRIPLES[:1]).save(folder)
    assert Graph.open(folder).edge_count == 1
    assert not (folder / "vectors-x.npy").exists()
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.txt").write_text("all of it", encoding="utf-8")
    with pytest.raises(InputError, match="something other than a graph"):
        Graph.from_triples(TRIPLES).save(mine)
    assert (mine / "thesis.txt").read_text(encoding="utf-8") == "all of it"
    with pytest.raises(InputError, match="is a file"):
        Graph.from_triples(TRIPLES).save(mine / "thesis.txt")
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []


def test_a_save_that_fails_leaves_what_was_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(save.np, "save", full)
    with pytest.raises(StoreError, match="No space left"):
        Graph.from_triples(TRIPLES[:1]).save(folder)
    monkeypatch.undo()
    assert Graph.open(folder).edge_count == 3
    assert [path.name for path in folder.parent.iterdir() if "scratch" in path.name] == []


def test_scratch_of_a_killed_process_goes_in_time(folder: Path) -> None:
    old, young = (folder.parent / f".{folder.name}.scratch-{age}" for age in ("old", "young"))
    for scratch in (old, young):
        scratch.mkdir()
    long_ago = time.time() - 2 * 86_400
    os.utime(old, (long_ago, long_ago))
    Graph.from_triples(TRIPLES).save(folder)
    assert not old.exists()
    assert young.exists()


def test_a_folder_that_is_no_graph(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="not a graph") as caught:
        Graph.open(tmp_path)
    assert "graph import" in caught.value.hint
    (tmp_path / "meta.json").write_text('{"kind": "something"}', encoding="utf-8")
    with pytest.raises(StoreError, match="not a graph"):
        Graph.open(tmp_path)


def test_a_newer_format_is_said(folder: Path) -> None:
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    (folder / "meta.json").write_text(json.dumps({**meta, "format": 99}), encoding="utf-8")
    with pytest.raises(StoreError, match="format 99"):
        Graph.open(folder)
    with pytest.raises(InputError, match="format 99, and this version writes 1"):
        Graph.from_triples(TRIPLES[:1]).save(folder)
    assert json.loads((folder / "meta.json").read_text(encoding="utf-8"))["format"] == 99


@pytest.mark.parametrize(
    ("meta", "says"),
    [
        ('{"name": "my web site", "files": {}}', "its meta.json does not describe a graph"),
        ("[1, 2]", "its meta.json does not describe a graph"),
        ("{", "a meta.json that cannot be read"),
        ('{"kind": "probative graph", "format": "1"}', "format 1, and this version"),
    ],
)
def test_a_folder_with_some_meta_json_is_left_alone(tmp_path: Path, meta: str, says: str) -> None:
    (tmp_path / "meta.json").write_text(meta, encoding="utf-8")
    (tmp_path / "page.html").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=says):
        Graph.from_triples(TRIPLES).save(tmp_path)
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == "mine"
    assert (tmp_path / "meta.json").read_text(encoding="utf-8") == meta


def test_what_a_user_put_into_a_graphs_folder_is_not_removed(folder: Path) -> None:
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    (folder / "vectors-of-mine").mkdir()
    with pytest.raises(InputError, match=r"contains more than a graph: notes\.txt, vectors-of-mine"):
        Graph.from_triples(TRIPLES[:1]).save(folder)
    assert (folder / "notes.txt").read_text(encoding="utf-8") == "mine"
    assert Graph.open(folder).edge_count == 3


def test_a_harmed_graph_may_be_replaced(folder: Path) -> None:
    (folder / "meta.json").write_text('{"kind": "probative graph", "format": 1}', encoding="utf-8")
    (folder / "out_tail.npy").write_bytes(b"harmed")
    (folder / "in_head.npy").unlink()
    Graph.from_triples(TRIPLES[:1]).save(folder)
    assert Graph.open(folder).edge_count == 1


@pytest.mark.parametrize("name", ["out_tail.npy", "entity_text.npy", "word_hashes.npy", "in_start.npy"])
@pytest.mark.parametrize("harm", ["gone", "short", "changed"])
def test_a_damaged_graph_is_refused(folder: Path, name: str, harm: str) -> None:
    file = folder / name
    data = file.read_bytes()
    if harm == "gone":
        file.unlink()
    else:
        file.write_bytes(data[:-1] if harm == "short" else data[:-1] + bytes([data[-1] ^ 1]))
    with pytest.raises(StoreError, match=f"damaged: {name}"):
        Graph.open(folder)


@pytest.mark.parametrize("text", ["", "{", '{"kind": "probative graph", "format": 1}'])
def test_a_damaged_meta_is_refused(folder: Path, text: str) -> None:
    (folder / "meta.json").write_text(text, encoding="utf-8")
    with pytest.raises(StoreError, match="damaged"):
        Graph.open(folder)


def test_more_entities_than_one_number_can_hold_sort_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    heads, tails = rng.integers(0, 20, (2, 200)).astype(np.int32)
    kinds = rng.integers(0, 3, 200).astype(np.int32)
    quick = edge_arrays.build_edges(heads, kinds, tails, entities=20, relations=3)
    monkeypatch.setattr(edge_arrays, "_MAX_KEY", 0)
    slow = edge_arrays.build_edges(heads, kinds, tails, entities=20, relations=3)
    assert slow.rows().tolist() == quick.rows().tolist()
    assert slow.in_head.tolist() == quick.in_head.tolist()
    assert slow.in_relation.tolist() == quick.in_relation.tolist()
    assert slow.in_start.tolist() == quick.in_start.tolist()


class Killed(BaseException):
    """Stands for the end of the process."""


def save_and_kill(graph: Graph, folder: Path, steps: int) -> bool:
    """Save a graph, but only the first `steps` changes to the file system take place; cleaning up takes none.
    Return whether the save came to its end.
    """
    left = [steps]

    def limited(function: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object, **options: object) -> object:
            left[0] -= 1
            if left[0] < 0:
                raise Killed
            return function(*arguments, **options)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name in ("mkdir", "rename", "replace", "unlink", "rmdir", "fsync"):
            patch.setattr(os, name, limited(getattr(os, name)))
        with suppress(Killed):
            graph.save(folder)
            return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize("replaced", [True, False], ids=["replaced", "new"])
def test_a_save_that_is_killed_at_any_step_leaves_a_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, replaced: bool
) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)
    old, new, third = (Graph.from_triples(TRIPLES[:n]) for n in (3, 1, 2))
    edges: list[int] = []
    for steps in count():
        folder = tmp_path / f"{steps}"
        if replaced:
            old.save(folder)
        ended = save_and_kill(new, folder, steps)
        edges.append(Graph.open(folder).edge_count if folder.exists() else 0)
        if steps % 4 == 1:  # what the killed save has left is in nobody's way, and is removed
            third.save(folder)
            assert Graph.open(folder).edge_count == 2
            assert len(list(folder.glob("*.npy"))) == len(store.ARRAYS)
        if ended:
            break
    before = 3 if replaced else 0
    at = edges.index(1)
    assert 0 < at < len(edges) - 1
    assert edges == [before] * at + [1] * (len(edges) - at)


def test_a_graph_that_is_replaced_while_it_is_opened_is_opened(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = store.read_meta(folder)
    Graph.from_triples(TRIPLES[:1]).save(folder)
    metas = [old, store.read_meta(folder)]
    monkeypatch.setattr(store, "read_meta", lambda _: metas.pop(0) if len(metas) > 1 else metas[0])
    assert Graph.open(folder).edge_count == 1


def test_a_link_to_a_folder_stays_a_link(folder: Path) -> None:
    link = folder.with_name("link")
    link.symlink_to(folder.name)
    Graph.from_triples(TRIPLES[:1]).save(link)
    assert link.is_symlink()
    assert Graph.open(folder).edge_count == 1
    ahead = folder.with_name("ahead")
    ahead.symlink_to("new.graph")
    Graph.from_triples(TRIPLES).save(ahead)
    assert Graph.open(folder.with_name("new.graph")).edge_count == 3


def test_a_path_that_cannot_be_is_an_input_error(tmp_path: Path) -> None:
    loop, other = tmp_path / "loop", tmp_path / "other"
    loop.symlink_to(other)
    other.symlink_to(loop)
    long = tmp_path / ("x" * 300)
    for path, says in ((loop, "leads back to itself"), (loop / "in", "leads back"), (long, "is too long")):
        with pytest.raises(InputError, match=says):
            Graph.open(path)
        with pytest.raises(InputError, match=says):
            Graph.from_triples(TRIPLES).save(path)
