"""A question that asks for a computation, as parts: the options, one attribute of each, and what to do.

The rules of a language make it from a question (`english.decompose`); `scope.answer.compare` asks for
the values and computes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from probative.text.quantities import Dimension, Quantity

Event = Literal["birth", "death", "start"]
"""Events whose dates a language has rules for; `start` is when something was built, founded, released…"""
ValueKind = Literal["date", "quantity", "country", "place", "name"]
Task = Literal["order", "same", "limit", "difference", "total", "age", "lives", "amount"]


class Attribute(NamedTuple):
    """What is compared: its name, the question that asks for it (with {} for the option), and how to find
    its value in a sentence.

    A quantity must have one of `dimensions`; `cues` are stems of words, one of which stands near the value.
    With `role`, the people with this role may be counted where no number is given. `inverted`: a question for
    the larger asks for the smaller value here (the older of two has the earlier birth).
    `verb` is the word of the question for an event. With `part`, the value is that of a part of the option
    ("towers"), and `words` are stems that its sentence must contain ("the chess title").
    """

    name: str
    question: str
    kind: ValueKind
    dimensions: frozenset[Dimension] = frozenset()
    cues: frozenset[str] = frozenset()
    event: Event | None = None
    role: str | None = None
    inverted: bool = False
    verb: str = ""
    part: str = ""
    words: frozenset[str] = frozenset()

    def ask(self, option: str) -> str:
        """Return the question for one option.

        >>> Attribute("height", "How high is {}?", "quantity").ask("Mount Ode")
        'How high is Mount Ode?'
        """
        return self.question.replace("{}", option)


@dataclass(frozen=True)
class Decomposition:
    """The parts of a question.

    - `order`: which option has the largest (or smallest, or latest, or earliest) value.
    - `same`: whether all options have the same value (`positive`), or different ones.
    - `limit`: yes or no: whether the value of the first option is larger (smaller) than `limit`, than the
      value of the second option, or than the value that `limit_question` asks for; `inclusive`: or equal.
    - `difference`, `total`: of the values of two, or of all, options; in `unit` if the question names one.
    - `lives`: who lived longest (or shortest), by the first attribute (a birth) and the second (a death).
    - `amount`: of the only option, if it must be computed (a price less a discount).
    - `age`: from the first attribute of the only option (a birth) to the second (an event).

    `attributes` are tried in turn until the chain has the value of one of them for every option; `age` and
    `lives` need both. With `role`, the attribute is that of the person (or thing) with this role in each
    option, whom `role_question` asks for. `options` are as the question writes them; a title that it names
    may replace them.
    """

    task: Task
    attributes: tuple[Attribute, ...]
    options: tuple[str, ...]
    largest: bool = True
    positive: bool = True
    role: str | None = None
    role_question: str = ""
    limit: Quantity | None = None
    limit_question: str = ""
    inclusive: bool = False
    unit: str | None = None
