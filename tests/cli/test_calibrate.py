"""`probative calibrate` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from calibrated import ARGUMENTS, corpus, label, questions, session
from command import run_here as run

from probative.batch.draw import draw_questions


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    """A draw over the index of the ships, not labelled yet."""
    with corpus(tmp_path) as ships, session() as asking:
        draw_questions(asking, ships, tmp_path / "labels.jsonl", questions=questions(tmp_path), **ARGUMENTS)
    return tmp_path / "labels.jsonl"


def calibrate(labels: Path, *words: str) -> tuple[int, str]:
    done = run("calibrate", "--corpus", str(labels.parent / "index"), "--labels", str(labels), *words)
    return done.returncode, " ".join((done.stdout + done.stderr).split())


def test_labels_give_a_guarantee(labels: Path) -> None:
    label(labels)
    code, printed = calibrate(labels, "--alpha", "0.3")
    assert code == 0
    assert printed.startswith("guarantee: at most 30% of supported answers to questions like the 12 drawn")
    assert "12 questions; answers that count: 12, labelled: 12, wrong: 0" in printed


def test_too_few_labels_say_how_many_are_missing(labels: Path) -> None:
    label(labels)
    code, printed = calibrate(labels)
    assert code == 5
    assert "no guarantee: 59 answers without an error are needed, and 12 could be supported" in printed
    assert "missing: 47" in printed


def test_json_is_the_result(labels: Path) -> None:
    label(labels, wrong=5)
    done = run(
        "calibrate",
        "--corpus",
        str(labels.parent / "index"),
        "--labels",
        str(labels),
        "--alpha",
        "0.3",
        "--json",
    )
    assert done.returncode == 5
    result = json.loads(done.stdout)
    assert (result["kind"], result["guarantee"], result["wrong"]) == ("none", None, 5)
    assert [limit["passed"] for limit in result["limits"]] == [False]


def test_labels_of_ones_choice_are_called_a_test(labels: Path) -> None:
    marked = labels.with_name("marked.jsonl")
    marked.write_text(
        '{"id": 1, "verdict": "supported", "certainty": 0.9, "right": true}\n', encoding="utf-8"
    )
    done = run("calibrate", "--corpus", str(labels.parent / "index"), "--labels", str(marked))
    assert done.returncode == 5
    assert "a test, not a guarantee: the file has no draw" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "give one of --out, --labels and --self, got none"),
        (("--self", "--labels", "a"), "got --labels and --self"),
        (("--self", "--questions", "a"), "--questions needs --out FILE"),
        (("--labels", "nowhere.jsonl"), "nowhere.jsonl cannot be read"),
    ],
)
def test_what_cannot_be_done_is_an_error(tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    corpus(tmp_path).close()
    done = run("calibrate", "--corpus", str(tmp_path / "index"), *words)
    assert done.returncode == 1
    assert message in " ".join(done.stderr.split())
