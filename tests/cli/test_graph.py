"""`probative graph` as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from command import Done
from command import run_here as run_command

TRIPLES = """AtLocation\tgrey_heron\tquay
AtLocation\tgrey_heron\tquay
IsA\tgrey_heron\tbird
IsA\ttern\tbird
Near\tquay\tquay
no triple
"""


def run(*words: str, stdin: str = "") -> Done:
    return run_command("graph", *words, stdin=stdin, columns=100)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "birds.tsv"
    path.write_text(TRIPLES, encoding="utf-8")
    return path


@pytest.mark.model
def test_a_graph_is_imported_shown_and_searched(file: Path, tmp_path: Path) -> None:
    folder = str(tmp_path / "birds")
    done = run("import", str(file), "--out", folder, "--columns", "relation,head,tail", "--embed")
    assert done.returncode == 0, done.stderr
    shown = done.stdout.splitlines()
    assert shown[0] == "4 entities, 3 relations, 4 edges"
    assert shown[1].startswith("from 6 lines of birds.tsv in ")
    assert shown[1].endswith(folder)
    assert "1 lines repeated an edge" in done.stdout
    assert "1 edges lead from an entity to itself" in done.stdout
    assert "line 6 has 1 cell instead of 3: 'no triple'" in done.stdout
    assert "embedded: 4 vectors of 384 numbers" in done.stdout
    assert done.stderr == ""

    info = run("info", folder)
    assert info.stdout.splitlines()[0] == "4 entities, 3 relations, 4 edges"
    assert [line.split()[:4] for line in info.stdout.splitlines() if line.startswith("is a")] == [
        ["is", "a", "2", "50.0%"]
    ]
    assert "embedded: 4 vectors" in info.stdout

    found = run("find", "Grey Heron", "--graph", folder, "-n", "2")
    lines = [line.split() for line in found.stdout.splitlines()]
    assert " ".join(lines[0]) == "grey heron: 2 outgoing edges, 0 incoming edges"
    assert lines[1] == ["grey", "heron", "at", "location", "quay"]
    assert "nearest" in found.stdout
    assert lines[-2][1:] == ["bird"]


@pytest.mark.model
def test_json_is_exactly_the_result(file: Path, tmp_path: Path) -> None:
    folder = str(tmp_path / "birds")
    done = run(
        "import", str(file), "--out", folder, "--columns", "relation,head,tail", "--keep-names", "--json"
    )
    imported = json.loads(done.stdout)
    assert imported["report"]["malformed"] == 1
    assert imported["report"]["examples"][0]["line"] == 6
    assert imported["vectors"] is None
    info = json.loads(run("info", folder, "--json").stdout)
    assert (info["entities"], info["self_loops"], info["hubs"][0]["name"]) == (4, 1, "quay")
    assert [one["name"] for one in info["top_relations"]] == ["IsA", "AtLocation", "Near"]
    found = json.loads(run("find", "heron", "--graph", folder, "--json").stdout)
    assert found["name"] is None
    assert found["near"][0]["name"] == "grey_heron"


def test_lines_of_a_file_that_cannot_be_used_are_told_beside_the_result(file: Path) -> None:
    info = run("info", str(file), "--columns", "relation,head,tail", "--json")
    assert json.loads(info.stdout)["edges"] == 4
    assert info.stderr.startswith("note: 1 of 6 lines of birds.tsv could not be used; the first: line 6")


@pytest.mark.model
def test_names_that_look_like_markup_are_shown_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "[red]a.tsv"
    path.write_text("[/x]\t[bold]r\t[red]y\n[/x]\t[bold]r\t[red]y\n[/x]\t[bold]r\tz_z\n[/x]\t[bold]r\tz z\n")
    info = run("info", str(path))
    assert info.returncode == 0, info.stderr
    for name in ("[/x]", "[bold]r", "[red]y", "[red]a.tsv"):
        assert name in info.stdout
    assert "; 2 repeated an edge; 1 entities had several spellings and were merged" in info.stdout
    assert "not embedded" in info.stdout
    assert "2,000 entities" in info.stdout
    found = run("find", "[/x]", "--graph", str(path))
    assert found.stdout.startswith("[/x]: 2 outgoing edges"), found.stderr
    assert "embedded: 3 vectors" in run("info", str(path)).stdout  # find has made them, in the cache
    assert run("import", str(path), "--out", str(tmp_path / "[/g]")).returncode == 0


def test_a_probable_header_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("drug,effect,illness\na,treats,b\nc,treats,b\n")
    info = run("info", str(path))
    assert "line 1 (drug, effect, illness) is probably a header" in info.stderr
    named = run("info", str(path), "--columns", "head=drug,relation=effect,tail=illness")
    assert named.stderr == ""
    assert named.stdout.startswith("3 entities, 1 relations, 2 edges")


def test_triples_may_come_through_a_pipe(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "probative", "graph", "import", "/dev/stdin", "--format", "tsv", "--out", "g"],
        input="a\tr\tb\n",
        capture_output=True,
        encoding="utf-8",
        cwd=tmp_path,
        check=False,
    )
    assert done.stdout.startswith("2 entities, 1 relations, 1 edges"), done.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("import", "FILE"), "there is no folder for the graph"),
        (("import", "FILE", "--out", "g", "--columns", "head=a,relation=b,tail=c"), "it has 'AtLocation'"),
        (("import", "FILE", "--out", "g", "--separator", "ab"), "--separator must be one character"),
        (("import", "FILE", "--out", "."), "cannot hold a graph"),
        (("import", "missing.tsv", "--out", "g"), "the file missing.tsv does not exist"),
        (("info", "."), "is a folder, but not a graph"),
        (("find", "tern"), "there is no graph"),
    ],
)
def test_an_error_is_one_clear_message(file: Path, words: tuple[str, ...], says: str) -> None:
    done = run(*(str(file) if word == "FILE" else word for word in words))
    assert done.returncode == 1
    assert says in done.stderr
    assert done.stderr.startswith("probative: ")
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
