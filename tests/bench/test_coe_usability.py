"""Usability: four methods with knowledge incomplete and complete, with a session whose answers are known."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from coe_world import LARK, open_lab, run_all, shown, write_world
from letter_encoder import LetterEncoder

import probative
from probative.bench.families.coe.candidates import read_candidates
from probative.bench.families.coe.trials import extra_calls
from probative.bench.studies.coe_usability import CoeUsability, arguments, preset_of, search_snippets
from probative.bench.study import Lab
from probative.errors import InputError, OutputError
from probative.models.types import Request
from probative.models.wrappers import traced
from probative.scope.result import ChainPassage
from probative.testing import ScriptedModel
from probative.trace import Call, Step
from probative.types import Passage, Usage, Verdict


class KnownSession(probative.Session):
    """Scope and RAG answer if the gold sentence is there, with 2 pieces and 3 calls, of which one answers;
    CoT-SC never, Verify-and-Edit fails.
    """

    asked: list[tuple[str, dict[str, Any]]]

    def ask(
        self, question: str, passages: Any = (), *, method: str = "scope", **options: Any
    ) -> probative.Answer:
        texts = [passage.text for passage in passages]
        self.asked.append((method, options))
        if method == "verify-edit":
            raise OutputError("it wrote nothing", raw="", model="known", step="verify", finish_reason="stop")
        answer = "Molde" if any("Molde" in text for text in texts) and method != "cot-sc" else "Oslo"
        chain = [ChainPassage(index=index, text=text) for index, text in enumerate(texts[:2])]
        verdict = Call(verb="judge", model="verdict", request={}, usage=Usage(calls=2))
        answering = Call(verb="generate", model="known", request={}, usage=Usage(cached=1))
        return probative.Answer(
            question=question,
            answer=answer,
            verdict=Verdict.INSUFFICIENT,
            chain=tuple(chain),
            missing=() if answer == "Molde" else ("node: builder",),
            usage=Usage(calls=4, cached=1),
            trace=Step(
                name="ask",
                seconds=0.0,
                steps=(
                    Step(name="answer", seconds=0.0, calls=(answering,)),
                    Step(name="verdict", seconds=0.0, calls=(verdict,)),
                ),
            ),
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
    # accuracy, exact match, F1, calls (4 + 1 cached, less 2 of the verdict model and 1 that answers), pieces,
    # without a chain
    assert incomplete["ScopeCoE"] == [0.0, 0.0, 0.0, 2.0, 2.0, 100.0]
    assert complete["ScopeCoE"] == [100.0, 100.0, 100.0, 2.0, 2.0, 0.0]
    assert complete["RAG, top 5"] == [100.0, 100.0, 100.0, 2.0, 2.0, None]
    assert complete["CoT-SC"][:3] == [0.0, 0.0, 0.0]
    (lark,) = [row for row in rows if row["question"] == LARK]
    assert len(lark["trials"]) == 2 * 4 * 3  # knowledge, methods, repeats
    tests = next(table for table in report.tables if table.title == "Paired tests, accuracy")
    assert tests.columns[2:4] == ("HotpotQA, complete, difference", "HotpotQA, complete, p")
    (self_consistent,) = [row for row in tests.rows if row.name == "ScopeCoE against CoT-SC"]
    assert self_consistent.cells[1] == self_consistent.cells[3] == "1.000"  # one sample proves nothing


def test_every_method_has_to_answer_and_scope_follows_the_paper(lab: Lab) -> None:
    run_all(CoeUsability(), lab)
    session = lab.session
    assert isinstance(session, KnownSession)
    options = {method: {**given, "seed": 0} for method, given in session.asked}
    scope = {"preset": "paper", "answer_anyway": True, "answer_without_chain": True}
    assert options["scope"] == {**scope, "seed": 0}
    assert options["rag"] == {"answering": "written", "answer_anyway": True, "seed": 0}
    assert options["cot-sc"] == options["verify-edit"] == {"seed": 0}


def test_the_preset_of_scope_can_be_another_one(lab: Lab) -> None:
    CoeUsability().check_options(replace(lab.settings, options={"preset": "embedded"}))
    assert arguments("scope", "embedded")["preset"] == "embedded"
    assert arguments("rag", "embedded")["answering"] == "read"
    with pytest.raises(InputError, match="scope has no preset 'papers'"):
        CoeUsability().check_options(replace(lab.settings, options={"preset": "papers"}))


def test_a_tuned_reader_follows_its_own_preset(lab: Lab) -> None:
    reader = SimpleNamespace(name="embedded:large", reader=True)
    assert preset_of(cast(Lab, SimpleNamespace(model=reader, settings=lab.settings))) == "large"
    assert preset_of(lab) == "paper"


@pytest.mark.model
def test_a_writer_that_says_unknown_is_asked_again_by_every_method(tmp_path: Path) -> None:
    """The model knows nothing of texts and steps, and answers without them: so it does with all four."""

    def answer(request: Request) -> str:
        prompt = request.messages[-1].content
        if request.json_schema is not None:
            known = {"intent": "home town", "nodes": ["builder"], "relations": []}
            return json.dumps({name: known[name] for name in request.json_schema["properties"]})
        if "step by step" in prompt:
            return "Answer: unknown"
        if prompt.startswith("Answer the question from what you know"):
            return "Oslo"
        return "unknown" if prompt.startswith("Answer the question") else "no"

    made = open_lab(write_world(tmp_path / "data"))
    model = traced(ScriptedModel(generate=answer, name="studied"))
    session = probative.Session(model=model, encoder=LetterEncoder())
    rows, _ = run_all(CoeUsability(), Lab(session, made.judge, made.settings))
    (lark,) = [row for row in rows if row["question"] == LARK]
    assert {trial["method"]: trial["answer"] for trial in lark["trials"]} == {
        "scope": "Oslo",
        "rag": "Oslo",
        "cot-sc": "Oslo",
        "verify-edit": "Oslo",
    }
    calls = {trial["method"]: trial["calls"] for trial in lark["trials"]}
    assert (calls["rag"], calls["cot-sc"]) == (0, 5)
    assert calls["scope"] > 2
    assert {trial["without_chain"] for trial in lark["trials"] if trial["method"] == "scope"} == {1.0}


def test_a_method_that_fails_counts_as_wrong_and_says_why(lab: Lab) -> None:
    rows, report = run_all(CoeUsability(), lab)
    complete = shown(report, "HotpotQA, knowledge complete")
    assert complete["Verify-and-Edit"] == [0.0, 0.0, 0.0, None, None, None]
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
    last = {table.title: table.rows[0].cells[-1] for table in report.tables}
    without = {title: cell.published for title, cell in last.items() if not isinstance(cell, str)}
    assert without["HotpotQA, knowledge complete"] == 27.0
    assert without["HotpotQA, knowledge incomplete"] is None


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


def test_calls_of_the_encoder_and_the_answer_are_not_counted() -> None:
    encoded = Call(verb="encode", model="encoder", request={}, usage=Usage(calls=1))
    answered = Call(verb="generate", model="writer", request={}, usage=Usage(calls=1))
    answer = probative.Answer(
        question="Why?",
        answer=None,
        verdict=Verdict.INSUFFICIENT,
        usage=Usage(calls=4),
        trace=Step(
            name="ask",
            seconds=0.0,
            calls=(encoded,),
            steps=(Step(name="answer", seconds=0.0, calls=(answered,)),),
        ),
    )
    assert extra_calls(answer) == 2
