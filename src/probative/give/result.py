"""What a method that reasons over a graph has found: everything that a result is made of."""

from __future__ import annotations

from dataclasses import dataclass, field

from pydantic import Field

from probative.types import Triple, Value


class Member(Value):
    """An entity of a group: its name, its number in the graph (None if the graph has no such entity), and its
    cosine with the group's own entity.
    """

    name: str
    entity: int | None = None
    cosine: float | None = None


class EntityGroup(Value):
    """A queried entity (the first member) with its nearest entities of the graph. `intermediate`: the middle
    of the chosen two-hop path rather than an entity of the question.
    """

    members: tuple[Member, ...]
    intermediate: bool = False

    @property
    def name(self) -> str:
        """The entity that the group is built around."""
        return self.members[0].name


class Knowledge(Value):
    """The three sets of knowledge. A counterfactual triple's relation says "not …"."""

    affirmative: tuple[Triple, ...] = ()
    counterfactual: tuple[Triple, ...] = ()
    expert: tuple[Triple, ...] = ()

    @property
    def words(self) -> dict[str, int]:
        """How many words each set takes as text."""
        return {
            name: sum(len(triple.sentence.split()) for triple in getattr(self, name))
            for name in ("affirmative", "counterfactual", "expert")
        }


class Answers(Value):
    """The answer with affirmative knowledge, then with counterfactual, then with expert knowledge added. None
    where a stage gave none, or the method has no stages.
    """

    a: str | None = None
    ac: str | None = None
    ace: str | None = None


class Path(Value):
    """A two-hop path between two groups."""

    first: Triple
    second: Triple

    def __str__(self) -> str:
        one, two = self.first, self.second
        return f"({one.head}, {one.relation}, {one.tail}, {two.relation}, {two.tail})"


@dataclass
class GiveResult:
    """What a method found. A baseline fills in its answer, the triples it used (as expert ones) and notes."""

    answer: str | None
    answers: Answers = field(default_factory=Answers)
    knowledge: Knowledge = field(default_factory=Knowledge)
    entities: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    groups: list[EntityGroup] = field(default_factory=list)
    path: Path | None = None
    uncertain: list[Triple] = field(default_factory=list)
    expert_ratio: float | None = None
    read: dict[str, int] = field(default_factory=dict)
    words: dict[str, int] = field(default_factory=dict)
    rationale: str | None = None
    notes: list[str] = field(default_factory=list)


class Example(Value):
    """A worked example for the prompts: a question, triples that speak to it, and its answer."""

    question: str
    choices: tuple[str, ...] = ()
    knowledge: tuple[Triple, ...] = Field(default=())
    answer: str
