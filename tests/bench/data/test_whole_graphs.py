"""Whole ConceptNet and UMLS, made from tiny files in the published forms."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest
from graph_questions import given_encoder, write_data

from probative import InputError, Session
from probative.bench.data.get import get_set
from probative.bench.data.graph_qa import open_graph
from probative.bench.data.sets import check_sets, find_set
from probative.bench.families.graph_questions import graph_part
from probative.bench.studies.give import GiveBiomedical
from probative.bench.study import Lab, Settings
from probative.testing import ScriptedModel

DUMP = "conceptnet-assertions-5.7.0.csv.gz"
ASSERTIONS = (
    ("/r/IsA", "/c/en/pitch_pine/n", "/c/en/tree"),
    ("/r/AtLocation", "/c/en/pitch_pine", "/c/en/forest"),
    ("/r/Synonym", "/c/de/teer", "/c/en/tar"),
    ("/r/ExternalURL", "/c/en/tar", "http://wordnet-rdf.example/1"),
    ("/r/dbpedia/genre", "/c/en/tar", "/c/en/rock"),
)
CONCEPTS = (
    "C01|ENG|P|L1|PF|S1|Y|A1||||MSH|MH|D1|Willow bark|0|N||",
    "C01|ENG|S|L2|PF|S2|Y|A2||||MSH|SY|D1|Salix cortex|0|N||",
    "C01|GER|P|L3|PF|S3|Y|A3||||MSH|MH|D1|Weidenrinde|0|N||",
    "C02|ENG|P|L4|PF|S4|Y|A4||||MSH|MH|D2|Headache|0|N||",
    "C03|GER|P|L5|PF|S5|Y|A5||||MSH|MH|D3|Husten|0|N||",
)
CONNECTIONS = (
    "C02|A4|AUI|RO|C01|A1|AUI|may_treat|R1||MSH|MSH||||N||",
    "C01|A1|AUI|RB|C02|A4|AUI||R2||MSH|MSH||||N||",
    "C01|A1|AUI|SY|C01|A2|AUI||R3||MSH|MSH||||N||",
    "C03|A5|AUI|RO|C01|A1|AUI|may_treat|R4||MSH|MSH||||N||",
    "C02|A4|AUI|XR|C01|A1|AUI||R5||MSH|MSH||||N||",
)


def triples(data: Path, name: str) -> set[tuple[str, ...]]:
    graph = open_graph(data, name)
    edges = [row for entity in range(graph.entity_count) for row in graph.out_edges(entity).tolist()]
    return {(one.head, one.relation, one.tail) for one in map(graph.triple, edges)}


def write_conceptnet(folder: Path) -> Path:
    rows = "".join("\t".join((f"/a/{n}", *row, "{}")) + "\n" for n, row in enumerate(ASSERTIONS))
    folder.mkdir()
    (folder / DUMP).write_bytes(gzip.compress(rows.encode()))
    return folder


def test_conceptnet_has_its_edges_between_english_words(tmp_path: Path) -> None:
    given = write_conceptnet(tmp_path / "given")
    checksums = []
    for data in (tmp_path / "one", tmp_path / "two"):
        checked = get_set(data, find_set("conceptnet-whole"), given)
        assert checked.usable
        assert checked.note == "2 edges between English words"
        checksums.append([file.sha256 for file in checked.files])
    assert checksums[0] == checksums[1]
    assert triples(tmp_path / "one", "conceptnet-whole") == {
        ("pitch pine", "is a", "tree"),
        ("pitch pine", "at location", "forest"),
    }


def test_umls_has_the_connections_of_concepts_with_their_english_names(tmp_path: Path) -> None:
    release = tmp_path / "umls-2030AA-metathesaurus-full.zip"
    with zipfile.ZipFile(release, "w") as archive:
        archive.writestr("2030AA/META/MRREL.RRF", "\n".join(CONNECTIONS) + "\n")
        archive.writestr("2030AA/META/MRCONSO.RRF", "\n".join(CONCEPTS) + "\n")
    data = tmp_path / "data"
    assert get_set(data, find_set("umls-whole"), release).note == "2 connections of 2 concepts"
    assert triples(data, "umls-whole") == {
        ("Willow bark", "may treat", "Headache"),
        ("Headache", "broader than", "Willow bark"),
    }


def test_what_lacks_a_file_or_an_edge_is_refused(tmp_path: Path) -> None:
    umls, data = find_set("umls-whole"), tmp_path / "data"
    with pytest.raises(InputError, match="umls-whole cannot be downloaded"):
        get_set(data, umls)
    (tmp_path / "release").mkdir()
    (tmp_path / "release/MRCONSO.RRF").write_text("\n".join(CONCEPTS))
    with pytest.raises(InputError, match=r"release has no MRREL\.RRF"):
        get_set(data, umls, tmp_path / "release")
    (tmp_path / "release/MRREL.RRF").write_text(CONNECTIONS[3])
    with pytest.raises(InputError, match="there is nothing to write to"):
        get_set(data, umls, tmp_path / "release")
    assert not (data / "umls-whole/triples.tsv.gz").exists()


def test_a_study_reads_the_whole_graph_or_one_of_the_users_own(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data")
    get_set(data, find_set("conceptnet-whole"), write_conceptnet(tmp_path / "given"))
    own = tmp_path / "own.tsv"
    own.write_text("tar\tstops\trot\nsalt\tharms\trope\n")
    whole = Settings(data, options={"graph": "whole"})
    assert graph_part(whole, "conceptnet").edge_count == 2
    options = {"graph": str(own), "sets": "pubmedqa", "methods": "give", "logic_chain": False, "examples": 0}
    settings, study = Settings(data, options=options), GiveBiomedical()
    assert study.data_of(settings) == ("pubmedqa",)
    assert set(check_sets(data, study.data_of(settings))) == {
        "pubmedqa/ori_pqal.json",
        "pubmedqa/test_ground_truth.json",
    }
    with Session(ScriptedModel(generate="yes"), encoder=given_encoder()) as session:
        row = study.run(study.cases(settings)[0], Lab(session, None, settings))
    assert row["graph"] == {"entities": 4, "edges": 2}


def test_only_the_sets_that_are_asked_are_needed(tmp_path: Path) -> None:
    study = GiveBiomedical()
    assert study.data_of(Settings(tmp_path, options={"sets": "pubmedqa"})) == ("pubmedqa", "umls")
    whole = Settings(tmp_path, options={"sets": "pubmedqa", "graph": "whole"})
    assert study.data_of(whole) == ("pubmedqa", "umls-whole")
