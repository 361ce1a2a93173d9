"""One call for what several threads ask of a model at the same time: its batches are then large.

A case of a study asks a model in this process for a few dozen replies, and waits. Where several cases run
side by side, their prompts are answered together, and the model sorts and packs them as one batch.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from probative.errors import ModelError
from probative.models.contract import Outcomes
from probative.models.wrappers import Layer, Verb


@dataclass
class _Asked:
    """What a thread asks, and what came of it."""

    verb: str
    items: Sequence[Any]
    call: Verb
    outcomes: list[tuple[int, Any]] = field(default_factory=list)
    error: Exception | None = None
    done: bool = False


class Gathering(Layer):
    """While a call is under way, what other threads ask waits; the next call is for all of it.

    Nobody waits for threads that might ask: the first call is as small as without this layer.
    """

    def __init__(self) -> None:
        self._turn, self._adding = threading.Lock(), threading.Lock()
        self._waiting: list[_Asked] = []

    def around(self, model: Any, verb: str, items: Sequence[Any], call: Verb) -> Outcomes[Any]:
        asked = _Asked(verb, items, call)
        with self._adding:
            self._waiting.append(asked)
        with self._turn:
            if not asked.done:  # the call before did not have it: this thread answers for all that wait
                with self._adding:
                    waiting, self._waiting = self._waiting, []
                for name in dict.fromkeys(each.verb for each in waiting):
                    _answer([each for each in waiting if each.verb == name])
        if asked.error is not None:
            raise asked.error
        yield from asked.outcomes


def _answer(group: Sequence[_Asked]) -> None:
    """Answer all that is asked with one verb; if that fails, each alone: a fault is of one thread only."""
    try:
        _answer_together(group)
    except Exception as error:
        if len(group) == 1:
            group[0].error = error
        else:
            for asked in group:
                asked.outcomes.clear()
                _answer([asked])
    except BaseException:
        for asked in group:
            asked.error = ModelError("the call was interrupted", hint="run the cases again")
        raise
    finally:
        for asked in group:
            asked.done = True


def _answer_together(group: Sequence[_Asked]) -> None:
    places = [(asked, index) for asked in group for index in range(len(asked.items))]
    for position, outcome in group[0].call([asked.items[index] for asked, index in places]):
        asked, index = places[position]
        asked.outcomes.append((index, outcome))
