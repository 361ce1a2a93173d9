"""Questions about invented facts, with the facts that answer them, others, and unanswerable twins.

Twins are of three kinds: a fact that the answer needs is missing (`removed`), the question is about an entity
or value that no sentence mentions (`swapped`), or it asks for something near that is never stated (`near`).
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from training.reader.genres.entity import Entity, Fact, invent_entity, sentence, sibling, state
from training.reader.genres.kind import Attribute, Kind
from training.reader.genres.values import order

# The share of each type of question, in percent.
TYPES = {"span": 52, "yes-no": 11, "comparison": 9, "which": 5, "two-hop": 15, "by value": 8}
TWINS = ("removed", "removed", "swapped", "near")


@dataclass
class Case:
    """A question, its answer, the facts that carry it (`gold`) and facts beside it, and the questions of its
    twins: `swapped` and `near` may be empty.
    """

    question: str
    answer: str
    gold: list[Fact]
    others: list[Fact]
    type: str
    swapped: str = ""
    near: str = ""
    absent: Entity | None = field(default=None, repr=False)


class Subject:
    """An invented entity with its facts, and one or two siblings with theirs."""

    def __init__(self, kind: Kind, rng: random.Random) -> None:
        self.rng, self.kind = rng, kind
        self.entity = invent_entity(kind.name, rng)
        chosen = rng.sample(kind.attributes, min(len(kind.attributes), rng.randint(4, 8)))
        self.facts = [state(self.entity, attribute, rng) for attribute in chosen]
        self.names = {self.entity.bare}
        self.siblings = [self._sibling(self.entity) for _ in range(rng.choice((0, 1, 1, 1, 2)))]
        self.beside = [
            state(other, fact.attribute, rng, like=fact)
            for other in self.siblings
            for fact in self.facts
            if rng.random() < 0.65
        ]

    def case(self) -> Case | None:
        """Return a question of a random type; None where this subject has no fact for it."""
        makers: dict[str, Callable[[], Case | None]] = {
            "span": self._span,
            "yes-no": self._yes_no,
            "comparison": self._comparison,
            "which": self._which,
            "two-hop": self._two_hop,
            "by value": self._by_value,
        }
        (name,) = self.rng.choices(list(makers), weights=[TYPES[name] for name in makers])
        return makers[name]()

    def _fact(self, *sorts: str) -> Fact | None:
        fitting = [fact for fact in self.facts if all(fact.attribute.texts(sort) for sort in sorts)]
        return self.rng.choice(fitting) if fitting else None

    def _rest(self, *gold: Fact) -> list[Fact]:
        return [fact for fact in (*self.facts, *self.beside) if fact not in gold]

    def _stranger(self) -> Entity:
        """Return an entity that nothing is said of."""
        if self.rng.random() < 0.3:
            return self._fresh(lambda: invent_entity(self.kind.name, self.rng))
        return self._sibling(self.entity)

    def _sibling(self, entity: Entity) -> Entity:
        return self._fresh(lambda: sibling(entity, self.rng))

    def _fresh(self, make: Callable[[], Entity]) -> Entity:
        """Return an entity with a name that was not used before; of another form if `make` has few names."""
        for attempt in itertools.count():
            entity = make() if attempt < 20 else invent_entity(self.kind.name, self.rng)
            if entity.bare not in self.names:
                break
        self.names.add(entity.bare)
        return entity

    def _near(self, fact: Fact) -> str:
        if fact.attribute.texts("near") and self.rng.random() < 0.8:
            return fact.ask(self.rng, "near")
        text = self.rng.choice(self.kind.texts("absent"))
        return sentence(text.replace("{e}", self.entity.full))

    def _span(self) -> Case | None:
        fact = self._fact("say", "ask")
        if fact is None:
            return None
        stranger = self._stranger()
        question = fact.ask(self.rng)
        swapped = question.replace(self.entity.full, stranger.full)
        swapped = swapped.replace(sentence(self.entity.full), sentence(stranger.full))
        rest = self._rest(fact)
        if self.rng.random() < 0.4 and not any(other.attribute is fact.attribute for other in rest):
            rest.append(state(self._sibling(self.entity), fact.attribute, self.rng, like=fact))
        return Case(question, fact.answer, [fact], rest, "span", swapped, self._near(fact), stranger)

    def _yes_no(self) -> Case | None:
        flags = [fact for fact in self.facts if not fact.attribute.values]
        if flags and self.rng.random() < 0.5:
            fact: Fact | None = flags[0]
            sort = "ask"
        else:
            fact, sort = self._fact("yn"), "yn"
        if fact is None:
            return None
        answer, shown = fact.answer, fact
        if sort == "yn":
            answer = self.rng.choice(("yes", "no"))
            if answer == "no":
                shown = state(self.entity, fact.attribute, self.rng, like=fact)
        question = shown.ask(self.rng, sort)
        stranger = self._stranger()
        swapped = question.replace(self.entity.full, stranger.full)
        near = fact.ask(self.rng, "near") if sort == "ask" else ""
        return Case(question, answer, [fact], self._rest(fact), "yes-no", swapped, near, stranger)

    def _comparison(self) -> Case | None:
        sort = self.rng.choice(("more", "less"))
        fact = self._fact(sort)
        if fact is None:
            return None
        entity = next(iter(self.siblings), None)
        if entity is None or self.rng.random() < 0.5:
            entity = self._stranger()
        attribute = fact.attribute
        for _ in range(30):
            other = state(entity, attribute, self.rng, like=fact)
            mine, its = order(fact.shown), order(other.shown)
            if mine and its and mine[0] == its[0] and mine[1] != its[1]:
                break
        else:
            return None
        bigger, smaller = (fact, other) if mine[1] > its[1] else (other, fact)
        pair = [fact, other]
        self.rng.shuffle(pair)
        text = self.rng.choice(attribute.texts(sort))
        question = text.replace("{a}", pair[0].entity.full).replace("{b}", pair[1].entity.full)
        answer = (bigger if sort == "more" else smaller).entity.bare
        rest = [
            beside
            for beside in self._rest(fact)
            if beside.entity is not entity or beside.attribute is not attribute
        ]
        stranger = self._stranger()
        swapped = question.replace(other.entity.full, stranger.full)
        return Case(question, answer, [fact, other], rest, "comparison", swapped, "", stranger)

    def _which(self) -> Case | None:
        fact = self._fact("by")
        if fact is None or fact.target is not None:
            return None
        word = "Who" if self.kind.name == "person" else "Which"
        question = f"{word} is {fact.phrase(self.rng, 'by')}?"
        rest = [other for other in self._rest(fact) if other.answer.lower() != fact.answer.lower()]
        unsaid = state(self.entity, fact.attribute, self.rng, like=fact)
        said = {other.answer.lower() for other in rest}
        swapped = f"{word} is {unsaid.phrase(self.rng, 'by')}?" if unsaid.answer.lower() not in said else ""
        return Case(question, self.entity.bare, [fact], rest, "which", swapped)

    def _by_value(self) -> Case | None:
        fact, end = self._fact("by"), self._fact("say", "ask")
        if fact is None or end is None or end is fact or fact.target is not None:
            return None
        question = end.ask(self.rng, phrase=fact.phrase(self.rng, "by"))
        rest = [other for other in self._rest(fact, end) if other.answer.lower() != fact.answer.lower()]
        unsaid = state(self.entity, fact.attribute, self.rng, like=fact)
        said = {other.answer.lower() for other in rest}
        swapped = ""
        if unsaid.answer.lower() not in said:
            swapped = end.ask(self.rng, phrase=unsaid.phrase(self.rng, "by"))
        if not any(other.attribute is end.attribute for other in rest):
            other = self._sibling(self.entity)
            rest += [
                state(other, end.attribute, self.rng, like=end),
                state(other, fact.attribute, self.rng, like=fact),
            ]
        return Case(question, end.answer, [fact, end], rest, "by value", swapped)

    def _two_hop(self) -> Case | None:
        link = self._fact("role")
        if link is None or link.target is None:
            return None
        attributes = [item for item in link.target.kind.attributes if item.values and item.texts("ask")]
        end = state(link.target, self.rng.choice(attributes), self.rng)
        question = end.ask(self.rng, phrase=link.phrase(self.rng, "role"))
        stranger = self._stranger()
        swapped = question.replace(self.entity.full, stranger.full)
        rest = [other for other in self._rest(link) if other.attribute is not link.attribute]
        rest += self._false_trail(link, end, attributes)
        near = ""
        if end.attribute.texts("near"):
            near = end.ask(self.rng, "near", phrase=link.phrase(self.rng, "role"))
        return Case(question, end.answer, [link, end], rest, "two-hop", swapped, near, stranger)

    def _false_trail(self, link: Fact, end: Fact, attributes: Sequence[Attribute]) -> list[Fact]:
        """Return the same two facts of a sibling, with another value, and more facts of the target."""
        assert link.target is not None
        other = next(iter(self.siblings), None) or self._sibling(self.entity)
        false_link = state(other, link.attribute, self.rng, like=link)
        near_target = self._sibling(link.target)
        false_link.target, false_link.shown, false_link.answer = (
            near_target,
            near_target.full,
            near_target.bare,
        )
        more = [item for item in attributes if item is not end.attribute]
        return [
            false_link,
            state(near_target, end.attribute, self.rng, like=end),
            *(state(link.target, item, self.rng) for item in self.rng.sample(more, min(2, len(more)))),
        ]
