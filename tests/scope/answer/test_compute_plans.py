"""Who writes the plan: the model where the options let it, and rules otherwise."""

from __future__ import annotations

import json
from typing import Any

import pytest
from runs import make_run

from probative.engine.runner import run_searches
from probative.scope.answer.compute import find_plan
from probative.testing import ScriptedModel
from probative.text.plan import Plan

QUESTION = "Which peak is higher, Skarn Fell or Mount Ode?"
PARTS = "Who painted Felicity, and in which month?"
WRITTEN = (
    '[{"do": "look_up", "ask": "How tall is Skarn Fell?"}, '
    '{"do": "look_up", "ask": "How tall is Mount Ode?"}, '
    '{"do": "compare", "steps": [1, 2], "by": "more", "reply": "which"}]'
)


def plan(question: str, reply: str = "never asked", *, reader: bool = True, **options: Any) -> Plan | None:
    model = ScriptedModel(generate=reply, reader=reader)
    run = make_run(question, model=model, **options)
    ((_, finished),) = run_searches([find_plan(run)], run.tools)
    assert finished.error is None
    assert bool(model.asked) == (options.get("planning") == "model" and bool(options.get("compare")))
    return finished.result


@pytest.mark.parametrize("reader", [True, False])
def test_a_model_writes_the_plan(reader: bool) -> None:
    found = plan(QUESTION, WRITTEN, reader=reader, compare=True, planning="model")
    assert found is not None
    assert [step.ask for step in found.look_ups] == ["How tall is Skarn Fell?", "How tall is Mount Ode?"]


@pytest.mark.parametrize("reply", ["I cannot plan.", '[{"do": "guess"}]'])
def test_a_reply_that_is_no_plan_leaves_it_to_the_rules(reply: str) -> None:
    found = plan(QUESTION, reply, compare=True, planning="model")
    assert found == plan(QUESTION, compare=True)
    assert found is not None
    assert found.look_ups[0].ask == "How high is Skarn Fell?"


def test_a_plan_of_one_look_up_is_no_plan() -> None:
    single = '[{"do": "look_up", "ask": "Who painted Felicity?", "of": "Felicity"}]'
    assert plan("Who painted Felicity?", single, compare=True, planning="model") is None
    assert plan("Who painted Felicity?", compare=True) is None
    # Where the model overlooks that two values are compared, the rules do not.
    assert plan(QUESTION, single, compare=True, planning="model") == plan(QUESTION, compare=True)


def test_the_question_says_which_of_two_values_must_be_the_larger() -> None:
    steps = [
        {"do": "look_up", "ask": f"What is the height of {peak}?", "of": peak}
        for peak in ("Mount Ode", "Skarn Fell")
    ]
    reply = json.dumps([*steps, {"do": "difference", "steps": [1, 2]}])
    question = "How much lower is Mount Ode than Skarn Fell?"
    by_rules = plan(question, compare=True)
    written = plan(question, reply, compare=True, planning="model")
    turned = plan("How much lower is Skarn Fell than Mount Ode?", reply, compare=True, planning="model")
    assert by_rules is not None
    assert written is not None
    assert turned is not None
    assert [made.steps[-1].by for made in (by_rules, written, turned)] == ["less", "less", None]


def test_options_say_which_plans_are_run() -> None:
    parts = plan(PARTS, compare=False)
    assert parts is not None
    assert parts.parts == ("Who painted Felicity?", "#1 painted Felicity in which month?")
    assert plan(PARTS, parts=False, compare=True) is None
    assert plan(QUESTION, compare=False) is None
    assert plan(QUESTION, compare=False, parts=False) is None
