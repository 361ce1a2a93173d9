"""Several rounds of retrieval: what one passage names is looked up in the next round.

One round finds the passages that share words or meaning with the question. The passage that a multi-hop
question needs second is often not among them: a question for "the mother of the director of Salt Wind" does
not name the director, the page about the film does. Here the evidence policy reads what the first round
found, the best passages become the beginnings of chains, and what these name, and what they leave open, are
the queries of the next round. All chains of a round are weighed together. The rounds end when the policy
takes the best chain for complete.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from pydantic import Field

from probative.engine.found import tell_passages
from probative.engine.search import Search, probabilities, weigh
from probative.errors import InputError
from probative.models.evidence_policy import PolicyState
from probative.text import english
from probative.text.analysis import ParsedQuestion, Values
from probative.text.prompts import headed
from probative.text.sentences import split_sentences
from probative.text.words import distinct, words
from probative.types import Passage, Value

if TYPE_CHECKING:
    from probative.corpus.corpus import Corpus
    from probative.corpus.documents.passages import CorpusPassage

PassageT = TypeVar("PassageT", bound=Passage)
PassageRetriever = Callable[[str, int], Sequence[PassageT]]
"""Returns at most n passages for a query and n."""
# A name in the first sentence counts as much as this many words that its sentence shares with the question:
# there a passage says what its subject is, and whose.
_FIRST_SENTENCE = 2
# Of the example corpus's questions that a sentence answers, the first 20 passages of one round have every
# sentence but four, all of them the second hop of two.
RETRIEVED = 20


def names_to_look_up(question: ParsedQuestion, passage: Passage, n: int) -> list[str]:
    """Return at most n names of a passage that the question and the title do not have, the most promising
    first: those whose sentence shares the most words with the question.
    """
    covered = question.words | set(words(passage.title or ""))
    promise: dict[str, int] = {}
    for number, sentence in enumerate(split_sentences(passage.text, getattr(passage, "language", None))):
        shared = len(question.words.intersection(words(sentence.text)))
        values = english.values_in(sentence.text)
        for name in distinct(values.names):
            if not covered.issuperset(words(name)) and _may_have_page(name, values):
                score = shared + (_FIRST_SENTENCE if number == 0 else 0)
                promise[name] = max(score, promise.get(name, 0))
    return sorted(promise, key=lambda name: -promise[name])[:n]


def _may_have_page(name: str, values: Values) -> bool:
    """Return whether a passage may be about the thing of this name: not about a part of a date ("June 1987"),
    and hardly about a nationality ("Irish").
    """
    return not any(name in date for date in values.dates) and not english.is_nationality(name)


def uncovered_query(question: ParsedQuestion, chain: Sequence[Passage]) -> str | None:
    """Return a query of the question's words that no passage of a chain has, with the subject of its last
    passage; None if the chain has them all.
    """
    covered = {word for passage in chain for word in words(passage.whole)}
    missing = [
        token
        for token in question.text.split()
        if (token_words := words(token)) and not covered.issuperset(token_words)
    ]
    if not missing:
        return None
    subject = english.subject_name(chain[-1]) if chain else ""
    return " ".join([*subject.split(), *(token.strip(".,;:?!\"'()") for token in missing)])


def matches(passage: Passage, name: str) -> bool:
    """Return whether a passage is about the thing of this name."""
    return english.subject(passage) == " ".join(words(name))


class RoundOptions(Value):
    """The bounds of the rounds. The policy makes at most 1 + rounds × chains decisions, and says before each
    further round whether the best chain is complete. The question is a query, as is each name in it, and at
    most names + 1 follow for each of rounds × chains.
    """

    rounds: int = Field(default=1, ge=0, description="rounds after the first")
    retrieved: int = Field(default=20, ge=1, description="passages of the first round")
    chains: int = Field(default=2, ge=1, description="chains that each round goes on with")
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


class Chain(NamedTuple, Generic[PassageT]):
    """Passages in the order in which they were found, and the policy's probability of this order."""

    passages: tuple[PassageT, ...] = ()
    probability: float = 1.0


@dataclass
class RoundsResult(Generic[PassageT]):
    """What the rounds found: the passages in their final order, the best chain, and the queries made."""

    passages: list[PassageT] = field(default_factory=list)
    chain: tuple[PassageT, ...] = ()
    queries: list[str] = field(default_factory=list)


def retrieve_in_rounds(
    question: str,
    retriever: PassageRetriever[PassageT],
    n: int = RETRIEVED,
    *,
    options: RoundOptions | None = None,
    lookup: PassageRetriever[PassageT] | None = None,
) -> Search[RoundsResult[PassageT]]:
    """Return the n best passages for a question after several rounds of retrieval.

    `lookup` finds names; a retriever by words alone is quick and enough. By default it is `retriever`.
    """
    if n < 1:
        raise InputError(f"n must be at least 1, got {n}")
    rounds = _Rounds(question, retriever, lookup or retriever, options or RoundOptions())
    best: tuple[PassageT, ...] = ()
    # Which of the candidates does each chain need next?
    decisions = [(Chain[PassageT](), rounds.start())]
    for number in range(rounds.options.rounds + 1):
        decisions = [(chain, candidates) for chain, candidates in decisions if candidates]
        if not decisions:
            break
        scores = yield from weigh([rounds.state(*each) for each in decisions], step="retrieval")
        chains = rounds.extend(decisions, [probabilities(weighed)[0] for weighed in scores])
        best = chains[0].passages
        if number == rounds.options.rounds or (yield from rounds.is_complete(chains[0])):
            break
        decisions = [(chain, rounds.follow(chain)) for chain in chains]
    return RoundsResult(rounds.ranked(best, n), best, rounds.queries)


class _Rounds(Generic[PassageT]):
    """The passages found so far, what the policy thinks of each, and the queries made."""

    def __init__(
        self,
        question: str,
        retriever: PassageRetriever[PassageT],
        lookup: PassageRetriever[PassageT],
        options: RoundOptions,
    ) -> None:
        self.options = options
        self.question: ParsedQuestion = english.parse_question(question)
        self.queries: list[str] = []
        self.scores: dict[str, float] = {}
        self.passages: dict[str, PassageT] = {}
        self.named: set[str] = set()
        self.first: list[PassageT] = []
        self._retriever, self._lookup = retriever, lookup
        self._replies: dict[tuple[bool, str, int], list[PassageT]] = {}

    def start(self) -> list[PassageT]:
        """Retrieve by the question and by each name in it; return what the policy reads first."""
        self.first = self._ask(self._retriever, self.question.text, self.options.retrieved)
        tell_passages("passages", self.question.text, self.first)
        named = self._look_up(self.question.names)
        return _merged(self.first[: self.options.weighed], named[: self.options.weighed_again])

    def follow(self, chain: Chain[PassageT]) -> list[PassageT]:
        """Look up what the last passage of a chain names and what the chain leaves open; return what the
        policy reads next.
        """
        passages = self._look_up(names_to_look_up(self.question, chain.passages[-1], self.options.names))
        query = uncovered_query(self.question, chain.passages)
        if query is not None:
            passages += self._ask(self._lookup, query, 2)
        taken = set(map(_key, chain.passages))
        new = [passage for passage in _merged(passages) if _key(passage) not in taken]
        earlier = [passage for passage in self._by_policy() if _key(passage) not in taken]
        return _merged(new[: self.options.weighed], earlier[: self.options.weighed_again])

    def state(self, chain: Chain[PassageT], candidates: Sequence[PassageT]) -> PolicyState:
        """Return a decision as the policy reads it."""
        chosen = tuple(map(headed, chain.passages))
        return PolicyState(self.question.text, chosen, tuple(map(headed, candidates)))

    def extend(
        self,
        decisions: Iterable[tuple[Chain[PassageT], Sequence[PassageT]]],
        shares: Sequence[Sequence[float]],
    ) -> list[Chain[PassageT]]:
        """Note how probable each passage is, and return the most probable longer chains, each set of
        passages once.
        """
        longer: dict[frozenset[str], Chain[PassageT]] = {}
        for (chain, candidates), candidate_shares in zip(decisions, shares, strict=True):
            for passage, share in zip(candidates, candidate_shares, strict=True):
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

    def is_complete(self, chain: Chain[PassageT]) -> Search[bool]:
        """Return whether the policy takes a chain for enough. It is asked without candidates: a tenth of the
        cost of a decision.
        """
        (scores,) = yield from weigh([self.state(chain, ())], step="retrieval")
        return probabilities(scores)[1] >= self.options.complete

    def ranked(self, chain: Sequence[PassageT], n: int) -> list[PassageT]:
        """Return the best n passages: the chain, then by turns the best of the policy and of the first
        round.
        """
        by_policy = self._by_policy()
        turns: list[PassageT] = []
        for number in range(max(len(by_policy), len(self.first))):
            turns += by_policy[number : number + 1] + self.first[number : number + 1]
        return _merged(chain, turns)[:n]

    def _by_policy(self) -> list[PassageT]:
        return [self.passages[key] for key in sorted(self.scores, key=lambda key: -self.scores[key])]

    def _look_up(self, names: Sequence[str]) -> list[PassageT]:
        """Return the passages found by each name: first those that are about the thing of this name, then
        the best one for each other name.
        """
        about: list[PassageT] = []
        others: list[PassageT] = []
        for name in names:
            passages = self._ask(self._lookup, name, self.options.per_name)
            about_name = [passage for passage in passages if matches(passage, name)]
            about += about_name
            others += [] if about_name else passages[:1]
        self.named.update(map(_key, about))
        return _merged(about, others)

    def _ask(self, retriever: PassageRetriever[PassageT], query: str, n: int) -> list[PassageT]:
        """Return what a retriever finds; the same query is not made twice."""
        asked = (retriever is self._retriever, query, n)
        if asked not in self._replies:
            self.queries.append(query)
            self._replies[asked] = list(retriever(query, n))[:n]
            for passage in self._replies[asked]:
                self.passages.setdefault(_key(passage), passage)
        return self._replies[asked]


def _merged(*groups: Sequence[PassageT]) -> list[PassageT]:
    """Return the passages of all groups in order, each once."""
    merged: dict[str, PassageT] = {}
    for group in groups:
        for passage in group:
            merged.setdefault(_key(passage), passage)
    return list(merged.values())


def _key(passage: Passage) -> str:
    return passage.whole.lower()


def retrieve(
    question: str,
    corpus: Corpus,
    n: int = RETRIEVED,
    *,
    several_rounds: bool = False,
    translation: str | None = None,
) -> Search[list[CorpusPassage]]:
    """Return the `n` best passages for a question.

    With `several_rounds`, the evidence policy reads what was found, and what it names is looked up next. The
    passages for a `translation` of the question come in turns with the others, and first.
    """
    if several_rounds:
        result = yield from retrieve_in_rounds(question, corpus, n, lookup=corpus.by_words)
        passages = result.passages
    else:
        passages = corpus(question, n)
        tell_passages("passages", question, passages)
    if translation is None:
        return passages
    turns = zip_longest(corpus(translation, n), passages)
    return _merged([passage for turn in turns for passage in turn if passage is not None])[:n]
