"""Record every call of a language model in the open trace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from probative.errors import ModelError
from probative.models.contract import Outcomes
from probative.models.wrappers.wrapper import Verb, Wrapper
from probative.trace import Call, record, recording
from probative.usage import Usage


class Traced(Wrapper):
    """Records each request with its result or its error, cached results too."""

    def _around(self, verb: str, requests: Sequence[Any], call: Verb) -> Outcomes[Any]:
        for index, outcome in call(requests):
            if recording():
                record(self._call(verb, requests[index], outcome))
            yield index, outcome

    def _call(self, verb: str, asked: Any, outcome: Any) -> Call:
        request = asked.to_dict()
        if isinstance(outcome, ModelError):
            cost = outcome.usage or Usage()
            kind = type(outcome).__name__
            return Call(
                verb=verb,
                model=self.name,
                request=request,
                error=str(outcome),
                error_type=kind,
                usage=cost,
            )
        return Call(
            verb=verb,
            model=self.name,
            request=request,
            result=outcome.model_dump(mode="json", exclude={"usage", "model"}),
            usage=outcome.usage,
        )
