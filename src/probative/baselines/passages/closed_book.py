"""The baseline `closed-book`: the model answers without reading anything."""

from __future__ import annotations

from probative.baselines.passages.results import fill_prompt, to_result
from probative.engine.methods import Method
from probative.engine.search import Search, generate
from probative.engine.tools import Tools
from probative.models.types import Request
from probative.scope.answer.make import ANSWER_TOKENS, parse_reply
from probative.scope.finding import NO_ANSWER
from probative.scope.inputs import Inputs
from probative.scope.options import ScopeOptions
from probative.scope.result import ScopeResult
from probative.scope.run import start_run


def by_closed_book(inputs: Inputs, tools: Tools, seed: int) -> Search[ScopeResult]:
    """Return the answer from what the model knows. The passages are not read, and there may be none."""
    run = start_run(inputs, ScopeOptions(), tools, split=False)
    prompt = fill_prompt("closed_book", question=run.question.text)
    replies = yield from generate([Request.user(prompt, max_tokens=ANSWER_TOKENS)], step="answer")
    if replies[0].finish_reason == "dry-run":
        return (yield from to_result(run, NO_ANSWER))
    return (yield from to_result(run, parse_reply(run, replies[0].text)))


CLOSED_BOOK = Method(by_closed_book, reads_passages=False)
