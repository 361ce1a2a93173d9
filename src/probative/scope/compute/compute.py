"""The answer that is computed by a plan: its look-ups are read, and code does the arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from probative.engine.search import Search, side_by_side
from probative.scope.compute.look_up import StepValue, look_up
from probative.scope.plan import run_plan
from probative.scope.result import ComputedValue
from probative.scope.run import Run
from probative.text import english
from probative.text.plan import Plan, Step
from probative.text.words import words

_OF_NUMBERS = ("sum", "product", "difference", "share")
Found = list[StepValue | None]


@dataclass(frozen=True)
class ComputedAnswer:
    """The computed answer, the values that it rests on, and the computation ("1,912 m > 1,740 m").

    Without an answer, `missing` names each value that no passage gives ("height: Mount Ode"), or `reason`
    says why the values cannot be computed with. The indexes of the values are those of the pool.
    """

    answer: str | None
    reason: str
    values: tuple[ComputedValue, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def citations(self) -> tuple[int, ...]:
        """The passages that give the values, each once."""
        return tuple(dict.fromkeys(value.index for value in self.values if value.index is not None))


def compute_answer(run: Run, plan: Plan) -> Search[ComputedAnswer]:
    """Run a plan and return what it gives, or which values are missing."""
    numbers = _steps_of_numbers(plan)
    running = run_plan(plan)
    shown: list[ComputedValue] = []
    found: list[str | None] | None = None
    while True:
        try:
            asked = running.send(found)  # type: ignore[arg-type]  # None starts a generator
        except StopIteration as finished:
            result = finished.value
            break
        values = yield from side_by_side(
            look_up(run, step, number=number in numbers) for number, step in asked.items()
        )
        values = _without_borrowed(list(asked.values()), values)
        shown += map(_shown, asked.values(), values)
        found = [None if value is None else value.text for value in values]
    missing = tuple(f"{value.attribute}: {value.name}" for value in shown if value.value is None)
    reason = f"no passage gives {'; '.join(missing)}" if missing else result.rule
    return ComputedAnswer(None if missing else result.answer, reason, tuple(shown), missing)


def _steps_of_numbers(plan: Plan) -> set[int]:
    """Return the numbers of the look-ups whose results must be dates or amounts."""
    return {
        number
        for step in plan.steps
        if step.do in _OF_NUMBERS or (step.do == "compare" and step.by not in ("same", "different"))
        for number in step.steps
        if plan.steps[number - 1].do == "look_up"
    }


def _without_borrowed(asked: Sequence[Step], values: Sequence[StepValue | None]) -> Found:
    """Return the values without those that belong to another thing: the same words of the same sentence,
    which does not name the thing.
    """
    kept: Found = list(values)
    for row, (step, value) in enumerate(zip(asked, values, strict=True)):
        others = [other for at, other in enumerate(asked) if at != row and values[at] == value]
        if value is not None and any(other.of != step.of for other in others):
            named = set(words(value.sentence.whole))
            if not set(words(step.of or "")) <= named:
                kept[row] = None
    return kept


def _shown(step: Step, value: StepValue | None) -> ComputedValue:
    """Return a value as a result shows it: whose it is, its sentence, and the question that asks for it."""
    attribute = step.name or english.parse_question(step.ask or "").intent or "value"
    name = step.of or step.ask or ""
    if value is None:
        return ComputedValue(name=name, attribute=attribute)
    return ComputedValue(
        name=name,
        attribute=attribute,
        value=value.text,
        index=value.sentence.index,
        sentence=value.sentence.text,
        question=step.ask,
        probability=value.probability,
    )
