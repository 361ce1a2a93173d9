"""Usability: four methods with knowledge incomplete and complete, with a session whose answers are known."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from coe_world import LARK, open_lab, run_all, shown, write_world

import probative
from probative.bench.families.coe.candidates import read_candidates
from probative.bench.studies.coe_usability import CoeUsability, language_calls, search_snippets
from probative.bench.study import Lab
from probative.errors import OutputError
from probative.scope.result import ChainPassage
from probative.trace import Call, Step
from probative.types import Passage, Verdict
from probative.usage import Usage


class KnownSession(probative.Session):
    """Scope answers if the gold sentence is there, with 2 pieces and 3 calls; RAG if it is among the first
    five passages that it is shown, CoT-SC never, Verify-and-Edit fails.
    """

    asked: list[tuple[str, list[str]]]

    def ask(self, question: str, passages: Any = (), *, method: str = "scope", **_: Any) -> probative.Answer:
        texts = [passage.text for passage in passages]
        self.asked.append((method, texts))
        if method == "verify-edit":
            raise OutputError("it wrote nothing", raw="", model="known", step="verify", finish_reason="stop")
        answer = "Molde" if any("Molde" in text for text in texts) and method != "cot-sc" else "Oslo"
        chain = [ChainPassage(index=index, text=text) for index, text in enumerate(texts[:2])]
        verdict = Call(verb="judge", model="verdict", request={}, usage=Usage(calls=2))
        return probative.Answer(
            question=question,
            answer=answer,
            verdict=Verdict.INSUFFICIENT,
            chain=tuple(chain),
            usage=Usage(calls=4, cached=1),
            trace=Step(name="ask", seconds=0.0, steps=(Step(name="verdict", seconds=0.0, calls=(verdict,)),)),
        )


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    made = open_lab(write_world(tmp_path / "data"))
    session = KnownSession(model=made.model)
    session.asked = []
    return Lab(session, made.judge, made.settings)


def test_complete_knowledge_has_the_chain_and_incomplete_knowledge_lacks_the_answer(lab: Lab) -> None:
    rows, report = run_all(CoeUsability(), lab)
    incomplete = shown(report, "HotpotQA, knowledge incomplete")
    complete = shown(report, "HotpotQA, knowledge complete")
    # accuracy, exact match, F1, calls (4 + 1 cached - 2 of the verdict model), pieces
    assert incomplete["ScopeCoE"] == [0.0, 0.0, 0.0, 3.0, 2.0]
    assert complete["ScopeCoE"] == [100.0, 100.0, 100.0, 3.0, 2.0]
    assert complete["RAG, top 5"] == [100.0, 100.0, 100.0, 3.0, 2.0]
    assert complete["CoT-SC"][:3] == [0.0, 0.0, 0.0]
    (lark,) = [row for row in rows if row["question"] == LARK]
    assert len(lark["trials"]) == 2 * 4 * 3  # knowledge, methods, repeats
    tests = next(table for table in report.tables if table.title == "Paired tests, accuracy")
    assert tests.columns[2:4] == ("HotpotQA, complete, difference", "HotpotQA, complete, p")
    (self_consistent,) = [row for row in tests.rows if row.name == "ScopeCoE against CoT-SC"]
    assert self_consistent.cells[1] == self_consistent.cells[3] == "1.000"  # one sample proves nothing


def test_a_method_that_fails_counts_as_wrong_and_says_why(lab: Lab) -> None:
    rows, report = run_all(CoeUsability(), lab)
    complete = shown(report, "HotpotQA, knowledge complete")
    assert complete["Verify-and-Edit"][:5] == [0.0, 0.0, 0.0, None, None]
    (lark,) = [row for row in rows if row["question"] == LARK]
    problems = {trial["problem"] for trial in lark["trials"] if trial["method"] == "verify-edit"}
    assert len(problems) == 1
    assert "it wrote nothing" in problems.pop()
    (finding,) = [finding for finding in report.findings if finding.startswith("Verify-and-Edit failed")]
    assert "12 of 12 trials" in finding  # two samples, two kinds of knowledge, three repeats


def test_the_published_figures_are_those_of_the_scenario(lab: Lab) -> None:
    _, report = run_all(CoeUsability(), lab)
    cells = {table.title: table.rows[0].cells[0] for table in report.tables}
    published = {title: cell.published for title, cell in cells.items() if not isinstance(cell, str)}
    assert published["HotpotQA, knowledge incomplete"] == 31.6
    assert published["2WikiMultihopQA, knowledge complete"] == 81.5


def test_the_search_hides_the_gold_page_that_names_the_answer(lab: Lab) -> None:
    (lark,) = [
        candidate
        for candidate in read_candidates(lab.settings.data, "hotpotqa")
        if candidate.question == LARK
    ]
    found: Sequence[Passage] = search_snippets(lab, lark)
    assert found[0].title in ("Sea Lark", "Ferry Sea Lark crew")
    assert "Ole Brandt" not in [passage.title for passage in found]
    assert len(found) == 5  # all other pages


def test_calls_of_the_encoder_are_not_those_of_a_language_model() -> None:
    encoded = Call(verb="encode", model="encoder", request={}, usage=Usage(calls=1))
    answer = probative.Answer(
        question="Why?",
        answer=None,
        verdict=Verdict.INSUFFICIENT,
        usage=Usage(calls=3),
        trace=Step(name="ask", seconds=0.0, calls=(encoded,)),
    )
    assert language_calls(answer) == 2
