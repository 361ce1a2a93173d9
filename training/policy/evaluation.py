"""How well a policy chooses: greedily, as it is used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from probative.bench.metrics import auroc, set_f1
from training.policy.examples import Examples
from training.policy.groups import Sampler
from training.policy.model import Policy, scores_of

# Sentences chosen at most.
MOST = 6


@dataclass
class Chosen:
    """What a policy chose for an example: the order, when it said complete or nothing, and how sure it was at
    each step that nothing carries what is missing.
    """

    example: int
    order: list[int] = field(default_factory=list)
    stopped_at: int | None = None
    stopped_by: int | None = None
    nothing: list[float] = field(default_factory=list)


def choose(
    policy: Policy,
    examples: Examples,
    numbers: Sequence[int],
    *,
    answer: bool = False,
    at_once: int = 512,
) -> list[Chosen]:
    """The greedy choice for each example, at least as many sentences as are gold."""
    sampler = Sampler(examples)
    policy.eval()
    found: list[Chosen] = []
    with torch.inference_mode():
        for start in range(0, len(numbers), at_once):
            running = [Chosen(number) for number in numbers[start : start + at_once]]
            found += running
            while running:
                groups = [sampler.state(one.example, one.order, answer) for one in running]
                flat = [sequence for group in groups for sequence in group.sequences]
                seconds = [second for group in groups for second in group.seconds]
                scores = scores_of(policy, flat, seconds).cpu().numpy()
                at = 0
                for one, group in zip(running, groups, strict=True):
                    _step(one, group.places, scores[at : at + len(group.places)])
                    at += len(group.places)
                running = [one for one in running if not _finished(one, examples)]
    return found


def _step(one: Chosen, places: Sequence[int], scores: Any) -> None:
    """Take the best sentence, and note when the policy would have stopped."""
    shares = np.exp(scores - scores.max())
    one.nothing.append(float(shares[-1] / shares.sum()))
    best = int(np.argmax(scores))
    if places[best] < -1 and one.stopped_at is None:
        one.stopped_at, one.stopped_by = len(one.order), places[best]
    if len(places) > 2:
        one.order.append(places[int(np.argmax(scores[:-2]))])


def _finished(one: Chosen, examples: Examples) -> bool:
    span = examples.places(one.example)
    wanted = max(1, int(examples.gold[span].sum()))
    count = span.stop - span.start
    return len(one.order) >= min(count, MOST) or (len(one.order) >= wanted and one.stopped_at is not None)


def figures(examples: Examples, chosen: Sequence[Chosen]) -> dict[str, dict[str, float]]:
    """For each source: F1 of as many sentences as are gold ("f1"), the share of examples with all gold found
    ("all"), F1 of what is chosen until the policy stops ("stop_f1"), and the AUROC of telling that
    nothing carries the query ("nothing"), where there are such examples.
    """
    result: dict[str, dict[str, float]] = {}
    for number, name in enumerate(examples.names.tolist()):
        mine = [one for one in chosen if examples.source[one.example] == number]
        carried = [(one, _gold(examples, one.example)) for one in mine]
        some = [(one, gold) for one, gold in carried if gold]
        if not some:
            continue
        held = [
            min(1.0, len((gold | _also(examples, one.example)) & set(one.order[: len(gold)])) / len(gold))
            for one, gold in some
        ]
        row = {
            "examples": float(len(some)),
            "f1": 100 * float(np.mean(held)),
            "all": 100 * float(np.mean([share == 1.0 for share in held])),
            "stop_f1": 100 * float(np.mean([set_f1(set(_stopped(one)), gold) for one, gold in some])),
        }
        none = [one.nothing[0] for one, gold in carried if not gold]
        if none:
            row["nothing"] = auroc(none, [one.nothing[0] for one, _ in some])
        result[name] = row
    return result


def _gold(examples: Examples, example: int) -> set[int]:
    return set(np.flatnonzero(examples.gold[examples.places(example)]).tolist())


def _also(examples: Examples, example: int) -> set[int]:
    return set(np.flatnonzero(examples.also[examples.places(example)]).tolist())


def _stopped(one: Chosen) -> list[int]:
    return one.order if one.stopped_at is None else one.order[: max(1, one.stopped_at)]
