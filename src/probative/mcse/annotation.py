"""Listwise annotation (appendix D): a language model reads all sentences of a text, numbered, and names those
that a claim needs.

This is how the paper got gold evidence for data sets that have none, before people corrected it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from probative.engine.search import Search, generate
from probative.errors import OutputError
from probative.mcse.context import Context, make_context
from probative.models.types import Completion, Request
from probative.text.prompts import fenced, fill, read_prompt
from probative.trace import Step
from probative.types import Sentence, Usage, Value

TOKENS, TOKENS_EACH = 16, 6
REMINDER = "Write only numbers in square brackets, for example [2] [5], or: none"


class Annotation(Value):
    """The sentences of a text that a claim needs, as a language model names them.

    - `indexes`: the named sentences, the most important first; empty where the model says that none supports
      the claim.
    - `evidence`: these sentences in the order of the text, with their offsets where they were cut from it.
    - `raw`: what the model wrote.
    - `notes`: what was done to the input or left out of the reply, in words.
    """

    claim: str
    indexes: tuple[int, ...]
    evidence: tuple[Sentence, ...]
    raw: str
    model: str
    notes: tuple[str, ...] = ()
    usage: Usage = Usage()
    trace: Step | None = None


@dataclass(frozen=True)
class Named:
    """The sentences that a reply names, by index, with the reply and the notes."""

    indexes: tuple[int, ...]
    raw: str
    model: str
    notes: tuple[str, ...]


def annotate_claim(claim: str, sentences: Sequence[str]) -> Search[Named]:
    """Return the sentences that the model names; a reply without any is asked for once more."""
    context = make_context(claim, sentences)
    prompt = _prompt(context)
    limit = TOKENS + TOKENS_EACH * len(context.candidates)
    (reply,) = yield from generate([Request.user(prompt, max_tokens=limit, temperature=0.0)], step="annotate")
    numbers = read_named(reply.text)
    if numbers is None:
        request = Request.user(f"{prompt}\n\n{REMINDER}", max_tokens=limit, temperature=0.0)
        (reply,) = yield from generate([request], step="annotate again")
        numbers = read_named(reply.text)
    if numbers is None:
        raise _unreadable(reply)
    return _named(context, reply, numbers)


def read_named(text: str) -> list[int] | None:
    r"""Return the numbers that a reply names, each once, in its order; an empty list for "none".

    Numbers in square brackets are read, or, where there are none, lines and lists of bare numbers. None means
    that the reply is neither.

    >>> read_named("[2] [5] [2]"), read_named("Sent: 3\nSent: 1"), read_named("None."), read_named("Hm")
    ([2, 5], [3, 1], [], None)
    """
    digits = re.findall(r"\[(\d{1,6})\]", text) or re.findall(r"\b\d{1,6}\b", text)
    if digits:
        return list(dict.fromkeys(map(int, digits)))
    return [] if re.match(r"\W*none\b", text, re.IGNORECASE) else None


def _prompt(context: Context) -> str:
    numbered = "\n".join(
        f"[{number}] {fenced(context.sentences[index])}" for number, index in enumerate(context.candidates, 1)
    )
    return fill(read_prompt("probative.mcse", "annotate"), sentences=numbered, claim=context.claim)


def _named(context: Context, reply: Completion, numbers: Sequence[int]) -> Named:
    valid = [number for number in numbers if 1 <= number <= len(context.candidates)]
    notes = list(context.notes)
    if len(valid) < len(numbers):
        unknown = ", ".join(str(number) for number in numbers if number not in valid)
        notes.append(f"the model named sentences that do not exist: {unknown}")
        if not valid:
            raise _unreadable(reply)
    if not valid:
        notes.append("the model says that no sentence supports the claim")
    indexes = tuple(context.candidates[number - 1] for number in valid)
    return Named(indexes, reply.text, reply.model, tuple(notes))


def _unreadable(reply: Completion) -> OutputError:
    return OutputError(
        "the reply names none of the sentences",
        raw=reply.text,
        model=reply.model,
        step="annotate",
        finish_reason=reply.finish_reason,
        hint="use a larger model",
    )
