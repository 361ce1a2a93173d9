"""The judge model finds features and judges; the model answers."""

from __future__ import annotations

import json

import pytest
from specialists import QUESTION, TEXTS

from probative import Encoder, Request, Session, Verdict
from probative.testing import ScriptedModel

FEATURES = {
    "intent": "town",
    "nodes": ["ship", "Ada Berg"],
    "relations": [{"head": "ship", "predicate": "commanded by", "tail": "Ada Berg"}],
}


def judge_reply(request: Request) -> str:
    prompt = request.messages[-1].content
    if request.json_schema is None:
        return "yes" if "commanded" in prompt.split("-----")[1] or "was built" in prompt else "no"
    fields = request.json_schema["properties"]
    if "intent" in fields or "relations" in fields:
        return json.dumps({name: FEATURES[name] for name in fields})
    return json.dumps({"texts": [{"text": 4, "carries": [1, 2, 3, 4]}, {"text": 2, "carries": [1, 2]}]})


@pytest.mark.model
def test_a_passage_too_long_for_the_judge_is_split(encoder: Encoder) -> None:
    filler = " ".join(f"Gull number {number} sat on the quay." for number in range(200))
    judge = ScriptedModel(generate=judge_reply, name="judge", window=1_000)
    model = ScriptedModel(generate="Molde", name="answerer", window=100_000)
    with Session(model, judge_model=judge, encoder=encoder) as session:
        answer = session.ask(QUESTION, [filler, *TEXTS], preset="calls", answer_anyway=True)
    assert answer.passages == 1 + len(TEXTS)
    prompts = [request.messages[-1].content for request in judge.asked if isinstance(request, Request)]
    assert max(judge.count_tokens(prompt) for prompt in prompts) <= 1_000


@pytest.mark.model
@pytest.mark.parametrize("preset", ["paper", "calls"])
def test_another_model_judges(preset: str, encoder: Encoder) -> None:
    judge = ScriptedModel(generate=judge_reply, name="judge")
    model = ScriptedModel(generate="Molde", name="answerer")
    with Session(model, judge_model=judge, encoder=encoder) as session:
        answer = session.ask(QUESTION, TEXTS, preset=preset)
    assert (answer.answer, answer.verdict) == ("Molde", Verdict.SUPPORTED)
    assert len(model.asked) == 1  # the answer and nothing else
    assert len(judge.asked) >= 2
    assert answer.model == "answerer"
