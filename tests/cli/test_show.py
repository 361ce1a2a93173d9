"""`probative show` as a user runs it."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from command import Done, run_here

TEXT = "# Log\n\nIt rained all day. We left before noon. The boat was wet.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    file = tmp_path / "corpus" / "notes" / "may.md"
    file.parent.mkdir(parents=True)
    file.write_text(TEXT, encoding="utf-8")
    return tmp_path / "corpus"


def run(*words: str) -> Done:
    return run_here("show", *words)


def test_the_cited_text_is_marked_in_its_surroundings(folder: Path) -> None:
    start = TEXT.index("We left")
    done = run(f"notes/may.md#char={start},{start + 20}", "--corpus", str(folder))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[:2] == ["Log", "notes/may.md"]
    assert "It rained all day. ▸ We left before noon. ◂ The boat was wet." in " ".join(done.stdout.split())


def test_json_has_every_part(folder: Path) -> None:
    start = TEXT.index("We left")
    done = run(f"notes/may.md#char={start},{start + 20}", "--corpus", str(folder), "--context", "5", "--json")
    shown = json.loads(done.stdout)
    assert (shown["before"], shown["text"], shown["after"]) == ("day. ", "We left before noon.", " The ")
    assert (shown["title"], shown["headings"], shown["page"]) == ("Log", ["Log"], None)


def test_a_name_may_be_composed_in_another_way(folder: Path) -> None:
    (folder / unicodedata.normalize("NFD", "Müll.txt")).write_text("It rained.", encoding="utf-8")
    typed = unicodedata.normalize("NFC", "Müll.txt")
    done = run(f"{typed}#char=0,2", "--corpus", str(folder), "--json")
    assert json.loads(done.stdout)["text"] == "It"


def test_a_file_url_needs_no_folder(folder: Path) -> None:
    done = run(f"{(folder / 'notes' / 'may.md').as_uri()}#char=0,5", "--json")
    assert json.loads(done.stdout)["text"] == "# Log"


@pytest.mark.parametrize(
    ("citation", "message"),
    [
        ("notes/may.md", "is not a citation"),
        ("notes/june.md#char=0,5", "has no document 'notes/june.md'"),
        ("../secret.txt#char=0,5", "not below the corpus folder"),
        ("/etc/hostname#char=0,5", "not below the corpus folder"),
        ("notes/may.md#char=0,9999", "the citation ends at 9,999"),
    ],
)
def test_what_leads_nowhere_is_an_error(folder: Path, citation: str, message: str) -> None:
    done = run(citation, "--corpus", str(folder))
    assert done.returncode == 1
    assert message in done.stderr


def test_hints_fit_what_was_given(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    near = run("may.md#char=0,5", "--corpus", str(folder))
    assert "did you mean 'notes/may.md'?" in near.stderr
    far = run("nope.txt#char=1,2", "--corpus", str(folder))
    assert "has no document 'nope.txt'" in far.stderr
    assert "--corpus" not in far.stderr
    monkeypatch.chdir(folder)
    assert "give the folder with --corpus" in run("nope.txt#char=1,2").stderr
    assert "there is no folder" in run("may.md#char=0,5", "--corpus", str(tmp_path / "none")).stderr


def test_an_index_shows_a_place_without_the_file(folder: Path, tmp_path: Path) -> None:
    index = tmp_path / "index"
    assert run_here("index", str(folder), "--out", str(index)).returncode == 0
    (folder / "notes" / "may.md").unlink()
    done = run("notes/may.md#char=2,5", "--corpus", str(index), "--json")
    assert json.loads(done.stdout)["text"] == "Log"
