"""The tiny graph of a furnace and an anchor, and a model that knows what is true of it; for tests of give."""

from __future__ import annotations

from typing import Any

from knowing import knowing_model

from probative import Reasoning
from probative.models.types import Request
from probative.testing import ScriptedModel

EDGES = [
    ("furnace", "made near", "anchor"),
    ("furnace", "heats", "iron"),
    ("iron", "part of", "anchor"),
    ("anchor", "cooled by", "water"),
    ("water", "cools", "furnace"),
    ("ore", "becomes", "iron"),
]
QUESTION = "Does a kiln soften a hinge?"
VECTORS = {
    QUESTION: [0.5, 0.5, 0.6, 0.0],
    "kiln": [1.0, 0.1, 0.0, 0.0],
    "furnace": [1.0, 0.0, 0.0, 0.0],
    "hinge": [0.1, 1.0, 0.0, 0.0],
    "anchor": [0.0, 1.0, 0.0, 0.0],
    "iron": [0.0, 0.0, 1.0, 0.0],
    "ore": [0.0, 0.0, 0.9, 0.3],
    "water": [0.0, 0.0, 0.0, 1.0],
}
# What the scripted model knows of the 33 candidates; it denies the rest.
TRUE = {"kiln soften iron", "furnace soften iron", "kiln heats iron"}
UNSURE = {"kiln soften hinge"}
RELATED = {
    ("kiln", "furnace"): "is like",
    ("hinge", "anchor"): "is like",
    ("iron", "ore"): "is made from",
    ("kiln", "iron"): "heats up",
}


def model(**changes: Any) -> ScriptedModel:
    told: dict[str, Any] = {
        "entities": ["kiln", "hinge"],
        "relations": ["soften"],
        "true": TRUE,
        "unsure": UNSURE,
        "related": RELATED,
        "answers": ["maybe", "no", "yes"],
    }
    return knowing_model(**{**told, **changes})


def prompts(by: ScriptedModel) -> list[str]:
    return [request.messages[-1].content for request in by.asked if isinstance(request, Request)]


def names(reasoning: Reasoning) -> list[list[str]]:
    return [[member.name for member in group.members] for group in reasoning.groups]
