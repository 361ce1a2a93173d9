"""A judge with one call for each passage."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from probative.engine.objects import ask_objects
from probative.engine.search import Search
from probative.errors import OutputError
from probative.models.types import Request
from probative.scope.features import Feature
from probative.scope.judge.judgements import Strengths
from probative.scope.prompt_text import fill_prompt
from probative.scope.run import Run
from probative.text.prompts import fenced
from probative.types import Passage


class Carries(BaseModel):
    """The numbers of the features that one text carries, counted from 1."""

    carries: list[int]


def judge_passages(run: Run, features: Sequence[Feature], passages: Sequence[Passage]) -> Search[Strengths]:
    """Ask the judge model about each passage, all at once.

    A passage whose judgement cannot be read carries nothing; raises OutputError if none can be read.
    """
    requests = [
        Request.user(
            fill_prompt("carries_all", features=numbered_features(features), passage=fenced(passage.whole)),
            max_tokens=96,
        )
        for passage in passages
    ]
    replies = yield from ask_objects(requests, Carries, "judgement", by="judge")
    errors = [reply for reply in replies if isinstance(reply, OutputError)]
    if errors and len(errors) == len(replies):
        raise errors[0]
    if errors:
        run.note(f"judgements that could not be read count as carrying nothing: {len(errors)}")
    return [
        strengths_of(features, [] if isinstance(reply, OutputError) else reply.carries) for reply in replies
    ]


def numbered_features(features: Sequence[Feature]) -> str:
    r"""Return the features, numbered from 1, each on a line.

    >>> numbered_features([Feature("intent", "year"), Feature("node", "ferry")])
    '[1] intent: year\n[2] node: ferry'
    """
    return "\n".join(f"[{number}] {feature.name}" for number, feature in enumerate(features, 1))


def strengths_of(features: Sequence[Feature], numbers: Sequence[int] | None) -> list[float]:
    """Return 1 for each feature whose number is listed and 0 for the others.

    >>> strengths_of([Feature("intent", "year"), Feature("node", "ferry")], [2, 9])
    [0.0, 1.0]
    """
    return [1.0 if number in (numbers or []) else 0.0 for number in range(1, len(features) + 1)]
