"""Exit codes, and streams that cannot be written: what a script sees."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from command import run_here as run

from probative.cli.framework.exit_codes import MEANINGS, ExitCode

QUESTION = "Who commanded the Sea Lark?"
CARRIED = "Ada Berg commanded the Sea Lark.\n"
WORDS = ("--preset", "words")  # no model is needed to check


@pytest.mark.model
def test_check_fails_on_incomplete_evidence_if_told_so() -> None:
    assert run("check", QUESTION, *WORDS, stdin="Pines grow.\n").returncode == 0
    fails = run("check", QUESTION, *WORDS, "--fail-on", "incomplete", stdin="Pines grow.\n")
    assert fails.returncode == ExitCode.VERDICT
    assert fails.stdout.startswith("incomplete")  # the result is shown all the same
    assert run("check", QUESTION, *WORDS, "--fail-on", "incomplete", stdin=CARRIED).returncode == 0
    assert run("check", QUESTION, *WORDS, "--fail-on", "complete", "--json", stdin=CARRIED).returncode == 3


@pytest.mark.model
def test_prove_gives_a_verdict_if_told_to_fail_on_one() -> None:
    words = ("prove", "Ada Berg commanded the Sea Lark.", "--method", "bm25", "-k", "1", "--fail-on")
    done = run(*words, "insufficient,contradicted", stdin=CARRIED)
    assert done.returncode == 0
    assert "verdict: supported" in done.stdout
    assert run(*words, " Supported ", stdin=CARRIED).returncode == 3
    assert run(*words, "supported", "--dry-run", stdin=CARRIED).returncode == 0


@pytest.mark.parametrize("verb", ["ask", "check", "prove", "reason"])
def test_an_unknown_verdict_is_an_error_before_any_work(verb: str, tmp_path: Path) -> None:
    (tmp_path / "g.tsv").write_text("a\tb\tc\n")
    graph = ("--graph", str(tmp_path / "g.tsv")) if verb == "reason" else ()
    for verdicts in ("maybe", "supported,maybe", ""):
        done = run(verb, "q", *graph, "--fail-on", verdicts, stdin="Text.")
        assert done.returncode == 1
        assert "--fail-on does not know" in done.stderr
        assert "use one or more of" in done.stderr


@pytest.mark.model
def test_a_batch_fails_on_a_verdict_even_if_it_was_finished_before(tmp_path: Path) -> None:
    lines = [
        {"id": 1, "question": QUESTION, "knowledge": [CARRIED]},
        {"id": 2, "question": QUESTION, "knowledge": ["Pines grow."]},
    ]
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("".join(json.dumps(line) + "\n" for line in lines))
    words = ("check", "--in", str(source), "--out", str(out), *WORDS)
    done = run(*words)
    assert done.returncode == 0
    assert done.stdout.splitlines()[1] == "1 complete, 1 incomplete"
    for _ in range(2):
        assert run(*words, "--fail-on", "incomplete").returncode == 3
    assert run(*words, "--limit", "1", "--fail-on", "incomplete").returncode == 0


@pytest.mark.model
def test_ask_fails_on_a_level_too_alone_and_in_a_batch(tmp_path: Path) -> None:
    lines = [{"id": 1, "question": QUESTION, "passages": ["Pines grow."]}]
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("".join(json.dumps(line) + "\n" for line in lines))
    words = ("ask", "--in", str(source), "--out", str(out), *WORDS)
    assert run(*words, "--fail-on", "disputed,probable").returncode == 0
    done = run(*words, "--fail-on", "not_found")  # finished before
    assert done.returncode == 3
    assert done.stdout.splitlines()[1:3] == ["1 insufficient", "levels: 1 not found"]
    assert json.loads(out.read_text())["level"] == "not_found"
    alone = run("ask", QUESTION, *WORDS, "--fail-on", "not_found", stdin="Pines grow.\n")
    assert alone.returncode == 3
    assert "verdict: insufficient, not found" in alone.stdout


def test_the_first_failures_of_a_batch_are_named_with_their_hints(tmp_path: Path) -> None:
    lines = [{"id": f"claim-{n}", "claim": "Cats sleep."} for n in range(5)]
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("{broken\n" + "".join(json.dumps(line) + "\n" for line in lines))
    done = run("prove", "--in", str(source), "--out", str(out), "--method", "bm25")
    assert done.returncode == ExitCode.FAILED_LINES
    named = [line for line in done.stderr.splitlines() if line.startswith("failed: ")]
    assert named[0].startswith("failed: line 1: InputError: line 1 is not JSON")
    assert [line.split(": ")[1] for line in named[1:]] == ["line 2, id 'claim-0'", "line 3, id 'claim-1'"]
    assert '  → a case is {"claim": "…", "sentences": "a text" or ["…", "…"]}' in done.stderr
    assert "… and 3 more" in done.stderr


def test_every_exit_code_is_documented_in_the_help() -> None:
    shown = " ".join(run("--help").stdout.split())
    assert set(MEANINGS) == set(ExitCode)
    for code, meaning in MEANINGS.items():
        assert f"{code.value} {meaning}" in shown


def process(*words: str, **streams: object) -> subprocess.Popen[bytes]:
    environ = {**os.environ, "COLUMNS": "100"}
    return subprocess.Popen(
        [sys.executable, "-m", "probative", *words], stderr=subprocess.PIPE, env=environ, **streams
    )  # type: ignore[call-overload,no-any-return]


@pytest.mark.slow
@pytest.mark.parametrize("words", [("settings",), ("settings", "--json"), ("--help",), ("--version",)])
def test_a_full_device_is_one_message(words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = process(*words, stdout=full)
        errors = done.communicate()[1].decode()
    assert done.returncode == ExitCode.ERROR
    assert errors == "probative: standard output cannot be written: No space left on device\n"


@pytest.mark.slow
@pytest.mark.parametrize("words", [("settings",), ("settings", "--json")])
def test_a_reader_that_went_away_is_no_error_message(words: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = process(*words, stdout=writing)
    os.close(writing)
    assert done.communicate()[1] == b""
    assert done.returncode == ExitCode.CLOSED_PIPE


@pytest.mark.slow
@pytest.mark.parametrize("words", [("settings",), ("settings", "--json")])
def test_a_closed_output_is_no_traceback(words: tuple[str, ...]) -> None:
    done = process(*words, preexec_fn=lambda: os.close(1))
    assert done.communicate()[1] == b""
    assert done.returncode == ExitCode.OK


@pytest.mark.slow
def test_a_terminal_without_unicode_is_no_traceback_and_json_stays_whole() -> None:
    words = ("check", "Who saw Zürich?", *WORDS, "--knowledge", "notes.txt")
    Path("notes.txt").write_text("Ada 👩 saw Zürich.", encoding="utf-8")
    environ = {**os.environ, "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "probative", *words]
    shown = subprocess.run(command, capture_output=True, env=environ, check=True).stdout.decode("ascii")
    assert "Z?rich" in shown
    text = subprocess.run([*command, "--json"], capture_output=True, env=environ, check=True).stdout
    (judgement,) = json.loads(text.decode("ascii"))["judgements"]
    assert judgement["text"] == "Ada 👩 saw Zürich."


@pytest.mark.parametrize("name", ["x" * 300, "loop", "/dev/full", "in.jsonl"])
def test_an_output_that_cannot_be_used_is_one_message(name: str) -> None:
    Path("in.jsonl").write_text('{"id": 1, "claim": "c", "sentences": "s"}\n')
    Path("loop").symlink_to("loop")
    done = run("prove", "--in", "in.jsonl", "--out", name, "--method", "bm25")
    assert done.returncode == ExitCode.ERROR
    assert done.stderr.startswith("probative: --")
    assert len(done.stderr) < 300
    assert Path("in.jsonl").read_text() == '{"id": 1, "claim": "c", "sentences": "s"}\n'


@pytest.mark.parametrize("name", ["x" * 300, "loop"])
@pytest.mark.parametrize(
    "words",
    [
        ("ask", "q", "--passages"),
        ("check", "q", "--knowledge"),
        ("prove", "c", "--context"),
        ("prove", "c", "--prompt"),
        ("reason", "q", "--graph"),
        ("reason", "q", "--graph", "g.tsv", "--worked"),
        ("graph", "info"),
        ("settings", "--config"),
        ("prove", "c", "--method", "bm25", "--trace"),
        ("prove", "--method", "bm25", "--out", "out.jsonl", "--in"),
        ("graph", "import", "g.tsv", "--out"),
    ],
)
def test_an_odd_file_name_is_one_message(words: tuple[str, ...], name: str) -> None:
    Path("g.tsv").write_text("a\tb\tc\n")
    Path("loop").symlink_to("loop")
    done = run(*words, name, stdin="Text.")
    assert done.returncode == ExitCode.ERROR
    assert done.stderr.startswith("probative: ")
    assert "Traceback" not in done.stderr
