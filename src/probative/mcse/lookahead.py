"""argmax f = argmax g + γh over the sentences that are tried (equation 2), without computing every h.

Every collaborative term of h is a log-probability, so at most 0. A candidate, and each of its trajectories,
therefore has an upper bound from what is known already: g and the independent terms. As in A*, the highest
bounds are evaluated first, until the best value is at least every other bound. What is left unevaluated
could not have changed the choice.

A trajectory is evaluated whole, not step by step. Its steps share their beginnings, so an engine that shares
prefixes reads all of them for little more than the last one, and real scores seldom differ enough for a bound
to fall between two steps.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from probative.engine.search import Search
from probative.mcse.options import McseOptions
from probative.mcse.reward import Reward
from probative.mcse.rollout import Policy, roll_out
from probative.mcse.strength import Path

# Sums in another order differ in their last digits: a bound is below a value only by more than this.
_ROUNDING = 1e-9
# With a policy over whole paths, a pool of trajectories costs more than everything that follows, so only a
# few pools are made at a time.
_POOLS = 2


class _Node(NamedTuple):
    """A candidate without its trajectories yet (`trajectory` is empty), or one of its trajectories.

    The node with the highest bound sorts first.
    """

    negative_bound: float
    candidate: int
    trajectory: Path = ()


class Best(NamedTuple):
    """The candidate with the highest f, and the trajectory that its h comes from."""

    candidate: int
    value: float
    trajectory: Path


@dataclass(frozen=True)
class Frontier:
    """One choice: the evidence so far, the sentences of trajectories, the tried ones with their g, and K."""

    path: Path
    remaining: Sequence[int]
    cumulative: Mapping[int, float]
    steps: int


def best_with_lookahead(frontier: Frontier, reward: Reward, policy: Policy) -> Search[Best]:
    """Return the tried sentence with the highest f; of equal ones the first."""
    options, steps = reward.options, frontier.steps

    def value_of(candidate: int, trajectory: Path, scored: int) -> float:
        return frontier.cumulative[candidate] + options.gamma * reward.future(candidate, trajectory, scored)

    queue = _candidates(frontier, reward)
    best: Best | None = None
    while queue:
        front = _front(queue, best, options)
        candidates = [node.candidate for node in front if not node.trajectory]
        starts = [(*frontier.path, candidate) for candidate in candidates]
        pools: list[list[Path]] = []
        if starts:
            pools = yield from roll_out(starts, frontier.remaining, steps, policy, options)
        nodes = [node for node in front if node.trajectory]
        for candidate, pool in zip(candidates, pools, strict=True):
            nodes += [
                _Node(-value_of(candidate, trajectory, 0), candidate, trajectory) for trajectory in pool
            ]
        nodes.sort()
        for node in nodes[options.batch_size :]:
            heapq.heappush(queue, node)
        nodes = nodes[: options.batch_size]
        if options.collaborative:
            paths = [(node.candidate, *node.trajectory[:k]) for node in nodes for k in range(1, steps + 1)]
            yield from reward.strength.ask(paths, "look-ahead")
        for node in nodes:
            value = value_of(node.candidate, node.trajectory, steps)
            if best is None or (-value, node.candidate) < (-best.value, best.candidate):
                best = Best(node.candidate, value, node.trajectory)
    assert best is not None
    return best


def _candidates(frontier: Frontier, reward: Reward) -> list[_Node]:
    """Return a heap of the candidates, each with a bound that none of its trajectories can exceed.

    The bound is g and the highest independent terms of the other sentences.
    """
    gamma, steps = reward.options.gamma, frontier.steps
    strongest = sorted(frontier.remaining, key=lambda index: -reward.independent(index))[: steps + 1]
    nodes = []
    for candidate in frontier.cumulative:
        others = [reward.independent(index) for index in strongest if index != candidate][:steps]
        future = sum(gamma**k * value for k, value in enumerate(others))
        nodes.append(_Node(-(frontier.cumulative[candidate] + gamma * future), candidate))
    heapq.heapify(nodes)
    return nodes


def _front(queue: list[_Node], best: Best | None, options: McseOptions) -> list[_Node]:
    """Take from the queue the nodes to evaluate now: the highest bounds that may still change the choice."""
    front: list[_Node] = []
    pools = _POOLS if options.policy in ("path", "learned") else options.batch_size
    while queue and len(front) < options.batch_size:
        bound = -queue[0].negative_bound
        if best is not None and bound < best.value - _ROUNDING:
            queue.clear()  # all other bounds are lower still
            break
        if not queue[0].trajectory:
            if pools == 0:
                break
            pools -= 1
        node = heapq.heappop(queue)
        if best is None or node.candidate != best.candidate or bound > best.value:
            front.append(node)
    return front
