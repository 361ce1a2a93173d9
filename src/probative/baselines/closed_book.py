"""What the model says without reading anything."""

from __future__ import annotations

from collections.abc import Sequence

from probative.baselines.answers import answered
from probative.baselines.selection import prompt_text
from probative.evidence import Passage
from probative.models.exchange import Completion, Request
from probative.models.together import Ask, Search, Tools
from probative.scope.answering import ANSWER_TOKENS, Given, read_answer
from probative.scope.prepared import checked_question
from probative.scope.search import Found


def by_closed_book(question: str, passages: Sequence[Passage], tools: Tools, seed: int) -> Search[Found]:
    """The answer from what the model knows. The passages are not read, and there may be none."""
    notes: list[str] = []
    prompt = prompt_text("closed_book").replace("{question}", checked_question(question))
    replies: list[Completion] = yield Ask(
        "generate", [Request.user(prompt, max_tokens=ANSWER_TOKENS)], "answer"
    )
    if replies[0].finish_reason == "dry-run":
        return answered(passages, (), Given(None, ()), notes)
    return answered(passages, (), read_answer(replies[0].text, (), (), notes), notes)
