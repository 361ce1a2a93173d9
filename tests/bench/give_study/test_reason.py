"""The shipped default of `reason` and its options, on tiny data with a scripted model."""

from __future__ import annotations

from pathlib import Path

import pytest
from graph_questions import FEED, KEPT, SLOWS, STOP, answering_model

from probative import load_settings
from probative.bench.plan import plan_run
from probative.bench.report import Cell
from probative.bench.studies.reason import VERDICT_TABLE, Reason, ReasonOptions
from probative.bench.study import Settings
from probative.bench.worker import Models
from probative.errors import InputError

from .conftest import Study, values

# As the paper writes its answers, so that each can be scripted.
WRITTEN = {"preset": "paper", "answering": "written"}
ANSWERS = {
    STOP: {"direct": "yes", "cot": "no", "rag": "yes", "a": "no", "ac": "yes", "ace": "yes"},
    FEED: {"direct": "yes", "cot": "no", "rag": "I cannot say.", "a": "no", "ac": "yes", "ace": "no"},
    KEPT: {"direct": "barrel", "cot": "cloud", "rag": "barrel", "a": "cloud", "ac": "cloud", "ace": "barrel"},
    SLOWS: {"direct": "boat", "cot": "tar", "rag": "tar", "a": "boat", "ac": "boat", "ace": "tar"},
}


def test_by_default_reason_is_as_shipped_and_every_method_chooses_its_answer() -> None:
    arms = Reason().arms_for("pubmedqa", Settings(Path()))
    assert [arm.name for arm in arms] == ["I/O prompt", "CoT", "RAG", "GIVE"]
    assert all(arm.keywords["answering"] == "chosen" for arm in arms)
    assert arms[-1].keywords == {"preset": None, "answering": "chosen"}


def test_graphrag_is_not_asked_over_conceptnet() -> None:
    settings = Settings(Path(), options={"methods": "graphrag,give"})
    assert [arm.name for arm in Reason().arms_for("pubmedqa", settings)] == ["GraphRAG", "GIVE"]
    assert [arm.name for arm in Reason().arms_for("csqa", settings)] == ["GIVE"]


def test_the_tables_are_those_worked_out_by_hand(study: Study) -> None:
    report = study(Reason(), answering_model(ANSWERS), sets="pubmedqa,csqa", **WRITTEN)
    accuracies, verdicts, costs, tests = report.tables
    # Gold: yes, no; barrel, tar.
    assert values(accuracies) == {
        "random answer": [33.3, 50.0],
        "always the commonest": [50.0, 50.0],
        "I/O prompt": [50.0, 50.0],
        "CoT": [50.0, 50.0],
        "RAG": [50.0, 100.0],
        "GIVE a": [50.0, 0.0],
        "GIVE a+c": [50.0, 0.0],
        "GIVE a+c+e": [100.0, 100.0],
    }
    # The paper's form of give has no verdicts.
    assert [cell.n for row in verdicts.rows for cell in row.cells if isinstance(cell, Cell)] == [0] * 6
    unreadable = {row.name: cell.value for row in costs.rows if isinstance(cell := row.cells[0], Cell)}
    assert unreadable["PubMedQA, RAG"] == 50.0
    assert unreadable["PubMedQA, GIVE"] == 0.0
    calls = {row.name: cell.value for row in costs.rows if isinstance(cell := row.cells[1], Cell)}
    assert calls["PubMedQA, I/O prompt"] == 1.0
    assert report.findings[1].startswith("PubMedQA: GIVE a+c+e is right on 2 of 2 questions; ")
    assert "; RAG on 1 of 2" in report.findings[1]
    # I/O prompt, CoT, RAG and the two earlier stages.
    assert len(tests.rows) == 5
    assert tests.title == "Paired tests, accuracy"
    assert report.plots[0].ticks == ("PubMedQA", "CommonsenseQA")


def test_right_answers_are_counted_by_verdict() -> None:
    asked = {"set": "bioasq", "id": "1", "gold": "yes", "options": ["yes", "no"]}
    answered = {**asked, "answers": {"a": None, "ac": None, "ace": None}}
    rows = [
        {**answered, "arm": "GIVE", "verdict": verdict, "answer": answer}
        for verdict, answer in (("read", "yes"), ("read", "no"), ("extrapolated", "yes"), ("unknown", None))
    ]
    baseline = {**answered, "arm": "RAG", "answer": "yes"}
    failed = {**asked, "arm": "GIVE", "error": "it broke"}
    (table,) = VERDICT_TABLE.build(Reason().observations([*rows, baseline, failed]))
    assert values(table) == {"read": [50.0], "extrapolated": [100.0], "unknown": [0.0]}
    assert [cell.n for row in table.rows for cell in row.cells if isinstance(cell, Cell)] == [2, 1, 1]


def test_each_change_is_a_line_beside_the_default(study: Study) -> None:
    report = study(
        ReasonOptions(),
        answering_model(ANSWERS),
        sets="pubmedqa",
        changes="no open relations,no intermediate group",
        **WRITTEN,
    )
    accuracies, costs, tests = report.tables
    assert values(accuracies)["GIVE a, as shipped"] == [50.0]
    assert values(accuracies)["GIVE a+c+e, no open relations"] == [100.0]
    calls = values(costs)
    assert calls["PubMedQA, as shipped"][1] > calls["PubMedQA, no open relations"][1]  # type: ignore[operator]
    # Two changes, each of them in three stages.
    assert len(tests.rows) == 6


def test_an_unknown_change_is_refused(data: Path) -> None:
    with pytest.raises(InputError, match="there is no change 'magic'"):
        ReasonOptions().cases(Settings(data, options={"changes": "magic"}))


@pytest.mark.model
def test_a_dry_run_counts_the_calls_of_the_model(data: Path) -> None:
    settings = Settings(data, options={"sets": "pubmedqa", "methods": "direct", "answering": "written"})
    models = load_settings({"model": "openai:some", "base_url": "http://127.0.0.1:9/v1", "cache": False})
    plan = plan_run(Reason(), settings, Models(models))
    # Two questions, each of which the model answers in one call.
    assert (plan.cases, plan.by_estimate, plan.usage.calls) == (2, 0, 2)
