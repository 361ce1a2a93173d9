"""A graph of a mill, and a model that is told what it knows of it; for tests of `reason`."""

from __future__ import annotations

from typing import Any

from knowing import Given, knowing_model

from probative import Reasoning, Request, reason
from probative.testing import ScriptedModel

EDGES = [
    ("sail", "catches", "wind"),
    ("wind", "drives", "mill"),
    ("mill", "grinds", "corn"),
    ("corn", "feeds", "hen"),
    ("rope", "holds", "sail"),
]
AXES = ["sail", "wind", "mill", "corn", "hen", "rope"]
VECTORS = {name: [float(name == axis) for axis in AXES] for name in AXES}
QUESTION = "Does a sail help a mill?"
VECTORS[QUESTION] = [0.1, 1.0, 0.1, 0.0, 0.0, 0.0]


def reasoned(by: ScriptedModel, question: str = QUESTION, choices: Any = None, **options: Any) -> Reasoning:
    given: dict[str, Any] = {"preset": "paper", "entities": 0, "examples": 0, **options}
    return reason(question, EDGES, choices, model=by, encoder=Given(VECTORS), **given)


def told(**changes: Any) -> ScriptedModel:
    return knowing_model(**{"entities": ["sail", "mill"], "relations": ["help"], **changes})


def prompts(by: ScriptedModel) -> list[str]:
    return [request.messages[-1].content for request in by.asked if isinstance(request, Request)]
