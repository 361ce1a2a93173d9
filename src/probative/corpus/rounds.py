"""Several rounds of retrieval: what one passage names is looked up in the next round.

One round finds the passages that share words or meaning with the question. The passage that a multi-hop
question needs second is often not among them: the question does not name what it is about. Here the evidence
policy reads what the first round found, the best passages become the beginnings of chains, and what these
name, and what they leave open, are the queries of the next round. All chains of a round are weighed together.
The rounds end when the policy takes the best chain for complete.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from pydantic import Field

from probative.corpus.round_queries import matches, names_to_look_up, uncovered_query
from probative.engine.policy_chain import probabilities
from probative.engine.search import Search, weigh
from probative.errors import InputError
from probative.models.evidence_policy import PolicyState
from probative.text import english
from probative.text.analysis import ParsedQuestion
from probative.types import Passage, Value

if TYPE_CHECKING:
    from probative.corpus.corpus import Corpus
    from probative.corpus.passages import CorpusPassage

Found = TypeVar("Found", bound=Passage)
PassageRetriever = Callable[[str, int], Sequence[Found]]
"""Returns at most n passages for a query and n."""


class RoundOptions(Value):
    """The bounds of the rounds. The policy makes at most 1 + rounds × chains decisions, and says before each
    further round whether the best chain is complete. The question is a query, as is each name in it, and at
    most names + 1 follow for each of rounds × chains.
    """

    rounds: int = Field(default=2, ge=0, description="rounds after the first")
    retrieved: int = Field(default=20, ge=1, description="passages of the first round")
    chains: int = Field(default=3, ge=1, description="chains that each round goes on with")
    complete: float = Field(
        default=0.9,
        gt=0,
        description="the policy's probability that the best chain is enough which ends the rounds",
    )
    chain_share: float = Field(
        default=0.02,
        ge=0,
        le=1,
        description="chains that are less probable than this share of the best are left",
    )
    names: int = Field(default=12, ge=0, description="names of a passage that are looked up")
    per_name: int = Field(default=8, ge=1, description="passages that are looked at for each name")
    weighed: int = Field(default=8, ge=1, description="new passages that the policy reads for each chain")
    unnamed: float = Field(
        default=0.3,
        gt=0,
        le=1,
        description="the factor of a passage that is about nothing that the question or its chain names",
    )
    weighed_again: int = Field(default=4, ge=0, description="earlier passages that it reads again")


@dataclass(frozen=True)
class Chain(Generic[Found]):
    """Passages in the order in which they were found, and the policy's probability of this order."""

    passages: tuple[Found, ...] = ()
    probability: float = 1.0


@dataclass(frozen=True)
class Decision(Generic[Found]):
    """Which of the candidates a chain needs next."""

    chain: Chain[Found]
    candidates: Sequence[Found]


@dataclass
class RoundsResult(Generic[Found]):
    """What the rounds found: the passages in their final order, the best chain, and the queries made."""

    passages: list[Found] = field(default_factory=list)
    chain: tuple[Found, ...] = ()
    queries: list[str] = field(default_factory=list)


def retrieve_in_rounds(
    question: str,
    retriever: PassageRetriever[Found],
    n: int = 20,
    *,
    options: RoundOptions | None = None,
    lookup: PassageRetriever[Found] | None = None,
) -> Search[RoundsResult[Found]]:
    """Return the n best passages for a question after several rounds of retrieval.

    `lookup` finds names; a retriever by words alone is quick and enough. By default it is `retriever`.
    """
    if n < 1:
        raise InputError(f"n must be at least 1, got {n}")
    rounds = _Rounds(question, retriever, lookup or retriever, options or RoundOptions())
    best: tuple[Found, ...] = ()
    decisions = [Decision(Chain[Found](), rounds.start())]
    for number in range(rounds.options.rounds + 1):
        decisions = [decision for decision in decisions if decision.candidates]
        if not decisions:
            break
        scores = yield from weigh([rounds.state(decision) for decision in decisions], step="retrieval")
        chains = rounds.extend(decisions, [probabilities(weighed)[0] for weighed in scores])
        best = chains[0].passages
        if number == rounds.options.rounds or (yield from rounds.is_complete(chains[0])):
            break
        decisions = [Decision(chain, rounds.follow(chain)) for chain in chains]
    return RoundsResult(rounds.ranked(best, n), best, rounds.queries)


class _Rounds(Generic[Found]):
    """The passages found so far, what the policy thinks of each, and the queries made."""

    def __init__(
        self,
        question: str,
        retriever: PassageRetriever[Found],
        lookup: PassageRetriever[Found],
        options: RoundOptions,
    ) -> None:
        self.options = options
        self.question: ParsedQuestion = english.parse_question(question)
        self.queries: list[str] = []
        self.scores: dict[str, float] = {}
        self.known: dict[str, Found] = {}
        self.named: set[str] = set()
        self.first: list[Found] = []
        self._retriever = retriever
        self._lookup = lookup
        self._found: dict[tuple[bool, str, int], list[Found]] = {}

    def start(self) -> list[Found]:
        """Retrieve by the question and by each name in it; return what the policy reads first."""
        self.first = self._ask(self._retriever, self.question.text, self.options.retrieved)
        named = self._look_up(self.question.names)
        return self._merged(self.first[: self.options.weighed], named[: self.options.weighed_again])

    def follow(self, chain: Chain[Found]) -> list[Found]:
        """Look up what the last passage of a chain names and what the chain leaves open; return what the
        policy reads next.
        """
        last = chain.passages[-1]
        found = self._look_up(names_to_look_up(self.question, last, self.options.names))
        query = uncovered_query(self.question, chain.passages)
        if query is not None:
            found += self._ask(self._lookup, query, 2)
        taken = set(map(_key, chain.passages))
        new = [passage for passage in self._merged(found) if _key(passage) not in taken]
        again = sorted(self.scores, key=lambda key: -self.scores[key])
        known = [self.known[key] for key in again if key not in taken]
        return self._merged(new[: self.options.weighed], known[: self.options.weighed_again])

    def state(self, decision: Decision[Found]) -> PolicyState:
        """Return a decision as the policy reads it."""
        chosen = tuple(passage.whole for passage in decision.chain.passages)
        candidates = tuple(passage.whole for passage in decision.candidates)
        return PolicyState(self.question.text, chosen, candidates)

    def extend(
        self, decisions: Sequence[Decision[Found]], shares: Sequence[Sequence[float]]
    ) -> list[Chain[Found]]:
        """Note how probable each passage is, and return the most probable longer chains, each set of
        passages once.
        """
        longer: dict[frozenset[str], Chain[Found]] = {}
        for decision, own in zip(decisions, shares, strict=True):
            chain = decision.chain
            for passage, share in zip(decision.candidates, own, strict=True):
                key = _key(passage)
                probability = chain.probability * share
                if chain.passages and key not in self.named:
                    probability *= self.options.unnamed
                self.scores[key] = max(probability, self.scores.get(key, 0.0))
                members = frozenset((*map(_key, chain.passages), key))
                if members not in longer or longer[members].probability < probability:
                    longer[members] = Chain((*chain.passages, passage), probability)
        ranked = sorted(longer.values(), key=lambda chain: -chain.probability)
        least = ranked[0].probability * self.options.chain_share
        return [chain for chain in ranked[: self.options.chains] if chain.probability >= least]

    def is_complete(self, chain: Chain[Found]) -> Search[bool]:
        """Return whether the policy takes a chain for enough. It is asked without candidates: a tenth of the
        cost of a decision.
        """
        (scores,) = yield from weigh([self.state(Decision(chain, ()))], step="retrieval")
        _, complete, _ = probabilities(scores)
        return complete >= self.options.complete

    def ranked(self, chain: Sequence[Found], n: int) -> list[Found]:
        """Return the best n passages: the chain, then by turns the best of the policy and of the first
        round.
        """
        by_policy = [self.known[key] for key in sorted(self.scores, key=lambda key: -self.scores[key])]
        turns: list[Found] = []
        for number in range(max(len(by_policy), len(self.first))):
            turns += by_policy[number : number + 1] + self.first[number : number + 1]
        return self._merged(chain, turns)[:n]

    def _look_up(self, names: Sequence[str]) -> list[Found]:
        """Return the passages found by each name: first those that are about the thing of this name, then
        the best one for each other name.
        """
        about: list[Found] = []
        others: list[Found] = []
        for name in names:
            passages = self._ask(self._lookup, name, self.options.per_name)
            own = [passage for passage in passages if matches(passage, name)]
            about += own
            others += [] if own else passages[:1]
        self.named.update(map(_key, about))
        return self._merged(about, others)

    def _ask(self, retriever: PassageRetriever[Found], query: str, n: int) -> list[Found]:
        """Return what a retriever finds; the same query is not made twice."""
        asked = (retriever is self._retriever, query, n)
        if asked not in self._found:
            self.queries.append(query)
            self._found[asked] = list(retriever(query, n))[:n]
            for passage in self._found[asked]:
                self.known.setdefault(_key(passage), passage)
        return self._found[asked]

    def _merged(self, *groups: Sequence[Found]) -> list[Found]:
        """Return the passages of all groups in order, each once."""
        distinct: dict[str, Found] = {}
        for group in groups:
            for passage in group:
                distinct.setdefault(_key(passage), passage)
        return list(distinct.values())


def _key(passage: Passage) -> str:
    return passage.whole.lower()


# Of the example corpus's questions that a sentence answers, the first 20 passages of one round have every
# sentence but four, all of them the second hop of two.
RETRIEVED = 20


def retrieve(
    question: str, corpus: Corpus, n: int = RETRIEVED, *, several_rounds: bool = False
) -> Search[list[CorpusPassage]]:
    """Return the `n` best passages for a question.

    With `several_rounds`, the evidence policy reads what was found, and what it names is looked up next.
    """
    if not several_rounds:
        return corpus(question, n)
    found = yield from retrieve_in_rounds(question, corpus, n, lookup=corpus.by_words)
    return found.passages
