"""A budget: stop before the call that would cost too much, and keep what is done."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any

from pydantic import Field

from probative.errors import BudgetError
from probative.models.contract import LanguageModel, Outcomes
from probative.models.types import Request
from probative.models.wrappers.wrapper import Verb, Wrapper, read_tokens
from probative.types import Value
from probative.usage import Usage

# Seconds between two looks at a budget that calls under way hold, and how long nothing may change before a
# call no longer waits for them: what a killed worker held is never settled.
_PAUSE = 0.02
_PATIENCE = 120.0


class Prices(Value):
    """The price of a million tokens in any currency; scored tokens cost as much as prompt tokens."""

    prompt: float = Field(default=0.0, ge=0.0)
    completion: float = Field(default=0.0, ge=0.0)

    def cost(self, usage: Usage) -> float:
        """Return what some usage costs.

        >>> Prices(prompt=2.0, completion=10.0).cost(Usage(prompt_tokens=500_000, completion_tokens=100_000))
        2.0
        """
        read = usage.prompt_tokens + usage.scored_tokens
        return (read * self.prompt + usage.completion_tokens * self.completion) / 1e6


class Budget:
    """A limit on calls, tokens or money, shared by all models that are given it.

    A call is admitted if the budget still covers its worst case: the prompt and all the tokens it may write.
    Its real cost is settled afterwards. The tokens of a prompt are an estimate if the tokenizer is not
    available, as for a remote server.
    """

    def __init__(
        self,
        *,
        calls: int | None = None,
        tokens: int | None = None,
        money: float | None = None,
        prices: Prices | None = None,
    ) -> None:
        self.calls = calls
        self.tokens = tokens
        self.money = money
        self.prices = prices or Prices()
        self.own = threading.local()
        self._lock = threading.Lock()
        self._spent = Usage()
        self._held = Usage()
        self._spent_money = 0.0
        self._held_money = 0.0

    @property
    def spent(self) -> Usage:
        """The calls and tokens spent so far."""
        return self._spent

    @property
    def spent_money(self) -> float:
        """The money spent so far."""
        return self._spent_money

    def hold(self, worst: Usage, prices: Prices) -> str:
        """Reserve what a call may cost; returns an empty string, or the limit that forbids the call."""
        with self._lock:
            after = self._spent + self._held + worst
            money = self._spent_money + self._held_money + prices.cost(worst)
            if self.calls is not None and after.calls > self.calls:
                return f"{self.calls:,} call{'s' if self.calls != 1 else ''}"
            if self.tokens is not None and after.tokens > self.tokens:
                return f"{self.tokens:,} tokens"
            if self.money is not None and money > self.money + 1e-12:
                return f"{self.money:g} in money"
            self._held += worst
            self._held_money += prices.cost(worst)
            return ""

    def settle(self, worst: Usage, real: Usage, prices: Prices) -> None:
        """Release what was reserved and book what the call really cost."""
        with self._lock:
            self._held += _negative(worst)
            self._held_money -= prices.cost(worst)
            self._spent += real
            self._spent_money += prices.cost(real)

    def under_way(self) -> Usage:
        """Return what calls hold that are not settled yet."""
        return self._held

    def exceeded(self, limit: str) -> BudgetError:
        """Return the error for a call that this limit forbids."""
        return BudgetError(
            f"the budget of {limit} would be exceeded by the next call ({self.describe()})",
            hint="raise the budget; results so far are kept, and cached ones cost nothing",
        )

    def describe(self) -> str:
        """Return what is spent, in words."""
        money = f", {self.spent_money:.4g} in money" if self.money is not None else ""
        return f"{self._spent.calls:,} calls and {self._spent.tokens:,} tokens{money} spent"


class Budgeted(Wrapper):
    """Admits calls as long as the budget covers them; the others fail with a `BudgetError`.

    A call that the budget does not cover waits for calls of other threads and processes that are under way,
    since they may cost less than they hold.
    """

    def __init__(self, inner: LanguageModel, budget: Budget, prices: Prices | None = None) -> None:
        super().__init__(inner)
        self.budget = budget
        self.prices = prices or budget.prices

    def _around(self, verb: str, requests: Sequence[Any], call: Verb) -> Outcomes[Any]:
        waiting = list(range(len(requests)))
        limit = ""
        while waiting:
            admitted: list[tuple[int, Usage]] = []
            worsts = [self._worst(requests[index]) for index in waiting]
            for index, worst in zip(waiting, worsts, strict=True):
                limit = self._hold(worst, wait=not admitted)
                if limit:
                    break  # in order: a later, smaller call must not overtake
                admitted.append((index, worst))
            if not admitted:
                break
            open_holds = dict(admitted)
            self.budget.own.batches = self._batches() + 1
            try:
                for position, outcome in call([requests[index] for index, _ in admitted]):
                    index = admitted[position][0]
                    # A failed call may have cost something too; if nobody knows, it counts as one call.
                    real = outcome.usage or Usage(calls=1)
                    self.budget.settle(open_holds.pop(index), real, self.prices)
                    yield index, outcome
            finally:
                self.budget.own.batches = self._batches() - 1
                for worst in open_holds.values():
                    self.budget.settle(worst, Usage(), self.prices)
            # A call may cost less than was reserved: the remaining ones may fit after all.
            waiting = waiting[len(admitted) :]
        for index in waiting:
            yield index, self.budget.exceeded(limit)

    def _batches(self) -> int:
        """Return how many batches this thread has under way: it must not wait for itself."""
        return int(getattr(self.budget.own, "batches", 0))

    def _hold(self, worst: Usage, *, wait: bool) -> str:
        """Reserve what a call may cost, as `Budget.hold` does, if need be after waiting for others."""
        limit = self.budget.hold(worst, self.prices)
        before, since = Usage(), time.monotonic()
        while limit and wait and not self._batches():
            held = self.budget.under_way()
            if held != before:
                before, since = held, time.monotonic()
            if held == Usage() or time.monotonic() - since > _PATIENCE:
                # The last of them may have been settled since.
                return self.budget.hold(worst, self.prices)
            time.sleep(_PAUSE)
            limit = self.budget.hold(worst, self.prices)
        return limit

    def _worst(self, request: Any) -> Usage:
        """Return the highest cost that a request can have."""
        read = read_tokens(self.inner, request)
        if isinstance(request, Request):
            return Usage(calls=1, prompt_tokens=read, completion_tokens=request.max_tokens)
        return Usage(calls=1, scored_tokens=read)


def _negative(usage: Usage) -> Usage:
    return Usage(
        calls=-usage.calls,
        prompt_tokens=-usage.prompt_tokens,
        completion_tokens=-usage.completion_tokens,
        scored_tokens=-usage.scored_tokens,
    )
