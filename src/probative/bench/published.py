"""Figures that a paper publishes: a file `published.toml` beside the experiments that show them."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator

from probative.types import Value

Figures = TypeVar("Figures", bound=Value)

MISSING = "-"
"""Stands in the file for a figure that the paper does not have, since TOML has no null."""


def _figure(value: Any) -> Any:
    return None if value == MISSING else value


Figure = Annotated[float | None, BeforeValidator(_figure)]
"""A published figure, or None if the paper has none in this place."""


def read_published(package: str, kind: type[Figures]) -> Figures:
    """Return the figures of a package of experiments, checked against their type.

    >>> from probative.bench.experiments.mcse_study.published import McseFigures
    >>> figures = read_published("probative.bench.experiments.mcse_study", McseFigures)
    >>> figures.chain_of_thought["McsE"]
    (57.0, 82.0)
    """
    text = resources.files(package).joinpath("published.toml").read_text(encoding="utf-8")
    return kind.model_validate(tomllib.loads(text))
