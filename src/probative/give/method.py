"""Give as a method of `reason`."""

from __future__ import annotations

from probative.engine.methods import Method
from probative.give.options import PRESETS, GiveOptions
from probative.give.search import find_reasoning

GIVE = Method(
    find_reasoning,
    GiveOptions,
    PRESETS,
    lambda model, reader: "small" if model.startswith("embedded") else "calls",
)
