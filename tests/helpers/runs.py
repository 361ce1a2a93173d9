"""A run of scope for tests of its steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from probative.engine.methods import Tools
from probative.models.contract import LanguageModel
from probative.models.encoder import Encoder
from probative.scope.inputs import Inputs, as_passages
from probative.scope.options import ScopeOptions
from probative.scope.run import Run, select_candidates, start_run
from probative.testing import ScriptedModel

QUESTION = "In which town was the Lark built that Ada Berg commanded?"


def make_run(
    question: str = QUESTION,
    passages: Sequence[Any] = ("Ada Berg commanded the Lark.",),
    model: LanguageModel | None = None,
    vectors: Any = None,
    **options: Any,
) -> Run:
    """Return a run whose candidates are all passages; no encoder may be opened."""

    def no_encoder() -> Encoder:
        pytest.fail("no encoder was expected")

    tools = Tools(lambda: model or ScriptedModel(generate="never asked"), no_encoder)
    inputs = Inputs(question, as_passages(list(passages)), vectors=vectors)
    run = start_run(inputs, ScopeOptions.model_validate(options), tools, split=False)
    select_candidates(run)
    return run
