"""What the model says without reading anything."""

from __future__ import annotations

from collections.abc import Sequence

from probative.baselines.passages.methods import answered
from probative.engine.search import Search, generate
from probative.engine.tools import Tools
from probative.models.types import Request
from probative.scope.answer.write import ANSWER_TOKENS, ParsedAnswer, read_answer
from probative.scope.inputs import checked_question
from probative.scope.pipeline import ScopeResult
from probative.text.prompts import read_prompt
from probative.types import Passage


def by_closed_book(
    question: str, passages: Sequence[Passage], tools: Tools, seed: int
) -> Search[ScopeResult]:
    """The answer from what the model knows. The passages are not read, and there may be none."""
    notes: list[str] = []
    prompt = read_prompt("probative.baselines.passages", "closed_book").replace(
        "{question}", checked_question(question)
    )
    replies = yield from generate([Request.user(prompt, max_tokens=ANSWER_TOKENS)], step="answer")
    if replies[0].finish_reason == "dry-run":
        return answered(passages, (), ParsedAnswer(None, ()), notes)
    return answered(passages, (), read_answer(replies[0].text, (), (), notes), notes)
