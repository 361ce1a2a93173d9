"""The arms of a study that has many: `arms/STUDY.toml`, each with the arguments of its verb."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any


def read_arms(study: str) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the arguments of each arm, by group.

    >>> read_arms("chains")["rag"]
    {'RAG top-5': {'method': 'rag'}}
    """
    file = resources.files("probative.bench") / "arms" / f"{study}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))
