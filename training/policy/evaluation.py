"""How well a policy chooses greedily, as it is used."""

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

# The maximum number of sentences chosen.
MAX_CHOSEN = 6


@dataclass
class Chosen:
    """The choices of a policy for an example: the order of sentences, when it chose complete or nothing,
    and its probability of nothing at each step.
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
    """Return the greedy choice for each example, at least as many sentences as are gold."""
    sampler = Sampler(examples)
    policy.eval()
    choices: list[Chosen] = []
    with torch.inference_mode():
        for start in range(0, len(numbers), at_once):
            running = [Chosen(number) for number in numbers[start : start + at_once]]
            choices += running
            while running:
                groups = [sampler.state(choice.example, choice.order, answer) for choice in running]
                flat = [sequence for group in groups for sequence in group.sequences]
                seconds = [second for group in groups for second in group.seconds]
                scores = scores_of(policy, flat, seconds).cpu().numpy()
                at = 0
                for choice, group in zip(running, groups, strict=True):
                    _step(choice, group.places, scores[at : at + len(group.places)])
                    at += len(group.places)
                running = [choice for choice in running if not _finished(choice, examples)]
    return choices


def _step(choice: Chosen, indexes: Sequence[int], scores: Any) -> None:
    """Take the best sentence, and record when the policy would have stopped."""
    shares = np.exp(scores - scores.max())
    choice.nothing.append(float(shares[-1] / shares.sum()))
    best = int(np.argmax(scores))
    if indexes[best] < -1 and choice.stopped_at is None:
        choice.stopped_at, choice.stopped_by = len(choice.order), indexes[best]
    if len(indexes) > 2:
        choice.order.append(indexes[int(np.argmax(scores[:-2]))])


def _finished(choice: Chosen, examples: Examples) -> bool:
    span = examples.places(choice.example)
    wanted = max(1, int(examples.gold[span].sum()))
    count = span.stop - span.start
    return len(choice.order) >= min(count, MAX_CHOSEN) or (
        len(choice.order) >= wanted and choice.stopped_at is not None
    )


def figures(examples: Examples, chosen: Sequence[Chosen]) -> dict[str, dict[str, float]]:
    """Return the figures of each source.

    "f1" is F1 of as many sentences as are gold, "all" the share of examples with all gold chosen, "stop_f1"
    F1 of the sentences chosen until the policy stops, and "nothing" the AUROC of its probability that
    nothing carries the query, where there are such examples.
    """
    result: dict[str, dict[str, float]] = {}
    for number, name in enumerate(examples.names.tolist()):
        mine = [choice for choice in chosen if examples.source[choice.example] == number]
        carried = [(choice, _gold(examples, choice.example)) for choice in mine]
        some = [(choice, gold) for choice, gold in carried if gold]
        if not some:
            continue
        shares = [
            min(
                1.0,
                len((gold | _also(examples, choice.example)) & set(choice.order[: len(gold)])) / len(gold),
            )
            for choice, gold in some
        ]
        row = {
            "examples": float(len(some)),
            "f1": 100 * float(np.mean(shares)),
            "all": 100 * float(np.mean([share == 1.0 for share in shares])),
            "stop_f1": 100 * float(np.mean([set_f1(set(_stopped(choice)), gold) for choice, gold in some])),
        }
        none = [choice.nothing[0] for choice, gold in carried if not gold]
        if none:
            row["nothing"] = auroc(none, [choice.nothing[0] for choice, _ in some])
        result[name] = row
    return result


def _gold(examples: Examples, example: int) -> set[int]:
    return set(np.flatnonzero(examples.gold[examples.places(example)]).tolist())


def _also(examples: Examples, example: int) -> set[int]:
    return set(np.flatnonzero(examples.also[examples.places(example)]).tolist())


def _stopped(choice: Chosen) -> list[int]:
    return choice.order if choice.stopped_at is None else choice.order[: max(1, choice.stopped_at)]
