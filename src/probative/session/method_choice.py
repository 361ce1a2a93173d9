"""Which method runs, and how the caller changes its options: what every verb is given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class MethodChoice:
    """A method by name with a preset, or with an options object, and the options that differ from it."""

    method: str
    preset: str | None = None
    options: Any = None
    changes: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
