"""What give gives: three staged answers, and the knowledge behind them."""

from __future__ import annotations

from pydantic import Field

from probative.give.query import Form
from probative.give.result import Answers, EntityGroup, Knowledge, Path
from probative.trace import Step
from probative.types import Triple, Value
from probative.usage import Usage


class Reasoning(Value):
    """The answer to a question over a graph.

    `answer` is the last stage's; `answers` are all three: with affirmative knowledge (a), with counterfactual
    added (ac), with expert knowledge added (ace). None where the model's reply could not be read (a note
    quotes it). `read` is how many triples of each set the model read (all, if they fit into its window), and
    `words` how many words they are. `uncertain` are the candidates of which the model said maybe.
    `expert_ratio` is the share of expert triples among all knowledge between groups. `trace` is every call,
    for a single question.
    """

    question: str
    choices: tuple[str, ...] = ()
    form: Form
    answer: str | None
    answers: Answers = Answers()
    knowledge: Knowledge = Knowledge()
    read: dict[str, int] = Field(default_factory=dict)
    words: dict[str, int] = Field(default_factory=dict)
    entities: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    groups: tuple[EntityGroup, ...] = ()
    path: Path | None = None
    uncertain: tuple[Triple, ...] = ()
    maybe: int = 0
    expert_ratio: float | None = None
    rationale: str | None = None
    method: str = "give"
    model: str | None = None
    notes: tuple[str, ...] = ()
    usage: Usage = Usage()
    trace: Step | None = None

    def _repr_html_(self) -> str:
        """Return the reasoning as a notebook shows it."""
        from probative.give.html import reasoning_html

        return reasoning_html(self)
