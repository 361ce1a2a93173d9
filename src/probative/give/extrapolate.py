"""Veracity extrapolation (section 3.4.3): each potential connection is judged by the model.

    (u, r, v) → LLM → yes, no or maybe

Yes makes it affirmative knowledge, no counterfactual (u, not r, v); maybe is counted and shown, and is no
knowledge.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from probative.engine.search import Search, choose, generate_or_empty
from probative.engine.tools import Tools
from probative.errors import EmptyError, OutputError
from probative.give.numbered import by_number, in_batches, listed
from probative.give.query import YES_NO
from probative.models.contract import Capability
from probative.models.types import Completion, Request, Selection
from probative.text.analyzer import Polarity, analyzer_for
from probative.text.prompts import fenced, fill, read_prompt
from probative.types import Triple

STEP = "veracity extrapolation"
# "yes", "no" or "maybe", with a word or two that a chat model adds.
JUDGE_TOKENS = 8


class Extrapolated(NamedTuple):
    """The candidates by what the model said of them."""

    affirmative: list[Triple]
    counterfactual: list[Triple]
    uncertain: list[Triple]


def extrapolate(
    candidates: Sequence[Triple], batch: int, tools: Tools, notes: list[str]
) -> Search[Extrapolated]:
    """Judge every candidate, one in a call or `batch` in a call; all calls go out together."""
    if not candidates:
        return Extrapolated([], [], [])
    said: list[Polarity | None]
    if batch == 1:
        said = yield from _one_by_one(candidates, tools)
    else:
        said = yield from _in_batches(candidates, batch)
    if unclear := said.count(None):
        notes.append(
            f"the model said neither yes, no nor maybe of {unclear} of {len(said)} candidates: they count "
            "as maybe"
        )
    return by_word(candidates, said)


def by_word(candidates: Sequence[Triple], said: Sequence[Polarity | None]) -> Extrapolated:
    """The candidates sorted by what was said of each; of what nothing was said, nothing is known."""
    judged = list(zip(candidates, said, strict=True))
    return Extrapolated(
        [triple for triple, word in judged if word == "yes"],
        [negated(triple) for triple, word in judged if word == "no"],
        [triple for triple, word in judged if word in ("maybe", None)],
    )


def negated(triple: Triple) -> Triple:
    """The counterfactual form.

    >>> str(negated(Triple(head="iron", relation="floats on", tail="water")))
    '(iron, not floats on, water)'
    """
    return triple.model_copy(update={"relation": f"not {triple.relation}"})


def statement(triple: Triple) -> str:
    """A candidate as the model reads it."""
    return fenced(triple.sentence)


def _one_by_one(candidates: Sequence[Triple], tools: Tools) -> Search[list[Polarity | None]]:
    """A call for each; the most probable word where the model can choose, else what it writes."""
    prompt = read_prompt("probative.give", "judge")
    requests = [
        Request.user(fill(prompt, statement=statement(triple)), max_tokens=JUDGE_TOKENS)
        for triple in candidates
    ]
    if Capability.CHOOSE in tools.model.capabilities:
        selections = [Selection(request=request, options=YES_NO) for request in requests]
        choices = yield from choose(selections, step=STEP)
        return [analyzer_for().read_polarity(choice.best) for choice in choices]
    replies = yield from generate_or_empty(requests, step=STEP)
    said = [
        None if isinstance(reply, EmptyError) else analyzer_for().read_polarity(reply.text)
        for reply in replies
    ]
    _refuse_all_unclear(said, replies, "veracity=scored, if the model can score")
    return said


def _in_batches(candidates: Sequence[Triple], batch: int) -> Search[list[Polarity | None]]:
    """A call for each `batch` candidates; those left out are asked for once more."""
    prompt = read_prompt("probative.give", "judge_many")
    said: dict[int, Polarity] = {}
    waiting = list(range(len(candidates)))
    first: list[Completion | EmptyError] = []
    for again in (False, True):
        chunks = in_batches(waiting, batch)
        requests = [
            Request.user(
                fill(prompt, statements=listed([statement(candidates[place]) for place in chunk])),
                max_tokens=16 + JUDGE_TOKENS * len(chunk),
            )
            for chunk in chunks
        ]
        step = f"{STEP}: again" if again else STEP
        replies = yield from generate_or_empty(requests, step=step)
        first = first or replies
        for chunk, reply in zip(chunks, replies, strict=True):
            if isinstance(reply, EmptyError):
                continue
            for number, text in by_number(reply.text, len(chunk)).items():
                if (word := analyzer_for().read_polarity(text)) is not None:
                    said[chunk[number - 1]] = word
        waiting = [place for place in range(len(candidates)) if place not in said]
        if not waiting or _dry(first):
            break
    results = [said.get(place) for place in range(len(candidates))]
    _refuse_all_unclear(results, first, "batch=1, which asks of one candidate at a time")
    return results


def _refuse_all_unclear(
    said: Sequence[Polarity | None], replies: Sequence[Completion | EmptyError], instead: str
) -> None:
    if any(word is not None for word in said) or _dry(replies):
        return
    reply = replies[0]
    if isinstance(reply, EmptyError):
        raise reply
    raise OutputError(
        "it said neither yes, no nor maybe of any candidate in the form asked for",
        raw=reply.text,
        model=reply.model,
        step=STEP,
        finish_reason=reply.finish_reason,
        hint=f"use a larger model, or {instead}",
    )


def _dry(replies: Sequence[Completion | EmptyError]) -> bool:
    return isinstance(replies[0], Completion) and replies[0].finish_reason == "dry-run"
