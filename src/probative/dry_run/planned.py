"""What a dry run gives instead of a result: the case and the cost, and nothing that looks like a result."""

from __future__ import annotations

from typing import Any, TypeVar

from probative.scope.question import Features
from probative.types import Value, Verdict
from probative.verdict.judgement import Probabilities

NOTE = "a dry run: no model was called, and the usage is an estimate"
# What was asked, and what it costs.
_KEPT = ("question", "claim", "text", "name", "choices", "form", "method", "k", "passages", "model", "policy")
_COSTS = ("verdict_model", "usage", "policy_usage", "verdict_usage")
# The values of fields that every result has.
_NOTHING: dict[str, Any] = {
    "answer": None,
    "complete": False,
    "evidence": (),
    "features": Features(intent="(dry run)"),
    "indexes": (),
    "probabilities": Probabilities(supported=1 / 3, contradicted=1 / 3, insufficient=1 / 3),
    "raw": "",
    "verdict": Verdict.INSUFFICIENT,
}

Result = TypeVar("Result", bound=Value)


def planned(result: Result) -> Result:
    """Return a result with its case and its cost alone. Of a verb of another package, fields without a
    default keep their values.
    """
    fields = type(result).model_fields
    values: dict[str, Any] = {}
    for name, field in fields.items():
        if name == "notes":
            values[name] = (NOTE,)
        elif name in (*_KEPT, *_COSTS):
            values[name] = getattr(result, name)
        elif field.is_required():
            values[name] = _NOTHING[name] if name in _NOTHING else getattr(result, name)
    return type(result)(**values)
