"""Decisions to learn from: a query, the sentences chosen so far, and candidates of which some are right.

Two candidates are always there: *complete* (nothing more is needed) and *nothing* (no candidate carries
what is missing). A decision is drawn anew each time: with the answer, with a wrong one (the evidence that
decides stays the same) or without; two queries about one text as one; with some gold removed (then
*nothing* is right in the end); with a wrong sentence among the chosen; with sentences of other texts added;
with or without the neighbours of the candidates; with some words hidden; and with the candidates that the
policy itself last scored highest.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from probative.models.evidence_policy import (
    ANSWER_TOKENS,
    CHOSEN_TOKENS,
    QUERY_TOKENS,
    SENTENCE_TOKENS,
    decision_sequences,
)
from training.policy.examples import Examples

# Sources whose sentences follow each other in a text and have no title: their neighbours are read.
RUNNING = ("multirc", "fever", "squad", "squad2", "selqa", "hotpotqa_bare", "wice", "hover")
# Sources where two queries about one text are joined into one.
JOINED = ("fever", "squad", "multirc")
# Probabilities: some gold is removed; a wrong sentence is among the chosen; the answer is given, or a wrong
# one; two queries are joined; neighbours are read (of running texts, and of pages with titles); words are
# hidden, and the share of hidden words.
GONE, WRONG, ANSWERED, MISLED, TWO = 0.2, 0.15, 0.3, 0.15, 0.15
NEIGHBOURS, NEIGHBOURS_TITLED = 0.8, 0.1
HIDING, HIDDEN, MASK = 0.5, 0.06, 103


@dataclass
class Group:
    """The candidates of one decision as token sequences, where their second part begins, and which are
    right.

    `places` are the candidates' indexes among the sentences of the example (-1: of another text, -2, -3:
    complete, nothing).
    """

    sequences: list[NDArray[np.int32]]
    seconds: list[int]
    right: list[bool]
    places: list[int]
    start: int = 0
    """Where the example's sentences begin among all."""


@dataclass(frozen=True)
class Query:
    """The subject of a decision: the query's tokens, and which sentences carry it."""

    tokens: list[int]
    answer: list[int]
    gold: NDArray[np.bool_]
    also: NDArray[np.bool_]


@dataclass
class Sampler:
    """Draws decisions from examples; `hard` has the policy's last scores of the sentences."""

    examples: Examples
    candidates: int = 20
    hard: NDArray[np.float32] = field(init=False)

    def __post_init__(self) -> None:
        data = self.examples
        self.hard = data.words.astype(np.float32).copy()
        self._running = np.isin(data.names, RUNNING)
        joined = np.isin(data.names, JOINED)
        self._same: dict[bytes, list[int]] = {}
        for example in np.flatnonzero(joined[data.source]).tolist():
            self._same.setdefault(self._text(example), []).append(example)

    def draw(self, example: int, random: np.random.Generator) -> Group:
        """Return a decision of one example."""
        span = self.examples.places(example)
        query = self._query(example, random)
        gold = np.flatnonzero(query.gold)
        gone: set[int] = set()
        if len(gold) and random.random() < GONE:
            gone = set(random.permutation(gold)[: random.integers(1, len(gold) + 1)].tolist())
        there = [index for index in random.permutation(gold).tolist() if index not in gone]
        chosen = there[: random.integers(0, len(there) + 1)]
        left = set(there) - set(chosen)
        wrong = np.flatnonzero(~(query.gold | query.also)).tolist()
        if wrong and random.random() < WRONG:
            chosen.insert(random.integers(0, len(chosen) + 1), self._hardest(wrong, span.start, 1, random)[0])
        unlike = [index for index in wrong if index not in chosen]
        room = self.candidates - len(left)
        picked = self._hardest(unlike, span.start, room // 2, random)
        rest = [index for index in unlike if index not in picked]
        picked += random.permutation(np.array(rest, dtype=np.int64))[: room - len(picked)].tolist()
        places = [*left, *picked]
        flat = [span.start + index for index in places] + self._others(span, len(places), random)
        finished = not left and not gone and len(gold) > 0
        right = [index in left for index in places] + [False] * (len(flat) - len(places))
        right += [finished, not left and not finished]
        often = NEIGHBOURS if self._running[self.examples.source[example]] else NEIGHBOURS_TITLED
        neighbours = random.random() < often
        removed = {span.start + index for index in gone}
        group = self._group(query, span.start, chosen, flat, neighbours, removed)
        if random.random() < HIDING:
            _hide(group, random)
        group.right, group.places = right, [*places, *[-1] * (len(flat) - len(places)), -2, -3]
        return group

    def state(self, example: int, chosen: list[int], answer: bool = False) -> Group:
        """Return all candidates of an example in a state, as they are scored when the policy is used."""
        data = self.examples
        span = data.places(example)
        places = [index for index in range(span.stop - span.start) if index not in chosen]
        query = self._single(example, int(data.answer[example]) if answer else -1)
        neighbours = bool(self._running[data.source[example]])
        flat = [span.start + index for index in places]
        group = self._group(query, span.start, chosen, flat, neighbours, set())
        group.right = [*query.gold[places].tolist(), False, False]
        group.places = [*places, -2, -3]
        return group

    def _query(self, example: int, random: np.random.Generator) -> Query:
        """Return the query of an example for one decision."""
        data = self.examples
        said, luck = int(data.answer[example]), random.random()
        if said >= 0 and ANSWERED <= luck < ANSWERED + MISLED:
            near = (example + int(random.integers(-12, 13))) % len(data)
            said = int(data.answer[near]) if data.source[near] == data.source[example] else -1
        elif luck >= ANSWERED:
            said = -1
        one = self._single(example, said)
        others = self._same.get(self._text(example), [])
        if len(others) < 2 or not one.gold.any() or random.random() >= TWO:
            return one
        other = int(random.choice(others))
        two = self._single(other, int(data.answer[other]) if said >= 0 else -1)
        if other == example or not two.gold.any():
            return one
        half = QUERY_TOKENS // 2
        gold = one.gold | two.gold
        tokens = [*one.tokens[:half], *one.answer[:8], *two.tokens[: half - 8]]
        return Query(tokens, two.answer, gold, (one.also | two.also) & ~gold)

    def _single(self, example: int, said: int) -> Query:
        data = self.examples
        span = data.places(example)
        answer = data.text(said, ANSWER_TOKENS).tolist() if said >= 0 else []
        query = data.text(int(data.query[example]), QUERY_TOKENS).tolist()
        return Query(query, answer, data.gold[span], data.also[span])

    def _text(self, example: int) -> bytes:
        return self.examples.sentence[self.examples.places(example)].tobytes()

    def _hardest(self, places: list[int], start: int, count: int, random: np.random.Generator) -> list[int]:
        """Return the sentences that the policy scores highest, with some randomness."""
        if not places or count <= 0:
            return []
        scores = self.hard[start + np.array(places)] + random.gumbel(size=len(places))
        return [places[at] for at in np.argsort(-scores)[:count]]

    def _others(self, span: slice, count: int, random: np.random.Generator) -> list[int]:
        """Return sentences of other texts that extend a short list: any, or, half of the time, of a
        neighbouring example, often of the same page.
        """
        if count >= self.candidates:
            return []
        wanted = int(random.integers(0, self.candidates - count + 1))
        total = len(self.examples.sentence)
        anywhere = random.integers(total, size=wanted)
        near = (span.start + random.integers(-300, 300, size=wanted)) % total
        flat = np.where(random.random(wanted) < 0.5, near, anywhere)
        own = self.examples.sentence[span]
        return flat[~np.isin(self.examples.sentence[flat], own)].tolist()

    def _group(
        self,
        query: Query,
        start: int,
        chosen: Sequence[int],
        flat: Sequence[int],
        neighbours: bool,
        removed: Collection[int],
    ) -> Group:
        """Return the decision between sentences (indexes among all) after the chosen sentences
        of one text.
        """
        data = self.examples
        sequences = decision_sequences(
            query.tokens,
            [data.text(int(data.sentence[start + index]), CHOSEN_TOKENS).tolist() for index in chosen],
            [data.text(int(data.sentence[at]), SENTENCE_TOKENS).tolist() for at in flat],
            query.answer,
            [(self._near(at, -1, removed), self._near(at, 1, removed)) for at in flat] if neighbours else (),
        )
        rows = [np.array(row, dtype=np.int32) for row in sequences.rows]
        return Group(rows, [sequences.second] * len(rows), [], [], start)

    def _near(self, at: int, step: int, removed: Collection[int]) -> list[int]:
        """Return the tokens of the sentence before or after another in its text, skipping removed ones."""
        data = self.examples
        example = int(np.searchsorted(data.first, at, side="right")) - 1
        first, last = int(data.first[example]), int(data.first[example + 1])
        at += step
        while first <= at < last and at in removed:
            at += step
        return data.text(int(data.sentence[at]), SENTENCE_TOKENS).tolist() if first <= at < last else []


def _hide(group: Group, random: np.random.Generator) -> None:
    """Hide some words of each sequence, but no control tokens."""
    for row in group.sequences:
        row[(row > MASK) & (random.random(len(row)) < HIDDEN)] = MASK
