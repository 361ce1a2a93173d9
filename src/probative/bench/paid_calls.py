"""Every result of a language model, kept in the run's folder: a resumed run never pays for it twice."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from probative.errors import ModelError
from probative.models.contract import LanguageModel, Outcomes
from probative.models.wrappers.cache import key_of
from probative.models.wrappers.response_cache import ResponseCache, ResultStore
from probative.models.wrappers.wrapper import RESULTS, Verb, Wrapper
from probative.usage import Usage, total


class PaidCalls(Wrapper):
    """Answers what it has asked before, with the cost of the first time.

    The response cache gives a kept result the cost 0; a report must not depend on whether a run was killed,
    so here the cost is kept too. Results are kept `group` at a time: one by one where a call costs money, and
    more at once where the model runs here and gives thousands of results a second.
    """

    def __init__(self, inner: LanguageModel, kept: ResultStore, *, group: int = 1) -> None:
        super().__init__(inner)
        self._kept, self._group = kept, group

    def _around(self, verb: str, asked: Sequence[Any], call: Verb) -> Outcomes[Any]:
        places: dict[str, list[int]] = {}
        for index, item in enumerate(asked):
            places.setdefault(key_of(self.inner, verb, item), []).append(index)
        stored = self._kept.get(list(places))
        for key, text in stored.items():
            result = RESULTS[verb].model_validate_json(text)
            yield from ((index, result) for index in places[key])
        missing = [key for key in places if key not in stored]
        if not missing:
            return
        fresh: dict[str, str] = {}
        try:
            for position, outcome in call([asked[places[key][0]] for key in missing]):
                key = missing[position]
                if not isinstance(outcome, ModelError):
                    fresh[key] = outcome.to_json()
                    if len(fresh) >= self._group:
                        self._keep(verb, fresh)
                yield from ((index, outcome) for index in places[key])
        finally:
            self._keep(verb, fresh)

    def _keep(self, verb: str, fresh: dict[str, str]) -> None:
        if fresh:
            self._kept.put(verb, self.name, fresh)
            fresh.clear()


def paid(kept: ResponseCache) -> Usage:
    """Return the cost of all kept results: what the run has paid, however often it was killed.

    Vectors are kept without their cost.
    """
    return total(Usage.from_dict(json.loads(text)["usage"]) for text in kept.values(list(RESULTS)))
