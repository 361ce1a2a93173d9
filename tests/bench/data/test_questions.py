"""Questions of further sets, each read from a tiny file in its published format."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from probative import InputError, load_settings
from probative.bench.data.questions import Question
from probative.bench.data.sets import CATALOGUE, check_sets
from probative.bench.families.multihop import read_set
from probative.bench.registry import load_experiment
from probative.bench.run import run_experiment
from probative.bench.study import Settings
from probative.bench.worker import Models
from probative.testing import ScriptedModel

MUSIQUE = {
    "id": "2hop__1_2",
    "question": "Who owned the ship that sank?",
    "answer": "Ada Berg",
    "answer_aliases": ["A. Berg"],
    "answerable": True,
    "question_decomposition": [],
    "paragraphs": [
        {"idx": 0, "title": "Sea Lark", "paragraph_text": "Ada Berg owned it.", "is_supporting": True},
        {"idx": 1, "title": "Heron", "paragraph_text": "It is a bird.", "is_supporting": False},
    ],
}
RGB = {
    "id": 7,
    "query": "When did the pier open?",
    "answer": [["3 May 1871", "May 3, 1871"]],
    "fakeanswer": "1 May 1817",
    "positive": ["The pier opened on May 3, 1871."],
    "positive_wrong": ["The pier opened on 1 May 1817."],
    "negative": ["Piers are long."],
}
POISONED = {
    "test1": {
        "id": "test1",
        "question": "how many cranes are there",
        "correct answer": "four",
        "incorrect answer": "five",
        "adv_texts": ["There are five cranes."],
    }
}
CONFLICT = {
    "question": "Do gulls swim?",
    "ground_truth": ["True"],
    "memory_answer": "Gulls do not swim.",
    "parametric_memory": "They fly.",
    "counter_answer": "Gulls swim.",
    "counter_memory": "They swim.",
    "parametric_memory_aligned_evidence": "A gull has wings.",
    "counter_memory_aligned_evidence": "A gull has webbed feet.",
}
PUBMED = {"QUESTION": "Does tar  heal?", "CONTEXTS": ["Tar was tried."], "final_decision": "no"}
BIOASQ = [
    {"id": f"{kind}{n}", "type": kind, "body": f"Is {n} a {kind}?", "exact_answer": exact, "snippets": texts}
    for n in range(12)
    for kind, exact, texts in (
        ("yesno", "Yes", [{"text": "It is."}, {"text": "It is."}]),
        ("factoid", [["salt", "NaCl"]], [{"text": "Salt is."}]),
        ("list", [["a"], ["b"]], [{"text": "Both."}]),
        ("summary", None, [{"text": "Much."}]),
    )
]
PROCESS = (
    "<annotation><text>About {n}. Ice melts.</text><questions><question><q>What\n melts?</q><a0>salt</a0>"
    "<a1>ice </a1><correct>1</correct></question></questions></annotation>"
)


def write(data: Path, name: str, content: Any) -> None:
    file = data / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")


def write_all(data: Path) -> None:
    write(data, "musique/train_sample.json", [MUSIQUE, {**MUSIQUE, "id": "2hop__3_4", "answerable": False}])
    write(data, "rgb/en_fact.json", json.dumps(RGB) + "\n")
    write(
        data, "rgb/zh_refine.json", json.dumps({**RGB, "query": "码头何时开放?", "answer": ["三月", "七日"]})
    )
    for name in ("nq", "msmarco"):
        write(data, f"poisonedrag/{name}.json", POISONED)
    write(data, "conflictqa/conflictQA-strategyQA-chatgpt.json", json.dumps(CONFLICT) + "\n")
    write(data, "pubmedqa/ori_pqal.json", {"1": PUBMED, "2": PUBMED})
    write(data, "pubmedqa/test_ground_truth.json", {"2": "no"})
    write(data, "bioasq/Task7B/7B1_golden.json", {"questions": BIOASQ})
    for n in range(8):
        write(data, f"processbank/qa/{n}", PROCESS.format(n=n))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write_all(tmp_path)
    return tmp_path


def read(data: Path, name: str) -> list[Question]:
    return read_set(name, Settings(data=data))


def test_musique_has_paragraphs_aliases_and_only_answerable_questions(data: Path) -> None:
    (question,) = read(data, "musique")
    assert question.accepted == ("Ada Berg", "A. Berg")
    assert (question.kind, question.gold) == ("2hop", frozenset({0}))
    assert [passage.title for passage in question.passages] == ["Sea Lark", "Heron"]


def test_musique_is_read_from_json_lines_too(data: Path) -> None:
    write(data, "musique/train_sample.json", json.dumps(MUSIQUE) + "\n" + json.dumps(MUSIQUE) + "\n")
    assert check_sets(data, ["musique"])
    assert len(read(data, "musique")) == 2
    write(data, "musique/train_sample.json", json.dumps(MUSIQUE) + "\n" + json.dumps(MUSIQUE)[:30])
    with pytest.raises(InputError, match="truncated or is not a JSON list or a file of JSON lines: line 2"):
        check_sets(data, ["musique"])


def test_rgb_accepts_every_spelling_and_knows_the_true_documents(data: Path) -> None:
    (question,) = read(data, "rgb")
    assert question.accepted == ("3 May 1871", "May 3, 1871")
    assert ([passage.text for passage in question.passages], question.gold) == (
        ["The pier opened on May 3, 1871.", "Piers are long."],
        frozenset({0}),
    )
    (chinese,) = read(data, "rgb-chinese")
    assert chinese.accepted == ("三月, 七日",)


def test_poisoned_questions_have_only_false_passages(data: Path) -> None:
    first, second = read(data, "poisonedrag")
    assert (first.id, second.id) == ("nq test1", "msmarco test1")
    assert (first.answer, first.gold, len(first.passages)) == ("four", frozenset(), 1)


def test_conflictqa_asks_yes_or_no_with_the_evidence_of_both_sides(data: Path) -> None:
    (question,) = read(data, "conflictqa")
    assert (question.text, question.answer) == ("Do gulls swim?", "yes")
    assert [passage.text for passage in question.passages] == ["A gull has wings.", "A gull has webbed feet."]


def test_pubmedqa_has_the_abstracts_of_its_test_part(data: Path) -> None:
    (question,) = read(data, "pubmedqa")
    assert (question.id, question.text, question.answer) == ("2", "Does tar heal?", "no")


def test_bioasq_has_yes_no_and_factoid_questions_that_were_not_tuned_on(data: Path) -> None:
    questions = read(data, "bioasq")
    assert {question.kind for question in questions} == {"yesno", "factoid"}
    assert 12 <= len(questions) < 24
    by_kind = {question.kind: question for question in questions}
    assert by_kind["yesno"].answer == "yes"
    assert len(by_kind["yesno"].passages) == 1
    assert by_kind["factoid"].accepted == ("salt", "NaCl")


def test_processbank_answers_with_the_right_choice(data: Path) -> None:
    questions = read(data, "processbank")
    assert 0 < len(questions) < 8
    assert (questions[0].text, questions[0].answer) == ("What melts?", "ice")
    assert [passage.text for passage in questions[0].passages][1] == "Ice melts."


def test_the_leaderboard_counts_any_accepted_spelling(data: Path, tmp_path: Path) -> None:
    spelled = {"Who owned": "a. berg", "When did": "May 3, 1871", "how many": "five"}

    def reply(request: Any) -> str:
        return next(text for start, text in spelled.items() if start in request.messages[-1].content)

    models = Models(load_settings({"cache": False}), model=ScriptedModel(generate=reply))
    # Ada Berg's alias and the second spelling of the date are right, five cranes are wrong.
    for name, right in (("musique", 100.0), ("rgb", 100.0), ("poisonedrag", 0.0)):
        settings = Settings(data=data, options={"data": name, "methods": "closed-book"})
        report = run_experiment(load_experiment("leaderboard"), settings, tmp_path / "runs" / name, models)
        table = report.report.tables[0]
        cell = table.rows[0].cells[table.columns.index("exact match")]
        assert getattr(cell, "value", None) == right, name


def test_a_set_without_questions_names_those_that_have_some(data: Path) -> None:
    with pytest.raises(InputError, match="wice has no questions") as raised:
        read(data, "wice")
    named: Callable[[str], bool] = str(raised.value.hint).__contains__
    assert all(named(name) for name, data_set in CATALOGUE.items() if data_set.questions)
