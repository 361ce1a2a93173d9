"""verify from file to file: the contract of all batches."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import run_here
from json_lines import read_lines, write_lines
from verifying import PASSAGES, by_overlap, ruled_by_words

from probative import InputError, Session
from probative.batch.verb_files import verb_file
from probative.corpus.corpus import Corpus
from probative.runners.processes import Processes

OWN = {"id": "own", "text": "Frogs croak.", "passages": ["Frogs croak."]}


def test_each_text_has_a_line_and_errors_stay_with_theirs(tmp_path: Path) -> None:
    source = write_lines(
        tmp_path / "in.jsonl",
        {"id": "a", "text": "Herons eat fish. The tower is green.", "name": "a.md"},
        {"id": "b", "text": " "},
        {"text": "Herons eat fish."},
        OWN,
    )
    target = tmp_path / "out.jsonl"
    verdict = ruled_by_words()
    with Session(policy=by_overlap(), verdict=verdict) as session:
        manifest = verb_file("verify", source, target, session=session, passages=PASSAGES)
        asked = len(verdict.asked)
        again = verb_file("verify", source, target, session=session, passages=PASSAGES)
        with pytest.raises(InputError, match="other settings"):
            verb_file("verify", source, target, session=session, passages=PASSAGES[:1])
        with pytest.raises(InputError, match="no method called 'guess'"):
            verb_file("verify", source, tmp_path / "other.jsonl", session=session, method="guess")
    first, empty, nameless, own = read_lines(target)
    assert [claim["verdict"] for claim in first["claims"]] == ["supported", "insufficient"]
    assert (first["id"], first["name"]) == ("a", "a.md")
    assert "empty" in empty["error"]["what"]
    assert "has no id" in nameless["error"]["what"]
    assert own["claims"][0]["evidence"][0]["text"] == "Frogs croak."
    assert manifest.verdicts == again.verdicts == {"insufficient": 1, "supported": 2}
    assert (manifest.done, manifest.failed) == (2, 2)
    assert len(verdict.asked) == asked > 0


def test_a_line_without_sources_says_so(tmp_path: Path) -> None:
    source = write_lines(tmp_path / "in.jsonl", {"id": 1, "text": "Herons eat fish."}, OWN)
    with Session(policy=by_overlap(), verdict=ruled_by_words()) as session:
        manifest = verb_file("verify", source, tmp_path / "out.jsonl", session=session)
    assert (manifest.done, manifest.failed) == (1, 1)
    assert "verify needs passages or a corpus" in manifest.failures[0].what


def test_the_command_runs_a_file_and_fails_on_verdicts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("probative.session.tools.Opener.verdict", lambda _: ruled_by_words())
    monkeypatch.setattr("probative.session.tools.Opener.policy", lambda _: by_overlap())
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "log.txt").write_text("Herons eat fish. The tower is not green.", encoding="utf-8")
    source = str(
        write_lines(tmp_path / "in.jsonl", {"id": 1, "text": "Herons eat fish. The tower is green."})
    )
    target = str(tmp_path / "out.jsonl")
    words = ("verify", "--in", source, "--out", target, "--corpus", str(folder))
    done = run_here(*words)
    assert done.returncode == 0, done.stderr
    assert "1 contradicted, 1 supported" in done.stdout
    assert run_here(*words, "--fail-on", "contradicted").returncode == 3
    assert run_here(*words, "--fail-on", "insufficient", "--option", "max_active=3").returncode == 0
    (line,) = read_lines(Path(target))
    assert line["claims"][1]["evidence"][0]["citation"] == "log.txt#char=17,40"
    refused = run_here(*words, "--html", str(tmp_path / "page.html"))
    assert (refused.returncode, "--html cannot be used with --in" in refused.stderr) == (1, True)


@pytest.mark.slow
def test_workers_write_the_lines_of_this_process(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "log.txt").write_text("The ferry left at six. It rained in Molde.", encoding="utf-8")
    source = write_lines(
        tmp_path / "in.jsonl", *({"id": n, "text": f"The ferry left at {n + 5}."} for n in range(3)), OWN
    )
    with Session() as session, Corpus.open(folder) as corpus:
        for name, runner in (("here", None), ("there", Processes(2))):
            verb_file("verify", source, tmp_path / name, session=session, passages=corpus, runner=runner)
    here, there = read_lines(tmp_path / "here"), read_lines(tmp_path / "there")
    for line in (*here, *there):
        line.pop("usage")
    assert there == here
    assert len(here) == 4
