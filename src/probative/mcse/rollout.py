"""The trajectory pool (section 3.3): the N most probable continuations of K steps, by beam search under π."""

from __future__ import annotations

import random
from collections.abc import Sequence

from probative.engine.search import Search
from probative.mcse.lm_policy import LmPolicy
from probative.mcse.next_sentence import LearnedPolicy
from probative.mcse.options import McseOptions
from probative.mcse.strength import Path

Policy = LmPolicy | LearnedPolicy
"""π: the language model's probabilities of the next sentence, or those of the learned policy."""

Beam = list[tuple[float, Path]]
"""Trajectories with their negative log-probability: the most probable sorts first, and of equally probable
ones the one with the earlier sentences."""


def roll_out(
    starts: Sequence[Path], remaining: Sequence[int], steps: int, policy: Policy, options: McseOptions
) -> Search[list[list[Path]]]:
    """Return for each start its trajectories of `steps` sentences: at most N, the most probable first.

    A start is the evidence so far with a candidate at its end. The beams of all starts advance together, so
    that one step of all of them is one batch.
    """
    if options.policy == "random":
        return [_random_pool(start, remaining, steps, options) for start in starts]
    beams: list[Beam] = [[(0.0, ())] for _ in starts]
    for _ in range(steps):
        paths = [
            start + trajectory for start, beam in zip(starts, beams, strict=True) for _, trajectory in beam
        ]
        yield from policy.ask(paths, remaining)
        beams = [
            _extend(start, beam, remaining, policy, options.trajectories)
            for start, beam in zip(starts, beams, strict=True)
        ]
    return [[trajectory for _, trajectory in beam] for beam in beams]


def _extend(start: Path, beam: Beam, remaining: Sequence[int], policy: Policy, size: int) -> Beam:
    """Return the beam with one sentence more, cut to its `size` best."""
    longer: Beam = []
    for cost, trajectory in beam:
        path = start + trajectory
        following = policy.following(path)
        longer += [
            (cost - following[index], (*trajectory, index)) for index in remaining if index not in path
        ]
    longer.sort()
    return longer[:size]


def _random_pool(start: Path, remaining: Sequence[int], steps: int, options: McseOptions) -> list[Path]:
    """Return N random trajectories, the same ones for the same seed and start."""
    draw = random.Random(f"{options.seed}:{start}")
    others = sorted(index for index in remaining if index != start[-1])
    pool = {tuple(draw.sample(others, steps)) for _ in range(options.trajectories)}
    return sorted(pool)
