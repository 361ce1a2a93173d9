"""Passages made of invented facts: single sentences, chunks of three, whole documents."""

from __future__ import annotations

import random
from collections.abc import Sequence

from probative.types import Passage
from training.reader.genres.entity import Entity, Fact, sentence

# The share of passages that carry the title of their text.
TITLED = 0.5
CHUNK = 3
# Of sentences that begin with one of these words, the share that is joined to others or begun anew.
MIXED = 0.3
OPENINGS = ("The", "It", "He", "She", "This", "There", "At", "In", "On", "Under", "You", "After", "For")
PHRASES = (
    "As far as we know,",
    "In addition,",
    "Please note that",
    "Again,",
    "For the record,",
    "By the way,",
)


def as_sentences(facts: Sequence[Fact], rng: random.Random) -> list[Passage]:
    """Return a passage for each fact; one with a title may name its entity shortly."""
    passages = []
    for fact in facts:
        named = rng.random() < TITLED
        title = sentence(fact.entity.bare) if named else None
        passages.append(Passage(text=fact.say(rng, short=named), title=title))
    return passages


def as_chunks(facts: Sequence[Fact], rng: random.Random) -> list[Passage]:
    """Return chunks of three sentences of each entity's text, with sentences that say nothing between."""
    chunks = []
    for own in by_entity(facts):
        entity = own[0].entity
        lines: list[Fact | str] = [*own, *_fillers(entity, len(own) // 2 + 1, rng)]
        rng.shuffle(lines)
        title = entity.title(rng) if rng.random() < TITLED else None
        chunks += [
            Passage(text=_told(lines[first : first + CHUNK], rng), title=title)
            for first in range(0, len(lines), CHUNK)
        ]
    return chunks


def as_document(facts: Sequence[Fact], rng: random.Random, size: int) -> list[Passage]:
    """Return one text of about `size` sentences: about each entity in turn, or as one passage for each."""
    texts = by_entity(facts)
    rng.shuffle(texts)
    passages = []
    for own in texts:
        wanted = max(0, size // len(texts) - len(own))
        lines: list[Fact | str] = [*own, *_fillers(own[0].entity, wanted, rng)]
        rng.shuffle(lines)
        title = own[0].entity.title(rng) if rng.random() < TITLED else None
        passages.append(Passage(text=_told(lines, rng), title=title))
    if len(passages) > 1 and rng.random() < 0.5:
        return [Passage(text=" ".join(passage.text for passage in passages), title=passages[0].title)]
    return passages


def by_entity(facts: Sequence[Fact]) -> list[list[Fact]]:
    """Return the facts of each entity, in the order in which they are first named."""
    groups: dict[int, list[Fact]] = {}
    for fact in facts:
        groups.setdefault(id(fact.entity), []).append(fact)
    return list(groups.values())


def _fillers(entity: Entity, n: int, rng: random.Random) -> list[str]:
    texts = entity.kind.texts("fill")
    return rng.sample(texts, min(n, len(texts)))


def _told(lines: Sequence[Fact | str], rng: random.Random) -> str:
    """Return sentences about one entity: the first mention is its name, later ones may be short."""
    sentences: list[str] = []
    named = False
    for line in lines:
        if isinstance(line, str):
            sentences.append(line)
        else:
            sentences.append(line.say(rng, short=named))
            named = True
    return " ".join(_joined(sentences, rng))


def _joined(sentences: list[str], rng: random.Random) -> list[str]:
    """Return the sentences, some of them joined to the one before, or begun with a phrase."""
    joined: list[str] = []
    for text in sentences:
        first, _, rest = text.partition(" ")
        low = f"{first.lower()} {rest}"
        if first not in OPENINGS or rng.random() > MIXED:
            joined.append(text)
        elif joined and joined[-1].endswith(".") and rng.random() < 0.6:
            joined[-1] = f"{joined[-1][:-1]}, and {low}"
        else:
            joined.append(f"{rng.choice(PHRASES)} {low}")
    return joined
