"""Invented entities and the facts that documents state of them."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

from training.reader.genres.kind import Attribute, Kind, kinds
from training.reader.genres.values import fill

# How often a sentence names its entity by something shorter, where that is clear.
SHORT = 0.45


@dataclass
class Entity:
    """A thing or a person: `full` is its name as in a sentence, `bare` without an article."""

    kind: Kind
    slots: dict[str, str]
    template: str
    full: str
    pronoun: str

    @property
    def bare(self) -> str:
        """The name without its article."""
        return re.sub(r"^the ", "", self.full)

    def title(self, rng: random.Random) -> str:
        """Return a title for a text about it."""
        template = rng.choice(self.kind.texts("title"))
        text = fill(template.replace("{bare}", self.bare), self.slots, rng)
        return text[0].upper() + text[1:]

    def mention(self, rng: random.Random, *, subject: bool) -> str:
        """Return a short mention; a pronoun only as the subject of a sentence."""
        shorts = self.kind.texts("short")
        if subject and self.pronoun and rng.random() < 0.5:
            return self.pronoun
        return fill(rng.choice(shorts), self.slots, rng) if shorts else self.full


@dataclass
class Fact:
    """A value of an attribute of an entity: `shown` in a sentence, `answer` to a question.

    `target` is the entity that the value names. A flag has the answer yes or no, and shows nothing.
    """

    entity: Entity
    attribute: Attribute
    template: str
    shown: str
    answer: str
    target: Entity | None = None
    slots: dict[str, str] = field(default_factory=dict)

    def say(self, rng: random.Random, *, short: bool) -> str:
        """Return the sentence that states it."""
        text = self.template
        for mark in ("{E}", "{e}"):
            shortly = short and rng.random() < SHORT
            name = self.entity.mention(rng, subject=mark == "{E}") if shortly else self.entity.full
            text = text.replace(mark, name)
        return sentence(self._filled(text.replace("{v}", self.shown), rng))

    def ask(self, rng: random.Random, sort: str = "ask", phrase: str = "") -> str:
        """Return a question of one sort, about the entity or about a phrase that stands for it."""
        text = rng.choice(self.attribute.texts(sort)).replace("{e}", phrase or self.entity.full)
        return sentence(self._filled(text.replace("{v}", self.shown), rng))

    def phrase(self, rng: random.Random, sort: str, phrase: str = "") -> str:
        """Return a phrase (by, role) for the entity or the value."""
        text = rng.choice(self.attribute.texts(sort)).replace("{e}", phrase or self.entity.full)
        return self._filled(text.replace("{v}", self.shown), rng)

    def _filled(self, text: str, rng: random.Random) -> str:
        known = {**self.slots, **self.entity.slots}
        filled = fill(text, known, rng)
        self.slots.update((name, value) for name, value in known.items() if name not in self.entity.slots)
        return filled


def sentence(text: str) -> str:
    """Return a text with a capital at its beginning, one full stop, and "an" before vowels.

    >>> sentence("the pump of a engraver starts at 7 a.m..")
    'The pump of an engraver starts at 7 a.m.'
    """
    text = re.sub(r"\b(a) (?=[aeio]\w{2})", r"\1n ", text)
    return re.sub(r"\.\.$", ".", text[0].upper() + text[1:])


def invent_entity(kind: str, rng: random.Random) -> Entity:
    """Return an entity of a kind."""
    chosen = kinds()[kind]
    return _named(chosen, rng.choice(chosen.texts("names")), {}, rng)


def sibling(entity: Entity, rng: random.Random) -> Entity:
    """Return an entity with nearly the same name: another model, year, first name or town."""
    slots = [slot for slot in entity.kind.texts("twins") if f"{{{slot}}}" in entity.template]
    while True:
        changed = rng.choice(slots)
        own = re.findall(r"\{(\w+)\}", entity.template)
        kept = {name: value for name, value in entity.slots.items() if name in own and name != changed}
        other = _named(entity.kind, entity.template, kept, rng)
        if other.bare != entity.bare:
            return other


def _named(kind: Kind, template: str, slots: dict[str, str], rng: random.Random) -> Entity:
    name, _, pronoun = template.partition(" // ")
    full = fill(name, slots, rng)
    for text in kind.texts("short"):
        fill(text, slots, rng)
    return Entity(kind, slots, template, full, pronoun or next(iter(kind.texts("pronoun")), ""))


def state(entity: Entity, attribute: Attribute, rng: random.Random, like: Fact | None = None) -> Fact:
    """Return a fact with a new value; beside `like`, a fact of another entity with another value."""
    for _ in range(20):
        fact = _stated(entity, attribute, rng, dict(like.slots) if like and not like.target else {})
        if like is None or not attribute.values or fact.answer.lower() != like.answer.lower():
            return fact
    return fact


def _stated(entity: Entity, attribute: Attribute, rng: random.Random, slots: dict[str, str]) -> Fact:
    if not attribute.values:
        answer = rng.choice(("yes", "no"))
        return Fact(entity, attribute, rng.choice(attribute.texts(answer)), "", answer)
    template = rng.choice(attribute.texts("say"))
    shared = {
        name: value for name, value in slots.items() if f"{{{name}}}" in "".join(attribute.texts("say"))
    }
    if attribute.links:
        target = invent_entity(attribute.links, rng)
        return Fact(entity, attribute, template, target.full, target.bare, target, shared)
    text = fill(rng.choice(attribute.values), {}, rng)
    core = re.search(r"\[(.*?)\]", text)
    shown = text.replace("[", "").replace("]", "")
    answer = core.group(1) if core else re.sub(r"^the (?=[A-Z])", "", shown)
    if template.startswith("{v}") and shown.startswith(answer):
        answer = answer[0].upper() + answer[1:]
    return Fact(entity, attribute, template, shown, answer, None, shared)
