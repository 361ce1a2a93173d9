"""Method `learned`: evidence by the evidence policy alone, without a language model (not in the paper).

Sentences are chosen one by one, each with those before it in view. The value of a step is

    log P(a | o) + w z_lex(a) − v log(distance of a to the nearest sentence of o)

P is the policy's probability and z_lex is BM25 as in the prior. The distance counts only in a running text.
A beam keeps the best paths. Paths to the same sentences in another order are merged, because the policy
learned no order.

For a fixed k, P(a | o) is the probability given that a sentence is chosen: a path that is complete early must
not count less. With `complete`, it is the unconditional probability, and the probability of *complete* at the
end is added. With k="auto" a path ends where *complete* or *nothing* is more probable than any sentence, and
the most probable path that has ended is returned.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pydantic import ConfigDict, Field

from probative.engine.methods import Method, Tools
from probative.engine.search import Search
from probative.mcse.context import Context, make_context
from probative.mcse.next_sentence import LearnedPolicy, log_sum
from probative.mcse.prior import PriorWeights, filter_candidates, find_prior
from probative.mcse.result import McseResult, ProofSentence, RunnerUp, Stop
from probative.mcse.reward import log_distance
from probative.mcse.search import RUNNERS_UP, K, count_to_choose
from probative.mcse.strength import Path
from probative.models.evidence_policy import QUERY_TOKENS, SENTENCE_TOKENS
from probative.types import Value

# Weight of BM25 next to the policy's log-probability. It was raised from 0.3 when the policy was retrained.
# No program chose it: the grid of `training.policy.fusion` had 0.5 and 0.75 then, and has 0.6 since.
LEXICAL = 0.6
# Evidence stands together in a running text (see reward.log_distance). On the four documents of MultiRC that
# are kept for choosing, it makes no difference (70.0 without, 69.6 with, top 2, 120 claims). It is on because
# it gave mcse 3 points on the sixteen documents that its weights were chosen on.
PROXIMITY = 1.0
# The policy reads at least this many words of a claim and of a sentence, at 1.3 tokens a word.
CLAIM_WORDS, SENTENCE_WORDS = 50, 80


class LearnedOptions(Value):
    """The parameters of method `learned`.

    >>> LearnedOptions(beam=3).beam
    3
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    beam: int = Field(default=1, ge=1, description="paths kept at each step; 1: the best sentence each time")
    shortlist: int | None = Field(
        default=16,
        ge=1,
        description="sentences weighed after the first step, the best ones of that step; None: all",
    )
    lexical: float = Field(default=LEXICAL, ge=0, description="w: weight of BM25")
    ignore_topic: bool = Field(
        default=True, description="BM25 ignores the words that name the subject of the whole text"
    )
    proximity: float = Field(
        default=PROXIMITY,
        ge=0,
        description="v: weight of the distance to the nearest chosen sentence, in a running text",
    )
    neighbours: bool = Field(
        default=True,
        description="the policy reads the sentences before and after each candidate, unless every sentence "
        "begins with the title of its page",
    )
    complete: bool = Field(
        default=False,
        description="with a beam: multiply the probability of a path of k sentences by that of *complete*",
    )
    max_candidates: int | None = Field(
        default=128,
        ge=1,
        description="maximum number of sentences weighed; BM25 and embeddings choose them from a longer "
        "text; None: all",
    )
    max_sentences: int = Field(default=6, ge=1, description="k='auto' chooses at most this many sentences")


class _Candidate(NamedTuple):
    """A path of the beam: its sentences in order, the sum of its values, and its log-probability.

    Where the path has ended, both include the log-probability of stopping after it.
    """

    path: Path
    value: float
    log_probability: float


def choose_evidence(
    claim: str, sentences: Sequence[str], k: K, options: LearnedOptions
) -> Search[McseResult]:
    """Return the sentences that the policy chooses, in its order."""
    context = make_context(claim, sentences)
    n = count_to_choose(k, context, options.max_sentences)
    weights = PriorWeights(lexical=options.lexical)
    prior = yield from find_prior(context, weights, options.max_candidates, ignore_topic=options.ignore_topic)
    searched = filter_candidates(context, prior, PriorWeights(), options.max_candidates, n)
    _note_long_texts(context)
    beam = _BeamSearch(context, prior.weighted(context.candidates, weights), k, options)
    path = yield from beam.best_path(n)
    if beam.policy[()].nothing > math.log(0.5):
        context.notes.append(
            "the policy finds no sentence that carries the claim: the text may not support it"
        )
    return McseResult(beam.evidence(path), stops=beam.stops(path), searched=searched, notes=context.notes)


def _note_long_texts(context: Context) -> None:
    """Add a note where the policy may not read the end of the claim or of a sentence."""
    if len(context.claim.split()) > CLAIM_WORDS:
        context.notes.append(
            f"the policy reads only the first {QUERY_TOKENS} tokens of the claim, about {CLAIM_WORDS} words"
        )
    long = sum(len(context.sentences[index].split()) > SENTENCE_WORDS for index in context.candidates)
    if long:
        context.notes.append(
            f"the policy reads only the first {SENTENCE_TOKENS} tokens, about {SENTENCE_WORDS} words, of "
            f"{long} sentence{'s' if long > 1 else ''}"
        )


class _BeamSearch:
    """The beam search for one claim."""

    def __init__(self, context: Context, lexical: Mapping[int, float], k: K, options: LearnedOptions) -> None:
        self.policy = LearnedPolicy(context.claim, context.sentences, neighbours=options.neighbours)
        self._context = context
        self._lexical = lexical
        self._proximity = options.proximity if self.policy.running_text else 0.0
        self._auto = k == "auto"
        self._options = options
        self._remaining = context.candidates

    def best_path(self, n: int) -> Search[Path]:
        """Return the best path of `n` sentences; with k="auto", of at most `n`."""
        beam, ended = [_Candidate((), 0.0, 0.0)], list[_Candidate]()
        for length in range(n):
            yield from self._ask(beam)
            if self._auto and length:
                ended += [self._with_stop(item) for item in beam if self.policy[item.path].stops]
                beam = [item for item in beam if not self.policy[item.path].stops]
                highest = max((item.log_probability for item in ended), default=-math.inf)
                # A longer path cannot become more probable than all paths of the beam are now.
                if log_sum(item.log_probability for item in beam) <= highest:
                    beam = []
                    break
            beam = self._extend(beam)
            if not length:
                self._remaining = self._shortlist(n)
        if self._auto or (self._options.complete and len(beam) > 1):
            yield from self._ask([item for item in beam if len(item.path) < len(self._remaining)])
            beam = [self._with_stop(item) if item.path in self.policy else item for item in beam]
        if self._auto:
            return max([*ended, *beam], key=lambda item: item.log_probability).path
        return max(beam, key=lambda item: item.value).path

    def _ask(self, beam: Sequence[_Candidate]) -> Search[None]:
        yield from self.policy.ask([item.path for item in beam], self._remaining)

    def _with_stop(self, item: _Candidate) -> _Candidate:
        """Add the log-probability of stopping here: for any reason with k="auto", else of *complete*."""
        state = self.policy[item.path]
        stop = state.stop if self._auto else state.complete
        return _Candidate(item.path, item.value + stop, item.log_probability + stop)

    def _extend(self, beam: Sequence[_Candidate]) -> list[_Candidate]:
        """Return the best paths with one sentence more; paths to the same sentences are merged."""
        same: dict[frozenset[int], list[_Candidate]] = {}
        for item in beam:
            following = self.policy[item.path].following
            for index, value in self._values(item.path).items():
                path = (*item.path, index)
                longer = _Candidate(path, item.value + value, item.log_probability + following[index])
                same.setdefault(frozenset(path), []).append(longer)
        merged = []
        for group in same.values():
            first = max(group, key=lambda item: (item.value, [-index for index in item.path]))
            value = log_sum(item.value for item in group)
            merged.append(_Candidate(first.path, value, log_sum(item.log_probability for item in group)))
        merged.sort(key=lambda item: (-item.value, item.path))
        return merged[: self._options.beam]

    def _values(self, path: Path) -> dict[int, float]:
        """Return the value of each weighed sentence as the next one after `path`."""
        unconditional = self._auto or self._options.complete
        following = self.policy[path].following if unconditional else self.policy.following(path)
        return {
            index: value + self._lexical[index] - self._proximity * log_distance((*path, index))
            for index, value in following.items()
        }

    def _shortlist(self, n: int) -> list[int]:
        """Return the best sentences of the first step, in the order of the text.

        There are at least as many as the beam holds and as `n`.
        """
        if self._options.shortlist is None:
            return self._context.candidates
        values = self._values(())
        ranked = sorted(values, key=lambda index: (-values[index], index))
        return sorted(ranked[: max(self._options.shortlist, self._options.beam, n)])

    def stops(self, path: Path) -> list[Stop]:
        """Return the probabilities of stopping before each sentence, and after the last where known."""
        states = [self.policy[path[:t]] for t in range(len(path) + 1) if path[:t] in self.policy]
        return [Stop(complete=math.exp(state.complete), nothing=math.exp(state.nothing)) for state in states]

    def evidence(self, path: Path) -> list[ProofSentence]:
        """Return each sentence of `path` with its value, its probability and its runners-up."""
        return [self._sentence(path[:t], index) for t, index in enumerate(path)]

    def _sentence(self, before: Path, chosen: int) -> ProofSentence:
        values, following = self._values(before), self.policy[before].following
        texts = self._context.sentences
        ranked = sorted(
            (index for index in values if index != chosen), key=lambda index: (-values[index], index)
        )
        return ProofSentence(
            index=chosen,
            text=texts[chosen],
            score=values[chosen],
            probability=math.exp(following[chosen]),
            runners_up=tuple(
                RunnerUp(
                    index=index,
                    text=texts[index],
                    score=values[index],
                    probability=math.exp(following[index]),
                )
                for index in ranked[:RUNNERS_UP]
            ),
        )


def by_learned(
    claim: str, sentences: Sequence[str], k: K, tools: Tools, options: LearnedOptions
) -> Search[McseResult]:
    """Choose sentences with the evidence policy alone."""
    return choose_evidence(claim, sentences, k, options)


LEARNED = Method(by_learned, LearnedOptions)
