"""The trajectory pool: the N most probable ways to go on for K steps, by beam search under π."""

from __future__ import annotations

import random
from collections.abc import Sequence

from probative.engine.search import Search
from probative.mcse.lm_policy import Policy
from probative.mcse.next_sentence import LearnedPolicy
from probative.mcse.options import McseOptions
from probative.mcse.strength import Path

AnyPolicy = Policy | LearnedPolicy
"""What says how probable each sentence is to come next: the language model, or the learned policy."""

Beam = list[tuple[float, Path]]
"""Trajectories with their log-probability, its sign turned: the most probable sorts first, and of equally
probable ones that of the earlier sentences."""


def roll_out(
    starts: Sequence[Path], remaining: Sequence[int], steps: int, policy: AnyPolicy, options: McseOptions
) -> Search[list[list[Path]]]:
    """For each start (the evidence so far with a candidate at its end) its trajectories: at most N, most
    probable first, of so many further sentences.

    The beams of all starts advance together, so that a step of all of them is one batch.
    """
    if options.policy == "random":
        return [_random(start, remaining, steps, options) for start in starts]
    beams: list[Beam] = [[(0.0, ())] for _ in starts]
    for _ in range(steps):
        paths = [
            start + trajectory for start, beam in zip(starts, beams, strict=True) for _, trajectory in beam
        ]
        yield from policy.ask(paths, remaining)
        beams = [
            _extended(start, beam, remaining, policy, options.trajectories)
            for start, beam in zip(starts, beams, strict=True)
        ]
    return [[trajectory for _, trajectory in beam] for beam in beams]


def _extended(start: Path, beam: Beam, remaining: Sequence[int], policy: AnyPolicy, most: int) -> Beam:
    """The beam one sentence longer."""
    longer: Beam = []
    for improbability, trajectory in beam:
        path = start + trajectory
        following = policy.following(path)
        longer += [
            (improbability - following[sentence], (*trajectory, sentence))
            for sentence in remaining
            if sentence not in path
        ]
    longer.sort()
    return longer[:most]


def _random(start: Path, remaining: Sequence[int], steps: int, options: McseOptions) -> list[Path]:
    """Trajectories in random order, the same for the same seed and start."""
    draw = random.Random(f"{options.seed}:{start}")
    others = sorted(sentence for sentence in remaining if sentence != start[-1])
    pool = {tuple(draw.sample(others, steps)) for _ in range(options.trajectories)}
    return sorted(pool)
