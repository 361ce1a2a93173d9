"""RDF and Parquet."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

import pytest
from graph_files import report, triples, written

from probative import BadLine, Graph, InputError, MissingExtraError

UMLS = "idea_or_concept\tisa\tentity\nvirus\tinteracts_with\tvirus\nvirus\tisa\tentity\n"


RDF = """@prefix : <http://sund.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:GreyHeron a :Ship ; :builtIn :Vindal ; rdfs:label "Gråhegre"@no , "the Grey Heron"@en ; :launched 1938 .
:Vindal rdfs:label "Vindal" .
"""


def test_rdf_takes_its_labels_for_names(tmp_path: Path) -> None:
    graph = Graph.open(written(tmp_path, "a.ttl", RDF))
    assert triples(graph) == {
        "(the Grey Heron, is a, Ship)",
        "(the Grey Heron, built in, Vindal)",
        "(the Grey Heron, launched, 1938)",
    }
    assert report(graph).named == 2


def test_n_triples_go_on_after_a_malformed_line(tmp_path: Path) -> None:
    good, bad = "<http://x/a> <http://x/r> <http://y/b> .\n", "<http://x/a> <bad iri> <c> .\n"
    lines = f"{good}{bad}_:n <http://x/r> <http://z/b> .\n"
    graph = Graph.open(written(tmp_path, "a.nt.gz", gzip.compress(lines.encode())))
    assert graph.edge_count == 2
    assert list(graph.entities) == ["a", "b", "_:n", "b"]  # two IRIs are two things, whatever they end in
    assert [bad.line for bad in report(graph).examples] == [2]
    assert report(graph).malformed == 1


NT = "<http://x/a> <http://x/r> <http://y/b> .\n"


@pytest.mark.parametrize(
    ("text", "file_format", "edges", "malformed"),
    [
        (f"# a comment\n\n{NT}nonsense\n{NT.replace('/a', '/c')}", "rdf", 2, 1),
        ("@prefix : <http://x/> .\n:a :r :b , :c .\n", "rdf", 2, 0),
        (RDF, "ttl", 3, 0),
        ('[{"@id": "http://x/a", "http://x/r": {"@id": "http://x/b"}}]', "rdf", 1, 0),
        (NT, "nt", 1, 0),
    ],
)
def test_rdf_with_another_suffix_is_known_by_its_beginning(
    tmp_path: Path, text: str, file_format: str, edges: int, malformed: int
) -> None:
    graph = Graph.open(written(tmp_path, "dump.dat", text), file_format=file_format)
    assert (graph.edge_count, report(graph).malformed) == (edges, malformed)


def test_rdf_that_is_none_of_its_notations_says_which_there_are(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not well-formed") as caught:
        Graph.open(written(tmp_path, "dump.dat", "nothing of the kind"), file_format="rdf")
    assert "--format nt|nq|ttl" in caught.value.hint


@pytest.mark.parametrize(("module", "name"), [("pyoxigraph", "a.nt"), ("duckdb", "a.parquet")])
def test_a_missing_extra_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, name: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=r"probative-evidence\[graph\]"):
        Graph.open(written(tmp_path, name, "x"))


def test_turtle_does_not(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 3"):
        Graph.open(written(tmp_path, "a.ttl", "@prefix : <http://x/> .\n:a :b :c .\n:a :b .\n:d :e :f .\n"))


def test_parquet(tmp_path: Path) -> None:
    import duckdb

    path = tmp_path / "a.parquet"
    rows = "('ferry', 'PartOf', 'fleet'), ('crane', NULL, 'quay'), ('it''s', 'PartOf', 'fleet')"
    duckdb.sql(f'SELECT * FROM (VALUES {rows}) AS t(subject, predicate, "ob""ject")').write_parquet(str(path))
    graph = Graph.open(path, columns={"head": "subject", "relation": "predicate", "tail": 'ob"ject'})
    assert triples(graph) == {"(ferry, part of, fleet)", "(it's, part of, fleet)"}
    assert report(graph).examples == (BadLine(line=2, why="has no relation"),)
    assert triples(Graph.open(path, columns="head,relation,tail")) == triples(graph)
    with pytest.raises(InputError, match="'subject', 'predicate'"):
        Graph.open(path, columns="head=a,relation=b,tail=c")


def test_a_path_of_parquet_is_no_pattern(tmp_path: Path) -> None:
    import duckdb

    folder = tmp_path / "year=2020"
    folder.mkdir()
    for name in ("a1", "a[1]", "b*", "bx"):
        rows = duckdb.sql(f"SELECT '{name}' AS head, 'r' AS relation, 'b' AS tail")
        rows.write_parquet(str(tmp_path / "some.parquet"))
        (tmp_path / "some.parquet").rename(folder / f"{name}.parquet")
    for name in ("a[1]", "b*"):
        graph = Graph.open(folder / f"{name}.parquet")
        assert triples(graph) == {f"({name}, r, b)"}
        assert triples(Graph.open(folder / f"{name}.parquet", columns="head,relation,tail")) == triples(graph)


def test_what_duckdb_says_is_shown_without_its_query(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        Graph.open(written(tmp_path, "a.parquet", "no parquet at all, and long enough to look"))
    assert "\n" not in caught.value.what
    assert "SELECT" not in caught.value.what
