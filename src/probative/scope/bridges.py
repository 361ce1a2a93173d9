"""The nodes between the hops: what one passage of a chain names and another is about.

A question says "the ship that Ada Berg commanded"; one passage says that she commanded the Sea Lark,
another is about the Sea Lark and never says "ship". The Sea Lark is then a node that the question does
not name: it is inferred, and stands for the words that no passage has.
"""

from __future__ import annotations

from collections.abc import Sequence

from probative.evidence import Passage
from probative.lexical import words
from probative.scope.features import Feature, Features, Node
from probative.scope.judgement import Judgements
from probative.scope.rules import answer_kind
from probative.scope.spans import answers_in
from probative.scope.subjects import Links, subject_name

# What is concluded from a link and does not stand in so many words.
CONCLUDED = 0.6


def with_bridges(
    question: str,
    features: Features,
    judgements: Judgements,
    passages: Sequence[Passage],
    chain: Sequence[int],
) -> tuple[Features, Judgements]:
    """The features with the inferred nodes of a chain, and the judgements with what its links let conclude:
    the passage at the end of a link carries the intent if it holds something of that kind, and stands
    for a node without a name that no passage of the chain has, with that node's relations.
    """
    links = Links(passages)
    pairs = [(start, end) for start in chain for end in chain if links.named_by(end, start)]
    if not pairs:
        return features, judgements
    rows = [list(row) for row in judgements.strengths]
    kind = answer_kind(question)
    places = {node.text: 1 + number for number, node in enumerate(features.nodes)}

    def held(number: int) -> bool:
        return any(rows[place][number] >= judgements.threshold for place in chain)

    unnamed = [
        node.text for node in features.nodes if node.text[:1].islower() and not held(places[node.text])
    ]
    for start, end in pairs:
        if answers_in(passages[end].text, question, kind):
            rows[end][0] = max(rows[end][0], CONCLUDED)
        for text in unnamed:
            rows[end][places[text]] = max(rows[end][places[text]], CONCLUDED)
        for number, relation in enumerate(features.relations, 1 + len(features.nodes)):
            ends = (places[relation.head], places[relation.tail])
            linked = {relation.head, relation.tail} & set(unnamed) or not held(number)
            carried = all(max(rows[start][at], rows[end][at]) >= judgements.threshold for at in ends)
            if linked and carried:
                rows[end][number] = max(rows[end][number], CONCLUDED)
    known = {" ".join(words(node.text)) for node in features.nodes}
    inferred: dict[str, set[int]] = {}
    for start, end in pairs:
        name = subject_name(passages[end])
        if name and " ".join(words(name)) not in known:
            inferred.setdefault(name, set()).update((start, end))
    at = 1 + len(features.nodes)
    listed = list(judgements.features)
    for name, holding in inferred.items():
        listed.insert(at, Feature("node", name))
        for place, row in enumerate(rows):
            row.insert(at, 1.0 if place in holding else 0.0)
        at += 1
    nodes = (*features.nodes, *(Node(text=name, inferred=True) for name in inferred))
    return (
        features.model_copy(update={"nodes": nodes}),
        Judgements(listed, rows, judgements.threshold, judgements.relevance),
    )
