from __future__ import annotations

from pathlib import Path

import pytest
from graph_questions import FEED, FIRST, KIND, SECOND, SLOW, STOP, answering_model

from probative.bench.registry import all_experiments, load_experiment
from probative.bench.studies.give import GiveBiomedical
from probative.bench.study import Settings
from probative.errors import InputError

from .conftest import Study, published, values

KINDS = ("direct", "cot", "rag", "tog", "graphrag", "a", "ac", "ace")


def answers(*replies: str) -> dict[str, str]:
    return dict(zip(KINDS, replies, strict=True))


# Gold: yes, no; no, yes; tar, rot.
ANSWERS = {
    STOP: answers("yes", "no", "yes", "no", "maybe", "no", "yes", "yes"),
    FEED: answers("yes", "no", "yes", "no", "maybe", "no", "yes", "no"),
    KIND: answers("no", "yes", "no", "no", "no", "no", "no", "no"),
    SLOW: answers("yes", "no", "no", "no", "no", "no", "no", "yes"),
    FIRST: answers("tar", "rot", "tar", "rot", "tar", "tar", "tar", "rot"),
    SECOND: answers("rot", "tar", "tar", "rot", "tar", "both tar and rot", "tar", "rot"),
}


def test_the_table_of_all_methods_is_the_one_worked_out_by_hand(study: Study) -> None:
    report = study(GiveBiomedical(), answering_model(ANSWERS))
    table, tests = report.tables
    assert table.columns == ("PubMedQA", "BioASQ", "ProcessBank")
    assert values(table) == {
        "random answer": [33.3, 33.3, 50.0],
        "always the commonest": [50.0, 50.0, 50.0],
        "I/O prompt": [50.0, 100.0, 100.0],
        "CoT": [50.0, 0.0, 0.0],
        "RAG": [50.0, 50.0, 50.0],
        "ToG": [50.0, 50.0, 50.0],
        "GraphRAG": [0.0, 50.0, 50.0],
        "GIVE a": [50.0, 50.0, 50.0],
        "GIVE a+c": [50.0, 50.0, 50.0],
        "GIVE a+c+e": [100.0, 100.0, 50.0],
    }
    assert published(table, "GIVE a+c+e") == [53.6, 88.2, 73.4]
    # Against GraphRAG: both questions of PubMedQA only by GIVE, one of BioASQ, one each way of ProcessBank.
    (graphrag,) = [row for row in tests.rows if row.name == "GIVE a+c+e against GraphRAG"]
    assert graphrag.cells[1::2] == ("0.500", "1.000", "1.000")
    assert values(tests)[graphrag.name][::2] == [100.0, 50.0, 0.0]
    (plot,) = report.plots
    assert plot.ticks == tuple(row.name for row in table.rows)
    ours, paper = plot.series[:2]
    assert (ours.name, dict(ours.points)[9.0]) == ("PubMedQA", 100.0)
    assert (paper.label, dict(paper.points)[9.0]) == ("PubMedQA (published)", 53.6)
    assert report.findings[1].startswith("PubMedQA: GIVE a+c+e is right on 2 of 2 questions; ")
    assert "; GraphRAG on 0 of 2" in report.findings[1]
    assert report.findings[0].startswith("No difference in accuracy between GIVE a+c+e and the 7 others")
    assert report.findings[0].endswith("n = 2; fewer than 6 questions cannot show one).")


def test_sets_methods_and_the_published_model_can_be_chosen(study: Study) -> None:
    model = answering_model(ANSWERS)
    report = study(
        GiveBiomedical(), model, sets="bioasq", methods="rag,give", beside="Llama-3.1-70B", limit=1
    )
    table, *_ = report.tables
    assert list(values(table))[2:] == ["RAG", "GIVE a", "GIVE a+c", "GIVE a+c+e"]
    assert published(table, "RAG") == [45.4]
    assert all(cell.n == 1 for row in table.rows[2:] for cell in row.cells if not isinstance(cell, str))


def test_a_reply_that_cannot_be_read_is_wrong_and_counted(study: Study) -> None:
    silent = {question: {**replies, "direct": "I cannot say."} for question, replies in ANSWERS.items()}
    (table,) = study(GiveBiomedical(), answering_model(silent), sets="pubmedqa", methods="direct").tables
    assert values(table)["I/O prompt"] == [0.0]
    assert table.note.endswith("Of 2 answers 0 failed and 2 could not be read; both count as wrong.")


def test_a_case_that_broke_off_counts_as_wrong(data: Path) -> None:
    settings = Settings(data, options={"sets": "bioasq", "methods": "rag"})
    experiment = GiveBiomedical()
    rows = [
        {**experiment.wrong(case), "error": "the connection broke"} for case in experiment.cases(settings)
    ]
    (table,) = experiment.report(rows, settings).tables
    assert values(table)["RAG"] == [0.0]
    assert "2 failed" in table.note


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sets": "csqa"}, "give-biomedical has no set 'csqa'"),
        ({"methods": "rag,magic"}, "there is no method 'magic'"),
    ],
)
def test_unknown_sets_and_methods_are_refused(data: Path, options: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        GiveBiomedical().cases(Settings(data, options=options))


def test_a_model_that_the_paper_did_not_study_is_refused(data: Path) -> None:
    with pytest.raises(InputError, match="no figures of 'GPT9'"):
        GiveBiomedical().report([], Settings(data, options={"beside": "GPT9"}))


def test_the_same_seed_draws_the_same_cases(data: Path) -> None:
    first, second = (
        [case.key for case in GiveBiomedical().cases(Settings(data, limit=1, seed=3))] for _ in range(2)
    )
    assert first == second
    assert len(first) == 3 * 6  # a question of each of three sets to six methods


def test_every_experiment_of_the_study_is_registered() -> None:
    ours = [each for each in all_experiments() if each.paper == "GIVE"]
    assert {each.paper_reference for each in ours} == {
        "table 3",
        "table 4",
        "figure 3",
        "table 5",
        "figure 4",
        "table 6",
        "figure 5",
        "table 7",
        "table 8, figure 6",
        "figures 7 and 8",
    }
    assert all(load_experiment(each.name).title == each.title for each in ours)
