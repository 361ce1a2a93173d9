"""Which passages name the subject of which others: a chain of them, and what follows from their links.

The second hop of a question shares few words with it; the first hop names it. A passage of the chain
therefore counts for how well it fits the question, for being about a node of the question, for the words of
the question that no chosen passage contains, and for being about something that a chosen passage names.
Another passage about the same subject counts less.

A question says "the ship that Ada Berg commanded"; one passage says that she commanded the Sea Lark, another
is about the Sea Lark and never says "ship". The Sea Lark is then a node that the question does not name: it
is inferred, and stands for the words that no passage contains.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from probative.scope.question import CARRIED, NOT_CARRIED, Judgements, Node, Strengths
from probative.scope.run import Run
from probative.text import english
from probative.text.words import words
from probative.types import Passage

Link = tuple[int, int]
"""The row of a passage, and the row of a passage whose subject it names."""
# Chosen on 200 questions of HotpotQA and 200 of 2WikiMultihopQA; see docs/bench/chains.md.
ABOUT_A_NODE = 2.0
NAMED = 5.0
NEW_WORDS = 6.0
SAME_SUBJECT = 1.0


class Links:
    """The links between passages, by their row: a passage is linked from one whose text names its subject."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.subjects = [english.subject(passage) for passage in passages]
        self._texts = [f" {' '.join(words(passage.text))} " for passage in passages]

    def named_by(self, row: int, other: int) -> bool:
        """Return whether the text of `other` names the subject of `row`, which is not its own."""
        subject = self.subjects[row]
        return bool(subject) and subject != self.subjects[other] and f" {subject} " in self._texts[other]

    def same_subject(self, row: int, other: int) -> bool:
        """Return whether two passages are about the same thing."""
        return bool(self.subjects[row]) and self.subjects[row] == self.subjects[other]

    def linked_to(self, row: int, chosen: Sequence[int]) -> bool:
        """Return whether one of the chosen passages names the subject of `row` or shares it."""
        return any(self.named_by(row, other) or self.same_subject(row, other) for other in chosen)

    def linked(self, chosen: Sequence[int]) -> list[int]:
        """Return the rows that are linked to the chosen ones."""
        return [row for row in range(len(self.subjects)) if self.linked_to(row, chosen)]


def with_bridges(run: Run, judgements: Judgements, chain: Sequence[int]) -> Judgements:
    """Return the judgements with the inferred nodes of a chain and what follows from its links."""
    passages = run.pool.candidates()
    links = Links(passages)
    pairs = [(start, end) for start in chain for end in chain if links.named_by(end, start)]
    if not pairs:
        return judgements
    strengths = [list(row) for row in judgements.strengths]
    for pair in pairs:
        _conclude(run, judgements, strengths, pair)
    return _with_inferred(run, judgements, strengths, pairs)


def _conclude(run: Run, judgements: Judgements, strengths: Strengths, pair: Link) -> None:
    """Write what one link lets conclude into `strengths`: the passage at its end carries the intent, stands
    for a node without a name that neither end carries, and carries the relations whose nodes the two carry.
    """
    features, threshold = judgements.features, judgements.threshold
    start, end = strengths[pair[0]], strengths[pair[1]]
    concluded = [0]
    column_of = {node.text: column for column, node in enumerate(features.nodes, 1)}
    for name, column in column_of.items():
        if name[:1].islower() and max(start[column], end[column]) < threshold:
            end[column] = CARRIED
    for column, relation in enumerate(features.relations, 1 + len(features.nodes)):
        nodes = (column_of[relation.head], column_of[relation.tail])
        if all(max(start[node], end[node]) >= threshold for node in nodes):
            concluded.append(column)
    for column in concluded:
        if end[column] < threshold:
            end[column] = CARRIED


def _with_inferred(
    run: Run, judgements: Judgements, strengths: Strengths, pairs: Sequence[Link]
) -> Judgements:
    """Return the judgements with a node for each subject that a link leads to, if it is not asked."""
    features = judgements.features
    named = {" ".join(words(node.text)) for node in features.nodes}
    carriers: dict[str, set[int]] = {}
    for start, end in pairs:
        name = english.subject_name(run.pool.candidates()[end])
        if name and " ".join(words(name)) not in named:
            carriers.setdefault(name, set()).update((start, end))
    column = 1 + len(features.nodes)
    extended = [
        [
            *row[:column],
            *(CARRIED if index in rows else NOT_CARRIED for rows in carriers.values()),
            *row[column:],
        ]
        for index, row in enumerate(strengths)
    ]
    nodes = (*features.nodes, *(Node(text=name, inferred=True) for name in carriers))
    return Judgements(
        features.model_copy(update={"nodes": nodes}), extended, judgements.threshold, judgements.relevance
    )


def linked_cover(run: Run, judgements: Judgements) -> list[int]:
    """Return the rows of at most `max_passages` passages, in the order in which they were taken."""
    passages = run.pool.candidates()
    links = Links(passages)
    texts = [frozenset(words(passage.whole)) for passage in passages]
    rarity = _rarity(run.question.parsed.words, texts)
    total = sum(rarity.values()) or 1.0
    base = _base_values(run, judgements, links)
    chosen: list[int] = []
    missing = set(rarity)

    def value(row: int) -> float:
        if not chosen:
            return base[row]
        named = NAMED if any(links.named_by(row, other) for other in chosen) else 0.0
        same = SAME_SUBJECT * sum(links.same_subject(row, other) for other in chosen)
        new = NEW_WORDS * sum(rarity[word] for word in missing & texts[row]) / total
        return base[row] + named - same + new

    while len(chosen) < min(run.options.max_passages, len(passages)):
        best = max((row for row in range(len(passages)) if row not in chosen), key=value)
        chosen.append(best)
        missing -= texts[best]
    return chosen


def _base_values(run: Run, judgements: Judgements, links: Links) -> list[float]:
    """Return how well each passage fits the question, more if the question names its subject."""
    question = f" {' '.join(run.question.words)} "
    relevance = judgements.relevance or [
        sum(min(1.0, max(0.0, value)) for value in row) for row in judgements.strengths
    ]
    return [
        fit + (ABOUT_A_NODE if subject and f" {subject} " in question else 0.0)
        for fit, subject in zip(relevance, links.subjects, strict=True)
    ]


def _rarity(asked: frozenset[str], texts: Sequence[frozenset[str]]) -> dict[str, float]:
    """Return how rare each word that is asked is among the passages."""
    counts = {word: sum(word in text for text in texts) for word in asked}
    return {word: math.log(1 + len(texts) / (1 + count)) for word, count in counts.items()}
