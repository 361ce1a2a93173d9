"""`probative prove` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from prove_command import CLAIM, TEXT, run, run_alone

pytestmark = [pytest.mark.model, pytest.mark.usefixtures("open_models")]


@pytest.mark.slow
def test_the_text_is_shown_with_its_evidence_marked_and_what_each_adds(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text(TEXT, encoding="utf-8")
    done = run_alone(CLAIM, "--context", str(tmp_path / "text.txt"), "-k", "2")
    assert done.returncode == 0, done.stderr
    assert "[1] The lighthouse was lit in 1871." in done.stdout
    assert "[2] Ida Brandt designed the lens." in done.stdout
    assert "instead: Gulls nest here." in done.stdout
    assert "how much the evidence raises the probability of the claim" in done.stdout
    assert "scored tokens" in done.stderr


def test_json_is_exactly_the_proof() -> None:
    import probative

    done = run(CLAIM, "-k", "2", "--json", "--method", "bm25", stdin=TEXT)
    proof = probative.Proof.model_validate_json(done.stdout)
    assert sorted(proof.indexes) == [1, 3]
    assert proof.verdict == "supported"
    assert done.stdout == proof.to_json() + "\n"


def test_a_long_text_is_shown_around_its_evidence() -> None:
    filler = " ".join(f"Filler {number} says nothing." for number in range(60))
    done = run("Brandt designed the lens.", "-k", "1", "--method", "bm25", stdin=f"{filler} {TEXT} {filler}")
    assert "[… 62 sentences …]" in done.stdout
    assert "[1] Ida Brandt designed the lens." in done.stdout


def test_one_sentence_a_line_is_not_cut() -> None:
    done = run(
        "Dr. A left.", "--lines", "-k", "1", "--method", "bm25", "--json", stdin="Hm. Well.\nDr. A left.\n"
    )
    (sentence,) = json.loads(done.stdout)["evidence"]
    assert (sentence["index"], sentence["text"], sentence["start"]) == (1, "Dr. A left.", None)


@pytest.mark.slow
def test_options_of_the_method_and_a_prompt_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "prompt.txt").write_text("Text: {evidence}\nSo:", encoding="utf-8")
    words = ("-k", "1", "--preset", "paper", "--option", "lookahead=1", "--option", "trajectories=1")
    done = run(CLAIM, *words, "--prompt", str(tmp_path / "prompt.txt"), "--json", "--trace", "-", stdin=TEXT)
    assert done.returncode == 0, done.stderr
    proof = json.loads(done.stdout)
    calls = [call for step in proof["trace"]["steps"] for call in step["calls"]]
    assert any(call["request"]["prompt"].startswith("Text: Gulls nest here.\nSo:") for call in calls)
    assert {step["name"] for step in proof["trace"]["steps"]} == {
        "strength",
        "policy",
        "look-ahead",
        "verdict",
    }


@pytest.mark.parametrize(
    ("words", "stdin", "said"),
    [
        ((), "Text.", "there is no claim"),
        (("c", "--context", "/nowhere/at/all"), "", "there is no file"),
        (("c",), "", "standard input is empty"),
        (("c",), b"\xff\xfe\x00bad", "not UTF-8"),
        (("c", "-k", "many"), "Text.", "k must be a number"),
        (("c", "-k", "0"), "Text.", "k must be a number"),
        (("c", "--option", "speed"), "Text.", "NAME=VALUE"),
        (("c", "--option", "speed=9"), "Text.", "mcse has no option 'speed'"),
        (("c", "--option", "gamma=high"), "Text.", "gamma"),
        (("c", "--method", "magic"), "Text.", "no method"),
        (("c", "--in", "a.jsonl"), "", "--in and --out"),
        (("--in", "a.jsonl"), "", "need each other"),
        (("--in", "nowhere.jsonl", "--out", "b.jsonl"), "", "there is no file"),
        (("c", "--limit", "3"), "Text.", "--limit needs --in"),
        (("c", "--method", "bm25", "--option", "lookahead=2"), "Text.", "bm25 has no option 'lookahead'"),
        (("c", "--method", "bm25", "--policy", "learned"), "Text.", "bm25 has no option 'policy'"),
        (("c", "--method", "learned", "--policy", "path"), "Text.", "learned has no option 'policy'"),
        (("c", "--method", "learned", "--option", "gamma=1"), "Text.", "learned has no option 'gamma'"),
        (("c", "--policy", "luck"), "Text.", "policy"),
        (("c", "--method", "bm25", "-k", "auto"), "Text.", "works only with the methods mcse and learned"),
        (("--lines", "--in", "a.jsonl", "--out", "b.jsonl"), "", "--lines cannot be used with --in"),
    ],
)
def test_what_is_wrong_is_said_in_one_message(words: tuple[str, ...], stdin: str | bytes, said: str) -> None:
    done = run(*words, stdin=stdin)
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_batch_goes_on_and_says_how_it_ended(tmp_path: Path) -> None:
    lines = [{"id": number, "claim": CLAIM, "sentences": TEXT} for number in range(3)]
    source = tmp_path / "in.jsonl"
    source.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    words = ("--in", str(source), "--out", str(tmp_path / "out.jsonl"), "-k", "1", "--method", "bm25")
    first = run(*words, "--limit", "2")
    assert first.returncode == 0
    assert "2 of 2 done, 0 failed" in first.stdout
    again = run(*words, "--json")
    assert json.loads(again.stdout)["done"] == 3
    written = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["id"] for line in written] == [0, 1, 2]


def test_a_dry_run_says_what_it_would_cost(tmp_path: Path) -> None:
    done = run(CLAIM, "-k", "1", "--dry-run", stdin=TEXT)
    assert done.returncode == 0
    assert "would make about" in done.stdout
    assert "scored tokens" in done.stdout


def test_a_text_cannot_steer_the_terminal() -> None:
    done = run(
        "Rain fell.", "-k", "1", "--method", "bm25", stdin="Rain fell \x1b[31mred\x1b]0;title\x07 now. Dogs."
    )
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert "\x07" not in done.stdout


def test_lines_without_stops_are_hinted_at() -> None:
    done = run("dogs", "-k", "1", "--method", "bm25", stdin="no stops here\nsecond line dogs\nthird line")
    assert "--lines" in done.stderr


def test_that_a_question_gets_no_verdict_is_said_before_the_search() -> None:
    done = run("Was the lighthouse lit?", "-k", "1", "--model", "nowhere:m", stdin=TEXT)
    assert "hint: the claim is a question: nothing is claimed, so there will be no verdict" in done.stderr
    assert "no verdict" not in run("The lighthouse was lit.", "--model", "nowhere:m", stdin=TEXT).stderr


def test_a_claim_that_is_no_sentence_is_hinted_at() -> None:
    claim = "The lighthouse was lit in 1871, and the lens was new. " * 30
    # The hint comes before the model is opened.
    done = run(claim, "--k", "1", "--model", "nowhere:m", stdin=TEXT)
    assert "hint: a claim of 1,620 characters is read again with every sentence" in done.stderr
    assert "hint" not in run(claim, "-k", "1", "--dry-run", stdin=TEXT).stderr
    assert "hint" not in run(claim, "-k", "1", "--method", "bm25", "--no-verdict", stdin=TEXT).stderr
