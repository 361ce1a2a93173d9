"""Where Think-on-Graph starts: the question's entities, and where they stand in the graph."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from probative.baselines.graphs.methods import asked, prompt
from probative.engine.objects import ask_objects
from probative.engine.search import Search, encode
from probative.errors import OutputError
from probative.give.groups import FAR
from probative.give.query import Query
from probative.give.rule_entities import Vocabulary, rule_entities
from probative.graph.graph import Graph
from probative.graph.graph_with_index import GraphWithIndex
from probative.models.types import Request
from probative.text.cleaning import clean
from probative.text.prompts import fenced

TOPIC_TOKENS = 160
MOST_TOPICS = 8
# A "name" longer than this is a sentence that the model made up.
_MOST_LETTERS = 120


class Topics(BaseModel):
    """The entities of a question, the most important first."""

    entities: list[str]


def topics(query: Query, graph: Graph, notes: list[str]) -> Search[list[str]]:
    """The entities that the model names; where it names none that can be read, those that rules find."""
    note = "The choices are things too: name those that matter.\n" if query.choices else ""
    text = prompt("tog_topics", question=asked(query), choices_note=note)
    (found,) = yield from ask_objects([Request.user(text, max_tokens=TOPIC_TOKENS)], Topics, "topics")
    named: list[str] = []
    if isinstance(found, OutputError):
        notes.append(f"the question's entities could not be read: {fenced(clean(found.raw))[:80]!r}")
    else:
        named = _names(found.entities or [])
    if not named:
        named = rule_entities(query, Vocabulary.of(graph))[:MOST_TOPICS]
        if named:
            notes.append("the model named no entity of the question; rules did")
        else:
            notes.append("the question names no entity")
    return named


def _names(given: Sequence[str]) -> list[str]:
    """Each name once, cleaned.

    >>> _names(["Moss", " moss", "", "fern"])
    ['Moss', 'fern']
    """
    first: dict[str, str] = {}
    for one in given:
        name = clean(str(one)).strip(" \"'“”.,;:?")
        if name and len(name) <= _MOST_LETTERS:
            first.setdefault(name.casefold(), name)
    return list(first.values())[:MOST_TOPICS]


def link(names: Sequence[str], source: GraphWithIndex, notes: list[str]) -> Search[list[int]]:
    """The graph's entity of each name, or else the one with the nearest name; none where that is far."""
    found = {name: source.graph.find(name) for name in names}
    missing = [name for name in names if found[name] is None]
    if missing:
        import numpy as np

        vectors = yield from encode(missing, step="link")
        near = source.index.nearest(np.asarray(vectors, dtype=np.float32), 1)
        for name, best in zip(missing, near, strict=True):
            if best and best[0][1] >= FAR:
                found[name] = best[0][0]
                notes.append(
                    f"the graph has no {name!r}; nearest to it: {source.graph.entities[best[0][0]]!r}"
                )
            else:
                notes.append(f"the graph has nothing near {name!r}")
    return list(dict.fromkeys(entity for entity in found.values() if entity is not None))
