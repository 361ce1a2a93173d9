"""`probative judge` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import Done, run_here
from verdicts import ruled

import probative

TEXT = "Gulls nest here. The lighthouse was lit in 1871. Tickets are cheap. The lens did not come from Wales."


@pytest.fixture(autouse=True)
def rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """Evidence with "not" contradicts; evidence that contains the claim supports it."""
    monkeypatch.setattr("probative.session.tools.Opener.verdict", lambda _: ruled())


def run(*words: str, stdin: str = "") -> Done:
    return run_here("judge", *words, stdin=stdin)


def test_a_contradiction_shows_both_sides_and_the_sentence_in_its_surroundings() -> None:
    done = run("The lens is Welsh.", stdin=TEXT)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[:3] == [
        "contradicted (80%)",
        "claim:    The lens is Welsh.",
        "evidence: The lens did not come from Wales.",
    ]
    assert "supported     10% ███\n" in done.stdout
    assert "Tickets are cheap. [4] The lens did not come from Wales." in " ".join(done.stdout.split())
    assert "[ruled: 1 call" in done.stderr


def test_the_evidence_comes_from_a_file_and_its_lines_can_be_kept(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("Dr. A left. He is old.\nDr. B stayed.\n", encoding="utf-8")
    done = run("Dr. B stayed.", "--evidence", str(file), "--lines", "--json")
    judgement = probative.Judgement.model_validate_json(done.stdout)
    assert (judgement.verdict, judgement.deciding, len(judgement.evidence)) == ("supported", (1,), 2)
    assert done.stdout == judgement.to_json() + "\n"


def test_a_long_text_is_shown_around_the_deciding_sentence() -> None:
    filler = " ".join(f"Filler {number} is empty." for number in range(60))
    done = run("Tickets are cheap.", stdin=f"Welcome. Tickets are cheap. {filler}")
    assert "Welcome. [2] Tickets are cheap. Filler 0 is empty. [… 59 sentences …]" in done.stdout


def test_verdicts_can_fail_a_script_and_errors_say_what_to_do() -> None:
    assert run("The lens is Welsh.", "--fail-on", "contradicted", stdin=TEXT).returncode == 3
    assert run("The lens is Welsh.", "--fail-on", "insufficient", stdin=TEXT).returncode == 0
    done = run(stdin=TEXT)
    assert done.returncode == 1
    assert "there is no claim" in done.stderr
    done = run("c", "--evidence", "a", "--evidence", "b")
    assert "--evidence names 2 files" in done.stderr
    assert "verdict, set by an option, is invalid" in run("c", "--verdict", "nobody", stdin=TEXT).stderr


def test_a_dry_run_and_a_trace(tmp_path: Path) -> None:
    done = run("The lens is Welsh.", "--dry-run", stdin=TEXT)
    assert "would make about 1 call" in done.stdout
    trace = tmp_path / "trace.json"
    run("The lens is Welsh.", "--trace", str(trace), stdin=TEXT)
    (step,) = json.loads(trace.read_text())["steps"]
    assert (step["name"], step["calls"][0]["verb"]) == ("verdict", "judge")


def test_a_batch_resumes_and_counts_its_verdicts(tmp_path: Path) -> None:
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    lines = [
        {"id": n, "claim": "Tickets are cheap.", "evidence": TEXT.split(". ")[n : n + 2]} for n in (1, 2)
    ]
    source.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    words = ("--in", str(source), "--out", str(target))
    done = run(*words, "--limit", "1")
    assert "1 of 1 done" in done.stdout
    assert "2 of 2 done" in run(*words).stdout
    first, second = (json.loads(line) for line in target.read_text(encoding="utf-8").splitlines())
    assert (first["id"], first["verdict"], first["deciding"]) == (1, "supported", [1])
    assert (second["verdict"], set(second["probabilities"])) == (
        "contradicted",
        {"supported", "contradicted", "insufficient"},
    )


@pytest.mark.parametrize("evidence", ["", " \n"])
def test_no_evidence_is_not_judged_whether_from_a_file_or_a_pipe(tmp_path: Path, evidence: str) -> None:
    file = tmp_path / "empty.txt"
    file.write_text(evidence, encoding="utf-8")
    for done in (run("It rained.", stdin=evidence), run("It rained.", "--evidence", str(file))):
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("not judged (counts as insufficient)\nnote: there is no evidence")
        assert "%" not in done.stdout
    assert run("It rained.", "--fail-on", "insufficient", stdin=evidence).returncode == 3


def test_a_question_is_not_judged() -> None:
    done = run("Was the lighthouse lit?", stdin=TEXT)
    assert (
        done.stdout
        == "not judged (counts as insufficient)\nnote: the claim is a question: nothing is claimed\n"
    )


def test_the_contradicted_sentence_of_a_longer_claim_is_shown() -> None:
    done = run(
        "Gulls nest here. The lens is Welsh.", stdin="Gulls nest here. The lens did not come from Wales."
    )
    assert "claim:    The lens is Welsh." in done.stdout or "claim:    Gulls nest here." in done.stdout
    assert "evidence: The lens did not come from Wales." in done.stdout
