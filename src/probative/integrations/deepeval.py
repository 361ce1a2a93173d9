"""DeepEval: a faithfulness metric that the verdict model decides, without a language model as a judge.

Needs the extra `deepeval`.
"""

from __future__ import annotations

from typing import Any, ClassVar

from probative.errors import InputError, MissingExtraError
from probative.integrations.evidence import Faithfulness, Options, faithfulness
from probative.session.asynchronous import run_in_thread
from probative.session.session import Session
from probative.verify.verification import Verification

try:
    from deepeval.metrics import BaseMetric
    from deepeval.metrics.utils import prepare_measure
    from deepeval.test_case import LLMTestCase, SingleTurnParams
except ModuleNotFoundError as error:
    raise MissingExtraError("deepeval", "probative.integrations.deepeval") from error


class ProbativeFaithfulnessMetric(BaseMetric):
    """Scores an output by the share of its claims that the retrieval context supports, from 0 to 1.

    `reason` names the claims that are not supported, with the sentences that decide; `verification` has all
    of it. An output in which nothing can be judged is an `InputError`. `options` are arguments of
    `Session.verify`.
    """

    _required_params: ClassVar[Any] = [
        SingleTurnParams.INPUT,
        SingleTurnParams.ACTUAL_OUTPUT,
        SingleTurnParams.RETRIEVAL_CONTEXT,
    ]

    def __init__(
        self,
        threshold: float = 0.5,
        session: Session | None = None,
        options: Options = None,
        include_reason: bool = True,
        async_mode: bool = True,
        strict_mode: bool = False,
    ) -> None:
        # DeepEval copies a metric by giving each attribute that is a parameter to its class.
        self.threshold = 1.0 if strict_mode else threshold
        self.session, self.options = session, options
        self.include_reason, self.async_mode, self.strict_mode = include_reason, async_mode, strict_mode
        self.verbose_mode = False
        self.evaluation_model = "probative"
        self.verification: Verification | None = None

    def measure(self, test_case: LLMTestCase, *args: Any, **kwargs: Any) -> float:
        """Return the score of a test case, and keep it with its reason in the metric."""
        prepare_measure(self, test_case)
        return self._keep(faithfulness(*_case(test_case), session=self.session, **(self.options or {})))

    async def a_measure(self, test_case: LLMTestCase, *args: Any, **kwargs: Any) -> float:
        """Do the same as `measure` without blocking the event loop."""
        prepare_measure(self, test_case)
        options = {"session": self.session, **(self.options or {})}
        return self._keep(await run_in_thread(faithfulness, *_case(test_case), **options))

    def _keep(self, outcome: Faithfulness) -> float:
        self.score, self.verification = outcome.score, outcome.verification
        self.reason = outcome.reason if self.include_reason else None
        self.input_tokens = outcome.usage.prompt_tokens
        self.output_tokens = outcome.usage.completion_tokens
        self.is_successful()
        if outcome.score is None:
            raise InputError(f"the output cannot be scored: {outcome.reason}")
        return outcome.score

    @property
    def __name__(self) -> str:
        return "Faithfulness (Probative)"


def _case(test_case: LLMTestCase) -> tuple[str, list[Any], str]:
    """Return the output, its context as passages, and the question; `prepare_measure` has checked them."""
    passages = [
        piece if isinstance(piece, str) else {"text": piece.context, "source": piece.source}
        for piece in test_case.retrieval_context or ()
    ]
    return str(test_case.actual_output), passages, test_case.input
