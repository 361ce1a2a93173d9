"""The paper's judge: one yes-or-no call for each feature and passage."""

from __future__ import annotations

from collections.abc import Sequence

from probative.engine.search import Search, generate, try_choose
from probative.errors import OutputError
from probative.models.reader_prompts import ask_carries
from probative.models.types import Completion, Request, Selection
from probative.scope.features import Feature
from probative.scope.judge.judgements import Strengths
from probative.scope.prompt_text import fill_prompt
from probative.scope.run import Run
from probative.text import english
from probative.text.prompts import fenced
from probative.types import Passage


def judge_each(run: Run, features: Sequence[Feature], passages: Sequence[Passage]) -> Search[Strengths]:
    """Ask the judge model about each feature and passage, all at once."""
    requests = [
        Request.user(
            fill_prompt(f"carries_{feature.kind}", feature=feature.text, passage=fenced(passage.whole)),
            max_tokens=8,
        )
        for passage in passages
        for feature in features
    ]
    return (yield from _ask(run, requests, len(features)))


def judge_by_reader(run: Run, features: Sequence[Feature], passages: Sequence[Passage]) -> Search[Strengths]:
    """Ask the tuned reader in its own short form; any other model is asked as `judge_each` does."""
    if not run.tools.judge.reader:
        run.note(f"{run.tools.judge.name} is not the tuned reader; it was asked as any other model")
        return (yield from judge_each(run, features, passages))
    requests = [
        ask_carries(feature.kind, feature.text, passage) for passage in passages for feature in features
    ]
    return (yield from _ask(run, requests, len(features)))


def _ask(run: Run, requests: Sequence[Request], width: int) -> Search[Strengths]:
    """Return the strengths by the replies to the requests, `width` of them for each passage; probabilities if
    the model can choose.
    """
    selections = [Selection(request=request, options=("yes", "no")) for request in requests]
    choices = yield from try_choose(run.tools.judge, selections, step="judgement", by="judge")
    if choices is not None:
        values = [choice.probability("yes") for choice in choices]
    else:
        replies = yield from generate(requests, step="judgement", by="judge")
        values = _yes_values(run, replies)
    return [values[start : start + width] for start in range(0, len(values), width)]


def _yes_values(run: Run, replies: Sequence[Completion]) -> list[float]:
    """Return 1 for yes and 0 for no; a note counts the replies that are neither, and raises OutputError if
    all of them are.
    """
    answers = [english.read_yes_or_no(reply.text) for reply in replies]
    if unclear := answers.count(None):
        run.note(f"the model said neither yes nor no to {unclear} of {len(answers)} judgements")
    if answers and unclear == len(answers) and replies[0].finish_reason != "dry-run":
        raise OutputError(
            "the model said neither yes nor no to any judgement",
            raw=replies[0].text,
            model=replies[0].model,
            step="judgement",
            finish_reason=replies[0].finish_reason,
            hint="use a larger model, or judge=words, which asks no model",
        )
    return [1.0 if answer else 0.0 for answer in answers]
