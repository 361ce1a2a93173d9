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
from policy_examples import Examples

from probative.models.policy import ANSWER_TOKENS, CHOSEN_TOKENS, QUERY_TOKENS, SENTENCE_TOKENS, laid_out


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
        if len(gold) and random.random() < 0.2:
            gone = set(random.permutation(gold)[: random.integers(1, len(gold) + 1)].tolist())
        there = [place for place in random.permutation(gold).tolist() if place not in gone]
        chosen = there[: random.integers(0, len(there) + 1)]
        left = set(there) - set(chosen)
        fine = data.gold[span] | data.also[span]
        wrong = [place for place in range(count) if not fine[place]]
        if wrong and random.random() < 0.15:
            chosen.insert(random.integers(0, len(chosen) + 1), self._hardest(wrong, span.start, 1, random)[0])
        unlike = [place for place in wrong if place not in chosen]
        room = self.candidates - len(left)
        picked = self._hardest(unlike, span.start, room // 2, random)
        rest = [place for place in unlike if place not in picked]
        picked += random.permutation(np.array(rest, dtype=np.int64))[: room - len(picked)].tolist()
        answer = int(data.answer[example]) >= 0 and random.random() < 0.3
        places = [*left, *picked]
        texts = [int(data.sentence[span.start + place]) for place in places]
        foreign = self._foreign(len(places), random)
        own = set(data.sentence[span].tolist())
        others = [number for _ in range(foreign) if (number := self._other(span, random)) not in own]
        texts, foreign = texts + others, len(others)
        finished = not left and not gone and len(gold) > 0
        right = [place in left for place in places] + [False] * foreign
        right += [finished, not left and not finished]
        return self._group(example, chosen, texts, answer, right, [*places, *[-1] * foreign])

    def state(self, example: int, chosen: list[int], answer: bool = False) -> Group:
        """All candidates of an example in a state, as they are scored when the policy is used."""
        data = self.examples
        span = data.places(example)
        places = [place for place in range(span.stop - span.start) if place not in chosen]
        texts = [int(data.sentence[span.start + place]) for place in places]
        right = [bool(data.gold[span.start + place]) for place in places]
        return self._group(example, chosen, texts, answer, [*right, False, False], places)

    def _hardest(self, places: list[int], start: int, count: int, random: np.random.Generator) -> list[int]:
        """Those that the policy thinks best, with some luck."""
        if not places or count <= 0:
            return []
        scores = self.hard[start + np.array(places)] + random.gumbel(size=len(places))
        return [places[at] for at in np.argsort(-scores)[:count]]

    def _foreign(self, count: int, random: np.random.Generator) -> int:
        """How many sentences of other texts join a short list."""
        return int(random.integers(0, self.candidates - count + 1)) if count < self.candidates else 0

    def _other(self, span: slice, random: np.random.Generator) -> int:
        """A sentence of any text, or, half of the time, of an example near this one: often the same page."""
        total = len(self.examples.sentence)
        at = int(random.integers(total))
        if random.random() < 0.5:
            at = (span.start + int(random.integers(-300, 300))) % total
        return int(self.examples.sentence[at])

    def _group(
        self,
        example: int,
        chosen: list[int],
        texts: list[int],
        answer: bool,
        right: list[bool],
        places: list[int],
    ) -> Group:
        """The decision between texts, given by their numbers, after chosen places."""
        data = self.examples
        start, said = int(data.first[example]), int(data.answer[example])
        sequences = laid_out(
            data.text(int(data.query[example]), QUERY_TOKENS).tolist(),
            [data.text(int(data.sentence[start + place]), CHOSEN_TOKENS).tolist() for place in chosen],
            [data.text(text, SENTENCE_TOKENS).tolist() for text in texts],
            data.text(said, ANSWER_TOKENS).tolist() if answer and said >= 0 else [],
        )
        rows = [np.array(row, dtype=np.int64) for row in sequences.rows]
        return Group(rows, [sequences.second] * len(rows), right, [*places, -2, -3])
