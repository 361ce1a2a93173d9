"""A small graph worked by hand, then random ones against a brute force over the list of triples."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probative import Graph, InputError
from probative.text.words import clean
from probative.types import Triple

HARBOUR = [
    ("ferry", "part of", "fleet"),
    ("pilot", "steers", "ferry"),
    ("pilot", "knows", "harbour"),
    ("ferry", "calls at", "harbour"),
    ("fleet", "based in", "harbour"),
    ("crane", "stands in", "harbour"),
    ("harbour", "near", "harbour"),
    ("ferry", "part of", "fleet"),
]
PILOT, FERRY, FLEET, CRANE, HARBOUR_AT = "pilot", "ferry", "fleet", "crane", "harbour"


@pytest.fixture
def harbour() -> Graph:
    return Graph.from_triples(HARBOUR)


def number(graph: Graph, name: str) -> int:
    found = graph.find(name)
    assert found is not None
    return found


def said(graph: Graph, rows: object) -> list[str]:
    return [str(graph.triple(row)) for row in rows]  # type: ignore[attr-defined]


def test_what_is_in_it(harbour: Graph) -> None:
    assert list(harbour.entities) == ["ferry", "fleet", "pilot", "harbour", "crane"]
    assert harbour.relations[:2] == ["part of", "steers"]
    assert (harbour.entity_count, harbour.relation_count, harbour.edge_count) == (5, 7, 7)


def test_the_edges_of_an_entity(harbour: Graph) -> None:
    ferry, place = number(harbour, "ferry"), number(harbour, "harbour")
    assert said(harbour, harbour.out_edges(ferry)) == [
        "(ferry, part of, fleet)",
        "(ferry, calls at, harbour)",
    ]
    assert said(harbour, harbour.in_edges(ferry)) == ["(pilot, steers, ferry)"]
    assert len(harbour.in_edges(place)) == 5
    assert harbour.out_edges(number(harbour, "harbour")).tolist() == [[3, 6, 3]]


def test_edges_between_groups_have_a_direction(harbour: Graph) -> None:
    ferry, fleet, pilot, place, crane = (
        number(harbour, name) for name in (FERRY, FLEET, PILOT, "harbour", CRANE)
    )
    between = harbour.edges_between([pilot, ferry, crane], [place, fleet])
    assert said(harbour, between) == [
        "(ferry, part of, fleet)",
        "(ferry, calls at, harbour)",
        "(pilot, knows, harbour)",
        "(crane, stands in, harbour)",
    ]
    assert harbour.edges_between([place], [pilot, ferry]).shape == (0, 3)
    assert harbour.edges_between([], [place]).shape == (0, 3)


def test_paths_lead_through_entities_of_neither_group(harbour: Graph) -> None:
    pilot, place, fleet = number(harbour, "pilot"), number(harbour, "harbour"), number(harbour, "fleet")
    paths = harbour.paths_between([pilot], [place])
    named = [
        (harbour.entities[row[2]], harbour.relations[row[1]], harbour.relations[row[3]]) for row in paths.rows
    ]
    assert named == [("ferry", "steers", "calls at")]
    assert paths.total == 1
    # pilot → harbour → harbour is no path: a self-loop leads nowhere.
    assert harbour.paths_between([pilot], [fleet]).total == 1
    assert harbour.paths_between([pilot, number(harbour, "ferry")], [fleet]).total == 0


def test_a_cut_keeps_the_least_connected_between() -> None:
    rim = [("a", "r", "hub"), ("hub", "r", "b"), *((f"n{i}", "r", "hub") for i in range(9))]
    graph = Graph.from_triples([*rim, ("a", "r", "quiet"), ("quiet", "s", "b"), ("quiet", "r", "b")])
    a, b = number(graph, "a"), number(graph, "b")
    whole = graph.paths_between([a], [b])
    assert whole.total == 3
    for most in range(4):
        cut = graph.paths_between([a], [b], limit=most)
        assert (len(cut.rows), cut.total) == (most, 3)
    assert {graph.entities[row[2]] for row in graph.paths_between([a], [b], limit=2).rows} == {"quiet"}


def test_a_name_is_found_whatever_its_case_spaces_and_underscores() -> None:
    graph = Graph.from_triples([("Hot_dog", "is a", "food"), ("hot dog", "is a", "Straße")])
    assert graph.find("hot dog") == 2
    assert graph.find("Hot_dog") == 0
    assert graph.find("HOT  DOG") == 0
    assert graph.find("STRASSE") == 3
    assert graph.find("") is None
    assert graph.find("bun") is None


def test_of_several_spellings_the_exact_one_is_meant_then_that_of_most_edges() -> None:
    graph = Graph.from_triples(
        [
            ("turkey", "is a", "bird"),
            ("Turkey", "is a", "state"),
            ("Turkey", "near", "Syria"),
            ("US_A", "r", "usa"),
        ]
    )
    assert [graph.entities[number(graph, name)] for name in ("turkey", "Turkey", "TURKEY")] == [
        "turkey",
        "Turkey",
        "Turkey",
    ]
    assert graph.entities[number(graph, "US A")] == "US_A"  # the same case, before the same count of edges


def test_an_entity_that_is_not_there_is_refused(harbour: Graph) -> None:
    for wrong in (-1, 5):
        with pytest.raises(InputError, match="5 entities"):
            harbour.out_edges(wrong)
        with pytest.raises(InputError):
            harbour.paths_between([0], [wrong])


def test_what_is_no_triple_is_refused() -> None:
    with pytest.raises(InputError, match="at least one edge"):
        Graph.from_triples([])
    good = ("a", "r", "b")
    wrong: list[Any] = [("a", "b"), "abc", ("a", "b", 3), {"a", "r", "c"}, None, b"abc", 5, {"head": "a"}]
    for one in wrong:
        with pytest.raises(InputError, match=r"triples\[1\] must be three strings"):
            Graph.from_triples([good, one])
    for empty in (" ", "\x07", "\n\x1b[0m"):
        with pytest.raises(InputError, match=r"part of triples\[0\] is empty"):
            Graph.from_triples([("a", empty, "b")])
    with pytest.raises(InputError, match=r"triples\[0\].*UTF-8"):
        Graph.from_triples([("a", "r", "\ud800")])
    for none_at_all in (5, None):
        with pytest.raises(InputError, match="triples must be a list"):
            Graph.from_triples(none_at_all)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"triples\[0\]"):
        Graph.from_triples(good)


def test_names_given_in_python_are_on_one_line_and_cannot_steer_a_terminal() -> None:
    graph = Graph.from_triples([("a\x1b[31m red\nname", "r\x07", " hot  dog"), ("hot dog", "r", "x_y")])
    assert list(graph.entities) == ["a red name", "hot dog", "x_y"]
    assert list(graph.relations) == ["r"]


WRONG: list[tuple[str, Callable[[Graph], object]]] = [
    ("the name must be a string, got 5", lambda graph: graph.find(5)),  # type: ignore[arg-type]
    ("must be a string, got None", lambda graph: graph.search(None, 2)),  # type: ignore[arg-type]
    ("n must be a whole number, got 2.5", lambda graph: graph.search("ferry", 2.5)),  # type: ignore[arg-type]
    ("list of numbers, got", lambda graph: graph.out_edges("x")),  # type: ignore[arg-type]
    ("list of numbers, got", lambda graph: graph.in_edges(None)),  # type: ignore[arg-type]
    ("list of numbers, got 0", lambda graph: graph.edges_between(0, 1)),  # type: ignore[arg-type]
    ("got \\[0.5\\]", lambda graph: graph.edges_between([0.5], [1])),  # type: ignore[list-item]
    ("limit must be a whole number", lambda graph: graph.paths_between([0], [1], limit=True)),
    ("three numbers, got \\(1, 2\\)", lambda graph: graph.triple((1, 2))),
    ("three numbers, got 5", lambda graph: graph.triple(5)),  # type: ignore[arg-type]
    ("7 relations, and none has the number 99", lambda graph: graph.triple((0, 99, 1))),
    ("5 entities, and none has the number -1", lambda graph: graph.triple((0, 0, -1))),
    ("path of a file or folder, got 5", lambda graph: graph.save(5)),  # type: ignore[arg-type]
    ("path of a file or folder, got 5", lambda graph: Graph.open(5)),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("says", "ask"), WRONG)
def test_a_wrong_type_is_an_input_error(harbour: Graph, says: str, ask: Callable[[Graph], object]) -> None:
    with pytest.raises(InputError, match=says):
        ask(harbour)


def test_numbers_of_numpy_are_numbers(harbour: Graph) -> None:
    rows = harbour.edges_between(np.array([0, 2]), np.array([3], dtype=np.int64))  # type: ignore[arg-type]
    assert len(rows) == 2
    assert harbour.triple(rows[0]).tail == "harbour"


def test_triples_may_be_mappings() -> None:
    graph = Graph.from_triples([{"tail": "b", "relation": "r", "head": "a", "weight": "1"}])
    assert graph.triple(graph.out_edges(0)[0]) == Triple(head="a", relation="r", tail="b")


def test_triples_may_be_values() -> None:
    graph = Graph.from_triples([Triple(head="a", relation="r", tail="b")])
    assert graph.triple(graph.out_edges(0)[0]) == Triple(head="a", relation="r", tail="b")


def test_the_fingerprint_is_the_content() -> None:
    one = Graph.from_triples(HARBOUR)
    assert one.fingerprint == Graph.from_triples(HARBOUR[:-1]).fingerprint
    assert one.fingerprint != Graph.from_triples(HARBOUR[1:-1]).fingerprint


names = st.sampled_from([f"e{i}" for i in range(7)])
triples = st.lists(st.tuples(names, st.sampled_from(["r", "s", "t"]), names), min_size=1, max_size=60)


@given(triples, st.data())
def test_edges_and_paths_are_those_of_a_brute_force(
    listed: list[tuple[str, str, str]], data: st.DataObject
) -> None:
    graph = Graph.from_triples(listed)
    edges = sorted(
        {(number(graph, h), list(graph.relations).index(r), number(graph, t)) for h, r, t in listed}
    )
    entity = st.integers(0, graph.entity_count - 1)
    group, other = data.draw(st.lists(entity, max_size=4)), data.draw(st.lists(entity, max_size=4))
    assert [tuple(row) for row in graph.edges_between(group, other).tolist()] == [
        (h, r, t) for h, r, t in edges if h in group and t in other
    ]
    through = data.draw(st.booleans())
    members = {*group, *other}
    expected = sorted(
        (h, r, m, s, t)
        for (h, r, m), (n, s, t) in product(edges, edges)
        if m == n and h in group and t in other and (through or m not in members)
    )
    paths = graph.paths_between(group, other, through_members=through)
    assert [tuple(row) for row in paths.rows.tolist()] == expected
    assert paths.total == len(expected)
    most = data.draw(st.integers(0, len(expected) + 1))
    cut = graph.paths_between(group, other, limit=most, through_members=through)
    assert (len(cut.rows), cut.total) == (min(most, len(expected)), len(expected))
    kept = [tuple(row) for row in cut.rows.tolist()]
    assert set(kept) <= set(expected)
    assert kept == sorted(kept)
    degree = [sum((h == e) + (t == e) for h, _, t in edges) for e in range(graph.entity_count)]
    dropped = set(expected) - set(kept)
    assert all(degree[row[2]] <= min((degree[left[2]] for left in dropped), default=99) for row in kept)
    for one in range(graph.entity_count):
        assert [tuple(row) for row in graph.out_edges(one).tolist()] == [e for e in edges if e[0] == one]
        assert [tuple(row) for row in graph.in_edges(one).tolist()] == [e for e in edges if e[2] == one]


clean_names = (
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8).map(clean).filter(bool)
)


@given(st.lists(clean_names, min_size=1, max_size=12, unique=True))
def test_every_name_is_found_and_kept(listed: list[str]) -> None:
    graph = Graph.from_triples([(name, "r", name) for name in listed])
    assert list(graph.entities) == listed
    assert [graph.find(name) for name in listed] == list(range(len(listed)))
