"""What a run did: a step with its calls and the steps inside it, and the cost."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from probative.trace import Step
from probative.types import Usage
from probative.views.blocks import Block, Code, Folded, Part, Table, columns, faint, line

# The calls shown of each step; a search may have thousands.
MAX_CALLS = 20


def usage_view(usage: Usage) -> Sequence[Block]:
    """Return the cost in words."""
    return [line(usage.describe())]


def step_view(step: Step) -> Sequence[Block]:
    """Return a step and all inside it as a tree: its cost, its first calls and the steps inside it."""
    rows = [
        (
            call.verb,
            call.model,
            _folded("request", call.request),
            call.error or _folded("result", call.result),
            f"{call.usage.tokens:,}",
        )
        for call in step.calls[:MAX_CALLS]
    ]
    inside: list[Part] = []
    if rows:
        inside.append(Table(rows, columns("verb", "model", "", "", "tokens", right=[4])))
    if len(step.calls) > MAX_CALLS:
        inside.append(faint(f"… and {len(step.calls) - MAX_CALLS:,} more calls"))
    inside += [block for inner in step.steps for block in step_view(inner)]
    return [Folded(f"{step.name}: {step.usage.describe()}", tuple(inside))]


def _folded(title: str, value: Any) -> Folded:
    return Folded(title, (Code(json.dumps(value, ensure_ascii=False, indent=1, default=str)),))
