"""A dry run: count what a run would cost without making a single call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from probative.models.contract import Counted, LanguageModel, Outcomes, Progress
from probative.models.encoder import Encoder, checked_texts
from probative.models.evidence_policy import PolicyScores, PolicyState
from probative.models.schema import example
from probative.models.types import Choice, Completion, Pair, Request, Score, Selection
from probative.models.verdict import VerdictItem, VerdictScores, checked_items
from probative.models.verdict_prompt import prompt_text
from probative.models.wrappers.items import request_cost
from probative.models.wrappers.wrapper import Verb, Wrapper
from probative.usage import Usage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class DryRun(Wrapper):
    """Answers every request with a placeholder and counts what it would have cost.

    A placeholder has the right form (an object that fits the schema, a log-probability, an even
    distribution), so that a method runs to its end; the finish reason of a completion is ``dry-run``. What a
    method does next may depend on a real answer, so the count is an estimate. Completion tokens are counted
    as the most that may be written.
    """

    def __init__(self, inner: LanguageModel) -> None:
        super().__init__(inner)
        self.planned = Usage()

    def _around(self, verb: str, requests: Sequence[Any], call: Verb) -> Outcomes[Any]:
        for index, request in enumerate(requests):
            placeholder = self._placeholder(request)
            self.planned += placeholder.usage
            yield index, placeholder

    def _placeholder(self, request: Any) -> Completion | Score | Choice:
        usage = request_cost(self.inner, request)
        match request:
            case Request():
                text = example(request.json_schema) if request.json_schema is not None else "(dry run)"
                return Completion(text=text, finish_reason="dry-run", model=self.name, usage=usage)
            case Pair():
                return Score(
                    log_probability=-1.0, token_log_probabilities=(-1.0,), model=self.name, usage=usage
                )
            case Selection():
                even = (1.0 / len(request.options),) * len(request.options)
                return Choice(
                    options=request.options, probabilities=even, coverage=1.0, model=self.name, usage=usage
                )
        raise TypeError(f"not a request: {request!r}")


class DryRunItems(Counted, Encoder):
    """Stands in for an encoder, the evidence policy or the verdict model, and counts what it would read.

    A text counts one token for 4 characters. Vectors are zero, all candidates have the same score, and no
    verdict is favoured.
    """

    name = "dry-run"

    @property
    def fingerprint(self) -> str:
        return "dry-run"

    @property
    def dimensions(self) -> int:
        return 1

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return an estimate of the tokens of each text."""
        return [-(-len(text) // 4) for text in texts]

    def encode(self, texts: Sequence[str], *, progress: Progress | None = None) -> NDArray[np.float32]:
        import numpy as np

        self._count(Usage(calls=1, prompt_tokens=sum(self.count_tokens(checked_texts(texts)))))
        return np.zeros((len(texts), 1), dtype=np.float32)

    def weigh(self, states: Sequence[PolicyState]) -> list[PolicyScores]:
        """Give all candidates the same score, above that of stopping.

        Each candidate counts with the query and the chosen texts before it.
        """
        sequences = [
            "".join((state.query, *state.chosen, text))
            for state in states
            for text in (*state.candidates, "", "")
        ]
        self._count(Usage(calls=len(states), prompt_tokens=sum(self.count_tokens(sequences))))
        return [PolicyScores((0.0,) * len(state.candidates), -1.0, -1.0) for state in states]

    def judge(self, items: Sequence[VerdictItem]) -> list[VerdictScores]:
        """Give all verdicts and all pieces of evidence the same probability."""
        items = checked_items(items)
        read = sum(self.count_tokens([prompt_text(*item) for item in items]))
        self._count(Usage(calls=len(items), prompt_tokens=read, completion_tokens=2 * len(items)))
        even = 1.0 / 3.0
        return [
            VerdictScores(even, even, even, (1.0 / len(item.evidence),) * len(item.evidence))
            for item in items
        ]
