"""What all workers of a run share: the kept results and the budget, on the machine that has the run's folder.

Every result is written as soon as it is paid for, so that a worker that is killed loses none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from probative.errors import BudgetError
from probative.models.wrappers.budget import Budget, Prices
from probative.models.wrappers.response_cache import ResponseCache
from probative.runners.contract import Call
from probative.usage import Usage


class Ledger:
    """The kept results and the budget. Workers reach its methods through `StoreOfRun` and `BudgetOfRun`."""

    def __init__(self, kept: ResponseCache, budget: Budget | None) -> None:
        self.get, self.put, self.forget = kept.get, kept.put, kept.forget
        if budget is not None:
            self.hold, self.settle, self.exceeded = budget.hold, budget.settle, budget.exceeded


@contextmanager
def open_ledger(calls_file: Path, budget: Budget | None) -> Iterator[Ledger]:
    """Open the ledger of a run."""
    kept = ResponseCache(calls_file)
    try:
        yield Ledger(kept, budget)
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


class BudgetOfRun(Budget):
    """The budget of a run, as a worker reaches it: all workers together stay within it.

    What a worker held when it was killed stays held, since its call may have been paid.
    """

    def __init__(self, call: Call) -> None:
        super().__init__()
        self._call = call

    def hold(self, worst: Usage, prices: Prices) -> str:
        """Reserve what a call may cost; returns an empty string, or the limit that forbids the call."""
        limit: str = self._call("hold", worst, prices)
        return limit

    def settle(self, worst: Usage, real: Usage, prices: Prices) -> None:
        """Release what was reserved and book what the call really cost."""
        self._call("settle", worst, real, prices)

    def exceeded(self, limit: str) -> BudgetError:
        """Return the error for a call that this limit forbids."""
        error: BudgetError = self._call("exceeded", limit)
        return error
