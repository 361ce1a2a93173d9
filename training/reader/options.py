"""The settings of a run, which are the options of `python -m training.reader train`."""

from __future__ import annotations

from dataclasses import dataclass

from training.commands import setting


@dataclass(frozen=True)
class Options:
    """The settings of a run."""

    minutes: float = 10.0
    steps: int = setting(0, "if not 0, the number of steps, whatever time they take")
    max_steps: int = 6000
    full: bool = setting(False, "tune all linear weights")
    rank: int = 16
    alpha: float = 32.0
    dropout: float = 0.05
    rate: float = setting(3e-4, "highest learning rate")
    warmup: float = 0.05
    decay: float = 0.01
    clip: float = 1.0
    tokens: int = setting(65536, "tokens in a step")
    keep: int = 12
    keep_weight: float = 1.0
    form: str = setting("around", "where the question stands", ("after", "around"))
    evaluate_every: int = 200
    checkpoint_every: int = setting(200, "0: never")
    seed: int = 1
    compile: bool = False
    start: str = setting("", "an adapter of the same or a lower rank to start from")
    proofs: str = setting("", "a file of decisions between sentences to learn from as well")
    proof_tokens: int = 49152
    proof_weight: float = 1.0
