"""Veracity extrapolation (section 3.4.3 and Algorithm 1): the model judges each candidate connection.

(u, r, v) → LLM → yes:    R_a ← R_a ∪ {(u, r, v)}
no:     R_c ← R_c ∪ {(u, not r, v)}
maybe:  reported, but not used as knowledge
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple, cast

from probative.engine.search import Search, generate_or_empty, try_choose
from probative.errors import EmptyError, OutputError
from probative.give.numbered import in_batches, numbered_list, numbered_replies
from probative.give.options import GiveOptions
from probative.give.query import YES_NO
from probative.give.run import Run
from probative.models.types import Completion, Request, Selection
from probative.text.prompts import fenced, fill, read_prompt
from probative.text.words import any_of, word_map
from probative.types import Triple

STEP = "veracity extrapolation"
# "yes", "no" or "maybe", and the few words that a chat model adds.
JUDGE_TOKENS = 8
Polarity = Literal["yes", "no", "maybe"]
_POLAR_WORDS = "yes|no|maybe|true|false|unsure|uncertain|not true"
# "No idea", "no clear answer", "yes or no" contain the words and are no answer.
_NOT_FOLLOWED_BY = rf"(?!\s*(?:/|\bor\b|\band\b)|\s+(?:{any_of('replies.not_answers')})\b)"
_LEAD = r"(?:(?:so|therefore|thus|hence|in short)\W+)?(?:(?:the|my|a|final|correct|short|best)\s+)*"
_FIRST = re.compile(
    rf"^\W*{_LEAD}(?:answer|verdict|statement)?\W*(?:is|would be|should be)?\W*\b({_POLAR_WORDS})\b"
    rf"{_NOT_FOLLOWED_BY}",
    re.IGNORECASE | re.MULTILINE,
)
_STATED = re.compile(
    rf"(?i)\b(?:answer|verdict)\s+(?:\w+\s+){{0,4}}?(?:is|be)\W+({_POLAR_WORDS})\b{_NOT_FOLLOWED_BY}"
)
_LAST = re.compile(rf"(?i)(?<!\bor)(?<!\band)(?<!/)[\s\W]({_POLAR_WORDS})\W*$")
_MEANING = cast(dict[str, Polarity], word_map("polarities"))


class Extrapolated(NamedTuple):
    """The candidates by the model's judgement."""

    affirmative: list[Triple]
    counterfactual: list[Triple]
    uncertain: list[Triple]


def extrapolate(run: Run[GiveOptions], candidates: Sequence[Triple]) -> Search[Extrapolated]:
    """Judge every candidate, one or `batch` in a call; all calls form one list of requests."""
    if not candidates:
        return Extrapolated([], [], [])
    judgements: list[Polarity | None]
    if run.options.batch == 1:
        judgements = yield from _judge_each(run, candidates)
    else:
        judgements = yield from _judge_in_batches(candidates, run.options.batch)
    if unclear := judgements.count(None):
        run.note(
            f"the model said neither yes, no nor maybe about {unclear} of {len(judgements)} candidates: they "
            "count as maybe"
        )
    return sort_candidates(candidates, judgements)


def sort_candidates(candidates: Sequence[Triple], judgements: Sequence[Polarity | None]) -> Extrapolated:
    """Sort the candidates by their judgement; None counts as maybe."""
    judged = list(zip(candidates, judgements, strict=True))
    return Extrapolated(
        [triple for triple, word in judged if word == "yes"],
        [negated(triple) for triple, word in judged if word == "no"],
        [triple for triple, word in judged if word in ("maybe", None)],
    )


def negated(triple: Triple) -> Triple:
    """Return the counterfactual form of a triple.

    >>> str(negated(Triple(head="iron", relation="floats on", tail="water")))
    '(iron, not floats on, water)'
    """
    return triple.model_copy(update={"relation": f"not {triple.relation}"})


def statement(triple: Triple) -> str:
    """Return a candidate as the model reads it."""
    return fenced(triple.sentence)


def _judge_each(run: Run[GiveOptions], candidates: Sequence[Triple]) -> Search[list[Polarity | None]]:
    """Judge each candidate in a call: by the most probable word if the model can choose, otherwise by what it
    writes.
    """
    prompt = read_prompt("probative.give", "judge")
    requests = [
        Request.user(fill(prompt, statement=statement(triple)), max_tokens=JUDGE_TOKENS)
        for triple in candidates
    ]
    selections = [Selection(request=request, options=YES_NO) for request in requests]
    choices = yield from try_choose(run.tools.model, selections, step=STEP)
    if choices is not None:
        return [read_polarity(choice.best) for choice in choices]
    replies = yield from generate_or_empty(requests, step=STEP)
    judgements = [None if isinstance(reply, EmptyError) else read_polarity(reply.text) for reply in replies]
    _refuse_all_unclear(judgements, replies, "veracity=scored, if the model can score")
    return judgements


def _judge_in_batches(candidates: Sequence[Triple], batch: int) -> Search[list[Polarity | None]]:
    """Judge `batch` candidates in a call; those without a judgement are sent once more."""
    prompt = read_prompt("probative.give", "judge_many")
    judgements: dict[int, Polarity] = {}
    open_candidates = list(range(len(candidates)))
    first_replies: list[Completion | EmptyError] = []
    for retry in (False, True):
        chunks = in_batches(open_candidates, batch)
        requests = [
            Request.user(
                fill(prompt, statements=numbered_list([statement(candidates[index]) for index in chunk])),
                max_tokens=16 + JUDGE_TOKENS * len(chunk),
            )
            for chunk in chunks
        ]
        step = f"{STEP}: again" if retry else STEP
        replies = yield from generate_or_empty(requests, step=step)
        first_replies = first_replies or replies
        for chunk, reply in zip(chunks, replies, strict=True):
            if isinstance(reply, EmptyError):
                continue
            for number, text in numbered_replies(reply.text, len(chunk)).items():
                if (word := read_polarity(text)) is not None:
                    judgements[chunk[number - 1]] = word
        open_candidates = [index for index in range(len(candidates)) if index not in judgements]
        if not open_candidates:
            break
    results = [judgements.get(index) for index in range(len(candidates))]
    _refuse_all_unclear(results, first_replies, "batch=1, which judges one candidate a call")
    return results


def _refuse_all_unclear(
    judgements: Sequence[Polarity | None], replies: Sequence[Completion | EmptyError], alternative: str
) -> None:
    """Raise an error if no candidate has a judgement."""
    if any(judgement is not None for judgement in judgements):
        return
    reply = replies[0]
    if isinstance(reply, EmptyError):
        raise reply
    raise OutputError(
        "it said neither yes, no nor maybe about any candidate in the requested form",
        raw=reply.text,
        model=reply.model,
        step=STEP,
        finish_reason=reply.finish_reason,
        hint=f"use a larger model, or {alternative}",
    )


def read_polarity(reply: str) -> Polarity | None:
    """Return the yes, no or maybe that a reply begins or ends with, or calls its answer; None otherwise.

    >>> [read_polarity(text) for text in ("Yes, it is.", "False", "It depends. Maybe", "Indeed")]
    ['yes', 'no', 'maybe', None]
    >>> [read_polarity(text) for text in ("I have no idea", "No clear answer.", "One cannot say yes or no")]
    [None, None, None]
    >>> read_polarity("It heats well, so the answer is: no."), read_polarity("Yes or no: no")
    ('no', 'no')
    """
    match = _FIRST.search(reply) or _STATED.search(reply) or _LAST.search(reply)
    return None if match is None else _MEANING[match[1].lower()]
