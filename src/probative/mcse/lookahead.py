"""Which sentence has the highest f = g + γh, without computing every h.

Every collaborative term of h is a log-probability, so at most 0. A candidate, and each of its
trajectories, therefore has an upper bound from what is known already: g, and the independent terms.
Those with the highest bounds are evaluated first, as in A*, until the best value found is at least
every other bound. What is left unevaluated could not have changed the choice.

A trajectory is evaluated whole, not step by step: its steps begin alike, so an engine that shares
beginnings reads all of them for little more than the last, and real scores seldom differ enough for a
bound to fall between two steps.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from probative.engine.search import Search
from probative.mcse.options import McseOptions
from probative.mcse.reward import Reward
from probative.mcse.rollout import AnyPolicy, roll_out
from probative.mcse.strength import Path

# Sums in another order differ in their last digits: a bound is only beaten by more than this.
_ROUNDING = 1e-9
# Under a policy over whole paths a pool of trajectories costs more than all that follows: few at a time.
_POOLS = 2


class _Node(NamedTuple):
    """A candidate whose trajectories are not known yet (an empty one), or one of its trajectories. The
    highest bound sorts first.
    """

    minus_bound: float
    candidate: int
    trajectory: Path = ()


class Best(NamedTuple):
    """The candidate with the highest f, and the trajectory that its h stands for."""

    candidate: int
    value: float
    trajectory: Path


def best_with_lookahead(
    path: Path,
    remaining: Sequence[int],
    steps: int,
    cumulative: Mapping[int, float],
    reward: Reward,
    policy: AnyPolicy,
) -> Search[Best]:
    """Argmax f over the remaining sentences, given each one's g, looking so many steps ahead. Of equals
    the first sentence wins.
    """
    options = reward.options

    def _value(candidate: int, trajectory: Path, known: int) -> float:
        return cumulative[candidate] + options.gamma * reward.future(candidate, trajectory, known)

    queue = _candidates(remaining, steps, cumulative, reward)
    best: Best | None = None
    while queue:
        front = _front(queue, best, options)
        fresh = [node for node in front if not node.trajectory]
        starts = [(*path, node.candidate) for node in fresh]
        pools = (yield from roll_out(starts, remaining, steps, policy, options)) if starts else []
        nodes = [node for node in front if node.trajectory]
        for node, pool in zip(fresh, pools, strict=True):
            nodes += [_Node(-_value(node.candidate, one, 0), node.candidate, one) for one in pool]
        nodes.sort()
        for node in nodes[options.at_once :]:
            heapq.heappush(queue, node)
        nodes = nodes[: options.at_once]
        if options.collaborative:
            wanted = [(node.candidate, *node.trajectory[:k]) for node in nodes for k in range(1, steps + 1)]
            yield from reward.strength.ask(wanted, "look-ahead")
        for node in nodes:
            value = _value(node.candidate, node.trajectory, steps)
            if best is None or (-value, node.candidate) < (-best.value, best.candidate):
                best = Best(node.candidate, value, node.trajectory)
    assert best is not None
    return best


def _candidates(
    remaining: Sequence[int], steps: int, cumulative: Mapping[int, float], reward: Reward
) -> list[_Node]:
    """Each candidate with the bound that no trajectory of its own can pass: the best of the others alone."""
    gamma = reward.options.gamma
    strongest = sorted(remaining, key=lambda sentence: -reward.independent(sentence))[: steps + 1]
    nodes = []
    for candidate in remaining:
        others = [reward.independent(one) for one in strongest if one != candidate][:steps]
        most = sum(gamma**k * value for k, value in enumerate(others))
        nodes.append(_Node(-(cumulative[candidate] + gamma * most), candidate))
    heapq.heapify(nodes)
    return nodes


def _front(queue: list[_Node], best: Best | None, options: McseOptions) -> list[_Node]:
    """The nodes to evaluate now: the highest bounds, as far as they may still change the choice."""
    front: list[_Node] = []
    pools = _POOLS if options.policy in ("path", "learned") else options.at_once
    while queue and len(front) < options.at_once:
        bound = -queue[0].minus_bound
        if best is not None and bound < best.value - _ROUNDING:
            queue.clear()  # and so are all the others
            break
        if not queue[0].trajectory:
            if pools == 0:
                break
            pools -= 1
        node = heapq.heappop(queue)
        if best is None or node.candidate != best.candidate or bound > best.value:
            front.append(node)
    return front
