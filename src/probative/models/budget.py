"""A budget: a limit on calls, tokens or money that models share."""

from __future__ import annotations

import datetime
import threading

from pydantic import Field

from probative.errors import BudgetError
from probative.types import Usage, Value


class Prices(Value):
    """The price of a million tokens in any currency; scored tokens cost as much as prompt tokens. `date` is
    that of a listed price, which is in US dollars.
    """

    prompt: float = Field(default=0.0, ge=0.0)
    completion: float = Field(default=0.0, ge=0.0)
    date: datetime.date | None = None

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
        self.calls, self.tokens, self.money = calls, tokens, money
        self.prices = prices or Prices()
        self.of_thread = threading.local()
        self._lock = threading.Lock()
        self._spent = self._held = Usage()
        self._spent_money = self._held_money = 0.0

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
            self._held = self._held - worst
            self._held_money -= prices.cost(worst)
            self._spent += real
            self._spent_money += prices.cost(real)

    def under_way(self) -> Usage:
        """Return what calls hold that are not settled yet."""
        return self._held

    def exceeded(self, limit: str) -> BudgetError:
        """Return the error for a call that this limit forbids."""
        money = f", {self.spent_money:.4g} in money" if self.money is not None else ""
        spent = f"{self._spent.calls:,} calls and {self._spent.tokens:,} tokens{money} spent"
        return BudgetError(
            f"the budget of {limit} would be exceeded by the next call ({spent})",
            hint="raise the budget; results so far are kept, and cached ones cost nothing",
        )
