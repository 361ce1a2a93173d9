"""The evidence policy: how much each candidate would add to what is chosen already for a query.

    score(query, chosen, candidate), for every candidate and two that are always there:
    *complete* (nothing more is needed) and *nothing* (no candidate carries what is missing)

A softmax over all scores of a decision is the policy's probability. Each candidate is read as one sequence
of tokens, laid out here for whoever uses the policy and whoever trains it:

    [CLS] query [SEP] chosen [SEP] chosen [SEP] … candidate [SEP]
    └─ first part ──┘ └─ second part ──────────────────────────┘

Where the candidates are sentences of a running text, the sentence before and the one after each may be read
with it, for what "he" or "then" in it means and whether it stands beside what is chosen:

    … candidate [SEP] [before] sentence before [after] sentence after [SEP]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from probative.settings import Settings, load_settings
from probative.usage import Usage

# MiniLM's vocabulary; all but the first two are tokens that no text uses.
CLS, SEP = 101, 102
COMPLETE, NOTHING = 2, 3
BEFORE, AFTER = 4, 5
# Tokens kept of a query and of a sentence; of 100 sentences one is longer.
QUERY_TOKENS = 72
SENTENCE_TOKENS = 112
# An answer that a question is asked with, after it.
ANSWER_TOKENS = 24
# Of a chosen sentence so many tokens are read again, and of all chosen together.
CHOSEN_TOKENS = 64
ALL_CHOSEN_TOKENS = 192
# Of the sentence before a candidate the last tokens are read, of the one after it the first.
BEFORE_TOKENS, AFTER_TOKENS = 28, 20


class Neighbours(NamedTuple):
    """The sentences before and after a candidate in its text; empty where there is none."""

    before: str
    after: str


class PolicyState(NamedTuple):
    """One decision: a claim or a question, the sentences chosen already, in order, and those to choose from.

    A sentence of a page with a title is written "Title: sentence"; `neighbours` has what stands around each
    candidate of a running text, or nothing.
    """

    query: str
    chosen: tuple[str, ...]
    candidates: tuple[str, ...]
    neighbours: tuple[Neighbours, ...] = ()


class PolicyScores(NamedTuple):
    """The scores of a decision: a softmax over all of them together is the policy's probability.

    `complete` is the score of having enough; `nothing` that of no candidate carrying what is missing.
    """

    candidates: tuple[float, ...]
    complete: float
    nothing: float


class EvidencePolicy(Protocol):
    """Weighs the candidates of decisions, many decisions in one call."""

    @property
    def name(self) -> str:
        """What a user calls it, such as ``embedded:policy``."""

    @property
    def usage(self) -> Usage:
        """What it has cost so far."""

    def weigh(self, states: Sequence[PolicyState]) -> list[PolicyScores]:
        """The scores of each decision, in the order given."""


class Sequences(NamedTuple):
    """The candidates of a decision as tokens, *complete* and *nothing* last; the second part of each begins
    at `second`.
    """

    rows: list[list[int]]
    second: int


def laid_out(
    query: Sequence[int],
    chosen: Sequence[Sequence[int]],
    candidates: Sequence[Sequence[int]],
    answer: Sequence[int] = (),
    neighbours: Sequence[tuple[Sequence[int], Sequence[int]]] = (),
) -> Sequences:
    """The sequences of a decision from the tokens of its texts, each cut to its room. Of much that is chosen
    the last is kept. `neighbours` is empty, or has the tokens before and after each candidate.

    >>> laid_out([7, 8], [[9]], [[10, 11]])
    Sequences(rows=[[101, 7, 8, 102, 9, 102, 10, 11, 102], [101, 7, 8, 102, 9, 102, 2, 102], \
[101, 7, 8, 102, 9, 102, 3, 102]], second=4)
    """
    first = [CLS, *query[:QUERY_TOKENS], *answer[:ANSWER_TOKENS], SEP]
    before: list[int] = []
    for one in chosen:
        before += [*one[:CHOSEN_TOKENS], SEP]
    start = first + before[-ALL_CHOSEN_TOKENS:]
    rows = [[*start, *one[:SENTENCE_TOKENS], SEP] for one in candidates]
    for row, (earlier, later) in zip(rows, neighbours, strict=bool(neighbours)):
        if earlier or later:
            row += [BEFORE, *earlier[-BEFORE_TOKENS:], AFTER, *later[:AFTER_TOKENS], SEP]
    rows += [[*start, special, SEP] for special in (COMPLETE, NOTHING)]
    return Sequences(rows, len(first))


class Weighing(NamedTuple):
    """The scores of one decision, and what they cost."""

    scores: PolicyScores
    usage: Usage


def weigh_each(policy: EvidencePolicy, states: Sequence[PolicyState]) -> list[Weighing]:
    """Return the scores and the cost of each decision.

    A policy with a `weigh_each` of its own counts exactly. For any other, the tokens of the whole call are
    shared out by the length of the decisions, and each decision is a call.
    """
    own = getattr(policy, "weigh_each", None)
    if own is not None:
        weighings: list[Weighing] = own(states)
        return weighings
    before = policy.usage
    scores = policy.weigh(states)
    spent = policy.usage - before
    lengths = [
        sum(map(len, (state.query, *state.chosen))) * len(state.candidates) + sum(map(len, state.candidates))
        for state in states
    ]
    shares = (share.model_copy(update={"calls": 1}) for share in spent.shares(lengths))
    return [Weighing(score, share) for score, share in zip(scores, shares, strict=True)]


def load_policy(*, settings: Settings | None = None) -> EvidencePolicy:
    """Open the policy that the package ships; it is converted at its first use.

    >>> policy = load_policy()
    >>> state = PolicyState("The bridge was opened in 1890.", (), ("It opened in 1890.", "Herons eat fish."))
    >>> (weighed,) = policy.weigh([state])
    >>> weighed.candidates[0] > weighed.candidates[1]
    True
    """
    from probative.models.embedded.evidence_policy import open_policy

    return open_policy(settings or load_settings())
