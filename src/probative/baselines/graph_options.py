"""The switches of the baselines that answer over a graph."""

from __future__ import annotations

from pydantic import Field

from probative.values import Value


class GiveBaselineOptions(Value):
    """What the baselines of give can be told."""

    examples: int = Field(default=3, ge=0, le=10, description="worked examples in the answer's prompt")
    seed: int = Field(default=0, description="seed of random draws")
