"""Figures that the papers publish, by the names that our rows have: `figures/*.toml`, a file a paper.

A figure that the text of a paper available to us does not show is left out, never guessed.
"""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator

from probative.types import Value

Figures = TypeVar("Figures", bound=Value)

MISSING = "-"
"""Stands in the file for a figure that the paper does not have, since TOML has no null."""

ByContext = dict[str, tuple[float, float, float, float]]
"""By context, a figure for each share of other text."""
ByModel = dict[str, dict[str, ByContext]]
"""By model, data set and context."""
Triple = tuple[float, float, float]
"""Precision, recall and F1."""
ByHops = tuple[tuple[float, float], ...]
"""F1 and exact match for each number of hops."""


def _figure(value: Any) -> Any:
    return None if value == MISSING else value


Figure = Annotated[float | None, BeforeValidator(_figure)]
"""A published figure, or None if the paper has none in this place."""


def read_published(paper: str, kind: type[Figures]) -> Figures:
    """Return the figures of a paper, checked against their type.

    >>> read_published("mcse", McseFigures).chain_of_thought["McsE"]
    (57.0, 82.0)
    """
    file = resources.files("probative.bench") / "figures" / f"{paper}.toml"
    return kind.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))


class CoeFigures(Value):
    """The tables of the paper; the file says what each has."""

    samples: dict[str, dict[str, tuple[int, float]]]
    effectiveness: ByModel
    faithfulness: ByModel
    robustness: ByModel
    usability: dict[str, dict[str, dict[str, dict[str, float]]]]
    usability_pieces: dict[str, dict[str, float]]
    usability_calls: dict[str, float]
    usability_without_chain: dict[str, float]
    ablation: dict[str, ByContext]
    single_hop: dict[str, ByContext]
    hops: dict[int, tuple[float, float, float, float]]
    extraction: ByContext
    identified: dict[str, int]


class McseFigures(Value):
    """The tables of the paper; the file says what each has."""

    top3: dict[str, dict[str, Triple]]
    top5: dict[str, dict[str, Triple]]
    strength: dict[str, tuple[Figure, Figure, Figure]]
    hops: dict[str, ByHops]
    chain_of_thought: dict[str, tuple[float, float]]
    ablation: dict[str, ByHops]
    lookahead: dict[int, ByHops]
    multirc: dict[str, tuple[Triple, Triple]]
    multirc_task_specific: dict[str, tuple[Figure, ...]]


class GiveFigures(Value):
    """The tables and figures of the paper; the file says what each has."""

    truthful: float
    biomedical: dict[str, dict[str, tuple[Figure, Figure, Figure]]]
    commonsense: dict[str, dict[int, float]]
    commonsense_graphs: dict[int, tuple[int, int]]
    connections: dict[str, dict[str, float]]
    shapes: dict[str, tuple[Figure, Figure, Figure, Figure]]
    encoders: dict[str, tuple[Figure, Figure, Figure, Figure]]
    efficiency: dict[str, dict[int, dict[str, tuple[Figure, ...]]]]
    needs: dict[str, tuple[Figure, Figure, Figure]]
    overlap: dict[str, dict[str, dict[str, float]]]


COE = read_published("coe", CoeFigures)
MCSE = read_published("mcse", McseFigures)
GIVE = read_published("give", GiveFigures)
