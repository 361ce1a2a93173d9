"""What all baselines over a graph share, and the two that do not read it."""

from __future__ import annotations

from typing import Any

import pytest
from word_vectors import WordVectors

from probative import InputError, Reasoning, reason, reason_all
from probative.baselines.graphs.options import GiveBaselineOptions
from probative.engine.methods import Tools
from probative.engine.runner import run_searches
from probative.give.answer import examples_for
from probative.give.query import make_query
from probative.give.result import Example
from probative.give.run import Run
from probative.graph.graph import Graph
from probative.graph.veracity.graph_with_index import GraphWithIndex
from probative.models.types import Request, Selection
from probative.testing import ScriptedModel
from probative.types import Triple
from probative.verbs.reason import METHODS as GRAPH_METHODS

GRAPH = [
    ("moss", "grows on", "stone"),
    ("slug", "eats", "moss"),
    ("stone", "part of", "wall"),
    ("fern", "grows in", "shade"),
]
METHODS = [name for name in GRAPH_METHODS.entries() if name != "give"]


def prompts(model: ScriptedModel) -> list[str]:
    return [one.messages[-1].content for one in model.asked if isinstance(one, Request)]


def asked(method: str, model: ScriptedModel, question: str = "Do slugs eat moss?", **more: Any) -> Reasoning:
    more.setdefault("graph", GRAPH)
    return reason(question, method=method, model=model, encoder=WordVectors(), **more)


def obliging(final: str) -> ScriptedModel:
    """A model that does whatever each step of each baseline asks for, and answers with `final`."""

    def answer(request: Request) -> str:
        prompt = request.messages[-1].content
        if request.json_schema is not None:
            return '{"entities": ["moss", "slug"]}'
        if "score from 1 to 10" in prompt:
            return "1. 9\n2. 3"
        if "Enough:" in prompt:
            return "yes"
        if prompt.endswith("Report:"):
            return "Slugs eat moss."
        if "Helped: a number" in prompt:
            return f"Answer: {final}\nHelped: 80"
        return f"Answer: {final}"

    return ScriptedModel(generate=answer)


def test_the_table_names_every_baseline() -> None:
    assert METHODS == ["direct", "cot", "rag", "tog", "graphrag"]
    assert METHODS == ["direct", "cot", "rag", "tog", "graphrag"]
    for name in METHODS:
        assert callable(GRAPH_METHODS.load(name).run)
    with pytest.raises(InputError, match="no method called 'magic'"):
        GRAPH_METHODS.load("magic")


@pytest.mark.parametrize("method", METHODS)
def test_every_form_of_answer_is_read(method: str) -> None:
    assert asked(method, obliging("Yes.")).answer == "yes"
    choices = asked(method, obliging("B) slug"), "Which eats moss?", choices=["fern", "slug"])
    assert choices.answer == "slug"
    assert asked(method, obliging("the slug"), "What eats moss?").answer == "the slug"


@pytest.mark.parametrize("method", METHODS)
def test_an_answer_that_cannot_be_read_is_none_and_said(method: str) -> None:
    found = asked(method, obliging("perhaps so"))
    assert found.answer is None
    assert any("none of yes, no or maybe" in note and "perhaps so" in note for note in found.notes)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("count", [0, 1, 10])
def test_as_many_examples_as_asked_for(method: str, count: int) -> None:
    model = obliging("yes")
    asked(method, model, examples=count)
    # GraphRAG has its examples where the intermediate answers are made.
    with_answer = [prompt for prompt in prompts(model) if "\nQuestion: Do slugs" in prompt]
    with_examples = [
        prompt.count("\nQuestion: ") - 1 for prompt in with_answer if "Connections:" not in prompt
    ]
    assert max(with_examples) == count
    if method not in ("graphrag", "tog"):
        assert set(with_examples) == {count}


@pytest.mark.parametrize("method", METHODS)
def test_own_examples_take_the_place_of_ours(method: str) -> None:
    kelp = Triple(head="urchin", relation="eats", tail="kelp")
    own = [Example(question="Do urchins eat kelp?", knowledge=(kelp,), answer="yes")]
    model = obliging("yes")
    tools = Tools(lambda: model, WordVectors)
    graph = Graph.from_triples(GRAPH)
    source = GraphWithIndex(graph, lambda: pytest.fail("nothing is looked up by vectors"))
    query, options = make_query("Do slugs eat moss?"), GiveBaselineOptions(examples=1)
    search = GRAPH_METHODS.load(method).run(Run(query, source, options, tools, examples_for(query, 1, own)))
    ((_, ended),) = run_searches([search], tools)
    assert ended.error is None
    assert ended.result is not None
    assert ended.result.answer == "yes"
    assert any("Do urchins eat kelp?" in prompt for prompt in prompts(model))


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_a_dry_run_ends_without_an_answer_and_without_complaints(method: str) -> None:
    found = reason("Do slugs eat moss?", GRAPH, method=method, model="embedded", dry_run=True)
    assert found.answer is None
    assert found.usage.calls >= 1
    assert not any("could not be read" in note or "wrote none" in note for note in found.notes)


@pytest.mark.parametrize("method", METHODS)
def test_the_most_expected_answer_can_be_chosen_instead(method: str) -> None:
    writer = obliging("perhaps so")
    model = ScriptedModel(
        generate=lambda request: writer._answer(request),
        choose=lambda prompt, options: [1, 5, 2] if "moss" in prompt else [1, 1, 1],
    )
    found = asked(method, model, answering="chosen")
    assert found.answer == "no"
    assert not any("none of" in note for note in found.notes)


@pytest.mark.parametrize("method", METHODS)
def test_a_question_cannot_pass_for_a_part_of_the_prompt(method: str) -> None:
    model = obliging("yes")
    asked(method, model, "Do slugs {facts} eat\n-----\nmoss?")
    assert any("Do slugs {facts} eat -- moss?" in prompt for prompt in prompts(model))
    assert not any("-----" in prompt for prompt in prompts(model))


@pytest.mark.parametrize("method", METHODS)
def test_many_questions_go_side_by_side(method: str) -> None:
    cases = [{"question": f"Do slugs eat {what}?"} for what in ("moss", "stone", "fern")]
    got = dict(reason_all(cases, GRAPH, method=method, model=obliging("no"), encoder=WordVectors()))
    assert [got[number].answer for number in range(3)] == ["no"] * 3  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("wrong", "said", "hint"),
    [
        ({"depth": 0}, "depth: Input should be greater than or equal to 1, got 0", "depth: "),
        ({"examples": 11}, "examples: Input should be less than or equal to 10, got 11", "examples: "),
        (
            {"answering": "guessed"},
            "answering: Input should be 'written' or 'chosen', got 'guessed'",
            "answering: ",
        ),
        ({"widht": 3}, "no option 'widht'", "max_communities"),
    ],
)
def test_a_wrong_option_is_said(wrong: dict[str, Any], said: str, hint: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        asked("tog", obliging("yes"), **wrong)
    assert hint in caught.value.hint


def test_direct_prompting_is_one_call_and_reads_nothing() -> None:
    model = obliging("maybe")
    found = asked("direct", model)
    assert (found.answer, found.usage.calls, found.notes) == ("maybe", 1, ())
    assert found.knowledge.expert == ()
    (prompt,) = prompts(model)
    assert "grows on" not in prompt
    assert "Knowledge:" not in prompt  # the examples are shown without theirs
    assert prompt.count("Question: ") == 4


def test_a_chain_of_thought_is_one_call_with_its_reasoning_kept() -> None:
    model = ScriptedModel(generate="Slugs are grazers.\nThey like moss.\n**Answer:** Yes")
    found = asked("cot", model)
    assert (found.answer, found.usage.calls, found.notes) == ("yes", 1, ())
    assert found.rationale == "Slugs are grazers.\nThey like moss."
    (prompt,) = prompts(model)
    assert "step by step" in prompt
    # The examples' knowledge is their reasoning.
    assert "cork is lighter than water. light thing floats on water.\nAnswer: yes" in prompt


def test_a_chain_of_thought_without_an_answer_is_asked_once_more() -> None:
    model = ScriptedModel(generate=["Slugs graze, so they do.", "yes"])
    found = asked("cot", model)
    assert (found.answer, found.usage.calls) == ("yes", 2)
    assert found.rationale == "Slugs graze, so they do."
    assert any("asked once more: 'Slugs graze, so they do.'" in note for note in found.notes)
    assert "Thoughts: Slugs graze, so they do." in prompts(model)[1]

    silent = asked("cot", ScriptedModel(generate="Who knows?"))
    assert (silent.answer, silent.usage.calls) == (None, 2)
    assert len(silent.notes) == 2


def test_a_chosen_answer_comes_after_the_reasoning() -> None:
    model = ScriptedModel(
        generate="They graze.\nAnswer: yes",
        choose=lambda prompt, options: [1, 5, 2] if "moss" in prompt else [1, 1, 1],
    )
    found = asked("cot", model, answering="chosen")
    assert (found.answer, found.rationale) == ("no", "They graze.")
    assert "Thoughts: They graze." in next(
        one.request.messages[-1].content for one in model.asked if isinstance(one, Selection)
    )
    assert found.notes == ()
