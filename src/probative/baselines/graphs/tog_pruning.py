"""One depth of Think-on-Graph: the model scores connections, then entities, and the best paths stay.

A path's score is the product of the two, each divided by the sum of its list. What leads where has been
walked already is left out, so the search never walks back.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from probative.baselines.graphs.methods import prompt
from probative.baselines.graphs.options import GiveBaselineOptions
from probative.engine.search import Search, generate
from probative.give.numbered import by_number, listed
from probative.graph.graph import Graph
from probative.models.types import Request
from probative.text.cleaning import clean
from probative.text.prompts import fenced
from probative.text.words import words

# How many connections, or entities, the model scores in one call. The original draws 5 entities at random
# where there are 20; we draw 20 where there are more.
MOST_SHOWN = {"connections": 60, "entities": 20}
# A line with a number and a score, and what stands around the lines.
LINE_TOKENS, AROUND_TOKENS = 8, 16

_SCORE = re.compile(r"\d+(?:\.\d+)?")
_ONLY_NUMBERS = re.compile(r"[\s\d,;.\[\]()]*\d[\s\d,;.\[\]()]*")

Row = tuple[int, int, int]
Item = TypeVar("Item")


class Way(NamedTuple):
    """A kind of connection that an entity has: which relation, whether it leads out, and its score."""

    entity: int
    relation: int
    outward: bool
    score: float = 1.0


class Reached(NamedTuple):
    """An edge that was followed, the entity at its other end, and the path's score."""

    row: Row
    entity: int
    score: float


@dataclass
class Steering:
    """What one search is steered by, and how often the model's scores could not be read."""

    question: str
    graph: Graph
    options: GiveBaselineOptions
    calls: Counter[str] = field(default_factory=Counter)
    unread: Counter[str] = field(default_factory=Counter)
    first_unread: dict[str, str] = field(default_factory=dict)
    drawn: Counter[str] = field(default_factory=Counter)

    def told(self) -> list[str]:
        """Notes on what did not go by the model's scores."""
        notes = [
            f"scores of {kind} that could not be read, so that words in common with the question decided: "
            f"{count} of {self.calls[kind]} replies, the first {self.first_unread[kind]!r}"
            for kind, count in sorted(self.unread.items())
        ]
        return notes + [
            f"lists of more than {MOST_SHOWN[kind]} {kind}, of which so many were drawn at random: {count}"
            for kind, count in sorted(self.drawn.items())
        ]


def explore(beam: Sequence[int], found: Container[Row], steering: Steering) -> Search[list[Reached]]:
    """The best new edges from the entities in the beam, at most `width` of them, the best first."""
    graph, width = steering.graph, steering.options.width
    ways = [_drawn(ways_from(entity, graph, found), "connections", steering) for entity in beam]
    texts = [[fenced(told(way, graph)) for way in some] for some in ways]
    prompts = [
        prompt(
            "tog_relations",
            entity=fenced(graph.entities[entity]),
            question=steering.question,
            connections=listed(some),
            width=str(width),
        )
        for entity, some in zip(beam, texts, strict=True)
    ]
    scores = yield from _scored("connections", prompts, texts, width, steering)
    followed = [
        way._replace(score=score)
        for some, row in zip(ways, scores, strict=True)
        for score, way in _best(row, some, width)
    ]
    ends = [_drawn(ends_of(way, graph, found), "entities", steering) for way in followed]
    texts = [[fenced(graph.entities[one.entity]) for one in some] for some in ends]
    prompts = [
        prompt(
            "tog_entities",
            connection=fenced(told(way, graph)),
            question=steering.question,
            entities=listed(some),
        )
        for way, some in zip(followed, texts, strict=True)
    ]
    scores = yield from _scored("entities", prompts, texts, MOST_SHOWN["entities"], steering)
    reached: dict[Row, Reached] = {}
    for way, some, row in zip(followed, ends, scores, strict=True):
        for one, score in zip(some, row, strict=True):
            path = one._replace(score=way.score * score)
            # Two entities of the beam may see the same edge from its two ends.
            if path.score > 0 and (path.row not in reached or path.score > reached[path.row].score):
                reached[path.row] = path
    return sorted(reached.values(), key=lambda path: -path.score)[:width]


def ways_from(entity: int, graph: Graph, found: Container[Row]) -> list[Way]:
    """The connections of an entity that have an edge which was not walked yet, out of it and into it.

    >>> graph = Graph.from_triples([("moss", "grows on", "stone"), ("slug", "eats", "moss")])
    >>> [told(way, graph) for way in ways_from(0, graph, ())]
    ['moss grows on …', '… eats moss']
    """
    seen: dict[tuple[int, bool], Way] = {}
    for outward, rows in ((True, graph.out_edges(entity)), (False, graph.in_edges(entity))):
        for head, relation, tail in rows.tolist():
            if head != tail and (head, relation, tail) not in found:
                seen.setdefault((relation, outward), Way(entity, relation, outward))
    return list(seen.values())


def told(way: Way, graph: Graph) -> str:
    """A connection in words, with "…" at its open end."""
    name, relation = graph.entities[way.entity], graph.relations[way.relation]
    return f"{name} {relation} …" if way.outward else f"… {relation} {name}"


def ends_of(way: Way, graph: Graph, found: Container[Row]) -> list[Reached]:
    """The new edges of a connection, and where they lead."""
    rows = graph.out_edges(way.entity) if way.outward else graph.in_edges(way.entity)
    return [
        Reached((head, relation, tail), tail if way.outward else head, 1.0)
        for head, relation, tail in rows.tolist()
        if relation == way.relation and head != tail and (head, relation, tail) not in found
    ]


def _drawn(items: list[Item], kind: str, steering: Steering) -> list[Item]:
    """All, or so many drawn at random, the same ones each time, in their order."""
    if len(items) <= MOST_SHOWN[kind]:
        return items
    steering.drawn[kind] += 1
    chance = random.Random(f"{steering.options.seed} {items[0]}")
    return [items[place] for place in sorted(chance.sample(range(len(items)), MOST_SHOWN[kind]))]


def _scored(
    kind: str, prompts: Sequence[str], texts: Sequence[Sequence[str]], most: int, steering: Steering
) -> Search[list[list[float]]]:
    """For each list the scores of its items, which sum to 1; at most `most` of them are asked for. A list of
    one needs no call.
    """
    asking = [place for place, some in enumerate(texts) if len(some) > 1]
    scores = [[1.0] * len(some) for some in texts]
    if not asking:
        return scores
    lines = [min(most, len(texts[place])) for place in asking]
    requests = [
        Request.user(prompts[place], max_tokens=AROUND_TOKENS + LINE_TOKENS * count)
        for place, count in zip(asking, lines, strict=True)
    ]
    replies = yield from generate(requests, step=kind)
    for place, reply in zip(asking, replies, strict=True):
        steering.calls[kind] += 1
        read = read_scores(reply.text, len(texts[place]))
        if read is None:
            read = by_words(texts[place], steering.question)
            if reply.finish_reason != "dry-run":
                steering.unread[kind] += 1
                steering.first_unread.setdefault(kind, fenced(clean(reply.text))[:80])
        scores[place] = read
    return scores


def read_scores(text: str, count: int) -> list[float] | None:
    r"""The scores of a numbered list, divided by their sum; what is not named has none. A reply of numbers
    alone names the best ones. None where neither can be read.

    >>> read_scores("1. 6\n3. 2", 3), read_scores("2, 3", 4), read_scores("I like moss.", 2)
    ([0.75, 0.0, 0.25], [0.0, 0.5, 0.5, 0.0], None)
    """
    scores = [0.0] * count
    said = by_number(text, count)
    numbered = {number: value for number, words in said.items() if (value := _SCORE.search(words))}
    for number, value in numbered.items():
        scores[number - 1] = min(float(value[0]), 10.0)
    if not numbered:
        if not _ONLY_NUMBERS.fullmatch(text):
            return None
        for number in map(int, re.findall(r"\d+", text)):
            if 1 <= number <= count:
                scores[number - 1] = 1.0
        if not any(scores):
            return None
    whole = sum(scores)
    return [score / whole for score in scores] if whole else scores


def by_words(texts: Sequence[str], question: str) -> list[float]:
    """Scores that sum to 1 by the words in common with the question, plus one, so that none is lost.

    >>> by_words(["moss eats …", "moss is …"], "What eats moss?")
    [0.6, 0.4]
    """
    wanted = set(words(question))
    shared = [1 + len(wanted & set(words(text))) for text in texts]
    return [share / sum(shared) for share in shared]


def _best(scores: Sequence[float], items: Sequence[Way], most: int) -> list[tuple[float, Way]]:
    """The items with the highest scores above 0, of equals the first."""
    order = sorted(range(len(items)), key=lambda place: -scores[place])[:most]
    return [(scores[place], items[place]) for place in order if scores[place] > 0]
