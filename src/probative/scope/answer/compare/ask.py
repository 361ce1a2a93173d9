"""Attribute questions to the model: one short request for each option, all in one batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from probative.engine.search import Search, generate_or_empty
from probative.errors import EmptyError
from probative.models.contract import Capability
from probative.models.reader_prompts import ask_answer
from probative.models.types import Request
from probative.scope.answer.compare.evidence import ChainSentence
from probative.scope.prompt_text import fill_prompt
from probative.scope.run import Run
from probative.text import english
from probative.text.prompts import numbered

REPLY_TOKENS = 32


class AttributeQuestion(NamedTuple):
    """A question about one option, and the sentences that may answer it."""

    text: str
    sentences: tuple[ChainSentence, ...]


def ask_each(run: Run, questions: Sequence[AttributeQuestion]) -> Search[list[str | None]]:
    """Return the model's reply to each question, without its frame; None where it finds no answer."""
    if not questions or Capability.GENERATE not in run.tools.model.capabilities:
        return [None] * len(questions)
    requests = [_request(run, question) for question in questions]
    replies = yield from generate_or_empty(requests, step="values")
    return [
        None if isinstance(reply, EmptyError) or reply.finish_reason == "dry-run" else _read(run, reply.text)
        for reply in replies
    ]


def _request(run: Run, question: AttributeQuestion) -> Request:
    """Return the reader's own prompt, or for another model a prompt that asks for a short answer."""
    passages = [sentence.as_passage() for sentence in question.sentences]
    if run.tools.model.reader:
        return ask_answer(question.text, passages)
    prompt = fill_prompt("value", passages=numbered(passages), question=question.text)
    return Request.user(prompt, max_tokens=REPLY_TOKENS)


def _read(run: Run, reply: str) -> str | None:
    first = next((line for line in reply.splitlines() if line.strip()), "")
    return english.read_answer(first)
