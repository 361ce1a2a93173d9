"""McsE as its paper writes it: the reference for what Probative's search must choose.

Every value is computed where the formula names it, and every score is asked for again each time. Two points
are corrected. Equation 3 divides the sum of t+1 independent scores by t (0 at the first step), where their
mean is meant: the sum is divided by t+1 here, as in `mcse.reward`. Algorithm 1 loops while t ≤ max_step, from
t = 0, and so chooses max_step + 1 sentences: k sentences are chosen here.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from probative.mcse.options import McseOptions

Score = Callable[[tuple[int, ...]], float]
"""score(c, sequence of sentences)."""
Next = Callable[[tuple[int, ...], int], float]
"""log π(sentence | evidence so far)."""
Independent = Callable[[int], float]
"""ind(sentence): score(c, sentence), with the prior where there is one."""


def literal_search(
    sentences: Sequence[int],
    k: int,
    options: McseOptions,
    score: Score,
    independent: Independent,
    following: Next,
) -> list[int]:
    """Return the sentences that Algorithm 1 chooses, in order."""
    chosen: tuple[int, ...] = ()
    while len(chosen) < min(k, len(sentences)):
        values = {}
        for candidate in _proposed(chosen, sentences, options, following):
            g = _g(chosen, candidate, options, score, independent)
            left = k - len(chosen) - 1 if options.lookahead_within_k else options.lookahead
            ahead = options.model_copy(update={"lookahead": min(left, options.lookahead)})
            h = _h(chosen, candidate, sentences, ahead, score, independent, following)
            values[candidate] = g + options.gamma * h
        chosen = (*chosen, max(values, key=lambda candidate: (values[candidate], -candidate)))
    return list(chosen)


def _proposed(
    chosen: tuple[int, ...], sentences: Sequence[int], options: McseOptions, following: Next
) -> list[int]:
    """Return π(· | Ê_t, S) of line 4: the most probable next sentences; all of them for a random policy."""
    left = [sentence for sentence in sentences if sentence not in chosen]
    if options.proposals is None or options.policy == "random":
        return left
    return sorted(left, key=lambda sentence: (-following(chosen, sentence), sentence))[: options.proposals]


def _g(
    chosen: tuple[int, ...], candidate: int, options: McseOptions, score: Score, independent: Independent
) -> float:
    path = (*chosen, candidate)
    alone = sum(independent(sentence) for sentence in path) / len(path) if options.independent else 0.0
    return alone + (options.lam * score(path) if options.collaborative else 0.0)


def _h(
    chosen: tuple[int, ...],
    candidate: int,
    sentences: Sequence[int],
    options: McseOptions,
    score: Score,
    independent: Independent,
    following: Next,
) -> float:
    """Return h: find the best trajectory first (line 6 of Algorithm 1), then compute its value (line 7)."""
    pool = _trajectories((*chosen, candidate), sentences, options, following)

    def worth(trajectory: tuple[int, ...]) -> float:
        result = 0.0
        for k, sentence in enumerate(trajectory):
            alone = independent(sentence) if options.independent else 0.0
            joint = score((candidate, *trajectory[: k + 1])) if options.collaborative else 0.0
            result += options.gamma**k * (alone + options.delta * joint)
        return result

    best = max(pool, key=worth) if pool else ()
    return worth(best)


def _trajectories(
    start: tuple[int, ...], sentences: Sequence[int], options: McseOptions, following: Next
) -> list[tuple[int, ...]]:
    """Return the N most probable trajectories of K steps, by beam search."""
    left = [sentence for sentence in sentences if sentence not in start]
    steps = min(options.lookahead, len(left))
    if steps == 0:
        return []
    if options.policy == "random":
        draw = random.Random(f"{options.seed}:{start}")
        return sorted({tuple(draw.sample(sorted(left), steps)) for _ in range(options.trajectories)})
    beam: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    for _ in range(steps):
        longer = [
            (probability + following((*start, *trajectory), sentence), (*trajectory, sentence))
            for probability, trajectory in beam
            for sentence in left
            if sentence not in trajectory
        ]
        beam = sorted(longer, key=lambda item: (-item[0], item[1]))[: options.trajectories]
    return [trajectory for _, trajectory in beam]
