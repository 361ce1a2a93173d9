"""What a method finds for a question over a graph; `Reasoning` is made from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from pydantic import Field

from probative.types import Triple, Value


class GraphVerdict(StrEnum):
    """What an answer over a graph rests on."""

    READ = "read"
    """The graph states the answer: `facts` are the edges that do."""
    EXTRAPOLATED = "extrapolated"
    """The graph does not state it: a model or the encoder gives the answer from knowledge near to the
    question. `strength` says how well, and `extrapolated_by` which of them.
    """
    UNKNOWN = "unknown"
    """Nothing in the graph bears on the question: an answer is the model's own guess."""


Extrapolator = Literal["encoder", "verdict", "veracity", "model", "elimination"]
"""What extrapolated an answer: the encoder (the graph states it for similar entities), the verdict model
(from edges of another relation, or a path), the veracity learned from the graph, the language model, or the
graph's facts about every other choice."""


class Member(Value):
    """An entity of a group: its name, its number in the graph (None if it is not in the graph), and its
    cosine with the group's own entity.
    """

    name: str
    entity: int | None = None
    cosine: float | None = None


class EntityGroup(Value):
    """A queried entity, the first member, with the nearest entities of the graph. An `intermediate` group is
    built around the middle of the chosen two-hop path instead.
    """

    members: tuple[Member, ...]
    intermediate: bool = False

    @property
    def name(self) -> str:
        """The entity that the group is built around."""
        return self.members[0].name


class Knowledge(Value):
    """The three sets of knowledge. The relation of a counterfactual triple begins with "not"."""

    affirmative: tuple[Triple, ...] = ()
    counterfactual: tuple[Triple, ...] = ()
    expert: tuple[Triple, ...] = ()

    @property
    def words(self) -> dict[str, int]:
        """The number of words of each set as text."""
        return {
            name: sum(len(triple.sentence.split()) for triple in getattr(self, name))
            for name in ("affirmative", "counterfactual", "expert")
        }


class Answers(Value):
    """The answers with affirmative knowledge, then with counterfactual, then with expert knowledge added. An
    answer is None if its stage gave none, or if the method has no stages.
    """

    a: str | None = None
    ac: str | None = None
    ace: str | None = None


class Path(Value):
    """A two-hop path between two groups."""

    first: Triple
    second: Triple

    def __str__(self) -> str:
        first, second = self.first, self.second
        return f"({first.head}, {first.relation}, {first.tail}, {second.relation}, {second.tail})"


@dataclass
class GiveResult:
    """What a method found. A baseline gives its answer, its notes, and the triples it used as expert ones."""

    answer: str | None
    verdict: GraphVerdict | None = None
    extrapolated_by: Extrapolator | None = None
    strength: float | None = None
    facts: tuple[Triple, ...] = ()
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
    """A worked example for the prompts: a question, knowledge about it, its answer, and the rationale that
    leads from the one to the other, for prompts that ask for a logic chain.

    `sets` is what prompts with stages show in the place of `knowledge`; without it, they show `knowledge` as
    affirmative.
    """

    question: str
    choices: tuple[str, ...] = ()
    knowledge: tuple[Triple, ...] = Field(default=())
    sets: Knowledge | None = None
    answer: str
    rationale: str = ""
