"""Probative in DSPy: a module, and a metric for evaluations and optimisers."""

from __future__ import annotations

import asyncio
from typing import Any

import dspy
import pytest
from specialists import QUESTION, TEXTS

from probative import Answer, Corpus, InputError, Session
from probative.integrations.dspy import ChainOfEvidence, FaithfulnessMetric

CONTEXT = ["Herons eat fish.", "The tower is not green."]


def example(**fields: Any) -> dspy.Example:
    return dspy.Example(question="What do herons eat?", **fields).with_inputs("question")


def test_the_module_answers_from_passages(answering: Session) -> None:
    module = ChainOfEvidence(session=answering)
    prediction = module(question=QUESTION, passages=TEXTS)
    assert (prediction.answer, prediction.verdict, prediction.reason) == ("Molde", "supported", None)
    assert prediction.context == [TEXTS[1], TEXTS[3]]
    assert isinstance(prediction.evidence, Answer)
    assert asyncio.run(module.acall(question=QUESTION, passages=TEXTS)).answer == "Molde"


def test_the_module_answers_from_a_corpus_with_citations(answering: Session, ships: Corpus) -> None:
    prediction = ChainOfEvidence(ships, session=answering)(question=QUESTION)
    assert (prediction.answer, prediction.citations) == ("Molde", ["yard.txt#char=0,48"])


def test_the_module_refuses_with_what_is_missing(answering: Session) -> None:
    prediction = ChainOfEvidence(session=answering)(question=QUESTION, passages=TEXTS[:2])
    assert (prediction.answer, prediction.verdict) == (None, "insufficient")
    assert prediction.missing
    assert prediction.missing[0] in prediction.reason


def test_a_copy_shares_the_opened_models(answering: Session, ships: Corpus) -> None:
    module = ChainOfEvidence(ships, session=answering, options={"max_passages": 2})
    copied = module.reset_copy()
    assert copied is not module
    assert (copied.session, copied.corpus, copied.options) == (answering, ships, {"max_passages": 2})


def test_the_metric_judges_a_program(verifying: Session) -> None:
    class Program(dspy.Module):
        def forward(self, question: str) -> dspy.Prediction:
            return dspy.Prediction(answer="Herons eat fish. The tower is green.", context=CONTEXT)

    metric = FaithfulnessMetric(session=verifying)
    result = dspy.Evaluate(devset=[example()], metric=metric, num_threads=1)(Program())
    assert result.score == 50.0


def test_the_metric_tells_an_optimiser_yes_or_no_and_why(verifying: Session) -> None:
    half = dspy.Prediction(answer="Herons eat fish. The tower is green.", context=CONTEXT)
    metric = FaithfulnessMetric(session=verifying)
    assert metric(example(), half, trace=[]) is False
    assert FaithfulnessMetric(threshold=0.5, session=verifying)(example(), half, trace=[]) is True
    told = metric(example(), half, [], "predict", [])
    assert (told.score, "contradicted: The tower is green." in told.feedback) == (0.5, True)


def test_the_metric_bootstraps_a_program(verifying: Session) -> None:
    class Program(dspy.Module):
        def __init__(self) -> None:
            super().__init__()
            self.answer = dspy.Predict("question, context -> answer")

        def forward(self, question: str) -> dspy.Prediction:
            return dspy.Prediction(**self.answer(question=question, context=CONTEXT), context=CONTEXT)

    answers = [{"answer": "Herons eat fish."}, {"answer": "The tower is green."}]
    with dspy.context(lm=dspy.utils.DummyLM(answers)):
        optimiser = dspy.BootstrapFewShot(
            metric=FaithfulnessMetric(session=verifying), max_bootstrapped_demos=2, max_labeled_demos=0
        )
        compiled = optimiser.compile(Program(), trainset=[example(), example(other=1)])
    assert [demo.answer for demo in compiled.answer.demos] == ["Herons eat fish."]


def test_the_context_may_be_that_of_the_example(answering: Session) -> None:
    asked = dspy.Example(question=QUESTION, passages=TEXTS)
    metric = FaithfulnessMetric(context="passages", session=answering)
    assert metric(asked, dspy.Prediction(answer="Molde")) == 1.0
    assert metric(asked, dspy.Prediction(answer=None)) == 0.0
    asked = dspy.Example(question=QUESTION, passages=" ".join(TEXTS))
    assert metric(asked, dspy.Prediction(answer="Molde")) == 1.0


@pytest.mark.parametrize(
    ("prediction", "message"),
    [
        (dspy.Prediction(answer="Herons eat fish."), "has passages in 'context'"),
        (dspy.Prediction(answer="What do you mean?", context=CONTEXT), "cannot be scored"),
    ],
)
def test_what_cannot_be_scored_is_an_error(
    verifying: Session, prediction: dspy.Prediction, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        FaithfulnessMetric(session=verifying)(example(), prediction)
