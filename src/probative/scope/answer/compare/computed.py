"""The result of a computation: the answer with the values that decide it, or what is missing."""

from __future__ import annotations

from dataclasses import dataclass

from probative.scope.result import ComputedValue


@dataclass(frozen=True)
class ComputedAnswer:
    """The computed answer, the values that it rests on, and the rule that decided ("1,912 m > 1,740 m").

    Without an answer, `missing` names each value that the chain does not give ("height: Mount Ode"), or
    `reason` says why the values cannot be compared. The indexes of the values are those of the pool.
    """

    answer: str | None
    reason: str
    values: tuple[ComputedValue, ...] = ()
    missing: tuple[str, ...] = ()
    supporting: tuple[int, ...] = ()

    @property
    def citations(self) -> tuple[int, ...]:
        """The passages that give the values, each once, and then those that lead to them."""
        own = (value.index for value in self.values if value.index is not None)
        return tuple(dict.fromkeys((*own, *self.supporting)))
