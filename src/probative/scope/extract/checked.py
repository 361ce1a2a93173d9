"""Features that a model names, checked before they are used."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from probative.scope.features import Node, Relation
from probative.scope.run import Run


class Link(BaseModel):
    """A relation as a model writes it."""

    head: str
    tail: str
    predicate: str = ""
    description: str = ""


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
    relations: dict[str, Relation] = {}
    dropped = 0
    for link in links:
        relation = _as_relation(link, spelling)
        if relation is None:
            dropped += 1
        else:
            relations.setdefault(relation.sentence.lower(), relation)
    if dropped:
        run.note(f"relations of the model that do not join two nodes were left out: {dropped}")
    return list(relations.values())[: run.options.max_relations]


def _as_relation(link: Link, spelling: dict[str, str]) -> Relation | None:
    head = spelling.get(" ".join(link.head.lower().split()))
    tail = spelling.get(" ".join(link.tail.lower().split()))
    text = " ".join((link.description or link.predicate).split())
    if head is None or tail is None or head == tail or not text:
        return None
    if link.description.strip():
        return Relation(head=head, tail=tail, description=text)
    return Relation(head=head, tail=tail, predicate=text)
