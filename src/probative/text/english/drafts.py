"""What a question asks of each option, before it becomes a plan."""

from __future__ import annotations

from typing import Literal, NamedTuple

from probative.text.analysis import Attribute, Comparison
from probative.text.english.roles import role_in
from probative.text.plan import MAX_STEPS, By, Do, Plan, Step, Unit
from probative.text.quantities import spelled


class Draft(NamedTuple):
    """The value that each option is asked for, and what to do with the values.

    With a `span`, each option is asked for two dates, and the time between them is its value. `given` is a
    limit, `limit_question` asks for one. With a `role`, the value is that of the
    person (or thing) with this role in the option.
    """

    do: Do
    attributes: tuple[Attribute, ...]
    options: tuple[str, ...]
    by: By | None = None
    reply: Literal["which", "whether"] | None = None
    unit: Unit | None = None
    span: Unit | None = None
    given: str = ""
    limit_question: str = ""
    role: str = ""

    def plan(self) -> Plan | None:
        """Return the plan; None without two values to compute with, or with too many."""
        steps: list[Step] = []
        results: list[int] = []
        for option in self.options:
            steps += self._steps_of(option, len(steps))
            results.append(len(steps))
        if self.limit_question:
            steps.append(Step(do="look_up", ask=self.limit_question, name="limit"))
            results.append(len(steps))
        if self.given:
            steps.append(Step(do="given", value=self.given))
            results.append(len(steps))
        if len(results) > 1:
            by, reply, unit = self.by, self.reply, self.unit
            steps.append(Step(do=self.do, steps=tuple(results), by=by, reply=reply, unit=unit))
        elif not self.span:
            return None
        return Plan(steps=tuple(steps)) if len(steps) <= MAX_STEPS else None

    def _steps_of(self, option: str, before: int) -> list[Step]:
        """Return the steps that give the value of an option, where some steps stand before them."""
        steps: list[Step] = []
        thing = option
        if self.role:
            word = "Who" if role_in(self.role) else "What"
            ask = f"{word} is the {self.role} of {option}?"
            steps.append(Step(do="look_up", ask=ask, of=option, name=self.role))
            thing = f"#{before + 1}"
        steps += [
            Step(do="look_up", ask=attribute.ask(thing), of=option, name=attribute.name)
            for attribute in self.attributes[: 2 if self.span else 1]
        ]
        if self.span:
            last = before + len(steps)
            steps.append(Step(do="difference", steps=(last - 1, last), of=option, unit=self.span))
        return steps


def which_of(attributes: tuple[Attribute, ...], options: tuple[str, ...], *, largest: bool) -> Draft:
    """Return the draft of "Which is higher, A or B?"."""
    return Draft("compare", attributes, options, _by(attributes[0], largest=largest), "which")


def whether(comparison: Comparison) -> Draft:
    """Return the draft of "Is A higher than B?"."""
    by = _by(comparison.attributes[0], largest=comparison.largest)
    if comparison.inclusive:
        by = "at_least" if by == "more" else "at_most"
    return Draft(
        "compare",
        comparison.attributes,
        comparison.options,
        by,
        "whether",
        given="" if comparison.limit is None else spelled(comparison.limit),
        limit_question=comparison.limit_question,
    )


def _by(attribute: Attribute, *, largest: bool) -> By:
    largest = largest != attribute.inverted
    if attribute.kind == "date":
        return "later" if largest else "earlier"
    return "more" if largest else "less"
