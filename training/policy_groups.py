"""Decisions to learn from: a query, what is chosen already, and candidates of which some are right.

Two candidates are always there: *complete* (nothing more is needed) and *nothing* (no candidate carries
what is missing). A decision is drawn anew each time: with the answer or without, with some gold taken
away (then *nothing* is right in the end), with a wrong sentence among the chosen, with sentences of other
texts added, and with the candidates that the policy itself last thought best.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from policy_examples import QUERY_TOKENS, SENTENCE_TOKENS, Examples

CLS, SEP = 101, 102
# Tokens of the vocabulary that no text uses.
COMPLETE, NOTHING = 2, 3
# Of a chosen sentence so many tokens are read again, and of all chosen together.
CHOSEN_TOKENS = 64
ALL_CHOSEN_TOKENS = 192


@dataclass
class Group:
    """The candidates of one decision as token sequences, where their second part begins, and which are right.
    `places` are the candidates' places among the sentences (-1: of another text, -2, -3: complete, nothing).
    """

    sequences: list[NDArray[np.int64]]
    seconds: list[int]
    right: list[bool]
    places: list[int]


@dataclass
class Sampler:
    """Draws decisions from examples; `hard` holds the policy's own last scores of the sentences."""

    examples: Examples
    candidates: int = 20
    hard: NDArray[np.float32] = field(init=False)

    def __post_init__(self) -> None:
        self.hard = self.examples.words.astype(np.float32).copy()

    def draw(self, example: int, random: np.random.Generator) -> Group:
        """A decision of one example."""
        data = self.examples
        span = data.places(example)
        count = span.stop - span.start
        gold = np.flatnonzero(data.gold[span])
        gone: set[int] = set()
        if len(gold) and random.random() < 0.15:
            gone = set(random.permutation(gold)[: random.integers(1, len(gold) + 1)].tolist())
        there = [place for place in random.permutation(gold).tolist() if place not in gone]
        chosen = there[: random.integers(0, len(there) + 1)]
        left = set(there) - set(chosen)
        wrong = [place for place in range(count) if not data.gold[span.start + place]]
        if wrong and random.random() < 0.15:
            chosen.insert(random.integers(0, len(chosen) + 1), self._hardest(wrong, span.start, 1, random)[0])
        others = [place for place in wrong if place not in chosen]
        room = self.candidates - len(left)
        picked = self._hardest(others, span.start, room // 2, random)
        rest = [place for place in others if place not in picked]
        picked += random.permutation(np.array(rest, dtype=np.int64))[: room - len(picked)].tolist()
        group = Group([], [], [], [])
        query = self._query(example, random)
        before = self._chosen([int(data.sentence[span.start + place]) for place in chosen])
        for place in [*left, *picked]:
            text = data.text(int(data.sentence[span.start + place]), SENTENCE_TOKENS)
            self._add(group, query, before, text, place in left, place)
        for _ in range(self._foreign(len(group.places), random)):
            text = data.text(int(data.sentence[random.integers(len(data.sentence))]), SENTENCE_TOKENS)
            self._add(group, query, before, text, False, -1)
        done = not left
        finished = done and not gone and len(gold) > 0
        self._add(group, query, before, np.array([COMPLETE], dtype=np.uint16), finished, -2)
        self._add(group, query, before, np.array([NOTHING], dtype=np.uint16), done and not finished, -3)
        return group

    def state(self, example: int, chosen: list[int], answer: bool = False) -> Group:
        """All candidates of an example in a state, as they are scored when the policy is used."""
        data = self.examples
        span = data.places(example)
        query = self._query(example, None, answer)
        before = self._chosen([int(data.sentence[span.start + place]) for place in chosen])
        group = Group([], [], [], [])
        for place in range(span.stop - span.start):
            if place not in chosen:
                text = data.text(int(data.sentence[span.start + place]), SENTENCE_TOKENS)
                self._add(group, query, before, text, bool(data.gold[span.start + place]), place)
        self._add(group, query, before, np.array([COMPLETE], dtype=np.uint16), False, -2)
        self._add(group, query, before, np.array([NOTHING], dtype=np.uint16), False, -3)
        return group

    def _hardest(self, places: list[int], start: int, count: int, random: np.random.Generator) -> list[int]:
        """Those that the policy thinks best, with some luck."""
        if not places or count <= 0:
            return []
        scores = self.hard[start + np.array(places)] + random.gumbel(size=len(places))
        return [places[at] for at in np.argsort(-scores)[:count]]

    def _foreign(self, count: int, random: np.random.Generator) -> int:
        """How many sentences of other texts join a short list."""
        return int(random.integers(0, self.candidates - count + 1)) if count < self.candidates else 0

    def _query(
        self, example: int, random: np.random.Generator | None, answer: bool = False
    ) -> NDArray[np.int64]:
        """[CLS] query [SEP], with the answer after it or without."""
        data = self.examples
        query = data.text(int(data.query[example]), QUERY_TOKENS)
        said = int(data.answer[example])
        if said >= 0 and (answer if random is None else random.random() < 0.3):
            query = np.concatenate([query, data.text(said, 24)])
        return np.concatenate([[CLS], query, [SEP]]).astype(np.int64)

    def _chosen(self, texts: list[int]) -> NDArray[np.int64]:
        """What is chosen already, each with [SEP] after it; of much the last is kept."""
        parts = [np.append(self.examples.text(text, CHOSEN_TOKENS), SEP) for text in texts]
        joined = np.concatenate(parts) if parts else np.zeros(0)
        return joined[-ALL_CHOSEN_TOKENS:].astype(np.int64)

    @staticmethod
    def _add(
        group: Group,
        query: NDArray[np.int64],
        before: NDArray[np.int64],
        text: NDArray[np.uint16],
        right: bool,
        place: int,
    ) -> None:
        group.sequences.append(np.concatenate([query, before, text, [SEP]]).astype(np.int64))
        group.seconds.append(len(query))
        group.right.append(right)
        group.places.append(place)
