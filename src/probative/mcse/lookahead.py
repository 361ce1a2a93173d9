"""Which sentence has the highest f = g + γh, without computing every h.

Every collaborative term of h is a log-probability, so at most 0. A candidate, and each of its
trajectories, therefore has an upper bound from what is known already: g, and the independent terms.
The node with the highest bound is evaluated one step further, as in A*, until the best finished one
is at least every other's bound. What is left unevaluated could not have changed the choice.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from probative.mcse.options import McseOptions
from probative.mcse.policy import Policy
from probative.mcse.reward import Reward
from probative.mcse.rollout import roll_out
from probative.mcse.strength import Path
from probative.models.together import Search

# Sums in another order differ in their last digits: a bound is only beaten by more than this.
_ROUNDING = 1e-9
_POOLS = 2


@dataclass(order=True)
class _Node:
    """A candidate whose trajectories are not known yet (`trajectory` None), or one of its trajectories."""

    rank: tuple[float, int, Path]
    bound: float = field(compare=False)
    candidate: int = field(compare=False)
    trajectory: Path | None = field(compare=False, default=None)
    known: int = field(compare=False, default=0)


def _node(bound: float, candidate: int, trajectory: Path | None = None, known: int = 0) -> _Node:
    return _Node((-bound, candidate, trajectory or ()), bound, candidate, trajectory, known)


@dataclass
class Best:
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
    policy: Policy,
) -> Search[Best]:
    """Argmax f over the remaining sentences, given each one's g, looking so many steps ahead. Of equals
    the first sentence wins.
    """
    gamma = reward.options.gamma
    discounts = [gamma**k for k in range(steps)]
    strongest = sorted(remaining, key=lambda sentence: -reward.independent(sentence))

    def optimum(candidate: int) -> float:
        others = [reward.independent(one) for one in strongest[: steps + 1] if one != candidate][:steps]
        return sum(discount * value for discount, value in zip(discounts, others, strict=True))

    queue = [_node(cumulative[one] + gamma * optimum(one), one) for one in remaining]
    heapq.heapify(queue)
    best: Best | None = None
    while queue:
        front = _front(queue, best, reward.options)
        starts = [(*path, node.candidate) for node in front if node.trajectory is None]
        pools = iter(
            (yield from roll_out(starts, remaining, steps, policy, reward.options)) if starts else []
        )
        nodes: list[_Node] = []
        for node in front:
            if node.trajectory is not None:
                nodes.append(node)
                continue
            for trajectory in next(pools):
                worth = reward.future(node.candidate, trajectory, 0)
                nodes.append(_node(cumulative[node.candidate] + gamma * worth, node.candidate, trajectory))
        ready = sorted(nodes)[: reward.options.at_once]
        for node in sorted(nodes)[reward.options.at_once :]:
            heapq.heappush(queue, node)
        if reward.options.collaborative:
            yield from reward.strength.ask(_next_paths(ready), "look-ahead")
        for node in ready:
            assert node.trajectory is not None
            known = node.known + 1 if reward.options.collaborative else steps
            worth = reward.future(node.candidate, node.trajectory, known)
            value = cumulative[node.candidate] + gamma * worth
            if known < steps:
                heapq.heappush(queue, _node(value, node.candidate, node.trajectory, known))
            elif best is None or (-value, node.candidate) < (-best.value, best.candidate):
                best = Best(node.candidate, value, node.trajectory)
    assert best is not None
    return best


def _front(queue: list[_Node], best: Best | None, options: McseOptions) -> list[_Node]:
    """The nodes to evaluate now: the highest bounds, as far as they may still change the choice.

    Under the path policy a pool of trajectories costs more than all that follows, so few are made
    at a time.
    """
    front: list[_Node] = []
    pools = _POOLS if options.policy == "path" else options.at_once
    while queue and len(front) < options.at_once:
        if best is not None and queue[0].bound < best.value - _ROUNDING:
            queue.clear()  # and so are all the others
            break
        if queue[0].trajectory is None:
            if pools == 0:
                break
            pools -= 1
        node = heapq.heappop(queue)
        if best is None or node.candidate != best.candidate or node.bound > best.value:
            front.append(node)
    return front


def _next_paths(nodes: Sequence[_Node]) -> list[Path]:
    return [(node.candidate, *(node.trajectory or ())[: node.known + 1]) for node in nodes]
