"""A judge with all passages in one call, or in as few calls as the window allows."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from probative.engine.objects import ask_objects
from probative.engine.search import Search
from probative.errors import ContextError, OutputError
from probative.models.contract import LanguageModel
from probative.models.types import Request
from probative.scope.features import Feature
from probative.scope.judge.judgements import Strengths
from probative.scope.judge.passage import Carries, numbered_features, strengths_of
from probative.scope.prompt_text import fill_prompt
from probative.scope.run import Run
from probative.scope.split import PASSAGES_SHARE
from probative.text.prompts import fenced
from probative.types import Passage

# Texts in one call, however large the window: a longer list makes models skip some.
MAX_TEXTS = 40
# What the number and the line end of a text cost beside its tokens.
_TEXT_FRAME_TOKENS = 8


class TextCarries(Carries):
    """The features that the text with this number carries."""

    text: int


class AllCarry(BaseModel):
    """The features that each of several texts carries."""

    texts: list[TextCarries]


def judge_together(run: Run, features: Sequence[Feature], passages: Sequence[Passage]) -> Search[Strengths]:
    """Ask the judge model about all passages; those without a judgement are asked about once more.

    A passage without a judgement carries nothing; raises OutputError if no reply can be read.
    """
    judged, errors = yield from _ask(run, features, passages, list(range(len(passages))))
    waiting = [row for row in range(len(passages)) if row not in judged]
    if waiting:
        run.note(f"passages that the model left out were asked for again: {len(waiting)}")
        more, more_errors = yield from _ask(run, features, passages, waiting)
        judged, errors = judged | more, errors + more_errors
        waiting = [row for row in waiting if row not in judged]
    if waiting and len(waiting) == len(passages) and errors:
        raise errors[-1]
    if waiting:
        run.note(f"passages without a judgement count as carrying nothing: {len(waiting)}")
    return [strengths_of(features, judged.get(row)) for row in range(len(passages))]


def _ask(
    run: Run, features: Sequence[Feature], passages: Sequence[Passage], rows: Sequence[int]
) -> Search[tuple[dict[int, list[int]], list[OutputError]]]:
    """Return the numbers of the features that each of these passages carries, by its row, and the errors."""
    room = _room(run.tools.judge, features)
    chunks = _chunks(run.tools.judge, passages, rows, room)
    requests = [_request(features, [passages[row] for row in chunk]) for chunk in chunks]
    replies = yield from ask_objects(requests, AllCarry, "judgement", by="judge")
    judged: dict[int, list[int]] = {}
    for chunk, reply in zip(chunks, replies, strict=True):
        entries = [] if isinstance(reply, OutputError) else reply.texts or []
        for entry in entries:
            if isinstance(entry, TextCarries) and 1 <= entry.text <= len(chunk):
                judged.setdefault(chunk[entry.text - 1], entry.carries)
    return judged, [reply for reply in replies if isinstance(reply, OutputError)]


def _request(features: Sequence[Feature], passages: Sequence[Passage]) -> Request:
    texts = "\n".join(f"[{number}] {fenced(passage.whole)}" for number, passage in enumerate(passages, 1))
    prompt = fill_prompt("carries_together", features=numbered_features(features), passages=texts)
    return Request.user(prompt, max_tokens=64 + 32 * len(passages))


def _room(model: LanguageModel, features: Sequence[Feature]) -> int | None:
    """Return how many tokens of passages fit into one call; None if the window is unknown."""
    if model.window is None:
        return None
    return int(model.window * PASSAGES_SHARE) - model.count_tokens(numbered_features(features))


def _chunks(
    model: LanguageModel, passages: Sequence[Passage], rows: Sequence[int], room: int | None
) -> list[list[int]]:
    """Return the rows in as few lists as fit into the model's window, each in order."""
    chunks: list[list[int]] = []
    used = 0
    for row in rows:
        size = 0 if room is None else _size(model, passages[row], room)
        if not chunks or len(chunks[-1]) == MAX_TEXTS or (room is not None and used + size > room):
            chunks.append([])
            used = 0
        chunks[-1].append(row)
        used += size
    return chunks


def _size(model: LanguageModel, passage: Passage, room: int) -> int:
    """Return the tokens of a passage in a call; raises ContextError if it does not fit."""
    size = model.count_tokens(passage.whole) + _TEXT_FRAME_TOKENS
    if size > room:
        raise ContextError(
            f"a passage of {size:,} tokens and the features do not fit into the window of {model.name}",
            tokens=size,
            window=model.window or 0,
        )
    return size
