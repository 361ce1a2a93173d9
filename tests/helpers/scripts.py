"""Models that score by a rule, for tests of searches."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from probative.engine.methods import Tools
from probative.engine.runner import Finished, run_searches
from probative.engine.search import Search
from probative.models.contract import LanguageModel
from probative.models.encoder import Encoder
from probative.testing import ScriptedModel


def pseudo_random(text: str) -> float:
    """A number from 0 to 1 that a text decides."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6]) / 2**48


def hashed_model(scale: float = 40.0, **options: Any) -> ScriptedModel:
    """Scores every pair by its hash: as good as any model for the logic of a search."""
    return ScriptedModel(
        score=lambda prompt, continuation: -scale * pseudo_random(prompt + "|" + continuation), **options
    )


def run_one(search: Search[Any], model: LanguageModel, encoder: Callable[[], Encoder] | None = None) -> Any:
    """The result of one search, or its error raised."""

    def none() -> Encoder:
        raise AssertionError("no encoder was expected")

    ((_, ended),) = run_searches([search], Tools(lambda: model, encoder or none))
    assert isinstance(ended, Finished)
    if ended.error is not None:
        raise ended.error
    return ended.result
