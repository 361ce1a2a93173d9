"""Files of triples, good and bad: what becomes of each."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probative import BadLine, Graph, ImportReport, InputError, MissingExtraError
from probative.graph.report import unused_lines

UMLS = "idea_or_concept\tisa\tentity\nvirus\tinteracts_with\tvirus\nvirus\tisa\tentity\n"


def written(tmp_path: Path, name: str, text: str | bytes) -> Path:
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def triples(graph: Graph) -> set[str]:
    return {str(graph.triple(row)) for row in graph.edges.rows()}


def report(graph: Graph) -> ImportReport:
    assert graph.report is not None
    return graph.report


def test_a_table_of_tabs_is_head_relation_tail(tmp_path: Path) -> None:
    graph = Graph.open(written(tmp_path, "umls.tsv", UMLS))
    assert triples(graph) == {
        "(idea or concept, isa, entity)",
        "(virus, interacts with, virus)",
        "(virus, isa, entity)",
    }
    found = report(graph)
    assert (found.lines, found.edges, found.entities, found.relations) == (3, 3, 3, 2)
    assert (found.self_loops, found.duplicates, found.malformed, found.format) == (1, 0, 0, "text")


def test_columns_may_come_in_another_order_and_with_others(tmp_path: Path) -> None:
    text = "AtLocation\tbook\ttable\t0.7\nIsA\tbook\tthing\t0.2\n"
    graph = Graph.open(written(tmp_path, "cn.txt", text), columns="relation,head,tail,weight")
    assert triples(graph) == {"(book, at location, table)", "(book, is a, thing)"}
    listed = Graph.open(tmp_path / "cn.txt", columns=["relation", "head", "tail", "-"])
    assert triples(listed) == triples(graph)


def test_columns_may_be_named(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", 'id,what,how,where\n1,ferry,"calls at","quay, old"\n')
    named = Graph.open(path, columns="head=what,relation=how,tail=where")
    assert triples(named) == {"(ferry, calls at, quay, old)"}
    assert triples(Graph.open(path, columns={"head": "what", "relation": "how", "tail": "where"})) == triples(
        named
    )


@pytest.mark.parametrize("header", ["Subject,Predicate,Object", "source,relation,target", "h,r,t"])
def test_a_header_that_speaks_for_itself_is_understood(tmp_path: Path, header: str) -> None:
    assert triples(Graph.open(written(tmp_path, "a.csv", f"{header}\na,b,c\n"))) == {"(a, b, c)"}


def test_semicolons_and_other_separators(tmp_path: Path) -> None:
    assert triples(Graph.open(written(tmp_path, "a.csv", "a;b;c, d\n"))) == {"(a, b, c, d)"}
    assert triples(Graph.open(written(tmp_path, "b.txt", "a~b~c\n"), separator="~")) == {"(a, b, c)"}
    assert triples(Graph.open(written(tmp_path, "c.txt", "a|b|c\n"))) == {"(a, b, c)"}


def test_quotation_marks_are_letters_between_tabs(tmp_path: Path) -> None:
    graph = Graph.open(written(tmp_path, "a.tsv", 'the 5" nail\tis a\t"nail\n'))
    assert triples(graph) == {'(the 5" nail, is a, "nail)'}


def test_compressed_files_marks_of_order_and_line_ends(tmp_path: Path) -> None:
    packed = gzip.compress("\ufeffa\tb\tc\r\n\r\nd\tb\tc\r\n".encode())
    graph = Graph.open(written(tmp_path, "a.tsv.gz", packed))
    assert triples(graph) == {"(a, b, c)", "(d, b, c)"}
    assert report(graph).malformed == 0


def test_json_lines_as_objects_and_as_lists(tmp_path: Path) -> None:
    lines = [
        '{"subject": "a", "predicate": "IsA", "object": "b", "weight": 1}',
        '["c", "IsA", 7]',
        "",
        '{"subject": "a", "predicate": "IsA"}',
        "nonsense",
        '["c", "IsA"]',
        "3",
    ]
    graph = Graph.open(written(tmp_path, "a.jsonl", "\n".join(lines)))
    assert triples(graph) == {"(a, is a, b)", "(c, is a, 7)"}
    found = report(graph)
    assert (found.lines, found.malformed) == (6, 4)
    assert found.examples[0] == BadLine(line=4, why="has no tail ('object')")
    assert [bad.line for bad in found.examples] == [4, 5, 6, 7]
    other = Graph.open(
        written(tmp_path, "b.jsonl", '{"x": "a", "y": "r", "z": "b"}'), columns="head=x,relation=y,tail=z"
    )
    assert triples(other) == {"(a, r, b)"}
    with pytest.raises(InputError, match="'x', 'y', 'z'"):
        Graph.open(tmp_path / "b.jsonl", columns="head=p,relation=y,tail=z")


def test_names_come_from_files(tmp_path: Path) -> None:
    names = written(tmp_path, "names.txt", "C1\tidea or concept\nC2\tvirus\n\nC3\tvirus\n")
    more = written(tmp_path, "relations.txt", "r1\tis a kind of\n")
    path = written(tmp_path, "a.tsv", "C1\tr1\tC2\nC3\tr1\tC2\n")
    graph = Graph.open(path, names=[names, more])
    assert list(graph.entities) == ["idea or concept", "virus", "virus"]  # two of one name stay two
    assert list(graph.relations) == ["is a kind of"]
    assert report(graph).named == 4
    with pytest.raises(InputError, match="line 2 of"):
        Graph.open(path, names=written(tmp_path, "bad.txt", "C1\tone\nC2 two\n"))
    with pytest.raises(InputError, match="cannot be read"):
        Graph.open(path, names=tmp_path / "missing.txt")
    with pytest.raises(InputError, match="no names"):
        Graph.open(path, names=written(tmp_path, "empty.txt", "\n"))


def test_names_may_stay_as_they_are(tmp_path: Path) -> None:
    path = written(tmp_path, "a.tsv", "hot_dog\tIsA\tfood\nhot dog\tIsA\tfood\n")
    assert list(Graph.open(path, tidy=False).entities) == ["hot_dog", "food", "hot dog"]
    tidy = Graph.open(path)
    assert list(tidy.entities) == ["hot dog", "food"]
    assert (report(tidy).merged, report(tidy).duplicates) == (1, 1)


def test_the_identifiers_of_conceptnet_itself(tmp_path: Path) -> None:
    line = "/a/x\t/r/AtLocation\t/c/en/hot_dog/n\t/c/en/plate\t{}\n"
    graph = Graph.open(written(tmp_path, "cn.tsv", line), columns="-,relation,head,tail,-")
    assert triples(graph) == {"(hot dog, at location, plate)"}


def test_control_characters_do_not_come_through(tmp_path: Path) -> None:
    graph = Graph.open(written(tmp_path, "a.tsv", "a\x1b[31mred\tb\x07\tc\n"))
    assert triples(graph) == {"(a red, b, c)"}


def test_duplicates_are_dropped_and_counted(tmp_path: Path) -> None:
    graph = Graph.open(written(tmp_path, "a.tsv", "a\tr\tb\na\tr\tb\na\tr\tb\nb\tr\ta\n"))
    assert (graph.edge_count, report(graph).duplicates, report(graph).lines) == (2, 2, 4)


def test_malformed_lines_are_reported_with_their_numbers(tmp_path: Path) -> None:
    lines = ["", "a\tr\tb", "only one", "a\tr", "a\t \tb", *["x\ty"] * 5, "c\tr\td\textra", "c\tr\td"]
    graph = Graph.open(written(tmp_path, "a.tsv", "\n".join(lines)))
    found = report(graph)
    assert triples(graph) == {"(a, r, b)", "(c, r, d)"}
    assert (found.malformed, found.lines) == (9, 11)
    assert [bad.line for bad in found.examples] == [3, 4, 5, 6, 7]
    assert found.examples[0].why == "has 1 cell instead of 3: 'only one'"
    assert found.examples[2].why == "has no relation"


def test_lines_that_cannot_be_used_make_one_sentence(tmp_path: Path) -> None:
    graph = Graph.open(written(tmp_path, "mal.tsv", "a\tr\tb\na\tr\nx\n"))
    said = "2 of 3 lines of mal.tsv could not be used; the first: line 2 has 2 cells instead of 3"
    assert unused_lines(graph) == said
    graph.save(tmp_path / "g")
    assert unused_lines(Graph.open(tmp_path / "g")) is None  # its import has said it
    assert unused_lines(Graph.open(written(tmp_path, "good.tsv", UMLS))) is None


def test_a_line_of_another_encoding_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, "a.tsv", "a\tr\tb\ncafé\tr\tb\n".encode("latin-1"))
    found = report(Graph.open(path))
    assert found.examples == (BadLine(line=2, why="is not utf-8"),)
    assert triples(Graph.open(path, encoding="latin-1")) == {"(a, r, b)", "(café, r, b)"}
    wide = written(tmp_path, "b.tsv", "café\tr\tb\n".encode("utf-16"))
    assert triples(Graph.open(wide, encoding="utf-16")) == {"(café, r, b)"}
    with pytest.raises(InputError, match="cannot be read"):
        Graph.open(written(tmp_path, "c.tsv", wide.read_bytes()[:-1]), encoding="utf-16")
    with pytest.raises(InputError, match="no encoding called"):
        Graph.open(path, encoding="klingon")


@pytest.mark.parametrize(
    ("name", "text", "says", "mend"),
    [
        ("a.tsv", "", "is empty", "a head"),
        ("a.tsv", "\n \n", "is empty", "a head"),
        ("a.tsv", "head\trelation\ttail\n", "has no edges", "at least one"),
        ("a.tsv", "a b c\n", "which columns", "--separator"),
        ("a.csv", "a,b,c,d\n", "it has 4: 'a', 'b', 'c', 'd'", "--columns"),
        ("a.tsv", "café\tå\tø\n".encode("latin-1"), "none of the 1 lines", "--encoding"),
        ("a.tsv", "a\tb\tc\n".encode("utf-16"), "UTF-16", "convert"),
        ("a.tsv", b"PK\x03\x04\x00\x00", "is no text", "format"),
        ("a.jsonl", "", "has no edges", "at least one"),
        ("a.jsonl", "a\tb\tc\n", "none of the 1 lines", "json"),
        ("a.zip", "x", "format of a.zip is not known", "--format"),
        ("a.tsv.gz", b"not gzip", "cannot be read", ""),
        ("a.tsv.gz", gzip.compress(b"a\tb\tc\n" * 99)[:-9], "cannot be read", ""),
        ("a.parquet", b"not parquet", "no Parquet file", ""),
        ("a.ttl", "this is no turtle", "not well-formed at line 1", "N-Triples"),
    ],
)
def test_what_cannot_be_a_graph_says_why(
    tmp_path: Path, name: str, text: str | bytes, says: str, mend: str
) -> None:
    with pytest.raises(InputError) as caught:
        Graph.open(written(tmp_path, name, text))
    assert says in caught.value.what
    assert mend in caught.value.mend


def test_when_no_line_fits_the_columns_that_is_said(tmp_path: Path) -> None:
    path = written(tmp_path, "a.tsv", "a\tb\tc\td\n" * 3)
    with pytest.raises(InputError, match=r"none of the 3 lines .*line 1 has 4 cells instead of 3") as caught:
        Graph.open(path, columns="head,relation,tail")
    assert "--columns" in caught.value.mend


@pytest.mark.parametrize(
    "columns", ["head,tail", "head,relation,tail,tail", "head=a,tail=b", "head=a,relation=,tail=b"]
)
def test_columns_that_make_no_triple_are_refused(tmp_path: Path, columns: str) -> None:
    with pytest.raises(InputError, match="head, relation and tail"):
        Graph.open(written(tmp_path, "a.tsv", "a\tb\tc\n"), columns=columns)


def test_unknown_columns_are_answered_with_those_there_are(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", "one,two,three\na,b,c\n")
    with pytest.raises(InputError, match="no column 'four'; it has 'one', 'two', 'three'"):
        Graph.open(path, columns="head=one,relation=two,tail=four")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no file"):
        Graph.open(tmp_path / "a.tsv")


def test_progress_is_told(tmp_path: Path) -> None:
    told: list[tuple[str, float]] = []
    Graph.open(written(tmp_path, "a.tsv", UMLS), progress=lambda what, part: told.append((what, part)))
    assert told[0][0] == "read a.tsv"
    assert ("read a.tsv", 1.0) in told
    assert all(0 <= part <= 1 for _, part in told)


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


@pytest.mark.parametrize(("module", "name"), [("pyoxigraph", "a.nt"), ("duckdb", "a.parquet")])
def test_a_missing_extra_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, name: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=r"probative\[graph\]"):
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


cell = st.text(st.characters(exclude_categories=["C", "Zl", "Zp"], exclude_characters="_"), min_size=1)
cell = cell.map(lambda text: " ".join(text.split())).filter(bool)


@given(st.lists(st.tuples(cell, cell, cell), min_size=1, max_size=8))
def test_every_format_gives_the_same_graph(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, str]]
) -> None:
    folder = tmp_path_factory.mktemp("formats")
    tabs = "".join("\t".join(row) + "\n" for row in rows)
    listed = "".join(json.dumps(row) + "\n" for row in rows)
    for name, text in (("a.tsv", tabs), ("a.jsonl", listed), ("b.tsv.gz", gzip.compress(tabs.encode()))):
        graph = Graph.open(written(folder, name, text), columns="head,relation,tail", tidy=False)
        assert triples(graph) == {f"({head}, {relation}, {tail})" for head, relation, tail in rows}
