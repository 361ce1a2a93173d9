"""A dry run: count what a run would cost without making a single call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from probative.models.contract import LanguageModel, Outcomes, Progress
from probative.models.encoder import Encoder, checked_texts
from probative.models.schema import example
from probative.models.types import Choice, Completion, Pair, Request, Score, Selection
from probative.models.wrappers.wrapper import Verb, Wrapper, read_tokens
from probative.usage import Usage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from probative.models.evidence_policy import PolicyScores, PolicyState
    from probative.models.verdict import VerdictItem, VerdictScores


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
        read = read_tokens(self.inner, request)
        match request:
            case Request():
                usage = Usage(calls=1, prompt_tokens=read, completion_tokens=request.max_tokens)
                text = example(request.json_schema) if request.json_schema is not None else "(dry run)"
                return Completion(text=text, finish_reason="dry-run", model=self.name, usage=usage)
            case Pair():
                return Score(
                    log_probability=-1.0,
                    token_log_probabilities=(-1.0,),
                    model=self.name,
                    usage=Usage(calls=1, scored_tokens=read),
                )
            case Selection():
                count = len(request.options)
                return Choice(
                    options=request.options,
                    probabilities=(1.0 / count,) * count,
                    coverage=1.0,
                    model=self.name,
                    usage=Usage(calls=1, scored_tokens=read),
                )
        raise TypeError(f"not a request: {request!r}")


class DryRunEncoder(Encoder):
    """Counts what an encoder would read, one token for 4 characters, and gives vectors of zeros."""

    name = "dry-run"

    def __init__(self) -> None:
        self._usage = Usage()

    @property
    def fingerprint(self) -> str:
        return "dry-run"

    @property
    def dimensions(self) -> int:
        return 1

    @property
    def usage(self) -> Usage:
        return self._usage

    def encode(self, texts: Sequence[str], *, progress: Progress | None = None) -> NDArray[np.float32]:
        import numpy as np

        read = sum(-(-len(text) // 4) for text in checked_texts(texts))
        self._usage += Usage(calls=1, prompt_tokens=read)
        return np.zeros((len(texts), 1), dtype=np.float32)


class DryRunPolicy:
    """Counts what the evidence policy would read, and gives all candidates the same score.

    Each candidate counts one token for 4 characters of the query, the chosen texts and the candidate.
    """

    name = "dry-run"

    def __init__(self) -> None:
        self.usage = Usage()

    def weigh(self, states: Sequence[PolicyState]) -> list[PolicyScores]:
        """Give all candidates the same score, above that of stopping."""
        from probative.models.evidence_policy import PolicyScores

        read = 0
        for state in states:
            common = len(state.query) + sum(map(len, state.chosen))
            texts = [*state.candidates, "", ""]
            read += sum(-(-(common + len(text)) // 4) for text in texts)
        self.usage += Usage(calls=len(states), prompt_tokens=read)
        return [PolicyScores((0.0,) * len(state.candidates), -1.0, -1.0) for state in states]


class DryRunVerdict:
    """Counts what the verdict model would read, one token for 4 characters, and favours no verdict."""

    name = "dry-run"
    fingerprint = "dry-run"

    def __init__(self) -> None:
        self.usage = Usage()

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return an estimate of the tokens of each text."""
        return [-(-len(text) // 4) for text in texts]

    def judge(self, items: Sequence[VerdictItem]) -> list[VerdictScores]:
        """Give all verdicts and all pieces of evidence the same probability."""
        from probative.models.verdict import VerdictScores, checked_items
        from probative.models.verdict_prompt import prompt_text

        items = checked_items(items)
        read = sum(self.count_tokens([prompt_text(*item) for item in items]))
        self.usage += Usage(calls=len(items), prompt_tokens=read, completion_tokens=2 * len(items))
        even = 1.0 / 3.0
        return [
            VerdictScores(even, even, even, (1.0 / len(item.evidence),) * len(item.evidence))
            for item in items
        ]
