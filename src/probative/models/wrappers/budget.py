"""A budget: stop before the call that would cost too much, and keep what is done."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import Field

from probative.errors import BudgetError
from probative.models.contract import LanguageModel
from probative.models.encoder import Encoder
from probative.models.evidence_policy import EvidencePolicy
from probative.models.verdict import VerdictModel
from probative.models.wrappers.items import ITEMS
from probative.models.wrappers.wrapper import (
    EncoderWrapper,
    ItemWrapper,
    Model,
    PolicyWrapper,
    Verb,
    VerdictWrapper,
    Wrapper,
)
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


@dataclass
class _Hold:
    """The worst cost of items that are admitted together, how many of them are open, the index of the first,
    and what they have cost.
    """

    worst: Usage
    open: int
    start: int
    spent: Usage = field(default_factory=Usage)


class _Budgeted(ItemWrapper[Model]):
    """Admits items as long as the budget covers them; the others fail with a `BudgetError`.

    A request that the budget does not cover waits for calls of other threads and processes that are under
    way, since they may cost less than they hold.
    """

    def __init__(self, inner: Model, budget: Budget, prices: Prices | None = None) -> None:
        super().__init__(inner)
        self.budget = budget
        self.prices = prices or budget.prices

    def _around(self, verb: str, items: Sequence[Any], call: Verb) -> Iterator[tuple[int, Any]]:
        contract = ITEMS[verb]
        size = contract.together
        groups = [items[start : start + size] for start in range(0, len(items), size)]
        worsts = [contract.worst(self.inner, group) for group in groups]
        waiting = [_Hold(worsts[n], len(group), n * size) for n, group in enumerate(groups)]
        limit = ""
        while waiting:
            admitted: list[_Hold] = []
            for hold in waiting[: 1 if size > 1 else None]:
                limit = self._hold(hold.worst, wait=contract.waits and not admitted)
                if limit:
                    break  # in order: a later, smaller call must not overtake
                admitted.append(hold)
            if not admitted:
                break
            first = admitted[0].start
            self.budget.own.batches = self._batches() + 1
            try:
                for position, outcome in call(items[first : first + sum(hold.open for hold in admitted)]):
                    hold = admitted[position // size]
                    # A failed call may have cost something too, even if nobody knows what.
                    hold.spent += outcome.usage or contract.failed
                    hold.open -= 1
                    if hold.open == 0:
                        self.budget.settle(hold.worst, hold.spent, self.prices)
                    yield first + position, outcome
            finally:
                self.budget.own.batches = self._batches() - 1
                for hold in admitted:
                    if hold.open > 0:
                        self.budget.settle(hold.worst, hold.spent, self.prices)
            # A call may cost less than was reserved: the remaining ones may fit after all.
            waiting = waiting[len(admitted) :]
        if waiting:
            error = self.budget.exceeded(limit)
            yield from ((index, error) for index in range(waiting[0].start, len(items)))

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


class Budgeted(_Budgeted[LanguageModel], Wrapper):
    """A language model with a budget."""


class BudgetedEncoder(_Budgeted[Encoder], EncoderWrapper):
    """An encoder with a budget."""


class BudgetedPolicy(_Budgeted[EvidencePolicy], PolicyWrapper):
    """An evidence policy with a budget."""


class BudgetedVerdict(_Budgeted[VerdictModel], VerdictWrapper):
    """A verdict model with a budget."""


def _negative(usage: Usage) -> Usage:
    return Usage(
        calls=-usage.calls,
        prompt_tokens=-usage.prompt_tokens,
        completion_tokens=-usage.completion_tokens,
        scored_tokens=-usage.scored_tokens,
    )
