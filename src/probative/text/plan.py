"""The plan of a question: which values to look up, and what to compute from them.

A language model writes the plan as JSON, a list of steps; the rules of a language make one from the words of
the question. Each look-up asks a question, and a text of the evidence answers it. Code does the arithmetic,
never a model:

    How many more berths has the Idun than the Saga?
    [{"do": "look_up", "ask": "How many berths has the Idun?", "of": "the Idun"},
     {"do": "look_up", "ask": "How many berths has the Saga?", "of": "the Saga"},
     {"do": "difference", "steps": [1, 2]}]

Steps are numbered from 1, and the last one gives the answer. `#1` in a question stands for the result of
step 1. `probative.scope.plan` runs a plan.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, TypeAdapter, ValidationError, model_validator

from probative.errors import ModelError
from probative.types import Value

Do = Literal[
    "look_up", "given", "count", "compare", "latest", "sum", "average", "product", "difference", "share",
    "both",
]  # fmt: skip
By = Literal["more", "less", "earlier", "later", "same", "different"]
Unit = Literal["days", "weeks", "months", "years", "full_years", "percent"]
LOOK_UPS = ("look_up", "count")
MAX_STEPS = 12
_REFERENCE = re.compile(r"#(\d+)")
_SAID = re.compile(r"(?i)(?:yes|no|true|false)(?:\W+(?:or\W+)?(?:yes|no))?")


def _reply(written: object) -> object:
    """Return the reply of a comparison; models also name it by what it says.

    >>> _reply("yes/no"), _reply(True), _reply("which"), _reply(None)
    ('whether', 'whether', 'which', None)
    """
    return "whether" if _SAID.fullmatch(str(written)) else written


class Step(Value):
    """One step of a plan.

    - `look_up` asks `ask` about the thing `of`; `count` asks for a list of things and counts them.
    - `given` is a `value` that the question itself states.
    - `compare` returns the name of the step that is `by` more, less, earlier or later (`reply` "which"), or
      whether the first one is, or is the same ("whether").
    - `latest` (of dates), `sum`, `average`, `product`, `difference` (of two, never negative; of dates in a
      `unit`), `share` (the first of the second, perhaps in `percent`) and `both` work on the results of their
      `steps`. Two values have no difference if the first is not `by` more or less, as the question says.

    Only rules write `different`, the `by` of a difference, the unit `full_years` ("26 or 27 years", where the
    days are not known), and the `name` of what is looked up, such as "height".
    """

    do: Do
    ask: str | None = None
    of: str | None = None
    value: str | None = None
    steps: tuple[int, ...] = Field(default=(), max_length=MAX_STEPS)
    by: By | None = None
    reply: Annotated[Literal["which", "whether"] | None, BeforeValidator(_reply)] = None
    unit: Unit | None = None
    name: str | None = None

    @model_validator(mode="after")
    def _has_what_it_needs(self) -> Self:
        if self.do in LOOK_UPS and not self.ask:
            raise ValueError(f"a step {self.do!r} needs 'ask'")
        if self.do == "given" and not self.value:
            raise ValueError("a step 'given' needs 'value'")
        if self.do not in (*LOOK_UPS, "given") and len(self.steps) < 2:
            raise ValueError(f"a step {self.do!r} needs 2 steps")
        if self.do in ("difference", "share") and len(self.steps) != 2:
            raise ValueError(f"a step {self.do!r} has exactly 2 steps")
        if self.do == "compare" and (self.by is None or self.reply is None):
            raise ValueError("a step 'compare' needs 'by' and 'reply'")
        return self

    @property
    def needs(self) -> frozenset[int]:
        """The numbers of the steps whose results it needs."""
        return frozenset((*self.steps, *map(int, _REFERENCE.findall(f"{self.ask or ''} {self.of or ''}"))))

    def filled(self, values: Sequence[str | None]) -> Step:
        """Return the step with the results of earlier steps in place of `#1`, `#2` and so on.

        >>> Step(do="look_up", ask="Who heads #1?", of="#1").filled(["the Council"]).ask
        'Who heads the Council?'
        """
        texts = {name: text for name in ("ask", "of") if (text := getattr(self, name))}
        return self.model_copy(
            update={
                name: _REFERENCE.sub(lambda match: values[int(match[1]) - 1] or "", text)
                for name, text in texts.items()
            }
        )


class Plan(Value):
    """The steps of a plan; each refers only to steps before it."""

    steps: tuple[Step, ...] = Field(min_length=1, max_length=MAX_STEPS)

    @model_validator(mode="after")
    def _refers_backwards(self) -> Self:
        for number, step in enumerate(self.steps, 1):
            if any(not 1 <= other < number for other in step.needs):
                raise ValueError(f"step {number} refers to a step that is not before it")
        return self

    @classmethod
    def read(cls, text: str) -> Plan:
        """Return the plan in a model's reply; raises `ModelError` if there is none.

        >>> Plan.read('[{"do": "look_up", "ask": "Who built it?", "of": "the pier"}]').steps[0].ask
        'Who built it?'
        """
        try:
            return cls(steps=_STEPS.validate_json(text[text.index("[") : text.rindex("]") + 1]))
        except (ValueError, ValidationError) as error:
            raise ModelError(f"the reply is no plan: {error}; it was {text[:300]!r}") from error

    @property
    def look_ups(self) -> list[Step]:
        """The steps that ask the evidence."""
        return [step for step in self.steps if step.do in LOOK_UPS]

    @property
    def parts(self) -> tuple[str, ...]:
        """The questions of a plan that only asks several things; none for every other plan."""
        last = self.steps[-1]
        asked = [self.steps[number - 1] for number in last.steps]
        if last.do != "both" or any(step.do != "look_up" for step in asked):
            return ()
        return tuple(step.ask or "" for step in asked) if len(asked) == len(self.look_ups) else ()


_STEPS = TypeAdapter(tuple[Step, ...])
