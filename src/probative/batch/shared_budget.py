"""The budget of a run whose workers are other processes: all of them together stay within it."""

from __future__ import annotations

from probative.errors import BudgetError
from probative.models.budget import Budget, Prices
from probative.runners.contract import Call
from probative.usage import Usage


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

    def under_way(self) -> Usage:
        """Return what calls of all workers hold that are not settled yet."""
        held: Usage = self._call("under_way")
        return held

    def exceeded(self, limit: str) -> BudgetError:
        """Return the error for a call that this limit forbids."""
        error: BudgetError = self._call("exceeded", limit)
        return error
