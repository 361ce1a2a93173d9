"""Every result of a language model, kept in the run's folder: a resumed run never pays for it twice.

All workers of a run share the kept results and the budget, on the machine that has the folder. A result is
written as soon as it is paid for, so that a worker that is killed loses none.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from probative.errors import ModelError
from probative.models.budget import Budget
from probative.models.contract import LanguageModel, Outcomes
from probative.models.items import RESULTS, key_of
from probative.models.response_cache import ResponseCache, ResultStore
from probative.models.wrappers import Verb, Wrapper
from probative.runners.contract import Call
from probative.usage import Usage, total


class CallLog(Wrapper):
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


class SharedState:
    """The kept results and the budget. Workers reach its methods through `StoreOfRun` and `BudgetOfRun`."""

    def __init__(self, kept: ResponseCache, budget: Budget | None) -> None:
        self.get, self.put, self.forget = kept.get, kept.put, kept.forget
        if budget is not None:
            self.hold, self.settle, self.exceeded = budget.hold, budget.settle, budget.exceeded
            self.under_way = budget.under_way


def kept_calls(calls_file: Path) -> ResponseCache:
    """Return the kept results of a run."""
    return ResponseCache(
        calls_file,
        damaged=f"delete {calls_file}: finished cases keep their rows, only the others are asked anew",
        unwritable="name a folder with --out that you may write to",
    )


@contextmanager
def open_shared_state(calls_file: Path, budget: Budget | None) -> Iterator[SharedState]:
    """Open what the workers of a run share."""
    kept = kept_calls(calls_file)
    try:
        yield SharedState(kept, budget)
    finally:
        kept.close()


class StoreOfRun:
    """The kept results of a run, as a worker reaches them."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def get(self, keys: Sequence[str]) -> dict[str, str]:
        """Return the stored values of those keys that have one."""
        found: dict[str, str] = self._call("get", keys)
        return found

    def put(self, verb: str, model: str, values: Mapping[str, str]) -> None:
        """Store values by key; a value that is there stays."""
        self._call("put", verb, model, values)

    def forget(self, key: str) -> None:
        """Remove one value."""
        self._call("forget", key)
