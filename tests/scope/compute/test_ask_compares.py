"""Comparisons through `ask`: the values are shown, and passages outside the chain are read where needed."""

from __future__ import annotations

import pytest
from runs import make_run

from probative import Passage, ask
from probative.engine.runner import run_searches
from probative.models.encoder import Encoder
from probative.scope.compute.compute import compute_with_more
from probative.testing import ScriptedModel

PEAKS = [
    Passage(text="Skarn Fell has a summit at 1,912 metres."),
    Passage(text="Tarrow has a market on Fridays."),
    Passage(text="Mount Ode is 5,700 feet high."),
]
QUESTION = "Which peak is higher, Skarn Fell or Mount Ode?"


@pytest.mark.model
def test_the_values_and_the_rule_are_shown(encoder: Encoder) -> None:
    model = ScriptedModel(generate=[])
    answer = ask(QUESTION, passages=PEAKS, model=model, preset="words", encoder=encoder, answer_anyway=True)
    assert answer.answer == "Skarn Fell"
    assert answer.computation is not None
    assert answer.computation.rule == "1,912 metres > 5,700 feet"
    assert [(value.name, value.index) for value in answer.computation.values] == [
        ("Skarn Fell", 0),
        ("Mount Ode", 2),
    ]
    assert set(answer.citations) == {0, 2}
    assert {passage.index for passage in answer.chain} >= {0, 2}
    assert model.asked == []


def test_a_chain_that_lacks_a_value_is_completed_from_the_other_passages() -> None:
    run = make_run(QUESTION, PEAKS, ScriptedModel(generate="unknown", reader=True))
    ((_, finished),) = run_searches([compute_with_more(run, [0])], run.tools)
    assert finished.result is not None
    computed, more = finished.result
    assert computed is not None
    assert (computed.answer, more) == ("Skarn Fell", (2,))


def test_what_no_passage_gives_stays_missing() -> None:
    run = make_run(QUESTION, PEAKS[:2], ScriptedModel(generate="unknown", reader=True))
    ((_, finished),) = run_searches([compute_with_more(run, [0])], run.tools)
    assert finished.result is not None
    computed, more = finished.result
    assert computed is not None
    assert (computed.answer, computed.missing, more) == (None, ("height: Mount Ode",), ())


def test_a_value_that_the_model_invents_does_not_count() -> None:
    passages = ["Skarn Fell is 1,912 m high.", "Mount Ode is near Tarrow, at a road 300 m long."]
    run = make_run(QUESTION, passages, ScriptedModel(generate="1,950 m", reader=True))
    ((_, finished),) = run_searches([compute_with_more(run, [0, 1])], run.tools)
    assert finished.result is not None
    computed, _ = finished.result
    assert computed is not None
    assert computed.missing == ("height: Mount Ode",)


def test_another_model_gets_the_same_questions_in_a_prompt_of_its_own() -> None:
    passages = ["Lark lies in the harbour of Vell.", "Heron was towed to Molde, and stayed there."]
    model = ScriptedModel(
        generate=lambda request: "Vell" if "Lark?" in request.messages[-1].content else "Molde"
    )
    run = make_run("Are Lark and Heron in the same town?", passages, model)
    ((_, finished),) = run_searches([compute_with_more(run, [0, 1])], run.tools)
    assert finished.result is not None
    computed, _ = finished.result
    assert computed is not None
    assert (computed.answer, computed.reason) == ("no", "Vell ≠ Molde")
    assert len(model.asked) == 2
    assert all("unknown" in str(request) for request in model.asked)
