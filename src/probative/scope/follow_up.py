"""A follow-up question, rewritten by the model so that it can be read without the turns before it.

The small embedded models are not asked: they were never taught it, and what they write is mostly not the
question (`python benchmarks/follow_ups.py`). With them, a follow-up that points at an earlier turn is not
answered, and every other question is taken as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from probative.engine.methods import Tools
from probative.engine.search import Search, generate_or_empty
from probative.errors import EmptyError, InputError
from probative.models.contract import Capability, LanguageModel
from probative.models.task_prompts import Line, task_request
from probative.models.types import Request, reason
from probative.scope.run import fill_prompt
from probative.settings import TUNED_MODELS
from probative.text import english
from probative.text.prompts import fenced
from probative.types import Value

MAX_TURNS = 4
MAX_CHARACTERS = 400
"""How many of the last turns are shown, and how much of each question and answer."""
TOKENS = 120
AS_WRITTEN = "the question was taken as it is written"
"""The beginning of the note that a rewritten question was not used."""
_WORD = re.compile(r"[^\W_]+")
_MARK = re.compile(r"[?？؟]")


class Turn(Value):
    """An earlier question of a conversation, as it was read, and its answer, if there was one."""

    question: str
    answer: str | None = None


class ReadQuestion(NamedTuple):
    """A question as it is put to the documents.

    `read_as` is the rewritten question, None if it is taken as written; `note` says why a rewritten one was
    not used. `pointer` are words that point at an earlier turn where the model cannot rewrite.
    """

    text: str
    read_as: str | None = None
    note: str | None = None
    pointer: str | None = None


def as_turns(values: Any) -> tuple[Turn, ...]:
    """Convert dictionaries and turns to turns; raises `InputError`.

    >>> as_turns([{"question": "Who built the lift?", "answer": "Anton Brill"}])[0].answer
    'Anton Brill'
    """
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise InputError("history must be a list of turns", hint='a turn is {"question": …, "answer": …}')
    try:
        return tuple(Turn.model_validate(value) for value in values)
    except ValidationError as error:
        raise InputError(f"a turn of the history cannot be used: {reason(error)}") from None


def can_rewrite(model: LanguageModel) -> bool:
    """Return whether a model is asked to rewrite follow-ups: all that write, but the small embedded ones."""
    return Capability.GENERATE in model.capabilities and not is_too_small(model.name)


def is_too_small(name: str) -> bool:
    """Return whether a model of this name is an embedded one that was not taught to rewrite.

    With ``embedded:cascade``, which only judges, the small one writes.

    >>> is_too_small("embedded"), is_too_small("embedded:large"), is_too_small("openai:x")
    (True, False, False)
    """
    return name.startswith("embedded") and name != TUNED_MODELS[1]


def read_follow_up(question: str, turns: Sequence[Turn], tools: Tools) -> Search[ReadQuestion]:
    """Return a question as it is read after these turns; without any, as it is."""
    if not turns:
        return ReadQuestion(question)
    if not can_rewrite(tools.model):
        return ReadQuestion(question, pointer=english.points_back(question))
    request = rewriting_request(question, turns[-MAX_TURNS:], tools.model)
    (reply,) = yield from generate_or_empty([request], step="follow-up")
    written = "" if isinstance(reply, EmptyError) else reply.text.strip()
    if _folded(written) == _folded(question):
        return ReadQuestion(question)
    fault = fault_of(written, question, turns)
    if fault is not None:
        return ReadQuestion(question, note=f"{AS_WRITTEN}: {fault}")
    return ReadQuestion(written, written)


def rewriting_request(question: str, turns: Sequence[Turn], model: LanguageModel) -> Request:
    """Return the request for the question on its own; the large embedded model has a task for that."""
    asked = [(_cut(turn.question), _cut(turn.answer or "")) for turn in turns]
    if model.reader:
        lines = [Line(f"{earlier} {answer}".strip()) for earlier, answer in asked]
        return task_request("alone", question, lines, max_tokens=TOKENS)
    shown = "\n".join(
        f"Question: {earlier}\nAnswer: {answer or 'none was found'}" for earlier, answer in asked
    )
    return Request.user(fill_prompt("follow_up", turns=shown, question=fenced(question)), max_tokens=TOKENS)


def fault_of(written: str, question: str, turns: Sequence[Turn]) -> str | None:
    """Return why a rewritten question cannot be used; None if it can.

    It must be one question, keep the names and numbers of the question, and bring none that stands neither
    there nor in the turns. Names are known by a capital letter, so only by their numbers in other scripts.

    >>> turns = [Turn(question="Where was the Heron built?", answer="Molde")]
    >>> fault_of("Who owned the Heron in 1911?", "And who owned it?", turns)
    'the rewritten question names “1911”, which nobody did'
    >>> fault_of("Who owned the Heron?", "And who owned it?", turns) is None
    True
    """
    if not written:
        return "the model wrote nothing"
    mark = _MARK.search(written)
    asks = _MARK.search(question) is not None
    if "\n" in written or (mark.end() < len(written) if mark is not None else asks):
        return "what the model wrote is not one question"
    thread = " ".join(f"{turn.question} {turn.answer or ''}" for turn in turns)
    known = set(_folded(f"{thread} {question}"))
    new = next((name for name in _names(written) if name.casefold() not in known), None)
    if new is not None:
        return f"the rewritten question names “{new}”, which nobody did"
    lost = next((name for name in _names(question) if name.casefold() not in _folded(written)), None)
    return None if lost is None else f"the rewritten question leaves out “{lost}”"


def _names(text: str) -> list[str]:
    """Return the words with a digit, and those with a capital letter but the first, which always has one."""
    words = _WORD.findall(text)
    return [
        word
        for place, word in enumerate(words)
        if any(letter.isdigit() for letter in word) or (place and word[0].isupper())
    ]


def _folded(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _cut(text: str) -> str:
    line = fenced(text)
    return line if len(line) <= MAX_CHARACTERS else f"{line[: MAX_CHARACTERS - 1]}…"
