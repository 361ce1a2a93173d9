"""Features by the language model: in two calls as the paper does, or in one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TypeVar

from pydantic import BaseModel, Field

from probative.engine.objects import ask_objects
from probative.engine.search import Search
from probative.errors import OutputError
from probative.models.types import Request
from probative.scope.extract.checked import Link, checked_nodes, checked_relations
from probative.scope.features import Features, Node
from probative.scope.prompt_text import fill_prompt, worked_examples
from probative.scope.run import Run

Object = TypeVar("Object", bound=BaseModel)

NODES_TOKENS, RELATIONS_TOKENS, ALL_TOKENS = 384, 512, 768


class NodesReply(BaseModel):
    """The intent and the nodes, as the model writes them."""

    intent: str = Field(min_length=1)
    nodes: list[str]


class RelationsReply(BaseModel):
    """The relations between nodes, as the model writes them."""

    relations: list[Link]


class FeaturesReply(NodesReply, RelationsReply):
    """All features in one reply."""


def features_by_model(run: Run) -> Search[Features]:
    """Ask the judge model for the features of the question."""
    if run.options.extractor == "model-once":
        prompt = _prompt(run, "once")
        reply = yield from _ask(prompt, FeaturesReply, ALL_TOKENS)
        nodes = checked_nodes(run, reply.nodes)
        return _features(run, reply.intent, nodes, reply.relations)
    prompt = _prompt(run, "features")
    named = yield from _ask(prompt, NodesReply, NODES_TOKENS)
    nodes = checked_nodes(run, named.nodes)
    links = (yield from _find_links(run, nodes)) if len(nodes) > 1 else []
    return _features(run, named.intent, nodes, links)


def _find_links(run: Run, nodes: Sequence[Node]) -> Search[list[Link]]:
    """Ask how the nodes are connected, in the form that the options name."""
    names = json.dumps([node.text for node in nodes], ensure_ascii=False)
    prompt = _prompt(run, run.options.form, nodes=names)
    reply = yield from _ask(prompt, RelationsReply, RELATIONS_TOKENS)
    return reply.relations


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
