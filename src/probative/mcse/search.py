"""The search itself: take the sentence with the highest value, again and again (Algorithm 1)."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from probative.engine.search import Search
from probative.errors import InputError
from probative.mcse.context import Context, make_context
from probative.mcse.fit_window import Fitting
from probative.mcse.lm_policy import Policy
from probative.mcse.lookahead import best_with_lookahead
from probative.mcse.next_sentence import LearnedPolicy
from probative.mcse.options import McseOptions
from probative.mcse.prior import Prior, find_prior, narrow
from probative.mcse.result import McseResult, ProofSentence, RunnerUp
from probative.mcse.reward import Reward
from probative.mcse.strength import Path, Strength
from probative.models.contract import LanguageModel

RUNNERS_UP = 3

K = int | Literal["auto"]


def find_evidence(
    claim: str, sentences: Sequence[str], k: K, options: McseOptions, model: Callable[[], LanguageModel]
) -> Search[McseResult]:
    """The k sentences that together make the model say the claim, in the order in which they were found.

    `model` opens the model; it is not opened for input that cannot be used.
    """
    context = make_context(claim, sentences)
    most = how_many(k, context, options.most)
    prior = yield from find_prior(context, options)
    searched = narrow(context, prior, most, options.candidates, options.lexical, options.semantic)
    candidates = context.candidates
    strength = Strength(context.claim, context.sentences, options)
    fitting = Fitting(model(), context, strength.overhead())
    yield from strength.ask([(), *((one,) for one in candidates)])
    alone = {one: strength[(one,)] for one in candidates}
    spread = statistics.pstdev(alone.values()) or 1.0
    learned = LearnedPolicy(context.claim, context.sentences)
    if options.learned:
        yield from learned.ask([()], candidates)
        prior.learned = learned[()].following
    independent = with_prior(alone, prior, spread, options)
    reward = Reward(strength, independent, options, spread, learned)
    policy = learned if options.policy == "learned" else Policy(context.claim, context.sentences, options)
    if options.policy == "learned" and not options.lookahead:
        context.notes.append("the learned policy leads the look-ahead, and there is none (lookahead=0)")
    path: Path = ()
    taken: list[ProofSentence] = []
    while len(path) < most:
        remaining = yield from _tried(path, candidates, reward, learned)
        fitting_now = [one for one in remaining if fitting.fits((*path, one))]
        if not fitting_now:
            if remaining:
                context.notes.append(
                    f"stopped at {len(path)}: with one sentence more the evidence would not fit into the "
                    "model's window"
                )
            break
        ahead = min(options.lookahead, most - len(path) - 1) if options.within_k else options.lookahead
        step = yield from _step(path, fitting_now, ahead, context, reward, policy, fitting)
        if k == "auto" and path and (step.gain or 0.0) < options.least_gain * strength.claim_tokens:
            break
        path = (*path, step.index)
        taken.append(step)
    if taken and strength[path] <= strength[()]:
        context.notes.append("this evidence makes the claim no more probable: the text may not support it")
    return McseResult(
        taken,
        without=strength[()],
        claim_tokens=strength.claim_tokens,
        searched=searched,
        notes=context.notes,
    )


def how_many(k: K, context: Context, most: int) -> int:
    """How many sentences are to be taken: k, or up to `most` where k is "auto"; never more than there are."""
    if k == "auto":
        return min(most, len(context.candidates))
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise InputError(f"k is a number of sentences from 1, or 'auto', not {k!r}")
    if k > len(context.candidates):
        context.notes.append(
            f"{k} sentences were asked for, and the text has {len(context.candidates)} to choose from"
        )
    return min(k, len(context.candidates))


def with_prior(
    alone: Mapping[int, float], prior: Prior, spread: float, options: McseOptions
) -> dict[int, float]:
    """ind(a): the strength of each candidate alone, with the prior on its scale."""
    added = prior.weighed(list(alone), options.lexical, options.semantic, options.learned)
    return {one: value + spread * added[one] for one, value in alone.items()}


def _tried(
    path: Path, candidates: Sequence[int], reward: Reward, learned: LearnedPolicy
) -> Search[list[int]]:
    """The sentences tried at this step: all that are left, or the `width` best alone. Where the learned
    policy has a weight, it says first what it thinks of them after this path.
    """
    options = reward.options
    left = [one for one in candidates if one not in path]
    if options.learned and left:
        yield from learned.ask([path], left)
    if options.width is None or not path:
        return left
    return sorted(sorted(left, key=lambda one: (-reward.after(path, one), one))[: options.width])


def _step(
    path: Path,
    remaining: Sequence[int],
    ahead: int,
    context: Context,
    reward: Reward,
    policy: Policy | LearnedPolicy,
    fitting: Fitting,
) -> Search[ProofSentence]:
    """One transition: the remaining sentence with the highest f, looking so many steps ahead, and what it
    adds.
    """
    options, strength = reward.options, reward.strength
    if options.collaborative:
        yield from strength.ask([(*path, one) for one in remaining])
    cumulative = {one: reward.cumulative((*path, one)) for one in remaining}
    ranked = sorted(remaining, key=lambda one: (-cumulative[one], one))
    chosen, value = ranked[0], cumulative[ranked[0]]
    steps = fitting.steps(path, remaining, min(ahead, len(remaining) - 1))
    if steps:
        best = yield from best_with_lookahead(path, remaining, steps, cumulative, reward, policy)
        chosen, value = best.candidate, best.value
    whole = (*path, chosen)
    yield from strength.ask([whole])
    before = strength[path]
    others = [one for one in ranked if one != chosen][:RUNNERS_UP]
    return ProofSentence(
        index=chosen,
        text=context.sentences[chosen],
        score=value,
        alone=strength[(chosen,)],
        together=strength[whole],
        gain=strength[whole] - before,
        runners_up=tuple(
            RunnerUp(
                index=one,
                text=context.sentences[one],
                score=cumulative[one],
                gain=strength[(*path, one)] - before if (*path, one) in strength else None,
            )
            for one in others
        ),
    )
