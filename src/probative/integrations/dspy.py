"""DSPy: a module that answers from a chain of evidence, and a metric of faithfulness.

Needs the extra `dspy`. The module uses the models of its session, not the language model of DSPy, and has no
prompt that an optimiser could change; the metric judges any program.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import probative
from probative.corpus.corpus import Corpus
from probative.errors import InputError, MissingExtraError
from probative.integrations.evidence import Options, faithfulness, refusal
from probative.scope.result import Answer
from probative.session.asynchronous import run_in_thread
from probative.session.session import Session
from probative.verbs.ask import Passages

try:
    import dspy
except ModuleNotFoundError as error:
    raise MissingExtraError("dspy", "probative.integrations.dspy") from error


class ChainOfEvidence(dspy.Module):
    """Answers a question from passages or a corpus, with the evidence that carries the answer.

    The prediction has `answer` (None where the evidence does not carry one), `verdict`, `context` (the texts
    of the chain), `citations` (of the sentences that the answer rests on, for a corpus), `missing`, `reason`
    and `evidence`, the whole `probative.Answer`. `options` are arguments of `Session.ask`.
    """

    def __init__(
        self,
        corpus: Corpus | str | Path | None = None,
        session: Session | None = None,
        options: Options = None,
    ) -> None:
        super().__init__()
        self.corpus, self.session, self.options = corpus, session, dict(options or {})

    def __deepcopy__(self, memo: Any) -> ChainOfEvidence:
        # Optimisers copy programs; opened models and indexes are shared.
        return type(self)(self.corpus, session=self.session, options=self.options)

    def forward(self, question: str, passages: Passages = ()) -> dspy.Prediction:
        """Return the answer to a question."""
        ask = (self.session or probative).ask
        return _prediction(ask(question, passages, corpus=self.corpus, **self.options))

    async def aforward(self, question: str, passages: Passages = ()) -> dspy.Prediction:
        """Return the answer to a question, without blocking the event loop."""
        ask = (self.session or probative).ask
        return _prediction(await run_in_thread(ask, question, passages, corpus=self.corpus, **self.options))


class FaithfulnessMetric:
    """Scores a prediction by the share of its claims that its context supports, from 0 to 1.

    The answer is the field `answer` of the prediction; its passages are the field `context` of the
    prediction, or else of the example. An optimiser that collects traces gets whether the score reaches the
    `threshold`, and GEPA the reason as feedback. A prediction without an answer has 0.
    """

    def __init__(
        self,
        *,
        answer: str = "answer",
        context: str = "context",
        question: str = "question",
        threshold: float = 1.0,
        session: Session | None = None,
        options: Options = None,
    ) -> None:
        self.answer, self.context, self.question = answer, context, question
        self.threshold, self.session, self.options = threshold, session, dict(options or {})

    def __call__(
        self,
        example: dspy.Example,
        prediction: dspy.Prediction,
        trace: Any = None,
        pred_name: str | None = None,
        pred_trace: Any = None,
    ) -> float | bool | dspy.Prediction:
        """Return the score; raises `InputError` if nothing in the answer can be judged."""
        score, reason = self._judged(example, prediction)
        if pred_name is not None:
            return dspy.Prediction(score=score, feedback=reason)
        return score if trace is None else score >= self.threshold

    def _judged(self, example: dspy.Example, prediction: dspy.Prediction) -> tuple[float, str]:
        answer = prediction.get(self.answer)
        if not answer:
            return 0.0, str(prediction.get("reason") or "there is no answer")
        passages = prediction.get(self.context) or example.get(self.context)
        if not passages:
            raise InputError(
                f"neither the prediction nor the example has passages in {self.context!r}",
                hint="name their field with context=…",
            )
        outcome = faithfulness(
            str(answer), passages, example.get(self.question), session=self.session, **self.options
        )
        if outcome.score is None:
            raise InputError(f"the answer {str(answer)!r} cannot be scored: {outcome.reason}")
        return outcome.score, outcome.reason


def _prediction(answer: Answer) -> dspy.Prediction:
    return dspy.Prediction(
        answer=answer.answer,
        verdict=answer.verdict.value,
        context=[piece.text for piece in answer.chain],
        citations=[sentence.citation for sentence in answer.cited if sentence.citation],
        missing=list(answer.missing),
        reason=None if answer.answer is not None else refusal(answer),
        evidence=answer,
    )
