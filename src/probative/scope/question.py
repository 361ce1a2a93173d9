"""The question, parsed once: what every later step knows about it."""

from __future__ import annotations

from probative.scope.features import Features, Node, Relation
from probative.text.english.questions import parse_question


def rule_features(question: str) -> Features:
    """Return the features of a question, found by rules.

    >>> features = rule_features("In which harbour was the ferry built that Ole Brandt bought?")
    >>> features.intent, [node.text for node in features.nodes]
    ('harbour', ['ferry', 'Ole Brandt'])
    >>> [relation.sentence for relation in features.relations]
    ['ferry built that Ole Brandt']
    """
    parsed = parse_question(question)
    return Features(
        intent=parsed.intent,
        nodes=tuple(Node(text=span.text) for span in parsed.nodes),
        relations=tuple(
            Relation(head=head, predicate=predicate, tail=tail) for head, predicate, tail in parsed.relations
        ),
    )
