"""The settings of a run, which are the options of `python -m training.verdict train`."""

from __future__ import annotations

from dataclasses import dataclass

from training.commands import setting


@dataclass(frozen=True)
class Options:
    """The settings of a run."""

    minutes: float = 6.0
    epochs: float = setting(3.0, "the schedule ends here, or when the minutes are over")
    rank: int = 64
    alpha: float = 64.0
    rate: float = setting(1.0e-3, "highest learning rate")
    warmup: float = 0.04
    decay: float = 0.01
    smoothing: float = 0.03
    letters: float = setting(0.25, "weight of the deciding sentence's loss")
    averaged: float = setting(0.3, "the last part of the steps whose states are averaged; 0: the last state")
    tokens: int = setting(65536, "tokens in a step")
    seed: int = 1
    compile: bool = True
    share: float = setting(0.2, "the share of the examples of --more that is trained on")
    start: str = setting("", "an adapter of the same or a lower rank to start from")
