"""Tables and JSON lines, good and bad: what becomes of each."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from graph_files import report, triples, written
from hypothesis import given
from hypothesis import strategies as st

from probative import BadLine, Graph, InputError

UMLS = "idea_or_concept\tisa\tentity\nvirus\tinteracts_with\tvirus\nvirus\tisa\tentity\n"


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
    assert graph.unused_lines == said
    graph.save(tmp_path / "g")
    assert Graph.open(tmp_path / "g").unused_lines is None  # its import has said it
    assert Graph.open(written(tmp_path, "good.tsv", UMLS)).unused_lines is None


def test_a_line_of_another_encoding_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, "a.tsv", "a\tr\tb\ncafé\tr\tb\n".encode("latin-1"))
    found = report(Graph.open(path))
    assert found.examples == (BadLine(line=2, why="is not utf-8"),)
    assert triples(Graph.open(path, encoding="latin-1")) == {"(a, r, b)", "(café, r, b)"}
    wide = written(tmp_path, "b.tsv", "café\tr\tb\n".encode("utf-16"))
    assert triples(Graph.open(wide, encoding="utf-16")) == {"(café, r, b)"}
    with pytest.raises(InputError, match="cannot be read"):
        Graph.open(written(tmp_path, "c.tsv", wide.read_bytes()[:-1]), encoding="utf-16")
    with pytest.raises(InputError, match="unknown encoding"):
        Graph.open(path, encoding="klingon")


@pytest.mark.parametrize(
    ("name", "text", "says", "hint"),
    [
        ("a.tsv", "", "is empty", "lines of head"),
        ("a.tsv", "\n \n", "is empty", "lines of head"),
        ("a.tsv", "head\trelation\ttail\n", "has no edges", "at least one"),
        ("a.tsv", "a b c\n", "columns of head, relation and tail in a.tsv are unknown", "--separator"),
        ("a.csv", "a,b,c,d\n", "it has 4 columns: 'a', 'b', 'c', 'd'", "--columns"),
        ("a.tsv", "café\tå\tø\n".encode("latin-1"), "none of the 1 lines", "--encoding"),
        ("a.tsv", "a\tb\tc\n".encode("utf-16"), "UTF-16", "convert"),
        ("a.tsv", b"PK\x03\x04\x00\x00", "is not text", "format"),
        ("a.jsonl", "", "has no edges", "at least one"),
        ("a.jsonl", "a\tb\tc\n", "none of the 1 lines", "one object"),
        ("a.zip", "x", "format of a.zip is unknown", "--format"),
        ("a.tsv.gz", b"not gzip", "cannot be read", "rename it without .gz"),
        ("a.tsv.gz", gzip.compress(b"a\tb\tc\n" * 99, mtime=0)[:-9], "cannot be read", "incomplete"),
        ("a.parquet", b"not parquet", "cannot be read as Parquet", "--format"),
        ("a.tsv", b"a\0\tb\0\tc\0\n", "3 zero bytes", "utf-16"),
        ("a.json", '{\n "head": 3\n}', "none of the 3 lines", "or one array"),
        ("a.json", '[\n {"head": 3},\n', "begins like a JSON array", "one object or list a line"),
        ("a.csv", '"a,b,c\nd,b,c\n', "line 1 of", "close it"),
        ("a.ttl", "this is no turtle", "not well-formed at line 1", "N-Triples"),
    ],
)
def test_what_cannot_be_a_graph_says_why(
    tmp_path: Path, name: str, text: str | bytes, says: str, hint: str
) -> None:
    with pytest.raises(InputError) as caught:
        Graph.open(written(tmp_path, name, text))
    assert says in caught.value.what
    assert hint in caught.value.hint


def test_when_no_line_fits_the_columns_that_is_said(tmp_path: Path) -> None:
    path = written(tmp_path, "a.tsv", "a\tb\tc\td\n" * 3)
    with pytest.raises(InputError, match=r"none of the 3 lines .*line 1 has 4 cells instead of 3") as caught:
        Graph.open(path, columns="head,relation,tail")
    assert "--columns" in caught.value.hint


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


@pytest.mark.parametrize(
    ("header", "order"),
    [
        ("predicate,subject,object", "relation,head,tail"),
        ("Relation,Source,Target,weight", "relation,head,tail,-"),
        ("subject,predicate,object", "head,relation,tail"),
    ],
)
def test_a_header_is_no_edge_when_the_order_is_given_too(tmp_path: Path, header: str, order: str) -> None:
    path = written(tmp_path, "a.csv", f"{header}\n{','.join('xyzw'[: len(header.split(','))])}\n")
    graph = Graph.open(path, columns=order)
    assert graph.edge_count == 1
    assert "subject" not in graph.entities


def test_a_first_line_that_never_occurs_again_is_noted_and_kept(tmp_path: Path) -> None:
    text = "drug\teffect\tillness\na\ttreats\tb\nc\ttreats\tb\n"
    graph = Graph.open(written(tmp_path, "a.tsv", text))
    (note,) = report(graph).notes
    assert note.startswith("line 1 (drug, effect, illness) is probably a header")
    assert "--columns head=drug,relation=effect,tail=illness" in note
    assert graph.edge_count == 3
    for other in (UMLS, "a\tr\tb\nc\ts\td\n", text.replace("effect", "treats"), text.replace("drug", "a")):
        assert report(Graph.open(written(tmp_path, "b.tsv", other))).notes == ()


def test_an_unclosed_quotation_mark_costs_its_own_line_only(tmp_path: Path) -> None:
    rows = [f"e{number},is,thing" for number in range(50)]
    for at in (0, 7, 49):
        lines = ["a,is,thing", *rows[:at], '"5 inch nail,is,thing', *rows[at:]]
        graph = Graph.open(written(tmp_path, "a.csv", "\n".join(lines) + "\n"))
        found = report(graph)
        assert (graph.edge_count, found.malformed, found.lines) == (51, 1, 52)
        why = "has a quotation mark that is not closed: '\"5 inch nail,is,thing'"
        assert found.examples == (BadLine(line=at + 2, why=why),)


def test_quotation_marks_that_close_one_another_swallow_nothing_silently(tmp_path: Path) -> None:
    text = 'a,is,b\n"nail,is,thing\nc,is,d\n"bolt,is,thing\ne,is,f\n'
    graph = Graph.open(written(tmp_path, "a.csv", text))
    assert triples(graph) == {"(a, is, b)", "(c, is, d)", "(e, is, f)"}
    assert [bad.line for bad in report(graph).examples] == [2, 4]
    first = Graph.open(written(tmp_path, "b.csv", '"a,b,c\nd,b,c\n'), columns="head,relation,tail")
    assert (triples(first), report(first).malformed) == ({"(d, b, c)"}, 1)


def test_a_quoted_cell_may_go_over_several_lines(tmp_path: Path) -> None:
    graph = Graph.open(written(tmp_path, "a.csv", 'a,is,"b\nc, d"\ne,is\nf,is,g\n'))
    assert triples(graph) == {"(a, is, b c, d)", "(f, is, g)"}
    assert [bad.line for bad in report(graph).examples] == [3]


def test_json_may_be_one_array(tmp_path: Path) -> None:
    rows: list[object] = [{"head": "a", "relation": "IsA", "tail": "b"}, ["c", "IsA", "b"], {"head": "d"}]
    for text in (
        json.dumps(rows),
        json.dumps(rows, indent=2),
        "\n" + json.dumps(rows).replace("}, ", "},\n"),
    ):
        graph = Graph.open(written(tmp_path, "a.json", text))
        assert triples(graph) == {"(a, is a, b)", "(c, is a, b)"}
        assert [bad.line for bad in report(graph).examples] == [3]
    broken = Graph.open(written(tmp_path, "a.jsonl", '["a", "r"\n["c", "IsA", "b"]\n'))
    assert (broken.edge_count, report(broken).malformed) == (1, 1)


def test_a_stray_zero_byte_is_dropped_like_any_control_character(tmp_path: Path) -> None:
    assert triples(Graph.open(written(tmp_path, "a.tsv", "a\0\tr\tb\n"))) == {"(a, r, b)"}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"columns": 5}, "columns must be strings, got 5"),
        ({"columns": [1, 2, 3]}, "columns must be strings"),
        ({"columns": {"head": 1, "relation": 2, "tail": 3}}, "columns must be strings"),
        ({"separator": 5}, "the separator must be a string"),
        ({"separator": ""}, "separator is empty"),
        ({"encoding": 5}, "the encoding must be a string"),
        ({"file_format": 5}, "the format must be a string"),
        ({"file_format": "klingon"}, "unknown format 'klingon'"),
        ({"names": 5}, "names must be the paths of files, got 5"),
        ({"names": [5]}, "the file of names must be the path"),
    ],
)
def test_options_of_a_wrong_type_are_refused(tmp_path: Path, options: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        Graph.open(written(tmp_path, "a.tsv", UMLS), **options)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        Graph.open(tmp_path / "a.tsv")


def test_progress_is_told(tmp_path: Path) -> None:
    told: list[tuple[str, float]] = []
    Graph.open(written(tmp_path, "a.tsv", UMLS), progress=lambda what, part: told.append((what, part)))
    assert told[0][0] == "read a.tsv"
    assert ("read a.tsv", 1.0) in told
    assert all(0 <= part <= 1 for _, part in told)


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
