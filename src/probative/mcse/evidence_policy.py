"""Evidence by the learned policy alone: no language model is asked.

Sentences are taken one by one, each with those before it in view. The value of a step is

    log P(a | o) + w z_lex(a) − v log(distance of a to the nearest sentence of o)

with P the policy's probability and z_lex BM25 as in the prior; the distance counts in a running text only. A
beam keeps the best ways so far; ways to
the same sentences in another order count together, since the policy learned no order. For a fixed k,
P(a | o) is the probability given that a sentence is taken (a way that has all it needs early must not count
less); where `complete` is asked for it is the whole one, and that of *complete* at the end is added. With
k="auto" a way ends where *complete* or *nothing* is likelier than any sentence, and the most probable way
that has ended is taken.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pydantic import ConfigDict, Field

from probative.engine.search import Search
from probative.mcse.context import Context, make_context
from probative.mcse.next_sentence import LearnedPolicy, log_sum
from probative.mcse.options import McseOptions
from probative.mcse.prior import find_prior, narrow
from probative.mcse.result import McseResult, ProofSentence, RunnerUp, Stop
from probative.mcse.reward import log_distance
from probative.mcse.search import RUNNERS_UP, K, how_many
from probative.mcse.strength import Path
from probative.models.evidence_policy import QUERY_TOKENS, SENTENCE_TOKENS
from probative.types import Value

# Weight of BM25 beside the policy's log-probability. `training.policy.fusion` chooses it on rows that
# the policy was not trained on and that no figure is reported on (HotpotQA, 2WikiMultihopQA, MultiRC, FEVER):
# the weight with the best mean over the sets of F1 with as many sentences as are gold.
LEXICAL = 0.6
# What belongs together stands together in a running text (see reward.log_distance). On the four documents of
# MultiRC that are set aside for choosing it neither helps nor harms (70.0 without, 69.6 with, top 2, 120
# claims); it is on because it gave mcse 3 points on the sixteen that its weights were chosen on.
PROXIMITY = 1.0
# So many words are surely read, of a claim and of a sentence.
CLAIM_WORDS, SENTENCE_WORDS = 50, 80


class LearnedOptions(Value):
    """How `learned` chooses.

    >>> LearnedOptions(beam=3).beam
    3
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    beam: int = Field(default=1, ge=1, description="ways kept side by side; 1: the best at each step")
    shortlist: int | None = Field(
        default=16,
        ge=1,
        description="sentences weighed again after the first step, the best of it; None: all",
    )
    lexical: float = Field(default=LEXICAL, ge=0, description="w: weight of BM25")
    topic: bool = Field(default=True, description="BM25 leaves out the words that name the text's subject")
    proximity: float = Field(
        default=PROXIMITY, ge=0, description="v: weight of standing near what is taken, in a running text"
    )
    beside: bool = Field(
        default=True,
        description="the sentences before and after each are read with it, unless all have a page's title",
    )
    complete: bool = Field(
        default=False,
        description="a way of k sentences counts by the probability that it is taken and then complete",
    )
    candidates: int | None = Field(
        default=128, ge=1, description="most sentences weighed; more are filtered by words and embeddings"
    )
    most: int = Field(default=6, ge=1, description="k='auto' takes no more sentences than this")


class _Way(NamedTuple):
    """Sentences taken in this order; the value of the steps; their log-probability, with that of stopping
    after them where the way has ended.
    """

    path: Path
    value: float
    log_probability: float


def choose_evidence(
    claim: str, sentences: Sequence[str], k: K, options: LearnedOptions
) -> Search[McseResult]:
    """The sentences that the policy takes, in its order."""
    context = make_context(claim, sentences)
    most = how_many(k, context, options.most)
    prior = yield from find_prior(
        context,
        McseOptions(lexical=options.lexical, topic=options.topic, candidates=options.candidates),
    )
    searched = narrow(context, prior, most, options.candidates)
    _note_what_is_cut(context)
    chooser = _Chooser(context, prior.weighed(context.candidates, options.lexical, 0.0), k, options)
    path = yield from chooser.best(most)
    if chooser.policy[()].nothing > math.log(0.5):
        context.notes.append(
            "the policy finds no sentence that carries the claim: the text may not support it"
        )
    return McseResult(chooser.taken(path), stops=chooser.stops(path), searched=searched, notes=context.notes)


def _note_what_is_cut(context: Context) -> None:
    """Say so where the policy may not see the end of the claim or of a sentence (1.3 tokens a word)."""
    if len(context.claim.split()) > CLAIM_WORDS:
        context.notes.append(
            f"of the claim the policy reads {QUERY_TOKENS} tokens, about {CLAIM_WORDS} words"
        )
    long = sum(len(context.sentences[one].split()) > SENTENCE_WORDS for one in context.candidates)
    if long:
        context.notes.append(
            f"of {long} sentences the policy reads only the first {SENTENCE_TOKENS} tokens, about "
            f"{SENTENCE_WORDS} words"
        )


class _Chooser:
    """The search for one claim."""

    def __init__(self, context: Context, lexical: Mapping[int, float], k: K, options: LearnedOptions) -> None:
        self.policy = LearnedPolicy(context.claim, context.sentences, beside=options.beside)
        self._context = context
        self._lexical = lexical
        self._proximity = options.proximity if self.policy.running else 0.0
        self._auto = k == "auto"
        self._options = options
        self._left = context.candidates

    def best(self, most: int) -> Search[Path]:
        """The best way of so many sentences; with k="auto", of at most so many."""
        ways, ended = [_Way((), 0.0, 0.0)], list[_Way]()
        for length in range(most):
            yield from self._ask(ways)
            if self._auto and length:
                ended += [self._with_stop(way) for way in ways if self.policy[way.path].stops]
                ways = [way for way in ways if not self.policy[way.path].stops]
                surest = max((way.log_probability for way in ended), default=-math.inf)
                # What goes on cannot become more probable than all of it is now.
                if log_sum(way.log_probability for way in ways) <= surest:
                    ways = []
                    break
            ways = self._longer(ways)
            if not length:
                self._left = self._shortlist(most)
        if self._auto or (self._options.complete and len(ways) > 1):
            yield from self._ask([way for way in ways if len(way.path) < len(self._left)])
            ways = [self._with_stop(way) if way.path in self.policy else way for way in ways]
        if self._auto:
            return max([*ended, *ways], key=lambda way: way.log_probability).path
        return max(ways, key=lambda way: way.value).path

    def _ask(self, ways: Sequence[_Way]) -> Search[None]:
        yield from self.policy.ask([way.path for way in ways], self._left)

    def _with_stop(self, way: _Way) -> _Way:
        """The way with the probability of stopping after it: in any way, or because it is complete."""
        seen = self.policy[way.path]
        stop = seen.stop if self._auto else seen.complete
        return _Way(way.path, way.value + stop, way.log_probability + stop)

    def _longer(self, ways: Sequence[_Way]) -> list[_Way]:
        """The best ways one sentence longer; ways to the same sentences are one, in its likelier order."""
        same: dict[frozenset[int], list[_Way]] = {}
        for way in ways:
            seen = self.policy[way.path].following
            for one, value in self._values(way.path).items():
                path = (*way.path, one)
                longer = _Way(path, way.value + value, way.log_probability + seen[one])
                same.setdefault(frozenset(path), []).append(longer)
        merged = []
        for group in same.values():
            first = max(group, key=lambda way: (way.value, [-one for one in way.path]))
            value = log_sum(way.value for way in group)
            merged.append(_Way(first.path, value, log_sum(way.log_probability for way in group)))
        merged.sort(key=lambda way: (-way.value, way.path))
        return merged[: self._options.beam]

    def _values(self, path: Path) -> dict[int, float]:
        """The value of taking each sentence next, of those that were weighed."""
        whole = self._auto or self._options.complete
        seen = self.policy[path].following if whole else self.policy.following(path)
        return {
            one: value + self._lexical[one] - self._proximity * log_distance((*path, one))
            for one, value in seen.items()
        }

    def _shortlist(self, most: int) -> list[int]:
        """The best of the first step, in the text's order: at least what the beam holds, and as many as are
        to be taken.
        """
        if self._options.shortlist is None:
            return self._context.candidates
        values = self._values(())
        ranked = sorted(values, key=lambda one: (-values[one], one))
        return sorted(ranked[: max(self._options.shortlist, self._options.beam, most)])

    def stops(self, path: Path) -> list[Stop]:
        """What the policy said of stopping before each sentence, and after the last where it was asked."""
        seen = [self.policy[path[:at]] for at in range(len(path) + 1) if path[:at] in self.policy]
        return [Stop(complete=math.exp(one.complete), nothing=math.exp(one.nothing)) for one in seen]

    def taken(self, path: Path) -> list[ProofSentence]:
        """Each sentence with its value, its probability, and those that came next."""
        taken = []
        for at, one in enumerate(path):
            values, seen = self._values(path[:at]), self.policy[path[:at]].following
            others = sorted((other for other in values if other != one), key=lambda it: (-values[it], it))
            taken.append(
                ProofSentence(
                    index=one,
                    text=self._context.sentences[one],
                    score=values[one],
                    probability=math.exp(seen[one]),
                    runners_up=tuple(
                        RunnerUp(
                            index=other,
                            text=self._context.sentences[other],
                            score=values[other],
                            probability=math.exp(seen[other]),
                        )
                        for other in others[:RUNNERS_UP]
                    ),
                )
            )
        return taken
