"""Table 8 and figures 3, 7 and 8: give beside RAG, ToG and the I/O prompt."""

from __future__ import annotations

from pathlib import Path

import pytest
from graph_questions import EAT, FEED, FIRST, KEPT, KIND, SAILORS, SECOND, SLOW, SLOWS, STOP, answering_model

from probative.bench.data.graph_qa import read_truthfulqa
from probative.bench.data.sets import check_sets
from probative.bench.studies.give_methods import GiveEfficiency, GiveOverlap
from probative.bench.studies.give_truthful import GiveTruthful
from probative.errors import InputError
from probative.testing import ScriptedModel

from .conftest import Study, published, values


def replies(rag: str, tog: str, give: str) -> dict[str, str]:
    return {"rag": rag, "tog": tog, "a": give, "ac": give, "ace": give}


# Gold: yes, no; no, yes; tar, rot; barrel, tar.
ANSWERS = {
    STOP: replies("no", "no", "yes"),
    FEED: replies("no", "yes", "no"),
    KIND: replies("no", "no", "no"),
    SLOW: replies("no", "yes", "no"),
    FIRST: replies("rot", "tar", "rot"),
    SECOND: replies("rot", "rot", "tar"),
    KEPT: replies("barrel", "cloud", "barrel"),
    SLOWS: replies("tar", "boat", "tar"),
}


def test_the_overlap_of_right_answers_is_the_one_worked_out_by_hand(study: Study) -> None:
    report = study(GiveOverlap(), answering_model(ANSWERS))
    tog, rag, tests = report.tables
    assert values(tog) == {
        "only GIVE right": [100.0, 0.0, 0.0, 100.0],
        "both right": [0.0, 50.0, 0.0, 0.0],
        "both wrong": [0.0, 0.0, 0.0, 0.0],
        "only ToG right": [0.0, 50.0, 100.0, 0.0],
        "of ToG's right answers, missed by GIVE": [None, 50.0, 100.0, None],
    }
    assert values(rag) == {
        "only GIVE right": [50.0, 0.0, 0.0, 0.0],
        "both right": [50.0, 50.0, 0.0, 100.0],
        "both wrong": [0.0, 50.0, 50.0, 0.0],
        "only RAG right": [0.0, 0.0, 50.0, 0.0],
        "of RAG's right answers, missed by GIVE": [0.0, 0.0, 100.0, 0.0],
    }
    assert published(tog, "both right") == [None, None, 54.0, 62.0]
    assert published(tog, "of ToG's right answers, missed by GIVE") == [None, None, None, 11.0]
    # McNemar: on PubMedQA both of two questions only by GIVE, p = 2 × 1/4; against RAG one of one, p = 1.
    assert [cell for cell in tests.rows[0].cells if isinstance(cell, str)] == [
        "0.500",
        "1.000",
        "0.500",
        "0.500",
    ]
    assert (tests.rows[1].name, tests.rows[1].cells[1]) == ("GIVE against RAG", "1.000")
    assert values(tests)["GIVE against ToG"][::2] == [100.0, -50.0, -100.0, 100.0]
    assert report.plots[0].series[0].points == ((0.0, 100.0), (1.0, 0.0), (2.0, 0.0), (3.0, 100.0))


def test_costs_and_accuracy_of_each_method(study: Study) -> None:
    report = study(GiveEfficiency(), answering_model(ANSWERS), sets="pubmedqa,csqa", parts="10")
    pubmed, commonsense, needs, tests = report.tables
    assert [row.name for row in pubmed.rows] == ["RAG", "ToG", "GIVE p=1", "GIVE p=2"]
    figures = {name: cells[1:] for name, cells in values(pubmed).items()}
    # RAG reads all four edges, three words each, in one answer and one vector of the question.
    assert figures["RAG"][:6] == [None, None, 12.0, None, None, 50.0]
    assert figures["ToG"][3:6] == [None, None, 0.0]
    # p = 1: of 10 candidates (test_ablations.py) the 3 with tar first are affirmed, 7 denied with one word
    # more; 2 edges are expert knowledge. All have three words.
    assert figures["GIVE p=1"][:6] == [9.0, 28.0, 6.0, 100.0, 100.0, 100.0]
    assert published(pubmed, "GIVE p=1")[:4] == [33.6, 192.5, 105.9, 16.1]
    assert commonsense.title == "CommonsenseQA with 10% of ConceptNet"
    assert values(commonsense)["GIVE p=2"][6] == 100.0
    assert published(commonsense, "ToG")[6] == 67
    assert values(needs)["PubMedQA"][0] is not None
    assert published(needs, "PubMedQA") == [3, None, 60]
    assert tests.columns[2:] == ("CommonsenseQA, 10%, difference", "CommonsenseQA, 10%, p")
    assert values(tests)["GIVE p=2 against RAG"] == [50.0, None, 0.0, None]


OPEN = {
    EAT: {"direct": "They eat tar", "rag": "No", "tog": "", "a": "No, never", "ac": "No, never", "ace": "No"},
    SAILORS: {
        "direct": "They drink it",
        "rag": "Paint boats",
        "tog": "They drink it",
        "a": "Paint boats with tar",
        "ac": "Paint boats",
        "ace": "Eat it",
    },
}


def judging(request: object) -> str:
    """Score "No, never" with 9, texts that begin with "Paint boats" with their number of words."""
    prompt = request.messages[-1].content  # type: ignore[attr-defined]
    answers = prompt.split("Answers:\n")[1].split("\n\n")[0].splitlines()
    scores = []
    for line in answers:
        text = line.split(". ", 1)[1]
        paint = len(text.split()) if text.startswith("Paint boats") else 1
        scores.append(9 if text == "No, never" else paint)
    return "\n".join(f"{number}. {score}" for number, score in enumerate(scores, 1))


def test_the_win_rate_by_a_judge_is_the_one_worked_out_by_hand(study: Study) -> None:
    report = study(GiveTruthful(), answering_model(OPEN), judge=ScriptedModel(generate=judging))
    table, tests = report.tables
    # The first question: "No, never" wins, by a and a+c; the second: a alone.
    assert values(table) == {
        "I/O prompt": [0.0, 0.0],
        "RAG": [0.0, 0.0],
        "ToG": [0.0, 50.0],
        "GIVE a": [75.0, 0.0],
        "GIVE a+c": [25.0, 0.0],
        "GIVE a+c+e": [0.0, 0.0],
        "GIVE, all stages": [100.0, None],
        "undecided": [0.0, None],
    }
    assert published(table, "GIVE, all stages") == [50.3, None]
    # a+c+e never wins, a wins 0.5 and 1: of four signs of two differences one is as low, p = 2 × 1/4.
    assert tests.rows[3].name == "GIVE a+c+e against GIVE a"
    assert tests.rows[3].cells[1] == "0.500"
    assert values(tests)["GIVE a+c+e against GIVE a"] == [-75.0, None]
    assert report.plots[0].ticks[3] == "GIVE a"


def test_without_a_judge_shared_words_decide_and_the_report_says_so(study: Study) -> None:
    table, *_ = study(GiveTruthful(), answering_model(OPEN)).tables
    # "No, sailors do not eat tar" (6 words): "They eat tar" shares 2 of 3 words, F1 4/9; "No" 2/7.
    # "Sailors paint boats with tar" (5 words): "Paint boats with tar" shares 4 of 4, F1 8/9.
    assert values(table)["I/O prompt"][0] == 50.0
    assert values(table)["GIVE a"][0] == 50.0
    assert table.note.startswith("No judge model was given")


def test_a_judge_that_gives_no_scores_is_counted(study: Study) -> None:
    judge = ScriptedModel(generate="They are all fine.")
    table, *_ = study(GiveTruthful(), answering_model(OPEN), judge=judge).tables
    assert values(table)["undecided"] == [100.0, None]
    assert "2 of 2 replies of the judge scored no answer above 0, or not every answer" in table.note


def test_truthfulqa_is_read_as_published(data: Path) -> None:
    first, second = read_truthfulqa(data)
    assert (first.id, first.question, first.best) == ("1", EAT, "No, sailors do not eat tar")
    assert second.id == "2"


def test_a_file_without_the_published_columns_is_refused(tmp_path: Path) -> None:
    (tmp_path / "truthfulqa").mkdir()
    (tmp_path / "truthfulqa/TruthfulQA.csv").write_text("Question,Answer\nWhat?,That.\n")
    with pytest.raises(InputError, match="its first row has no Best Answer"):
        check_sets(tmp_path, ["truthfulqa"])
