"""The second step: which features each passage carries.

A language model is asked in one yes-or-no call for each feature and passage (the paper's way), in one call
for each passage, or in as few calls as the window allows; `words` asks none.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from probative.engine.search import Search, ask_objects, generate, try_choose
from probative.errors import ContextError, OutputError
from probative.models.contract import LanguageModel
from probative.models.types import Completion, Request, Selection
from probative.scope.judge.words import judge_by_words
from probative.scope.question import Feature, Features, Judgements, Strengths
from probative.scope.run import PASSAGES_SHARE, Run, fill_prompt
from probative.text import english
from probative.text.prompts import fenced, numbered
from probative.types import Passage

# Texts in one call, however large the window: a longer list makes models skip some.
MAX_TEXTS = 40
# What the number and the line end of a text cost beside its tokens.
_TEXT_FRAME_TOKENS = 8


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
    return (yield from _ask_yes_or_no(run, requests, len(features)))


def _ask_yes_or_no(run: Run, requests: Sequence[Request], width: int) -> Search[Strengths]:
    """Return the strengths, `width` for each passage: probabilities if the model can choose."""
    selections = [Selection(request=request, options=("yes", "no")) for request in requests]
    choices = yield from try_choose(run.tools.judge, selections, step="judgement", by="judge")
    if choices is not None:
        values = [choice.probability("yes") for choice in choices]
    else:
        replies = yield from generate(requests, step="judgement", by="judge")
        values = _yes_values(run, replies)
    return [values[start : start + width] for start in range(0, len(values), width)]


def _yes_values(run: Run, replies: Sequence[Completion]) -> list[float]:
    """Return 1 for yes and 0 for no; raises OutputError if no reply is either."""
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
    chunks = _chunks(run.tools.judge, features, passages, rows)
    requests = [_request(features, [passages[row] for row in chunk]) for chunk in chunks]
    replies = yield from ask_objects(requests, AllCarry, "judgement", by="judge")
    judged: dict[int, list[int]] = {}
    for chunk, reply in zip(chunks, replies, strict=True):
        entries = [] if isinstance(reply, OutputError) else reply.texts or []  # none of a dry run
        for entry in entries:
            if isinstance(entry, TextCarries) and 1 <= entry.text <= len(chunk):
                judged.setdefault(chunk[entry.text - 1], entry.carries)
    return judged, [reply for reply in replies if isinstance(reply, OutputError)]


def _request(features: Sequence[Feature], passages: Sequence[Passage]) -> Request:
    prompt = fill_prompt(
        "carries_together", features=numbered_features(features), passages=numbered(passages)
    )
    return Request.user(prompt, max_tokens=64 + 32 * len(passages))


def _chunks(
    model: LanguageModel, features: Sequence[Feature], passages: Sequence[Passage], rows: Sequence[int]
) -> list[list[int]]:
    """Return the rows in as few lists as fit into the model's window, each in order."""
    room = None
    if model.window is not None:
        room = int(model.window * PASSAGES_SHARE) - model.count_tokens(numbered_features(features))
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


_MODEL_JUDGES = {
    "each": judge_each,
    "passage": judge_passages,
    "together": judge_together,
}


def judge(run: Run, features: Features, earlier: Judgements | None = None) -> Search[Judgements]:
    """Judge the candidate passages by the judge that the options name.

    `earlier` are the judgements of the first passages; a language model is asked only about the others.
    """
    if run.options.judge == "words":
        return (yield from judge_by_words(run, features))
    judged = [] if earlier is None else earlier.strengths
    passages = run.pool.candidates()[len(judged) :]
    strengths = yield from _MODEL_JUDGES[run.options.judge](run, features.listed(), passages)
    return Judgements(features, [*judged, *strengths], run.options.threshold)
