"""The settings of a run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """The settings of a run."""

    minutes: float = 10.0
    steps: int = 0
    """If not 0, the number of steps, whatever time they take."""
    max_steps: int = 6000
    full: bool = False
    rank: int = 16
    alpha: float = 32.0
    dropout: float = 0.05
    rate: float = 3e-4
    warmup: float = 0.05
    decay: float = 0.01
    clip: float = 1.0
    tokens: int = 65536
    keep: int = 12
    keep_weight: float = 1.0
    form: str = "around"
    evaluate_every: int = 200
    checkpoint_every: int = 200
    """0: never."""
    seed: int = 1
    compile: bool = False
    start: str = ""
    """An adapter to start from."""
    proofs: str = ""
    """A file of decisions between sentences to learn from as well."""
    proof_tokens: int = 49152
    proof_weight: float = 1.0
