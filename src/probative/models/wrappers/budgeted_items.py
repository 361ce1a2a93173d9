"""A budget around the evidence policy and the verdict model, decision by decision and item by item.

Both are part of the package and cost no money; their calls and tokens count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from probative.errors import ModelError
from probative.models.evidence_policy import (
    EvidencePolicy,
    PolicyScores,
    PolicyState,
    Weighing,
    weigh_each,
    weighed_scores,
)
from probative.models.verdict import (
    Judging,
    VerdictItem,
    VerdictModel,
    VerdictScores,
    judge_each,
    scores_of,
)
from probative.models.verdict_prompt import prompt_text
from probative.models.wrappers.budget import Budget, Prices
from probative.usage import Usage

FREE = Prices()


class _Paid(Protocol):
    @property
    def usage(self) -> Usage: ...


Item = TypeVar("Item")
Outcome = TypeVar("Outcome", bound=_Paid)


def within_budget(
    budget: Budget,
    items: Sequence[Item],
    worst_of: Callable[[Item], Usage],
    call: Callable[[Sequence[Item]], Sequence[Outcome | ModelError]],
) -> list[Outcome | ModelError]:
    """Return the outcome of each item, in order; one that the budget does not cover has a `BudgetError`."""
    outcomes: list[Outcome | ModelError] = []
    while len(outcomes) < len(items):
        held: list[Usage] = []
        limit = ""
        for item in items[len(outcomes) :]:
            limit = budget.hold(worst := worst_of(item), FREE)
            if limit:
                break
            held.append(worst)
        if not held:
            return outcomes + [budget.exceeded(limit)] * (len(items) - len(outcomes))
        spent: list[Usage] = []
        try:
            made = call(items[len(outcomes) : len(outcomes) + len(held)])
            spent = [getattr(outcome, "usage", None) or Usage() for outcome in made]
        finally:
            for index, worst in enumerate(held):
                budget.settle(worst, spent[index] if spent else Usage(), FREE)
        outcomes += made  # they may have cost less than was reserved: the others may fit after all
    return outcomes


class BudgetedPolicy:
    """Weighs decisions as long as the budget covers them; the others fail with a `BudgetError`.

    A decision counts one token for 4 characters of each of its sequences until it is made.
    """

    def __init__(self, inner: EvidencePolicy, budget: Budget) -> None:
        self.inner = inner
        self.name = inner.name
        self.budget = budget

    @property
    def fingerprint(self) -> Any:
        """Identifies the inner policy; None if it has no fingerprint."""
        return getattr(self.inner, "fingerprint", None)

    @property
    def usage(self) -> Usage:
        """What the inner policy has cost so far."""
        return self.inner.usage

    def weigh(self, states: Sequence[PolicyState]) -> list[PolicyScores]:
        """Return the scores of each decision, in order; raises `BudgetError`."""
        return weighed_scores(self.weigh_each(states))

    def weigh_each(self, states: Sequence[PolicyState]) -> list[Weighing | ModelError]:
        """Return the scores and the cost of each decision, or its `BudgetError`."""
        return within_budget(self.budget, states, _worst_decision, lambda some: weigh_each(self.inner, some))


class BudgetedVerdict:
    """Judges items as long as the budget covers them; the others fail with a `BudgetError`."""

    def __init__(self, inner: VerdictModel, budget: Budget) -> None:
        self.inner = inner
        self.name = inner.name
        self.budget = budget

    @property
    def fingerprint(self) -> str:
        """Identifies the inner model."""
        return self.inner.fingerprint

    @property
    def usage(self) -> Usage:
        """What the inner model has cost so far."""
        return self.inner.usage

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text in the prompt."""
        return self.inner.count_tokens(texts)

    def judge(self, items: Sequence[VerdictItem]) -> list[VerdictScores]:
        """Return the scores of each item, in order; raises `BudgetError`."""
        return scores_of(self.judge_each(items))

    def judge_each(self, items: Sequence[VerdictItem]) -> list[Judging | ModelError]:
        """Return the scores and the cost of each item, or its error."""
        return within_budget(self.budget, items, self._worst, lambda some: judge_each(self.inner, some))

    def _worst(self, item: VerdictItem) -> Usage:
        (read,) = self.inner.count_tokens([prompt_text(*item)])
        return Usage(calls=1, prompt_tokens=read, completion_tokens=2)


def _worst_decision(state: PolicyState) -> Usage:
    common = len(state.query) + sum(map(len, state.chosen))
    around = [len(neighbours.before) + len(neighbours.after) for neighbours in state.neighbours]
    texts = sum(common + len(text) for text in (*state.candidates, "", "")) + sum(around)
    return Usage(calls=1, prompt_tokens=-(-texts // 4))
