"""The four judges: what they ask, and what they make of the answers."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from runs import QUESTION, make_run
from scripts import run_one

from probative import (
    ContextError,
    Encoder,
    Features,
    InputError,
    Node,
    OutputError,
    Passage,
    Relation,
    Request,
)
from probative.models.contract import LanguageModel
from probative.scope.judge.judge import judge_by_words, judge_each, judge_passages, judge_together
from probative.scope.question import CARRIED, NOT_CARRIED, Feature
from probative.testing import ScriptedModel

FEATURES = [Feature("intent", "town"), Feature("node", "Lark"), Feature("relation", "Lark built in")]
YES, NO = CARRIED, NOT_CARRIED
PASSAGES = [Passage(text="The Lark was built in Molde."), Passage(text="Gulls nest here.")]


def judged(judge: Any, model: LanguageModel, passages: list[Passage] = PASSAGES) -> tuple[Any, list[str]]:
    run = make_run(QUESTION, model=model)
    return run_one(judge(run, FEATURES, passages), model), run.notes


def prompts(model: ScriptedModel) -> list[str]:
    return [request.messages[-1].content for request in model.asked if isinstance(request, Request)]


def test_each_feature_and_passage_is_one_call() -> None:
    model = ScriptedModel(
        generate=lambda request: "Yes." if "The Lark" in request.messages[-1].content else "no"
    )
    assert judged(judge_each, model) == ([[YES, YES, YES], [NO, NO, NO]], [])
    assert len(model.asked) == 6


def test_where_the_model_can_choose_judgements_are_probabilities() -> None:
    model = ScriptedModel(choose=lambda prompt, options: [3.0, 1.0] if "The Lark" in prompt else [1.0, 3.0])
    assert judged(judge_each, model)[0] == [[0.75] * 3, [0.25] * 3]


def test_neither_yes_nor_no_is_counted_and_nothing_else_is_an_error() -> None:
    answers = iter(["yes", "perhaps", "no", "no", "no", "hm"])
    strengths, notes = judged(judge_each, ScriptedModel(generate=lambda _: next(answers)))
    assert strengths == [[YES, NO, NO], [NO, NO, NO]]
    assert notes == ["the model said neither yes nor no to 2 of 6 judgements"]
    with pytest.raises(OutputError, match="neither yes nor no to any"):
        judged(judge_each, ScriptedModel(generate="Bananas."))


def test_a_passage_a_call() -> None:
    model = ScriptedModel(
        generate=lambda request: '{"carries": [1, 3, 9]}' if "Molde" in request.messages[-1].content else "x"
    )
    strengths, notes = judged(judge_passages, model)
    assert strengths == [[YES, NO, YES], [NO, NO, NO]]
    assert notes == ["judgements that could not be read count as carrying nothing: 1"]
    with pytest.raises(OutputError):
        judged(judge_passages, ScriptedModel(generate="x"))


def test_all_passages_in_one_call_and_those_left_out_once_more() -> None:
    answers = iter(
        ['{"texts": [{"text": 2, "carries": [2]}]}', '{"texts": [{"text": 1, "carries": [1, 2]}]}']
    )
    model = ScriptedModel(generate=lambda _: next(answers))
    strengths, notes = judged(judge_together, model)
    assert strengths == [[YES, YES, NO], [NO, YES, NO]]
    assert notes == ["passages that the model left out were asked for again: 1"]
    assert "[1] The Lark was built in Molde.\n[2] Gulls nest here." in prompts(model)[0]
    assert "[1] The Lark was built in Molde." in prompts(model)[1]
    assert "Gulls" not in prompts(model)[1]


def test_a_passage_never_judged_carries_nothing_and_none_judged_is_an_error() -> None:
    strengths, notes = judged(
        judge_together, ScriptedModel(generate='{"texts": [{"text": 1, "carries": [1]}]}')
    )
    assert strengths[1] == [YES, NO, NO]  # asked alone, it was number 1
    always = ScriptedModel(generate='{"texts": []}')
    assert judged(judge_together, always)[0] == [[NO] * 3] * 2
    assert "count as carrying nothing: 2" in judged(judge_together, always)[1][-1]
    assert notes
    with pytest.raises(OutputError):
        judged(judge_together, ScriptedModel(generate="no idea"))


def test_a_small_window_makes_more_calls_and_a_passage_too_long_is_an_error() -> None:
    def answer(request: Request) -> str:
        numbers = [int(n) for n in re.findall(r"^\[(\d+)\] The", request.messages[-1].content, re.MULTILINE)]
        return json.dumps({"texts": [{"text": number, "carries": [2]} for number in numbers]})

    passages = [Passage(text=f"The ship number {number} was built long ago.") for number in range(30)]
    model = ScriptedModel(generate=answer, window=120)
    strengths, notes = judged(judge_together, model, passages)
    assert strengths == [[NO, YES, NO]] * 30
    assert notes == []
    assert 2 < len(model.asked) <= 10
    with pytest.raises(ContextError):
        judged(judge_together, model, [Passage(text="word " * 200)])


ASKED = Features(
    intent="town",
    nodes=(Node(text="Lark"), Node(text="Ada Berg")),
    relations=(Relation(head="Lark", predicate="commanded by", tail="Ada Berg"),),
)
TEXTS = [
    Passage(text="Ada Berg commanded the Lark for nine years."),
    Passage(text="The Lark was built in Molde."),
    Passage(text="Pine tar keeps rope from rotting."),
    Passage(text="A. Berg retired early."),
]


def by_words(encoder: Encoder, texts: list[Passage] = TEXTS, vectors: Any = None) -> Any:
    none = ScriptedModel(generate="never asked")
    run = make_run(QUESTION, texts, none, vectors)
    found = run_one(judge_by_words(run, ASKED), none, lambda: encoder)
    assert none.asked == []
    return found


@pytest.mark.model
def test_words_judge_without_a_language_model(encoder: Encoder) -> None:
    found = by_words(encoder)
    names = [found.names(place) for place in range(4)]
    assert set(names[0]) >= {"node: Lark", "node: Ada Berg", "relation: Lark commanded by Ada Berg"}
    assert "node: Lark" in names[1]
    assert "intent: town" in names[1]
    assert names[2] == ()
    assert "node: Ada Berg" in names[3]  # in part
    assert "relation: Lark commanded by Ada Berg" not in names[3]


@pytest.mark.model
def test_the_vectors_of_a_store_serve_as_well(encoder: Encoder) -> None:
    texts = [passage.whole for passage in TEXTS]
    vectors = encoder.encode(texts)
    counted: list[int] = []

    class Counting(type(encoder)):  # type: ignore[misc]
        def encode_each(self, texts: Any) -> Any:
            counted.append(len(texts))
            return encoder.encode_each(texts)

    counting = Counting.__new__(Counting)
    counting.__dict__ = encoder.__dict__
    assert by_words(counting, vectors=3.0 * vectors).strengths == [
        pytest.approx(row, abs=1e-5) for row in by_words(encoder).strengths
    ]
    assert counted == [5]  # the question and its four features, and no passage


@pytest.mark.model
def test_vectors_must_fit(encoder: Encoder) -> None:
    vectors = encoder.encode([passage.whole for passage in TEXTS])
    with pytest.raises(InputError, match="vectors of shape"):
        by_words(encoder, vectors=vectors[:, :100])
    with pytest.raises(InputError, match="NaN or infinity"):
        by_words(encoder, vectors=vectors * float("nan"))
