"""A question over passages to train on, and random draws that depend only on names."""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass

from probative.types import Passage
from training.splits import Part


@dataclass(frozen=True)
class Example:
    """A question, the passages that are read for it, and the reply to it."""

    question: str
    passages: tuple[Passage, ...]
    target: str
    source: str
    part: Part


def draws(seed: int, *names: str) -> random.Random:
    """Return a random generator for these names, so that one more row changes no other row."""
    digest = hashlib.sha256(f"{seed} {' '.join(names)}".encode()).digest()
    return random.Random(int.from_bytes(digest[:8], "big"))
