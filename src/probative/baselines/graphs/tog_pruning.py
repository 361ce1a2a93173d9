"""One depth of Think-on-Graph: the model scores connections, then entities, and the best paths are kept.

The score of a path is the product of the two scores, each divided by the sum of its list. Edges that were
walked before are left out, so the search never walks back.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from probative.baselines.graphs.answers import BaselineRun, prompt, question_text
from probative.engine.search import Search, generate
from probative.give.numbered import numbered_list, numbered_replies
from probative.graph.graph import Graph
from probative.models.types import Request
from probative.text.prompts import fenced
from probative.text.words import clean, words

# The most connections or entities that the model scores in one call. The original draws 5 entities at random
# if there are 20; this draws 20 if there are more.
MAX_SCORED = {"connections": 60, "entities": 20}
# The tokens of a line with a number and a score, and of the text around the lines.
LINE_TOKENS, AROUND_TOKENS = 8, 16

_SCORE = re.compile(r"\d+(?:\.\d+)?")
_ONLY_NUMBERS = re.compile(r"[\s\d,;.\[\]()]*\d[\s\d,;.\[\]()]*")

Row = tuple[int, int, int]
Item = TypeVar("Item")


class Connection(NamedTuple):
    """A kind of edges at an entity: their relation, whether they lead out of it, and a score."""

    entity: int
    relation: int
    outward: bool
    score: float = 1.0


class Step(NamedTuple):
    """An edge, the entity at its other end, and the score of the path."""

    row: Row
    entity: int
    score: float


@dataclass
class Pruning:
    """The run that the search belongs to, and how often the model's scores could not be read."""

    run: BaselineRun
    calls: Counter[str] = field(default_factory=Counter)
    unread: Counter[str] = field(default_factory=Counter)
    first_unread: dict[str, str] = field(default_factory=dict)
    drawn: Counter[str] = field(default_factory=Counter)

    @property
    def question(self) -> str:
        """The question with its choices."""
        return question_text(self.run.query)

    def notes(self) -> list[str]:
        """Return notes about choices that were not made by the model's scores."""
        notes = [
            f"scores of {kind} that could not be read, so the words in common with the question decided: "
            f"{count} of {self.calls[kind]} replies, the first {self.first_unread[kind]!r}"
            for kind, count in sorted(self.unread.items())
        ]
        return notes + [
            f"lists with more than {MAX_SCORED[kind]} {kind}, from which {MAX_SCORED[kind]} were drawn at "
            f"random: {count}"
            for kind, count in sorted(self.drawn.items())
        ]


def explore(beam: Sequence[int], walked: Container[Row], pruning: Pruning) -> Search[list[Step]]:
    """Return the best new edges from the entities in the beam, at most `width`, best first."""
    followed = yield from _follow_connections(beam, walked, pruning)
    graph, width = pruning.run.graph, pruning.run.options.width
    steps = [_draw(steps_of(connection, graph, walked), "entities", pruning) for connection in followed]
    texts = [[fenced(graph.entities[step.entity]) for step in group] for group in steps]
    prompts = [
        prompt(
            "tog_entities",
            connection=fenced(connection_text(connection, graph)),
            question=pruning.question,
            entities=numbered_list(names),
        )
        for connection, names in zip(followed, texts, strict=True)
    ]
    scores = yield from _score_lists("entities", prompts, texts, MAX_SCORED["entities"], pruning)
    best: dict[Row, Step] = {}
    for connection, group, row in zip(followed, steps, scores, strict=True):
        for step, score in zip(group, row, strict=True):
            path = step._replace(score=connection.score * score)
            # Two entities of the beam may reach the same edge from its two ends.
            if path.score > 0 and (path.row not in best or path.score > best[path.row].score):
                best[path.row] = path
    return sorted(best.values(), key=lambda path: -path.score)[:width]


def _follow_connections(
    beam: Sequence[int], walked: Container[Row], pruning: Pruning
) -> Search[list[Connection]]:
    """Return the `width` best connections of each entity in the beam, with their scores."""
    graph, width = pruning.run.graph, pruning.run.options.width
    connections = [_draw(connections_of(entity, graph, walked), "connections", pruning) for entity in beam]
    texts = [[fenced(connection_text(connection, graph)) for connection in group] for group in connections]
    prompts = [
        prompt(
            "tog_relations",
            entity=fenced(graph.entities[entity]),
            question=pruning.question,
            connections=numbered_list(names),
            width=str(width),
        )
        for entity, names in zip(beam, texts, strict=True)
    ]
    scores = yield from _score_lists("connections", prompts, texts, width, pruning)
    return [
        connection._replace(score=score)
        for group, row in zip(connections, scores, strict=True)
        for score, connection in _best(row, group, width)
    ]


def connections_of(entity: int, graph: Graph, walked: Container[Row]) -> list[Connection]:
    """Return the connections out of and into an entity that have an edge which was not walked yet.

    >>> graph = Graph.from_triples([("moss", "grows on", "stone"), ("slug", "eats", "moss")])
    >>> [connection_text(connection, graph) for connection in connections_of(0, graph, ())]
    ['moss grows on …', '… eats moss']
    """
    seen: dict[tuple[int, bool], Connection] = {}
    for outward, rows in ((True, graph.out_edges(entity)), (False, graph.in_edges(entity))):
        for head, relation, tail in rows.tolist():
            if head != tail and (head, relation, tail) not in walked:
                seen.setdefault((relation, outward), Connection(entity, relation, outward))
    return list(seen.values())


def connection_text(connection: Connection, graph: Graph) -> str:
    """Return a connection in words, with "…" at its open end."""
    name, relation = graph.entities[connection.entity], graph.relations[connection.relation]
    return f"{name} {relation} …" if connection.outward else f"… {relation} {name}"


def steps_of(connection: Connection, graph: Graph, walked: Container[Row]) -> list[Step]:
    """Return the new edges of a connection, with the entities that they lead to."""
    outward = connection.outward
    rows = graph.out_edges(connection.entity) if outward else graph.in_edges(connection.entity)
    return [
        Step((head, relation, tail), tail if outward else head, 1.0)
        for head, relation, tail in rows.tolist()
        if relation == connection.relation and head != tail and (head, relation, tail) not in walked
    ]


def _draw(items: list[Item], kind: str, pruning: Pruning) -> list[Item]:
    """Return all items, or MAX_SCORED of them drawn with the seed, in their order."""
    if len(items) <= MAX_SCORED[kind]:
        return items
    pruning.drawn[kind] += 1
    # The measured figures depend on this text of the seed: it keeps the names that the classes had then.
    first = repr(items[0]).replace("Connection(", "Way(", 1).replace("Step(", "Reached(", 1)
    chance = random.Random(f"{pruning.run.options.seed} {first}")
    return [items[index] for index in sorted(chance.sample(range(len(items)), MAX_SCORED[kind]))]


def _score_lists(
    kind: str, prompts: Sequence[str], texts: Sequence[Sequence[str]], n: int, pruning: Pruning
) -> Search[list[list[float]]]:
    """Return for each list the scores of its items, which sum to 1; the model is asked for at most `n` of
    them. A list with one item needs no call.
    """
    scored = [index for index, items in enumerate(texts) if len(items) > 1]
    scores = [[1.0] * len(items) for items in texts]
    if not scored:
        return scores
    requests = [
        Request.user(prompts[index], max_tokens=AROUND_TOKENS + LINE_TOKENS * min(n, len(texts[index])))
        for index in scored
    ]
    replies = yield from generate(requests, step=kind)
    for index, reply in zip(scored, replies, strict=True):
        pruning.calls[kind] += 1
        read = read_scores(reply.text, len(texts[index]))
        if read is None:
            read = scores_by_words(texts[index], pruning.question)
            pruning.unread[kind] += 1
            pruning.first_unread.setdefault(kind, fenced(clean(reply.text))[:80])
        scores[index] = read
    return scores


def read_scores(text: str, count: int) -> list[float] | None:
    r"""Return the scores of a numbered list, divided by their sum; items without a line get 0. A reply with
    numbers only names the best items. Return None if neither can be read.

    >>> read_scores("1. 6\n3. 2", 3), read_scores("2, 3", 4), read_scores("I like moss.", 2)
    ([0.75, 0.0, 0.25], [0.0, 0.5, 0.5, 0.0], None)
    """
    scores = [0.0] * count
    lines = numbered_replies(text, count)
    numbered = {number: value for number, line in lines.items() if (value := _SCORE.search(line))}
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
    total = sum(scores)
    return [score / total for score in scores] if total else scores


def scores_by_words(texts: Sequence[str], question: str) -> list[float]:
    """Return scores that sum to 1: the number of words in common with the question, plus one.

    >>> scores_by_words(["moss eats …", "moss is …"], "What eats moss?")
    [0.6, 0.4]
    """
    question_words = set(words(question))
    shared = [1 + len(question_words & set(words(text))) for text in texts]
    return [share / sum(shared) for share in shared]


def _best(scores: Sequence[float], items: Sequence[Connection], n: int) -> list[tuple[float, Connection]]:
    """Return the `n` items with the highest scores above 0; among equals the first is preferred."""
    order = sorted(range(len(items)), key=lambda index: -scores[index])[:n]
    return [(scores[index], items[index]) for index in order if scores[index] > 0]
