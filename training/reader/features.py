"""Labels for a question's intent, nodes and relations, written on three short lines.

    intent: date of birth
    nodes: director ; Grey Heron
    relations: director | of | Grey Heron

The package writes and reads these lines (probative.models.task_prompts); this file derives the labels.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from probative.models.task_prompts import FeatureLines
from probative.scope.question import Features, Node, Relation
from probative.text import english
from training.reader.rows import Row
from training.reader.triples import roles_in

# Relation of 2WikiMultihopQA → what a questioner would call it.
_INTENTS = {
    "country of citizenship": "nationality",
    "publication date": "release date",
    "country of origin": "country",
    "educated at": "place of study",
}
_KIN = re.compile(
    r"\b(?:(?:paternal|maternal) )?(?:grand\w+|step\w+|half-\w+|\w+-in-law|uncle|aunt|cousin)\b", re.I
)


def lines_of(features: Features) -> FeatureLines:
    """Return the features in the form that the reader writes."""
    return FeatureLines(
        features.intent,
        tuple(node.text for node in features.nodes),
        tuple((relation.head, relation.predicate, relation.tail) for relation in features.relations),
    )


def features_of(row: Row) -> Features | None:
    """Return the features of a question with known triples or pages; None where the labels would be a
    guess.
    """
    return _from_triples(row) if row.triples else _from_pages(row)


def asked_relation(row: Row) -> str:
    """Return the relation that gives the answer: that of the triples whose object is no other triple's
    subject.
    """
    heads = {triple.head.lower() for triple in row.triples}
    last = {triple.relation for triple in row.triples if triple.tail.lower() not in heads}
    return last.pop() if len(last) == 1 else "lifespan" if last == {"date of birth", "date of death"} else ""


def _from_triples(row: Row) -> Features | None:
    """Derive the features from the triples: nodes are the subjects in the question and the roles that join
    them to the rest.
    """
    relation = asked_relation(row)
    kin = _KIN.search(row.question)
    intent = kin.group().lower() if kin else _INTENTS.get(relation, relation)
    names = _apart(row.question, _named(row))
    if not intent or not names:
        return None
    nodes, relations = list(names), []
    leads = {} if kin else {triple.relation for triple in row.triples} - {relation}
    for role, word in roles_in(row.question):
        if role not in leads or word in nodes:
            continue
        nodes.append(word)
        relations += [Relation(head=word, predicate="of", tail=name) for name in names]
    if leads and not relations:
        return None  # a step that the question does not name: nobody could write it down
    nodes.sort(key=row.question.find)
    return Features(intent=intent, nodes=tuple(Node(text=node) for node in nodes), relations=tuple(relations))


def _named(row: Row) -> Iterator[str]:
    """Yield the subjects as the question spells them, with their addition in brackets if the question has
    it.
    """
    titles = [passage.title or "" for passage in row.evidence]
    for triple in row.triples:
        title = next((title for title in titles if title.lower().startswith(triple.head.lower())), "")
        for name in (title, triple.head):
            at = row.question.lower().find(name.lower())
            if name and at >= 0:
                yield row.question[at : at + len(name)]
                break


def _from_pages(row: Row) -> Features | None:
    """Derive the features from the gold pages that the question names, and its question word."""
    nodes = []
    for title in dict.fromkeys(passage.title or "" for passage in row.evidence):
        bare = re.sub(r"\s*\([^()]*\)$", "", title)
        match = re.search(rf"\b{re.escape(bare)}\b", row.question, re.IGNORECASE) if bare else None
        if match is not None and (len(bare) > 4 or match.group() == bare):
            nodes.append(match.group())
    intent = english.parse_question(row.question).intent
    if not nodes or intent == "what is asked":
        return None
    kept = [node for node in _apart(row.question, nodes) if node.lower() not in intent.lower()]
    return Features(intent=intent, nodes=tuple(Node(text=node) for node in kept)) if kept else None


def _apart(question: str, names: Iterable[str]) -> list[str]:
    """Return the names in the order of the question, each once, without those that are part of another."""
    unique = sorted(dict.fromkeys(names), key=question.find)
    return [name for name in unique if not any(name != other and name in other for other in unique)]


def write_features(features: FeatureLines) -> str:
    r"""Return the features as lines, which take a third of the tokens of JSON. An empty line is left out.

    >>> write_features(FeatureLines("year", ("ferry",)))
    'intent: year\nnodes: ferry'
    """
    lines = [f"intent: {features.intent}"]
    if features.nodes:
        lines.append("nodes: " + " ; ".join(features.nodes))
    if features.relations:
        lines.append("relations: " + " ; ".join(" | ".join(relation) for relation in features.relations))
    return "\n".join(lines)
