"""Passages from several files, the trace, and one numbering."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import run_here as run

from probative import Session
from probative.session.pool import POOL

QUESTION = "Who commanded the Sea Lark?"
WORDS = ("--preset", "words")


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    crew, ships = tmp_path / "crew.txt", tmp_path / "ships.jsonl"
    crew.write_text("Tar is black.\nPines grow.\n", encoding="utf-8")
    lines = [{"text": "Ada Berg commanded the Sea Lark.", "source": "log 7"}, "Gulls nest here."]
    ships.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(crew), str(ships)


@pytest.mark.model
def test_all_passages_of_several_files_are_used_and_numbered_consecutively(files: tuple[str, str]) -> None:
    crew, ships = files
    done = run(
        "check", QUESTION, *WORDS, "--json",
        "--knowledge", crew, "--knowledge", "-", "--knowledge", ships, stdin="Oars creak.\n",
    )  # fmt: skip
    judgements = json.loads(done.stdout)["judgements"]
    assert [(judgement["index"], judgement["text"]) for judgement in judgements] == [
        (0, "Tar is black."),
        (1, "Pines grow."),
        (2, "Oars creak."),
        (3, "Ada Berg commanded the Sea Lark."),
        (4, "Gulls nest here."),
    ]
    shown = run("check", QUESTION, *WORDS, "--knowledge", crew, "--knowledge", ships).stdout
    assert "[3]" in shown  # index 2 in JSON


@pytest.mark.slow
@pytest.mark.usefixtures("open_models")
def test_a_passage_has_its_own_source_or_that_of_its_file(files: tuple[str, str]) -> None:
    crew, ships = files
    done = run("ask", QUESTION, "--passages", crew, "--passages", ships, *WORDS, "--json")
    chain = json.loads(done.stdout)["chain"]
    assert [(passage["index"], passage["source"]) for passage in chain] == [(2, "log 7")]
    own = run(
        "ask", "Which trees grow?", "--passages", ships, "--passages", crew, "--method", "rag", "--json"
    )
    sources = {passage["text"]: passage["source"] for passage in json.loads(own.stdout)["chain"]}
    assert sources["Pines grow."] == crew


def test_standard_input_can_be_read_once() -> None:
    done = run("check", QUESTION, "--knowledge", "-", "--knowledge", "-", stdin="Text.")
    assert (done.returncode, "only once" in done.stderr) == (1, True)


def test_a_proof_has_one_text() -> None:
    done = run("prove", "c", "--context", "a.txt", "--context", "b.txt")
    assert done.returncode == 1
    assert "--context names 2 files" in done.stderr


@pytest.mark.model
def test_json_has_the_trace_only_if_asked() -> None:
    words = ("check", QUESTION, *WORDS)
    plain = run(*words, "--json", stdin="Pines grow.\n")
    assert json.loads(plain.stdout)["trace"] is None
    traced = run(*words, "--json", "--trace", "-", stdin="Pines grow.\n")
    assert json.loads(traced.stdout)["trace"]["name"] == "check"
    shown = run(*words, "--trace", "trace.json", stdin="Pines grow.\n")
    assert shown.stdout.startswith("incomplete")
    assert json.loads(Path("trace.json").read_text())["name"] == "check"


def test_a_trace_that_cannot_be_written_is_an_error_before_any_work() -> None:
    for words, what in (
        (("--trace", "nowhere/t.json"), "the trace cannot be written"),
        (("--trace", "-"), "--trace - needs --json"),
    ):
        done = run("check", QUESTION, *words, stdin="Pines grow.\n")
        assert done.returncode == 1
        assert what in done.stderr
    batch = run("check", "--in", "a.jsonl", "--out", "b.jsonl", "--trace", "t.json")
    assert "--trace cannot be used with --in" in batch.stderr


@pytest.mark.model
def test_progress_is_silent_when_piped(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text(json.dumps({"id": 1, "question": QUESTION, "knowledge": "Pines."}) + "\n")
    done = run("check", "--in", str(source), "--out", str(tmp_path / "out.jsonl"), *WORDS)
    assert done.stderr == ""
    assert done.stdout.count("\n") == 2


@pytest.mark.model
@pytest.mark.usefixtures("open_models")
def test_a_command_shares_the_open_models_and_gives_them_back(monkeypatch: pytest.MonkeyPatch) -> None:
    def leases() -> dict[object, int]:
        return {key: entry.users for key, entry in POOL._entries.items()}

    monkeypatch.setattr("probative.session.pool.POOL", POOL)  # the one that has the open models
    before = leases()
    during: list[dict[object, int]] = []
    close = Session.close

    def watched_close(session: Session) -> None:
        during.append(leases())
        close(session)

    monkeypatch.setattr(Session, "close", watched_close)
    done = run("ask", QUESTION, *WORDS, "--no-cache", stdin="Ada Berg commanded the Sea Lark.\n")
    assert done.returncode == 0, done.stderr
    assert during[0].keys() == before.keys()
    assert sum(during[0].values()) > sum(before.values())
    assert leases() == before
