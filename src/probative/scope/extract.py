"""A question's features, as the language model sees them; checked before they are used."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TypeVar

from pydantic import BaseModel, Field

from probative.engine.objects import ask_objects
from probative.engine.search import Search, generate_or_empty
from probative.engine.tools import Tools
from probative.errors import OutputError
from probative.models.reader_prompts import ask_features, read_features
from probative.models.types import Completion, Request
from probative.scope.features import Features, Node, Relation
from probative.scope.options import ScopeOptions
from probative.scope.prompts_text import filled
from probative.scope.question import rule_features

Object = TypeVar("Object", bound=BaseModel)

MOST_NODES = 10
MOST_RELATIONS = 10


class _Link(BaseModel):
    head: str
    tail: str
    predicate: str = ""
    description: str = ""


class FoundNodes(BaseModel):
    """What the model says a question wants and names."""

    intent: str = Field(min_length=1)
    nodes: list[str]


class FoundRelations(BaseModel):
    """How the model says the nodes are connected."""

    relations: list[_Link]


class FoundFeatures(FoundNodes, FoundRelations):
    """All of it at once."""


def find_features(question: str, options: ScopeOptions, tools: Tools, notes: list[str]) -> Search[Features]:
    """The features of a question: by the model in two calls, in one, by the tuned reader, or by rules.

    What the model invents is left out with a note: a relation must join two nodes, and a node that
    does not stand in the question is marked as inferred. A model that gives nothing readable is an
    `OutputError`.
    """
    if options.extractor == "rules":
        return rule_features(question)
    if options.extractor == "reader":
        return (yield from _by_reader(question, tools, notes))
    links: list[_Link] = []
    if options.extractor == "model-once":
        everything = yield from _one(filled("once", question=question), FoundFeatures, 768)
        said, links = everything.intent, everything.relations
        nodes = _nodes(question, everything.nodes, notes)
    else:
        found = yield from _one(filled("features", question=question), FoundNodes, 384)
        said, nodes = found.intent, _nodes(question, found.nodes, notes)
        if len(nodes) > 1:
            named = json.dumps([node.text for node in nodes], ensure_ascii=False)
            prompt = filled(options.form, question=question, nodes=named)
            links = (yield from _one(prompt, FoundRelations, 512)).relations
    intent = " ".join(said.split())
    if not intent:
        intent = rule_features(question).intent
        notes.append("the model named no intent; the rules' one stands in for it")
    return Features(
        intent=intent,
        nodes=tuple(nodes),
        relations=tuple(_relations(nodes, links, notes)),
    )


def _by_reader(question: str, tools: Tools, notes: list[str]) -> Search[Features]:
    """The features on the reader's three lines; the rules' where it is not the reader or cannot be read."""
    if not tools.model.reader:
        notes.append(f"{tools.model.name} is not the tuned reader; the rules found the features")
        return rule_features(question)
    replies = yield from generate_or_empty([ask_features(question)], step="features")
    reply = replies[0]
    if isinstance(reply, Completion) and reply.finish_reason == "dry-run":
        return rule_features(question)
    said = read_features(reply.text) if isinstance(reply, Completion) else None
    if said is None:
        raw = " ".join(reply.text.split())[:60] if isinstance(reply, Completion) else ""
        notes.append(f"the reader's features could not be read ({raw!r}); the rules found them")
        return rule_features(question)
    nodes = _nodes(question, said.nodes, notes)
    links = [_Link(head=head, predicate=predicate, tail=tail) for head, predicate, tail in said.relations]
    relations = _relations(nodes, links, notes)
    return Features(intent=" ".join(said.intent.split()), nodes=tuple(nodes), relations=tuple(relations))


def _one(prompt: str, schema: type[Object], most: int) -> Search[Object]:
    (found,) = yield from ask_objects([Request.user(prompt, max_tokens=most)], schema, "features")
    if isinstance(found, OutputError):
        raise found
    return found


def _nodes(question: str, texts: Sequence[str], notes: list[str]) -> list[Node]:
    """The nodes, each once; those that do not stand in the question are marked."""
    said = " ".join(question.lower().split())
    cleaned = dict.fromkeys(" ".join(str(text).split()) for text in texts)
    nodes = [Node(text=text, inferred=text.lower() not in said) for text in cleaned if text]
    if len(nodes) > MOST_NODES:
        notes.append(f"the model named {len(nodes)} nodes; the first {MOST_NODES} are used")
    if not nodes:
        notes.append("the model named no node: only the intent is looked for")
    return nodes[:MOST_NODES]


def _relations(nodes: Sequence[Node], links: Sequence[_Link], notes: list[str]) -> list[Relation]:
    """The relations that join two different nodes, each once."""
    spelt = {node.text.lower(): node.text for node in nodes}
    kept: dict[str, Relation] = {}
    left_out = 0
    for link in links:
        head = spelt.get(" ".join(link.head.lower().split()))
        tail = spelt.get(" ".join(link.tail.lower().split()))
        said = " ".join((link.description or link.predicate).split())
        if head is None or tail is None or head == tail or not said:
            left_out += 1
            continue
        relation = Relation(
            head=head,
            tail=tail,
            predicate="" if link.description.strip() else said,
            description=said if link.description.strip() else "",
        )
        kept.setdefault(relation.sentence.lower(), relation)
    if left_out:
        notes.append(f"relations of the model that join no two nodes were left out: {left_out}")
    return list(kept.values())[:MOST_RELATIONS]
