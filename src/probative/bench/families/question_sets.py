"""Questions of any data set that has a reader for them, also of other packages."""

from __future__ import annotations

import importlib

from probative.bench.data.drawing import draw
from probative.bench.data.multihop import Question
from probative.bench.data.sets import CATALOGUE, find_set
from probative.bench.study import Settings
from probative.errors import InputError


def read_set(name: str, settings: Settings) -> list[Question]:
    """Return `limit` questions of a data set, drawn by the seed; raises `InputError` if it has none to
    answer.
    """
    module, _, function = find_set(name).questions.partition(":")
    if not function:
        known = ", ".join(name for name, other in CATALOGUE.items() if other.questions)
        raise InputError(
            f"the data set {name} has no questions with passages",
            hint=f"use one of {known}, or a data set of your own whose `questions` names a reader",
        )
    questions = getattr(importlib.import_module(module), function)(settings.data)
    return draw(list(questions), settings.limit, settings.seed)
