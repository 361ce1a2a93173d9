"""The first step: the features of the question. By rules, by the model (in two calls as the paper does, or in
one), or by the tuned reader.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TypeVar

from pydantic import BaseModel, Field

from probative.engine.search import Search, ask_objects, generate_or_empty
from probative.errors import OutputError
from probative.models.task_prompts import ask_features, read_features
from probative.models.types import Completion, Request
from probative.scope.question import Features, Node, Relation
from probative.scope.run import Run, fill_prompt, worked_examples

Object = TypeVar("Object", bound=BaseModel)
NODES_TOKENS, RELATIONS_TOKENS, ALL_TOKENS = 384, 512, 768


class NodesReply(BaseModel):
    """The intent and the nodes, as the model writes them."""

    intent: str = Field(min_length=1)
    nodes: list[str]


class Link(BaseModel):
    """A relation as a model writes it."""

    head: str
    tail: str
    predicate: str = ""
    description: str = ""


class RelationsReply(BaseModel):
    """The relations between nodes, as the model writes them."""

    relations: list[Link]


class FeaturesReply(NodesReply, RelationsReply):
    """All features in one reply."""


def find_features(run: Run) -> Search[Features]:
    """Return the features of the question, by the extractor that the options name.

    What a model invents is left out with a note: a relation must join two nodes, and a node that is not in
    the question is marked as inferred. Raises OutputError if a model writes nothing that can be read.
    """
    if run.options.extractor == "rules":
        return run.question.features
    if run.options.extractor == "reader":
        return (yield from features_by_reader(run))
    return (yield from features_by_model(run))


def features_by_model(run: Run) -> Search[Features]:
    """Ask the judge model for the features of the question, in one call or in two."""
    if run.options.extractor == "model-once":
        reply = yield from _ask(_prompt(run, "once"), FeaturesReply, ALL_TOKENS)
        return _features(run, reply.intent, checked_nodes(run, reply.nodes), reply.relations)
    named = yield from _ask(_prompt(run, "features"), NodesReply, NODES_TOKENS)
    nodes = checked_nodes(run, named.nodes)
    if len(nodes) < 2:
        return _features(run, named.intent, nodes, [])
    names = json.dumps([node.text for node in nodes], ensure_ascii=False)
    linked = yield from _ask(_prompt(run, run.options.form, nodes=names), RelationsReply, RELATIONS_TOKENS)
    return _features(run, named.intent, nodes, linked.relations)


def _prompt(run: Run, name: str, **parts: str) -> str:
    """Return an extraction prompt with as many worked examples as the options say."""
    examples = worked_examples(name, run.options.examples)
    return fill_prompt(name, question=run.question.text, examples=examples, **parts)


def _features(run: Run, intent: str, nodes: Sequence[Node], links: Sequence[Link]) -> Features:
    intent = " ".join(intent.split())
    if not intent:
        intent = run.question.features.intent
        run.note("the model named no intent; the intent by rules is used")
    relations = checked_relations(run, nodes, links)
    return Features(intent=intent, nodes=tuple(nodes), relations=tuple(relations))


def _ask(prompt: str, schema: type[Object], max_tokens: int) -> Search[Object]:
    """Ask for one object of the schema; raises OutputError."""
    request = Request.user(prompt, max_tokens=max_tokens)
    (reply,) = yield from ask_objects([request], schema, "features", by="judge")
    if isinstance(reply, OutputError):
        raise reply
    return reply


def features_by_reader(run: Run) -> Search[Features]:
    """Return the features on the reader's lines, or those by rules if there are no such lines."""
    judge = run.tools.judge
    if not judge.reader:
        run.note(f"{judge.name} is not the tuned reader; the features were found by rules")
        return run.question.features
    request = ask_features(run.question.text)
    (reply,) = yield from generate_or_empty([request], step="features", by="judge")
    text = reply.text if isinstance(reply, Completion) else ""
    lines = read_features(text)
    if lines is None:
        start = " ".join(text.split())[:60]
        run.note(f"the reader's features could not be read ({start!r}); the features were found by rules")
        return run.question.features
    links = [Link(head=head, predicate=predicate, tail=tail) for head, predicate, tail in lines.relations]
    return _features(run, lines.intent, checked_nodes(run, lines.nodes), links)


def checked_nodes(run: Run, texts: Sequence[str]) -> list[Node]:
    """Return the nodes, each once; a node that is not in the question is marked as inferred."""
    question = " ".join(run.question.text.lower().split())
    distinct = dict.fromkeys(" ".join(str(text).split()) for text in texts)
    nodes = [Node(text=text, inferred=text.lower() not in question) for text in distinct if text]
    limit = run.options.max_nodes
    if limit is not None and len(nodes) > limit:
        run.note(f"the model named {len(nodes)} nodes; the first {limit} are used")
    if not nodes:
        run.note("the model named no node; only the intent is looked for")
    return nodes[:limit]


def checked_relations(run: Run, nodes: Sequence[Node], links: Sequence[Link]) -> list[Relation]:
    """Return the relations that join two different nodes, each once; a note counts the others."""
    spelling = {node.text.lower(): node.text for node in nodes}
    joined = [relation for link in links if (relation := _as_relation(link, spelling)) is not None]
    if dropped := len(links) - len(joined):
        run.note(f"relations of the model that do not join two nodes were left out: {dropped}")
    first = {relation.sentence.lower(): relation for relation in reversed(joined)}
    relations = [relation for relation in joined if first[relation.sentence.lower()] is relation]
    return relations[: run.options.max_relations]


def _as_relation(link: Link, spelling: dict[str, str]) -> Relation | None:
    head, tail = (spelling.get(" ".join(name.lower().split())) for name in (link.head, link.tail))
    text = " ".join((link.description or link.predicate).split())
    if head is None or tail is None or head == tail or not text:
        return None
    form = "description" if link.description.strip() else "predicate"
    return Relation(head=head, tail=tail, **{form: text})
