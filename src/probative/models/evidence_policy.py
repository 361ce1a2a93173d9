"""The evidence policy: it scores how much each candidate adds to the evidence chosen for a query.

    score(query, chosen, candidate), for every candidate and two special ones:
    *complete* (nothing more is needed) and *nothing* (no candidate carries what is missing)

A softmax over all scores of a decision gives the policy's probabilities. Each candidate is one sequence of
tokens. The layout is the same for the use and the training of the policy:

    [CLS] query [SEP] chosen [SEP] chosen [SEP] … candidate [SEP]
    └─ first part ──┘ └─ second part ──────────────────────────┘

If the candidates are sentences of a running text, each can have the sentences before and after it, which
show what "he" or "then" means and whether the candidate is next to a chosen sentence:

    … candidate [SEP] [before] sentence before [after] sentence after [SEP]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from probative.errors import ModelError
from probative.models.contract import outcomes_of
from probative.types import Usage

# Tokens of MiniLM's vocabulary; all but the first two occur in no text.
CLS, SEP = 101, 102
COMPLETE, NOTHING = 2, 3
BEFORE, AFTER = 4, 5
# The maximum number of tokens of a query and of a sentence; one sentence in 100 is longer.
QUERY_TOKENS = 72
SENTENCE_TOKENS = 112
# The maximum number of tokens of an answer that follows the question.
ANSWER_TOKENS = 24
# The maximum number of tokens of a chosen sentence, and of all chosen sentences.
CHOSEN_TOKENS = 64
ALL_CHOSEN_TOKENS = 192
# The last tokens of the sentence before a candidate, the first tokens of the sentence after it.
BEFORE_TOKENS, AFTER_TOKENS = 28, 20


class Neighbours(NamedTuple):
    """The sentences before and after a candidate in its text; empty if there is none."""

    before: str
    after: str


class PolicyState(NamedTuple):
    """One decision: a claim or a question, the sentences chosen so far, in order, and the candidates.

    A sentence of a page with a title is written "Title: sentence". `neighbours` is empty, or has the
    sentences around each candidate.
    """

    query: str
    chosen: tuple[str, ...]
    candidates: tuple[str, ...]
    neighbours: tuple[Neighbours, ...] = ()


class PolicyScores(NamedTuple):
    """The scores of a decision; a softmax over all of them gives the policy's probabilities.

    `complete` is the score that the chosen evidence is sufficient, `nothing` that no candidate carries what
    is missing.
    """

    candidates: tuple[float, ...]
    complete: float
    nothing: float


class EvidencePolicy(Protocol):
    """Scores the candidates of many decisions in one call."""

    @property
    def name(self) -> str:
        """The name that a user sees, such as ``embedded:policy``."""

    @property
    def usage(self) -> Usage:
        """The cost so far."""

    def weigh(self, states: Sequence[PolicyState]) -> list[PolicyScores]:
        """Return the scores of each decision, in order."""


class Sequences(NamedTuple):
    """The candidates of a decision as token sequences, *complete* and *nothing* last; the second part of
    each starts at `second`.
    """

    rows: list[list[int]]
    second: int


def decision_sequences(
    query: Sequence[int],
    chosen: Sequence[Sequence[int]],
    candidates: Sequence[Sequence[int]],
    answer: Sequence[int] = (),
    neighbours: Sequence[tuple[Sequence[int], Sequence[int]]] = (),
) -> Sequences:
    """Return the sequences of a decision from the tokens of its texts, each cut to its maximum length.

    The last tokens of the chosen sentences are kept. `neighbours` is empty, or has the tokens of the
    sentences before and after each candidate.

    >>> decision_sequences([7, 8], [[9]], [[10, 11]])
    Sequences(rows=[[101, 7, 8, 102, 9, 102, 10, 11, 102], [101, 7, 8, 102, 9, 102, 2, 102], \
[101, 7, 8, 102, 9, 102, 3, 102]], second=4)
    """
    first = [CLS, *query[:QUERY_TOKENS], *answer[:ANSWER_TOKENS], SEP]
    chosen_tokens: list[int] = []
    for sentence in chosen:
        chosen_tokens += [*sentence[:CHOSEN_TOKENS], SEP]
    start = first + chosen_tokens[-ALL_CHOSEN_TOKENS:]
    rows = [[*start, *candidate[:SENTENCE_TOKENS], SEP] for candidate in candidates]
    for row, (earlier, later) in zip(rows, neighbours, strict=bool(neighbours)):
        if earlier or later:
            row += [BEFORE, *earlier[-BEFORE_TOKENS:], AFTER, *later[:AFTER_TOKENS], SEP]
    rows += [[*start, special, SEP] for special in (COMPLETE, NOTHING)]
    return Sequences(rows, len(first))


class Weighing(NamedTuple):
    """The scores of one decision, and their cost."""

    scores: PolicyScores
    usage: Usage


def weigh_each(policy: EvidencePolicy, states: Sequence[PolicyState]) -> list[Weighing | ModelError]:
    """Return the scores and the cost of each decision, or its error."""
    return outcomes_of(policy, "weigh", states, _length, Weighing)


def _length(state: PolicyState) -> int:
    common = sum(map(len, (state.query, *state.chosen)))
    return common * len(state.candidates) + sum(map(len, state.candidates))
