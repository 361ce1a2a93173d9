"""Every result of a language model, kept in the run's folder: a resumed run never pays for it twice.

All workers of a run share the kept results and the budget, on the machine that has the folder. A result is
written as soon as it is paid for, so that a worker that is killed loses none.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from probative.errors import ModelError
from probative.models.budget import Budget
from probative.models.contract import LanguageModel, Outcomes
from probative.models.items import RESULTS, key_of
from probative.models.response_cache import ResponseCache, ResultStore
from probative.models.wrappers import Verb, Wrapper
from probative.runners.contract import Call
from probative.types import Usage

# What workers call: the methods of `ResultStore`, and those of `Budget` that `BudgetOfRun` has.
_STORE, _BUDGET = ("get", "put", "forget"), ("hold", "settle", "exceeded", "under_way")


class CallLog(Wrapper):
    """Answers what it has asked before, with the cost of the first time.

    The response cache gives a kept result the cost 0; a report must not depend on whether a run was killed,
    so here the cost is kept too. Results are kept `group` at a time: one by one where a call costs money, and
    more at once where the model runs here and gives thousands of results a second.
    """

    def __init__(self, inner: LanguageModel, store: ResultStore, *, group: int = 1) -> None:
        super().__init__(inner)
        self._store, self._group = store, group

    def _around(self, verb: str, asked: Sequence[Any], call: Verb) -> Outcomes[Any]:
        places: dict[str, list[int]] = {}
        for index, item in enumerate(asked):
            places.setdefault(key_of(self.inner, verb, item), []).append(index)
        stored = self._store.get(list(places))
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
            self._store.put(verb, self.name, fresh)
            fresh.clear()


def _open_calls(calls_file: Path) -> closing[ResponseCache]:
    calls = ResponseCache(
        calls_file,
        damaged=f"delete {calls_file}: finished cases keep their rows, only the others are asked anew",
        unwritable="name a folder with --out that you may write to",
    )
    return closing(calls)


def paid(calls_file: Path) -> dict[str, Usage]:
    """Return the cost of all kept results by model: what the run has paid, however often it was killed.

    Vectors are kept without their cost.
    """
    spent: dict[str, Usage] = {}
    with _open_calls(calls_file) as calls:
        for text in calls.values(list(RESULTS)):
            result = json.loads(text)
            spent[result["model"]] = spent.get(result["model"], Usage()) + Usage.from_dict(result["usage"])
    return spent


@contextmanager
def open_shared_state(calls_file: Path, budget: Budget | None) -> Iterator[SimpleNamespace]:
    """Open what the workers of a run share: the methods of the kept results and of the budget."""
    with _open_calls(calls_file) as calls:
        methods = {name: getattr(calls, name) for name in _STORE}
        if budget is not None:
            methods |= {name: getattr(budget, name) for name in _BUDGET}
        yield SimpleNamespace(**methods)


def store_of_run(call: Call) -> ResultStore:
    """Return the kept results of a run, as a worker reaches them."""
    return cast(ResultStore, SimpleNamespace(**{name: partial(call, name) for name in _STORE}))
