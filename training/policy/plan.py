"""The settings of a training, which are the options of `python -m training.policy train`."""

from __future__ import annotations

from dataclasses import dataclass

from training.commands import setting


@dataclass(frozen=True)
class Plan:
    """The settings of a training."""

    minutes: float = 10.0
    steps: int | None = setting(None, "the maximum number of steps")
    decisions: int = setting(48, "decisions in a step")
    candidates: int = setting(20, "candidates of a decision")
    rate: float = setting(1e-4, "highest learning rate")
    dropout: float = 0.1
    workers: int = setting(8, "processes that draw decisions")
    every: int = setting(400, "steps between two evaluations")
    choosing: int = setting(150, "examples of each source in an evaluation")
    seed: int = 0
    teachers: str = setting(
        "", "folders of trained policies, separated by commas; their mean probabilities are half of the loss"
    )
