"""What all workers of a run share: the kept results and the budget, on the machine that has the run's folder.

Every result is written as soon as it is paid for, so that a worker that is killed loses none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from probative.models.wrappers.budget import Budget
from probative.models.wrappers.response_cache import ResponseCache
from probative.runners.contract import Call


class Ledger:
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
def open_ledger(calls_file: Path, budget: Budget | None) -> Iterator[Ledger]:
    """Open the ledger of a run."""
    kept = kept_calls(calls_file)
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
