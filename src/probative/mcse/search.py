"""The search: choose the sentence with the highest value f, step by step (section 3.3, Algorithm 1).

    Ê_0 = ∅
    repeat:  a_t = argmax over s in π(· | Ê_t, S) of f(o_t, s);  Ê_t+1 = Ê_t ∪ a_t

The policy proposes the `proposals` most probable sentences; by default all of S − Ê_t are tried.

The paper loops while t ≤ max_step, which chooses max_step + 1 sentences; here k sentences are chosen.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from probative.engine.methods import Method, Tools
from probative.engine.search import Search
from probative.errors import InputError
from probative.mcse.context import Context, make_context
from probative.mcse.fit_window import FitWindow
from probative.mcse.lm_policy import LmPolicy
from probative.mcse.lookahead import Frontier, best_with_lookahead
from probative.mcse.next_sentence import LearnedPolicy
from probative.mcse.options import DEFAULT_PRESET, PRESETS, McseOptions
from probative.mcse.prior import Prior, PriorWeights, filter_candidates, find_prior
from probative.mcse.result import McseResult, ProofSentence, RunnerUp
from probative.mcse.reward import Reward
from probative.mcse.rollout import Policy
from probative.mcse.strength import Path, Strength
from probative.models.contract import LanguageModel

RUNNERS_UP = 3

K = int | Literal["auto"]
"""The number of sentences to choose; "auto" stops where the next one adds too little."""


def find_evidence(
    claim: str, sentences: Sequence[str], k: K, options: McseOptions, model: Callable[[], LanguageModel]
) -> Search[McseResult]:
    """Return the k sentences that make the model say the claim, in the order in which they were chosen.

    `model` opens the model. It is not called for input that cannot be used.
    """
    context = make_context(claim, sentences)
    n = count_to_choose(k, context, options.max_sentences)
    weights = PriorWeights(options.lexical, options.semantic, options.learned)
    prior = yield from find_prior(context, weights, options.max_candidates, ignore_topic=options.ignore_topic)
    searched = filter_candidates(context, prior, weights, options.max_candidates, n)
    chooser = yield from _make_chooser(context, prior, weights, options, model)
    evidence = yield from _choose_all(chooser, n, stop_early=k == "auto")
    strength = chooser.strength
    path = tuple(sentence.index for sentence in evidence)
    if path and strength[path] <= strength[()]:
        context.notes.append("this evidence makes the claim no more probable: the text may not support it")
    return McseResult(
        evidence,
        without_evidence=strength[()],
        claim_tokens=strength.claim_tokens,
        searched=searched,
        notes=context.notes,
    )


def count_to_choose(k: K, context: Context, max_sentences: int) -> int:
    """Return how many sentences to choose: k, or `max_sentences` for "auto"; never more than there are."""
    if k == "auto":
        return min(max_sentences, len(context.candidates))
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise InputError(f"k must be a number of sentences, at least 1, or 'auto', got {k!r}")
    if k > len(context.candidates):
        context.notes.append(f"k is {k}, but the text has only {len(context.candidates)} candidate sentences")
    return min(k, len(context.candidates))


@dataclass(frozen=True)
class _Chooser:
    """Everything that a step of the search needs for one claim."""

    context: Context
    options: McseOptions
    strength: Strength
    reward: Reward
    policy: Policy
    learned: LearnedPolicy
    window: FitWindow

    def candidates_after(self, path: Path) -> Search[list[int]]:
        """Return the sentences that may follow `path`: all that are left, or the `width` best of them."""
        left = [index for index in self.context.candidates if index not in path]
        if self.options.learned and left:
            yield from self.learned.ask([path], left)
        if self.options.width is None or not path:
            return left
        best_first = sorted(left, key=lambda index: (-self.reward.independent_after(path, index), index))
        return sorted(best_first[: self.options.width])

    def proposed(self, path: Path, remaining: Sequence[int]) -> Search[Sequence[int]]:
        """Return the remaining sentences that π proposes after `path`; all of them without `proposals`."""
        n = self.options.proposals
        if n is None or len(remaining) <= n or self.options.policy == "random":
            return remaining
        yield from self.policy.ask([path], remaining)
        following = self.policy.following(path)
        return sorted(sorted(remaining, key=lambda index: (-following[index], index))[:n])

    def choose(
        self, path: Path, tried: Sequence[int], remaining: Sequence[int], lookahead: int
    ) -> Search[ProofSentence]:
        """Return the tried sentence with the highest f, looking ahead this many steps into the remaining."""
        if self.options.collaborative:
            yield from self.strength.ask([(*path, index) for index in tried])
        cumulative = {index: self.reward.cumulative((*path, index)) for index in tried}
        ranked = sorted(tried, key=lambda index: (-cumulative[index], index))
        chosen, value = ranked[0], cumulative[ranked[0]]
        steps = self.window.lookahead(path, remaining, min(lookahead, len(remaining) - 1))
        if steps:
            frontier = Frontier(path, remaining, cumulative, steps)
            best = yield from best_with_lookahead(frontier, self.reward, self.policy)
            chosen, value = best.candidate, best.value
        yield from self.strength.ask([(*path, chosen)])
        others = [index for index in ranked if index != chosen][:RUNNERS_UP]
        return self._sentence(path, chosen, value, {index: cumulative[index] for index in others})

    def _sentence(self, path: Path, chosen: int, value: float, others: Mapping[int, float]) -> ProofSentence:
        """Return the chosen sentence with what it adds, and the runners-up with their g."""
        strength, texts = self.strength, self.context.sentences
        before = strength[path]
        joint = strength[(*path, chosen)]
        return ProofSentence(
            index=chosen,
            text=texts[chosen],
            score=value,
            alone=strength[(chosen,)],
            joint=joint,
            gain=joint - before,
            runners_up=tuple(
                RunnerUp(
                    index=index,
                    text=texts[index],
                    score=score,
                    gain=strength[(*path, index)] - before if (*path, index) in strength else None,
                )
                for index, score in others.items()
            ),
        )


def _make_chooser(
    context: Context,
    prior: Prior,
    weights: PriorWeights,
    options: McseOptions,
    model: Callable[[], LanguageModel],
) -> Search[_Chooser]:
    """Score the claim without evidence and after each candidate alone, and build the reward from that."""
    candidates = context.candidates
    strength = Strength(context.claim, context.sentences, options)
    window = FitWindow(model(), context, strength.overhead(), options.max_sentence_tokens)
    yield from strength.ask([(), *((index,) for index in candidates)])
    alone = {index: strength[(index,)] for index in candidates}
    spread = statistics.pstdev(alone.values()) or 1.0
    learned = LearnedPolicy(context.claim, context.sentences)
    if options.learned:
        yield from learned.ask([()], candidates)
        prior.learned = learned[()].following
    added = prior.weighted(candidates, weights)
    independent = {index: value + spread * added[index] for index, value in alone.items()}
    reward = Reward(strength, independent, options, spread, learned)
    policy: Policy = LmPolicy(context.claim, context.sentences, options)
    if options.policy == "learned":
        policy = learned
        if not options.lookahead:
            context.notes.append("policy='learned' has no effect: the look-ahead is off (lookahead=0)")
    return _Chooser(context, options, strength, reward, policy, learned, window)


def _choose_all(chooser: _Chooser, n: int, *, stop_early: bool) -> Search[list[ProofSentence]]:
    """Choose up to `n` sentences; with `stop_early`, until the next one adds less than `min_gain`."""
    options, strength = chooser.options, chooser.strength
    path: Path = ()
    evidence: list[ProofSentence] = []
    while len(path) < n:
        remaining = yield from chooser.candidates_after(path)
        fitting = [index for index in remaining if chooser.window.fits((*path, index))]
        if not fitting:
            if remaining:
                chooser.context.notes.append(
                    f"stopped after {len(path)} sentences: with one more the evidence would not fit into the "
                    "model's window"
                )
            break
        lookahead = options.lookahead
        if options.lookahead_within_k:
            lookahead = min(lookahead, n - len(path) - 1)
        tried = yield from chooser.proposed(path, fitting)
        sentence = yield from chooser.choose(path, tried, fitting, lookahead)
        if stop_early and path and (sentence.gain or 0.0) < options.min_gain * strength.claim_tokens:
            break
        path = (*path, sentence.index)
        evidence.append(sentence)
    return evidence


def by_mcse(
    claim: str, sentences: Sequence[str], k: K, tools: Tools, options: McseOptions
) -> Search[McseResult]:
    """Search for the sentences that together make the model say the claim."""
    return find_evidence(claim, sentences, k, options, lambda: tools.model)


# Longer claims are hardly sentences; each step of mcse reads the claim again.
MCSE = Method(by_mcse, McseOptions, PRESETS, lambda model, reader: DEFAULT_PRESET, long_claim=1500)
