"""The nodes between the hops: what one passage of a chain names and another is about.

A question says "the ship that Ada Berg commanded"; one passage says that she commanded the Sea Lark,
another is about the Sea Lark and never says "ship". The Sea Lark is then a node that the question does
not name: it is inferred, and stands for the words that no passage has.
"""

from __future__ import annotations

from collections.abc import Sequence

from probative.scope.features import Feature, Features, Node
from probative.scope.judge.judgements import Judgements
from probative.text.english.questions import answer_kind
from probative.text.english.spans import answers_in
from probative.text.english.subjects import Links, subject_name
from probative.text.words import words
from probative.types import Passage

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
    the passage at the end of a link carries the intent if it holds something of that kind, stands for a
    node without a name that neither end has, and carries the relations whose nodes the two have.
    """
    links = Links(passages)
    pairs = [(start, end) for start in chain for end in chain if links.named_by(end, start)]
    if not pairs:
        return features, judgements
    rows = [list(row) for row in judgements.strengths]
    kind = answer_kind(question)
    places = {node.text: 1 + number for number, node in enumerate(features.nodes)}

    def carries(place: int, number: int) -> bool:
        return rows[place][number] >= judgements.threshold

    for start, end in pairs:
        if answers_in(passages[end].text, question, kind):
            rows[end][0] = max(rows[end][0], CONCLUDED)
        for node in features.nodes:
            number = places[node.text]
            if node.text[:1].islower() and not carries(start, number) and not carries(end, number):
                rows[end][number] = CONCLUDED
        for number, relation in enumerate(features.relations, 1 + len(features.nodes)):
            ends = (places[relation.head], places[relation.tail])
            if all(carries(start, at) or carries(end, at) for at in ends):
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
