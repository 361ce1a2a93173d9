"""The language model as judge: a call for each feature and passage, for each passage, or for all at once."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import BaseModel

from probative.engine.objects import ask_objects
from probative.engine.search import Search, choose, generate
from probative.engine.tools import Tools
from probative.errors import ContextError, OutputError
from probative.models.contract import Capability
from probative.models.reader_prompts import ask_carries
from probative.models.types import Completion, Request, Selection
from probative.scope.features import Feature
from probative.scope.judge.judgements import Strengths
from probative.scope.prompts_text import filled
from probative.text.prompts import fenced
from probative.types import Passage

# Of the window, this share is for the texts; the rest for the features, the frame and the answer.
TEXTS_SHARE = 0.6
# Texts in one call, however large the window: a longer list makes models skip.
MOST_TEXTS = 40


class Carries(BaseModel):
    """The numbers of the features that one text carries."""

    carries: list[int]


class TextCarries(Carries):
    """The same, with the text's number."""

    text: int


class AllCarry(BaseModel):
    """The same for several texts."""

    texts: list[TextCarries]


def judge_each(
    features: Sequence[Feature], passages: Sequence[Passage], tools: Tools, notes: list[str]
) -> Search[Strengths]:
    """One call for each feature and passage, all at once; with probabilities where the model can choose."""
    requests = [
        Request.user(
            filled(f"carries_{feature.kind}", feature=feature.text, passage=fenced(passage.whole)),
            max_tokens=8,
        )
        for passage in passages
        for feature in features
    ]
    return (yield from _yes_or_no(requests, features, passages, tools, notes))


def judge_reader(
    features: Sequence[Feature], passages: Sequence[Passage], tools: Tools, notes: list[str]
) -> Search[Strengths]:
    """The same in the tuned reader's own short words; any other model is asked as `judge_each` does."""
    if not tools.model.reader:
        notes.append(f"{tools.model.name} is not the tuned reader; it was asked as any model is")
        return (yield from judge_each(features, passages, tools, notes))
    requests = [
        ask_carries(feature.kind, feature.text, passage) for passage in passages for feature in features
    ]
    return (yield from _yes_or_no(requests, features, passages, tools, notes))


def _yes_or_no(
    requests: Sequence[Request],
    features: Sequence[Feature],
    passages: Sequence[Passage],
    tools: Tools,
    notes: list[str],
) -> Search[Strengths]:
    """The answers to a request for each passage and feature, the features of a passage one after another."""
    if Capability.CHOOSE in tools.model.capabilities:
        selections = [Selection(request=request, options=("yes", "no")) for request in requests]
        choices = yield from choose(selections, step="judgement")
        values = [choice.probability("yes") for choice in choices]
    else:
        answers = yield from generate(requests, step="judgement")
        said = [_yes(answer) for answer in answers]
        if (unclear := said.count(None)) > 0:
            notes.append(f"the model said neither yes nor no to {unclear} of {len(said)} judgements")
        if said and unclear == len(said) and answers[0].finish_reason != "dry-run":
            raise OutputError(
                "it said neither yes nor no to any judgement",
                raw=answers[0].text,
                model=answers[0].model,
                step="judgement",
                finish_reason=answers[0].finish_reason,
                hint="use a larger model, or the words judge, which asks none",
            )
        values = [1.0 if answer else 0.0 for answer in said]
    width = len(features)
    return [values[place * width : (place + 1) * width] for place in range(len(passages))]


def judge_passages(
    features: Sequence[Feature], passages: Sequence[Passage], tools: Tools, notes: list[str]
) -> Search[Strengths]:
    """One call for each passage, all at once. A passage whose judgement cannot be read carries nothing; if
    that is every passage, it is an error.
    """
    requests = [
        Request.user(
            filled("carries_all", features=listed(features), passage=fenced(passage.whole)), max_tokens=96
        )
        for passage in passages
    ]
    found = yield from ask_objects(requests, Carries, "judgement")
    return _strengths(features, found, notes)


def judge_together(
    features: Sequence[Feature], passages: Sequence[Passage], tools: Tools, notes: list[str]
) -> Search[Strengths]:
    """All passages in one call, or in as few as the window allows; those without a judgement are asked once
    more.
    """
    judged: dict[int, TextCarries] = {}
    problems: list[OutputError] = []
    waiting = list(range(len(passages)))
    for again in (False, True):
        chunks = _chunks(features, passages, waiting, tools)
        requests = [_together(features, passages, chunk) for chunk in chunks]
        replies = yield from ask_objects(requests, AllCarry, "judgement")
        for chunk, reply in zip(chunks, replies, strict=True):
            if isinstance(reply, OutputError):
                problems.append(reply)
                continue
            for entry in reply.texts or []:
                if isinstance(entry, TextCarries) and 1 <= entry.text <= len(chunk):
                    judged.setdefault(chunk[entry.text - 1], entry)
        waiting = [place for place in range(len(passages)) if place not in judged]
        if not waiting or again:
            break
        notes.append(f"passages that the model left out were asked for again: {len(waiting)}")
    if waiting and len(waiting) == len(passages) and problems:
        raise problems[-1]
    if waiting:
        notes.append(f"passages without a judgement count as carrying nothing: {len(waiting)}")
    return [
        _row(features, judged[place].carries if place in judged else []) for place in range(len(passages))
    ]


def _together(features: Sequence[Feature], passages: Sequence[Passage], chunk: Sequence[int]) -> Request:
    texts = "\n".join(f"[{at}] {fenced(passages[place].whole)}" for at, place in enumerate(chunk, 1))
    prompt = filled("carries_together", features=listed(features), passages=texts)
    return Request.user(prompt, max_tokens=64 + 32 * len(chunk))


def _chunks(
    features: Sequence[Feature], passages: Sequence[Passage], places: Sequence[int], tools: Tools
) -> list[list[int]]:
    """The passages in as few lists as fit into the model's window, each in order."""
    model = tools.model
    room = (
        None
        if model.window is None
        else int(model.window * TEXTS_SHARE) - model.count_tokens(listed(features))
    )
    chunks: list[list[int]] = []
    used = 0
    for place in places:
        size = 0 if room is None else model.count_tokens(passages[place].whole) + 8
        if room is not None and size > room:
            raise ContextError(
                f"a passage of {size:,} tokens does not fit into {model.name}'s window with the features",
                tokens=size,
                window=model.window or 0,
            )
        if not chunks or len(chunks[-1]) == MOST_TEXTS or (room is not None and used + size > room):
            chunks.append([])
            used = 0
        chunks[-1].append(place)
        used += size
    return chunks


def listed(features: Sequence[Feature]) -> str:
    r"""The features, numbered from 1.

    >>> listed([Feature("intent", "year"), Feature("node", "ferry")])
    '[1] intent: year\n[2] node: ferry'
    """
    return "\n".join(f"[{number}] {feature.name}" for number, feature in enumerate(features, 1))


def _strengths(
    features: Sequence[Feature], found: Sequence[Carries | OutputError], notes: list[str]
) -> Strengths:
    problems = [one for one in found if isinstance(one, OutputError)]
    if problems and len(problems) == len(found):
        raise problems[0]
    if problems:
        notes.append(f"judgements that could not be read count as carrying nothing: {len(problems)}")
    return [_row(features, [] if isinstance(one, OutputError) else one.carries) for one in found]


def _row(features: Sequence[Feature], numbers: Sequence[int] | None) -> list[float]:
    return [1.0 if number in (numbers or []) else 0.0 for number in range(1, len(features) + 1)]


def _yes(answer: Completion) -> bool | None:
    """Whether the model said yes; None where it said neither.

    >>> def said(text): return Completion(text=text, finish_reason="stop", model="m")
    >>> _yes(said("Yes.")), _yes(said("No, it does not")), _yes(said("Maybe"))
    (True, False, None)
    """
    found = re.findall(r"\b(yes|no)\b", answer.text.lower())
    return None if not found else found[0] == "yes"
