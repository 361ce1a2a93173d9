"""`probative index` and `probative ask --corpus` as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import run_here as run
from small_corpus import TEXTS, write

QUESTION = "Who repaired the crane?"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "documents")


def test_the_summary_says_what_was_read_and_what_not(folder: Path, tmp_path: Path) -> None:
    (folder / "scan.png").write_bytes(b"GIF89a" + bytes(100))
    done = run("index", str(folder), "--out", str(tmp_path / "index"))
    assert done.returncode == 0, done.stderr
    assert "4 documents, 5 passages" in done.stdout
    assert "4 added in" in done.stdout
    assert "not read: 1 file (1 image)" in done.stdout
    assert "scan.png" in done.stdout
    again = json.loads(run("index", str(folder), "--out", str(tmp_path / "index"), "--json").stdout)
    assert (again["added"], again["unchanged"], again["unread"][0]["reason"]) == (0, 4, "image")


def test_patterns_choose_the_files(folder: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "index")
    done = run("index", str(folder), "--out", out, "--include", "*.md", "--exclude", "**/june*", "--json")
    assert json.loads(done.stdout)["documents"] == 1


def test_the_state_names_the_index_that_is_missing(folder: Path, tmp_path: Path) -> None:
    assert run("index", str(folder)).returncode == 0
    done = run("index", str(folder), "--out", str(tmp_path / "second"), "--state")
    assert done.returncode == 1
    assert "second' is not an index" in " ".join(done.stderr.split())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nowhere",), "there is no folder"),
        (("empty",), "there are no documents"),
    ],
)
def test_what_cannot_be_indexed_is_an_error(tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    (tmp_path / "empty").mkdir()
    done = run("index", str(tmp_path / words[0]))
    assert done.returncode == 1
    assert message in done.stderr


@pytest.mark.slow
@pytest.mark.usefixtures("open_models")
def test_an_answer_from_documents_cites_its_place(folder: Path) -> None:
    done = run("ask", QUESTION, "--corpus", str(folder), "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["answer"] == "Ida Lund"
    piece = answer["chain"][0]
    text = TEXTS["minutes/june.md"]
    assert (piece["source"], piece["page"]) == ("minutes/june.md", None)
    assert text[piece["start"] : piece["end"]] == piece["text"]
    assert piece["citation"] == f"minutes/june.md#char={piece['start']},{piece['end']}"
    deciding = next(cited for cited in answer["cited"] if cited["holds_answer"])
    shown = json.loads(run("show", deciding["citation"], "--corpus", str(folder), "--json").stdout)
    assert shown["text"] == "The crane was repaired by Ida Lund."


@pytest.mark.slow
@pytest.mark.usefixtures("open_models")
def test_filters_and_baselines_work_on_a_corpus(folder: Path) -> None:
    done = run("ask", QUESTION, "--corpus", str(folder), "--until", "2024-05", "--json")
    assert json.loads(done.stdout)["verdict"] == "insufficient"
    done = run("ask", QUESTION, "--corpus", str(folder), "--method", "rag", "--json")
    answer = json.loads(done.stdout)
    assert answer["method"] == "rag"
    assert "minutes/june.md" in [piece["source"] for piece in answer["chain"]]
    assert all(piece["citation"].startswith(piece["source"]) for piece in answer["chain"])


@pytest.mark.slow
@pytest.mark.usefixtures("open_models")
def test_many_questions_need_no_passages_with_a_corpus(folder: Path, tmp_path: Path) -> None:
    questions, answers = tmp_path / "questions.jsonl", tmp_path / "answers.jsonl"
    questions.write_text(json.dumps({"id": "a", "question": QUESTION}) + "\n", encoding="utf-8")
    done = run("ask", "--in", str(questions), "--out", str(answers), "--corpus", str(folder))
    assert done.returncode == 0, done.stderr
    line = json.loads(answers.read_text(encoding="utf-8"))
    assert (line["id"], line["answer"]) == ("a", "Ida Lund")
    assert line["chain"][0]["citation"].startswith("minutes/june.md#char=")


def test_filters_without_a_corpus_and_wrong_filters_are_errors(folder: Path) -> None:
    done = run("ask", QUESTION, "--since", "2024")
    assert done.returncode == 1
    assert "filters need a corpus" in done.stderr
    done = run("ask", QUESTION, "--corpus", str(folder), "--since", "May")
    assert done.returncode == 1
    assert "YYYY" in done.stderr
    done = run("ask", QUESTION, "--corpus", str(folder), "--metadata", "author")
    assert "must be NAME=VALUE" in done.stderr


def test_the_state_of_an_index_is_shown_and_nothing_is_changed(folder: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "index")
    done = run("index", str(folder), "--state")
    assert done.returncode == 1
    assert "is not indexed" in done.stderr
    run("index", str(folder), "--out", out)
    (folder / "new.txt").write_text("A lighthouse stands on the skerry.", encoding="utf-8")
    done = run("index", str(folder), "--out", out, "--state")
    assert "4 documents, 5 passages" in done.stdout
    assert "with vectors: 5 passages" in done.stdout
    state = json.loads(run("index", out, "--state", "--json").stdout)
    assert (state["documents"], state["with_vectors"], state["read_all"]) == (4, 5, True)


def test_filters_that_leave_no_document_are_the_reason(folder: Path) -> None:
    done = run("ask", QUESTION, "--corpus", str(folder), "--source", "nothing", "--json")
    assert json.loads(done.stdout)["reason"] == "the filters leave no document of the corpus"


def test_an_empty_question_to_a_corpus_is_an_error(folder: Path) -> None:
    done = run("ask", " ", "--corpus", str(folder))
    assert (done.returncode, "the question is empty" in done.stderr) == (1, True)


def test_where_nothing_could_be_read_the_reason_says_so(tmp_path: Path) -> None:
    broken = tmp_path / "minutes.pdf"
    broken.write_bytes(b"%PDF-1.7 and nothing behind it")
    done = run("ask", QUESTION, "--corpus", str(broken), "--json")
    assert json.loads(done.stdout)["reason"] == "no document could be read"
